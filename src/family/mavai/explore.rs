//! Explore: one document a configuration; what holds across the documents of one experiment.

use std::collections::{BTreeMap, BTreeSet};

use super::delivery::excerpt;
use super::model::text;
use crate::document::{Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Rule};

pub static DISTINCT: Rule = Rule {
    id: "mavai/configurations-distinct",
    title: "Configurations are distinct",
    demand: "Across the documents of one experiment, no two state the same configuration. (Judged over the documents of one folder that \
             share contract and experiment.)",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "experiment",
    example: Example { good: &[], bad: &[Edit::Remove("/baseConfiguration")], show: "/configuration", also: &[] },
};

pub static ONE_BASE: Rule = Rule {
    id: "mavai/base-configuration-single",
    title: "One base configuration",
    demand: "Across the documents of one experiment, at most one states baseConfiguration.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "experiment",
    example: Example {
        good: &[],
        bad: &[Edit::Set("/configuration", r#""temperature-0.2""#)],
        show: "/baseConfiguration",
        also: &[],
    },
};

pub static FACTORS_STATED: Rule = Rule {
    id: "mavai/factors-stated",
    title: "Factors are stated where configurations differ",
    demand: "A document of an experiment with several documents states its factors: only a single document can go without.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "experiment",
    example: Example {
        good: &[],
        bad: &[
            Edit::Set("/configuration", r#""temperature-0.2""#),
            Edit::Remove("/baseConfiguration"),
            Edit::Remove("/factors"),
        ],
        show: "/factors",
        also: &[],
    },
};

pub static FACTOR_KEYS: Rule = Rule {
    id: "mavai/factor-keys-alike",
    title: "One set of factors throughout",
    demand: "The documents of one experiment that state factors state the same factor names.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "experiment",
    example: Example {
        good: &[],
        bad: &[
            Edit::Set("/configuration", r#""temperature-0.2""#),
            Edit::Remove("/baseConfiguration"),
            Edit::Set("/factors", r#"{"model": "small"}"#),
        ],
        show: "/factors",
        also: &[],
    },
};

/// The rules that several documents show.
pub static RULES: [&Rule; 4] = [&DISTINCT, &ONE_BASE, &FACTORS_STATED, &FACTOR_KEYS];

/// Judges the documents of one folder by the experiments that they belong to.
pub fn judge_set(roots: &[Value<'_>], judges: &mut [Judge<'_>]) {
    let mut experiments: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, root) in roots.iter().enumerate() {
        let contract = text(*root, "serviceContractId").get().map_or("", |text| text.value);
        let experiment = text(*root, "experimentId").get().map_or("", |text| text.value);
        experiments.entry((contract, experiment)).or_default().push(at);
    }
    for members in experiments.values().filter(|members| members.len() > 1) {
        distinct(members, roots, judges);
        one_base(members, roots, judges);
        factors_stated(members, roots, judges);
        factor_keys(members, roots, judges);
    }
}

fn distinct(members: &[usize], roots: &[Value<'_>], judges: &mut [Judge<'_>]) {
    let mut seen = BTreeSet::new();
    for &at in members {
        judges[at].by(DISTINCT);
        let Some(stated) = text(roots[at], "configuration").need(&mut judges[at]) else { continue };
        if !seen.insert(stated.value) {
            judges[at]
                .finding(stated.at, format!("another document of the experiment is {} too", excerpt(stated.value)))
                .help("name each configuration once; a document that was emitted again replaces the old one");
        }
    }
}

fn one_base(members: &[usize], roots: &[Value<'_>], judges: &mut [Judge<'_>]) {
    let is_base = |at: &&usize| roots[**at].get("baseConfiguration").and_then(Value::as_bool) == Some(true);
    for &at in members.iter().filter(is_base).skip(1) {
        let Some(stated) = roots[at].get("baseConfiguration") else { continue };
        judges[at].by(ONE_BASE);
        judges[at]
            .finding(stated, "another document of the experiment is the base configuration")
            .help("mark one configuration as the base");
    }
}

fn factors_stated(members: &[usize], roots: &[Value<'_>], judges: &mut [Judge<'_>]) {
    for &at in members.iter().filter(|&&at| roots[at].get("factors").is_none()) {
        judges[at].by(FACTORS_STATED);
        judges[at]
            .finding(
                roots[at].get("configuration").unwrap_or(roots[at]),
                format!("the experiment has {} documents, but this one states no factors", members.len()),
            )
            .help("state the factors by which the configurations differ");
    }
}

fn factor_keys(members: &[usize], roots: &[Value<'_>], judges: &mut [Judge<'_>]) {
    let keys = |root: Value<'_>| -> Option<BTreeSet<String>> {
        let factors = root.get("factors").filter(|factors| factors.kind() == Kind::Object)?;
        Some(factors.members().map(|(key, _)| key.as_str().unwrap_or_default().to_owned()).collect())
    };
    let Some(first) = members.iter().find_map(|&at| keys(roots[at])) else { return };
    for &at in members {
        let (Some(own), Some(factors)) = (keys(roots[at]), roots[at].get("factors")) else { continue };
        if own == first {
            continue;
        }
        let list = |set: &BTreeSet<String>| set.iter().map(String::as_str).collect::<Vec<_>>().join("\n") + "\n";
        judges[at].by(FACTOR_KEYS);
        judges[at]
            .finding(factors, "the factors are not those of the experiment's other documents")
            .comparison(list(&own), list(&first))
            .help("state every factor in every document, also where its value does not change");
    }
}
