//! Evidence: of the record's own instance only, and one item a step.

use std::collections::HashMap;

use super::canonical::shorten;
use super::record::{Record, Records, Text};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

const INSTANCE: Rule = Rule {
    id: "orbiplex/evidence-instance",
    title: "evidence is of the record's own instance",
    demand: "The `environment/ref` of every item of evidence is the record's own: what was observed on one instance is never \
             evidence about another. A record that lists evidence therefore names its instance (a reading: the schema does not \
             say so).",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "evidence",
    example: Example {
        good: &[],
        bad: &[Edit::Set("/evidence/0/environment~1ref", "\"environment:example-0\"")],
        show: "/evidence/0",
        also: &[],
    },
};

pub const OBLIGATIONS: &[Obligation<Records>] = &[
    Obligation { rule: INSTANCE, judge: evidence_instance },
    Obligation {
        rule: Rule {
            id: "orbiplex/evidence-step-repeated",
            title: "a step has one item of evidence",
            demand: "No step is listed twice: the same artifact again says nothing, and two artifacts leave open which one the \
                     step came to. The schema allows both, so this is a reading.",
            basis: Basis::Reading,
            severity: Severity::Warning,
            group: "evidence",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/evidence/1/step~1id", "\"read-zone\"")],
                show: "/evidence",
                also: &[],
            },
        },
        judge: step_repeated,
    },
];

fn evidence_instance(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(evidence) = evidence_array(record, judge) else { return };
    if evidence.is_empty() {
        return;
    }
    if record.root.get("environment/ref").is_none() {
        let evaluated =
            record.text("outcome").is_some_and(|outcome| matches!(outcome.text, "verified" | "verification-failed"));
        if evaluated {
            judge.not_judged("/environment~1ref", "`environment/ref` is missing");
        } else {
            judge
                .finding_as(
                    INSTANCE.id,
                    Basis::Reading,
                    INSTANCE.severity,
                    evidence,
                    "the record lists evidence but names no instance that it could be of",
                )
                .help("name the instance in `environment/ref`, or leave the evidence out where the run had none");
        }
        return;
    }
    let Some(own) = Text::needed(record.root, "environment/ref", judge) else { return };
    for item in evidence.items() {
        let Some(instance) = Text::needed(item, "environment/ref", judge) else { continue };
        if instance.text != own.text {
            judge
                .finding(
                    instance.at,
                    format!(
                        "this evidence is of `{}`, but the record is of `{}`",
                        shorten(instance.text),
                        shorten(own.text)
                    ),
                )
                .mark(own.at, "the record's own instance")
                .help("list only what was observed on the instance that this run used");
        }
    }
}

fn step_repeated(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(evidence) = evidence_array(record, judge) else { return };
    let mut first: HashMap<&str, (Text<'_>, Option<&str>)> = HashMap::new();
    for item in evidence.items() {
        let Some(step) = Text::needed(item, "step/id", judge) else { continue };
        let digest = Text::of(item, "digest").map(|digest| digest.text);
        let Some(&(earlier, earlier_digest)) = first.get(step.text) else {
            first.insert(step.text, (step, digest));
            continue;
        };
        let (found, help) = if digest == earlier_digest {
            ("with the same artifact", "leave the second item out")
        } else {
            ("with another artifact", "list the artifact that the step concluded with")
        };
        judge
            .finding(step.at, format!("the step `{}` is listed again, {found}", shorten(step.text)))
            .mark(earlier.at, "first listed here")
            .help(help);
    }
}

/// The array of evidence; where there is none, the current rule is said to be not judged.
pub fn evidence_array<'d>(record: &Record<'d>, judge: &mut Judge<'_>) -> Option<Value<'d>> {
    let evidence = record.root.get("evidence").filter(|evidence| evidence.kind() == crate::document::Kind::Array);
    if evidence.is_none() {
        judge.not_judged("/evidence", "there is no array of evidence");
    }
    evidence
}
