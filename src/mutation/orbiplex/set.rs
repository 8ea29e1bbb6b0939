//! Records that contradict one another. Each is judged beside the valid one.

use serde_json::Value;

use super::stray_digest;
use crate::family::orbiplex::seal;
use crate::mutation::choice::{Choice, word};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{matching, set};

const CONFLICT: &[&str] = &["orbiplex/idempotency-conflict"];
const RUN: &[&str] = &["orbiplex/run-repeated"];
const INSTANCE: &[&str] = &["orbiplex/instance-reused"];
/// A record that differs from the one that its documents are of.
const RELATED: &[&str] = &["orbiplex/relation-", "orbiplex/artifact-"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("key-used-twice", "two records of a host have one idempotency key", CONFLICT, key_twice).may(RELATED),
    Operator::new("proposal-run-twice", "a proposal was run twice", RUN, run_twice).may(RELATED),
    Operator::new("instance-used-twice", "two runs used one instance", INSTANCE, instance_twice).may(RELATED),
    Operator::new("query-renamed", "the record is of another query than its scenario", &["scenario/differs"], query),
    Operator::new(
        "result-of-other-run",
        "the record has the result of another run than its scenario",
        &["scenario/differs"],
        result,
    ),
];

/// Puts the valid record beside the draft, sealed by the same host.
fn beside(draft: &mut Draft<'_>) -> Option<()> {
    let mut twin = draft.document.clone();
    seal::after_edit("", &mut twin).ok()?;
    draft.document = twin.clone();
    draft.twin = Some(twin);
    Some(())
}

fn key_twice(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    set(&mut draft.document, "", "recorded-at", word(choice, &["2031-01-01T00:00:00Z", "2031-06-01T00:00:00Z"]))?;
    Some("/recorded-at".to_owned())
}

/// Makes the record one of another run.
fn other_run(document: &mut Value) -> Option<()> {
    set(document, "", "run/ref", "operator-task-run:another")?;
    set(document, "", "idempotency/key", "another run")
}

fn run_twice(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    other_run(&mut draft.document)?;
    if draft.document.get("environment/ref").is_some() {
        set(&mut draft.document, "", "environment/ref", "environment:another")?;
        for item in matching(&draft.document, "/evidence/*") {
            set(&mut draft.document, &item, "environment/ref", "environment:another")?;
        }
    }
    Some("/run~1ref".to_owned())
}

fn instance_twice(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    draft.document.get("environment/ref")?;
    beside(draft)?;
    other_run(&mut draft.document)?;
    let digest = stray_digest(choice);
    set(&mut draft.document, "", "proposal/ref", format!("corpus-experiment:{digest}"))?;
    set(&mut draft.document, "", "proposal/digest", digest)?;
    Some("/environment~1ref".to_owned())
}

fn query(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    draft.base.input.as_ref()?;
    set(&mut draft.document, "", "query/id", "query:another")?;
    Some("/query~1id".to_owned())
}

fn result(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    draft.base.input.as_ref()?;
    set(&mut draft.document, "", "result/digest", stray_digest(choice))?;
    Some("/result~1digest".to_owned())
}
