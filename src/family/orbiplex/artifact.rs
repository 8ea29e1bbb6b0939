//! Artifacts: the candidate, the plan and the result that a record names by digest, where they are given.

use std::collections::HashMap;

use super::canonical::{self, shorten};
use super::digest::{digest_text, read_digest, sha256};
use super::record::{Record, Records, Text};
use super::related::{Given, Related};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Records>] = &[
    Obligation {
        rule: Rule {
            id: "orbiplex/artifact-digest",
            title: "candidate and result have the stated digests",
            demand: "`result/digest` is the digest of the canonical JSON of the result of this run, with nothing left out, and \
                     `candidate/digest` is that of the candidate.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "artifacts",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/result~1digest", "\"sha256:2SmKENGwc1g33EvYXaxkGw887yekfl1TpU8vP1svz_o\"")],
                show: "/result~1digest",
                also: &[],
            },
        },
        judge: artifact_digest,
    },
    Obligation {
        rule: Rule {
            id: "orbiplex/artifact-agrees",
            title: "the result and the plan say what the record says",
            demand: "Plan, outcome, refusal code and task profile of the result are the record's; the plan is of the record's \
                     candidate and task profile; and evidence is only of steps that they list and that ran. Nothing states this \
                     relation member for member, so it is a reading.",
            basis: Basis::Reading,
            severity: Severity::Error,
            group: "artifacts",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/plan~1digest", "\"sha256:2SmKENGwc1g33EvYXaxkGw887yekfl1TpU8vP1svz_o\"")],
                show: "/plan~1digest",
                also: &[],
            },
        },
        judge: artifact_agrees,
    },
];

fn artifact_digest(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    if let Some(result) = result_of(record, related, judge)
        && let Some(stated) = Text::needed(record.root, "result/digest", judge)
        && let Some(digest) = digest_of(result, stated, judge)
        && read_digest(stated.text).is_some_and(|stated| stated.bytes != digest)
    {
        judge
            .finding(
                stated.at,
                format!("the result of this run ({}) has another digest: {}", result.name, digest_text(&digest)),
            )
            .help("compute it over the canonical JSON of the whole result");
    }
    let Some(stated) = record.root.get("candidate").and_then(|candidate| Text::needed(candidate, "digest", judge))
    else {
        return;
    };
    let stated_digest = read_digest(stated.text).map(|digest| digest.bytes);
    let found = related
        .candidates()
        .any(|given| canonical::bytes(given.root, &[]).is_ok_and(|bytes| Some(sha256(&bytes)) == stated_digest));
    if !found {
        // A candidate has no name of its own, so another one that is given may belong to another record.
        let reason = format!("no candidate with the digest `{}` is among the related documents", shorten(stated.text));
        judge.not_judged(stated.at.pointer(), reason);
    }
}

fn digest_of(given: Given<'_>, stated: Text<'_>, judge: &mut Judge<'_>) -> Option<[u8; 32]> {
    match canonical::bytes(given.root, &[]) {
        Ok(bytes) => Some(sha256(&bytes)),
        Err(fault) => {
            judge.not_judged(stated.at.pointer(), format!("{} has no canonical form: {}", given.name, fault.reason()));
            None
        }
    }
}

fn artifact_agrees(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    let target_profile = record.root.get("target").and_then(|target| Text::of(target, "task-profile/digest"));
    let candidate_digest = record.root.get("candidate").and_then(|candidate| Text::of(candidate, "digest"));
    if let Some(result) = result_of(record, related, judge) {
        for key in ["plan/ref", "plan/digest", "outcome"] {
            agree(record.text(key), key, result, judge);
        }
        agree(target_profile, "task-profile/digest", result, judge);
        same_code(record, result, judge);
        evidence_of_steps(record, result, judge);
    }
    // A plan is optional beside a result, which names the plan's digest itself.
    if let Some(plan) = related.plan {
        agree(candidate_digest, "candidate/digest", plan, judge);
        agree(target_profile, "task-profile/digest", plan, judge);
        evidence_of_steps(record, plan, judge);
    }
}

/// The given result of the record's run; where there is none, the current rule is said to be not judged.
fn result_of<'d>(record: &Record<'d>, related: &Related<'d>, judge: &mut Judge<'_>) -> Option<Given<'d>> {
    let run = Text::needed(record.root, "run/ref", judge)?;
    if related.result.is_none() {
        let reason = format!("no result of the run `{}` is among the related documents", shorten(run.text));
        judge.not_judged(run.at.pointer(), reason);
    }
    related.result
}

fn agree(own: Option<Text<'_>>, key: &str, given: Given<'_>, judge: &mut Judge<'_>) {
    let (Some(own), Some(other)) = (own, Text::of(given.root, key)) else {
        judge.not_judged("", format!("the record or {} lacks what is compared with `{key}`", given.name));
        return;
    };
    if own.text != other.text {
        judge
            .finding(own.at, format!("{} says `{key}` is `{}`", given.name, shorten(other.text)))
            .help("the record repeats what the run's own documents say");
    }
}

fn same_code(record: &Record<'_>, result: Given<'_>, judge: &mut Judge<'_>) {
    let (own, other) = (record.root.get("refusal/code"), result.root.get("refusal/code"));
    let same = match (own, other) {
        (Some(own), Some(other)) => own.same_as(other),
        (None, None) => true,
        _ => false,
    };
    if !same {
        let stated = other.map_or_else(
            || "no refusal code".to_owned(),
            |code| format!("the refusal code `{}`", shorten(code.as_str().unwrap_or_default())),
        );
        judge
            .finding(own.or(record.root.get("outcome")).unwrap_or(record.root), format!("{} has {stated}", result.name))
            .help("the record repeats the code of the run's result");
    }
}

fn evidence_of_steps(record: &Record<'_>, given: Given<'_>, judge: &mut Judge<'_>) {
    let Some(steps) = given.root.get("steps") else {
        judge.not_judged("/evidence", format!("{} lists no steps", given.name));
        return;
    };
    let outcomes: HashMap<&str, Option<&str>> = steps
        .items()
        .filter_map(|step| {
            Some((Text::of(step, "step/id")?.text, Text::of(step, "outcome").map(|outcome| outcome.text)))
        })
        .collect();
    for item in record.evidence() {
        let Some(step) = Text::needed(item, "step/id", judge) else { continue };
        let found = match outcomes.get(step.text) {
            None => format!("{} has no step `{}`", given.name, shorten(step.text)),
            Some(Some("not-run")) => format!("{} says that the step `{}` was not run", given.name, shorten(step.text)),
            Some(_) => continue,
        };
        judge.finding(step.at, found).help("list evidence only of steps that this run made");
    }
}
