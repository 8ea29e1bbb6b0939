//! Keys are no place for content. Only a scenario can show it: it knows the texts that went in and came out.

use super::delivery::excerpt;
use super::scenario::{Terms, Trial};
use crate::document::{Document, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Rule};

pub static RULE: Rule = Rule {
    id: "mavai/key-not-content",
    title: "No key holds content",
    demand: "No mapping key contains text of an input or of a response: keys are declared names. (Judged in scenarios only, which know the \
             texts; texts under 12 characters prove nothing and are passed over.)",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "keys and text",
    example: Example {
        good: &[Edit::Set("/iterations/0/resultProjection", r#"{"sample 0": "passed"}"#)],
        bad: &[Edit::Set("/iterations/0/resultProjection", r#"{"two apples and a pear, please": "passed"}"#)],
        show: "/iterations/0/resultProjection",
        also: &[],
    },
};

/// Shortest text that a key can be told to hold.
const SHORTEST: usize = 12;
/// Keys are bounded, so that a long text's beginning is looked for, not all of it.
const PROBE: usize = 24;

/// Looks in the document's keys for the texts that its scenario's trials took and yielded. `names` are declared beside the criteria:
/// factors, covariates.
pub fn judge<'i>(
    terms: &Terms<'i>,
    names: impl IntoIterator<Item = &'i String>,
    trials: impl IntoIterator<Item = &'i Trial>,
    document: &Document,
    judge: &mut Judge<'_>,
) {
    judge.by(RULE);
    let responses = trials.into_iter().filter_map(|trial| trial.response.as_ref());
    let declared: Vec<&str> = declared_names(terms).chain(names.into_iter().map(String::as_str)).collect();
    let mut probes: Vec<String> = terms
        .inputs
        .iter()
        .chain(responses)
        .filter(|text| text.chars().count() >= SHORTEST)
        .map(|text| text.chars().take(PROBE).collect())
        // A text that repeats a declared name says nothing about where a key came from.
        .filter(|probe: &String| !declared.iter().any(|name| name.contains(probe.as_str())))
        .collect();
    probes.sort();
    probes.dedup();
    if !probes.is_empty() {
        keys_of(document.root(), &probes, judge);
    }
}

fn declared_names<'i>(terms: &Terms<'i>) -> impl Iterator<Item = &'i str> + use<'i> {
    let criteria = terms.criteria.iter().map(|criterion| criterion.name.as_str());
    let checks = terms.criteria.iter().flat_map(|criterion| &criterion.checks).map(|check| check.name.as_str());
    criteria.chain(checks)
}

fn keys_of(value: Value<'_>, probes: &[String], judge: &mut Judge<'_>) {
    for (key, member) in value.members() {
        let text = key.as_str().unwrap_or_default();
        if let Some(probe) = probes.iter().find(|probe| text.contains(probe.as_str())) {
            judge
                .finding(
                    key,
                    format!("the key {} holds text of an input or a response: {}", excerpt(text), excerpt(probe)),
                )
                .help("key by declared names or by index; put content in values");
        }
        keys_of(member, probes, judge);
    }
    for item in value.items() {
        keys_of(item, probes, judge);
    }
}
