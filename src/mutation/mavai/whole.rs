//! Faults of the document as a whole: its inputs, its keys, its time.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::every_criterion;
use crate::mutation::choice::{Choice, pick, word};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{items, last, parent, remove, rename, set};

const COMPLETE: &[&str] = &["mavai/inputs-complete"];
const PATH: &[&str] = &["mavai/excerpt-not-a-path"];
const KEY: &[&str] = &["mavai/key-bounded"];
const INSTANT: &[&str] = &["mavai/utc-instant"];

pub const OPERATORS: &[Operator] = &[
    // An input fewer also changes what the round robin gives the others.
    Operator::new("input-dropped", "an input that was driven is not stated", COMPLETE, dropped)
        .may(&["mavai/standings-row-total", "schema/minItems"]),
    Operator::new("input-repeated", "an input is stated twice", COMPLETE, repeated),
    Operator::new("excerpt-a-path", "an input's excerpt is a path on a machine", PATH, path),
    Operator::new("key-too-long", "a key has more than 256 characters", KEY, long_key),
    Operator::new("criterion-too-long", "a criterion's name has more than 256 characters", KEY, long_criterion),
    Operator::new("identity-too-long", "an identity has more than 256 characters", KEY, long_identity)
        .may(&["schema/maxLength"]),
    Operator::new("instant-with-offset", "the time of emission is not in UTC", INSTANT, offset),
    Operator::new("instant-not-in-calendar", "the time of emission is on a day that there is not", INSTANT, no_day)
        .may(&["schema/format"]),
    Operator::new("instant-without-zone", "the time of emission has no zone", INSTANT, no_zone).may(&["schema/format"]),
];

/// Every inputIndex that stands anywhere but in `inputs`.
fn used(value: &Value, into: &mut BTreeSet<u64>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| used(item, into)),
        Value::Object(members) => {
            for (key, member) in members.iter().filter(|(key, _)| *key != "inputs") {
                if key == "inputIndex" {
                    into.extend(member.as_u64());
                }
                used(member, into);
            }
        }
        _ => {}
    }
}

fn dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut indices = BTreeSet::new();
    used(document, &mut indices);
    let stated = items(document, "/inputs").iter().enumerate();
    let candidates = stated
        .filter(|(_, input)| {
            input.get("inputIndex").and_then(Value::as_u64).is_some_and(|index| indices.contains(&index))
        })
        .map(|(at, _)| at)
        .collect();
    let at: usize = pick(choice, candidates)?;
    remove(document, "/inputs", &at.to_string())?;
    Some("/inputs".to_owned())
}

fn repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let twin = pick(choice, items(document, "/inputs").to_vec())?;
    set(document, "/inputs", "-", twin)?;
    Some("/inputs".to_owned())
}

fn path(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let at = pick(choice, (0..items(document, "/inputs").len()).collect())?;
    let text = word(
        choice,
        &[
            "PosixPath('/home/ann/pear.txt')",
            "/home/ann/inputs/pear.txt",
            "C:\\inputs\\pear.txt",
            "file:///tmp/in/pear",
        ],
    );
    set(document, &format!("/inputs/{at}"), "inputExcerpt", text)?;
    Some(format!("/inputs/{at}/inputExcerpt"))
}

/// A name of 257 characters or more.
fn long(choice: &mut dyn Choice) -> String {
    "ż".repeat(257 + choice.below(100))
}

fn long_key(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let key = long(choice);
    set(&mut draft.document, "", "annotations", json!({ key.as_str(): "passed" }))?;
    Some(format!("/annotations/{key}"))
}

fn long_criterion(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (_, criterion) = pick(choice, every_criterion(document))?;
    let name = long(choice);
    rename(document, parent(&criterion), &last(&criterion), &name)?;
    Some(format!("{}/{name}", parent(&criterion)))
}

fn long_identity(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let keys = ["serviceContractId", "experimentId", "configurationName", "configuration"];
    let key = pick(choice, keys.into_iter().filter(|key| document.get(key).is_some()).collect())?;
    set(document, "", key, long(choice))?;
    Some(format!("/{key}"))
}

/// Sets the time of emission; an expiry, which is reckoned from it, goes.
fn generated(document: &mut Value, text: &str) -> Option<String> {
    document.get("generatedAt")?;
    set(document, "", "generatedAt", text)?;
    remove(document, "", "expiration");
    Some("/generatedAt".to_owned())
}

fn offset(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    generated(
        &mut draft.document,
        word(choice, &["2026-10-01T10:00:00+02:00", "2026-10-01T03:30:00-04:30", "2026-10-01T08:00:00+00:01"]),
    )
}

fn no_day(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    generated(
        &mut draft.document,
        word(choice, &["2026-02-30T08:00:00Z", "2026-13-01T08:00:00Z", "2026-10-01T25:00:00Z"]),
    )
}

fn no_zone(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    generated(&mut draft.document, word(choice, &["2026-10-01T08:00:00", "2026-10-01", "yesterday"]))
}
