//! Undelivered trials that are told wrongly.

use serde_json::{Value, json};

use super::{criteria, every_distribution, is_baseline, is_delivery, runs};
use crate::family::mavai::delivery::CAUSES;
use crate::mutation::choice::{Choice, pick, word};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, items, set};
use crate::mutation::tweak::{DOUBLED, OFF_BY_ONE, SWAPPED};

const CAUSE: &[&str] = &["mavai/delivery-cause"];
const EVERY: &[&str] = &["mavai/delivery-fails-every-criterion"];

pub const OPERATORS: &[Operator] = &[
    Operator::new(
        "delivery-cause-invented",
        "an undelivered trial has a cause outside the vocabulary",
        CAUSE,
        invented,
    )
    .may(&["schema/enum"]),
    Operator::new("delivery-of-judged", "a failed check is told as an undelivered trial", CAUSE, told_as_undelivered)
        .may(&["schema/enum", "mavai/delivery-fails-every-criterion", "mavai/failure-reason"]),
    Operator::new(
        "undelivered-off-by-one",
        "one more trial is undelivered than a criterion failed",
        EVERY,
        more::<OFF_BY_ONE>,
    ),
    Operator::new("undelivered-doubled", "undelivered trials are counted twice", EVERY, more::<DOUBLED>),
    Operator::new("undelivered-swapped", "every failure is undelivered", EVERY, more::<SWAPPED>),
];

fn invented(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let at = pick(choice, entries(document, is_delivery))?;
    let cause =
        word(choice, &["https://localhost:8080/basket", "timeout", "Unreachable", "connection refused", "http-503"]);
    set(document, &at, "condition", cause)?;
    Some(at + "/condition")
}

fn told_as_undelivered(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    // A check that is called like a cause would be told as an undelivered trial rightly.
    let named_otherwise = |entry: &Value| CAUSES.iter().all(|(cause, _)| entry["condition"] != *cause);
    let at = pick(choice, entries(document, |entry| entry["kind"] == "evaluated" && named_otherwise(entry)))?;
    set(document, &at, "kind", "delivery")?;
    Some(at + "/kind")
}

/// Entries of one kind, in all distributions.
fn entries(document: &Value, of_kind: impl Fn(&Value) -> bool) -> Vec<String> {
    let lists = every_distribution(document).into_iter().map(|(_, holder)| format!("{holder}/failureDistribution"));
    lists
        .flat_map(|list| {
            let found = items(document, &list).iter().enumerate().filter(|(_, entry)| of_kind(entry)).map(|(at, _)| at);
            found.map(|at| format!("{list}/{at}")).collect::<Vec<_>>()
        })
        .collect()
}

/// Calls judged failures of a run undelivered, as many as contradict a criterion. The sum stays.
fn more<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    if is_baseline(document) {
        return None;
    }
    let mut candidates = Vec::new();
    for run in runs(document) {
        let list = items(document, &format!("{run}/statistics/failureDistribution"));
        let least = criteria(document, &run).iter().filter_map(|at| count(document, at, "fail")).min();
        let (Some(least), false) = (least, list.is_empty()) else { continue };
        let counted = |entry: &Value| entry["count"].as_u64().unwrap_or(0);
        let all: u64 = list.iter().map(counted).sum();
        let undelivered: u64 = list.iter().filter(|entry| is_delivery(entry)).map(counted).sum();
        let wrong = match KIND {
            OFF_BY_ONE => least + 1,
            SWAPPED => all,
            _ => undelivered * 2,
        };
        if wrong > least && wrong > undelivered && wrong <= all {
            candidates.push((format!("{run}/statistics"), relabelled(list, wrong - undelivered)));
        }
    }
    let (at, list) = pick(choice, candidates)?;
    set(document, &at, "failureDistribution", list)?;
    Some(at + "/failureDistribution")
}

/// The entries with this many judged failures moved to an undelivered one.
fn relabelled(list: &[Value], mut moved: u64) -> Value {
    let mut list = list.to_vec();
    match list.iter_mut().find(|entry| is_delivery(entry)) {
        Some(entry) => entry["count"] = (entry["count"].as_u64().unwrap_or(0) + moved).into(),
        None => list.insert(0, json!({"condition": "unreachable", "kind": "delivery", "count": moved})),
    }
    for entry in list.iter_mut().rev().filter(|entry| !is_delivery(entry)) {
        let count = entry["count"].as_u64().unwrap_or(0);
        let taken = count.min(moved);
        moved -= taken;
        entry["count"] = (count - taken).into();
    }
    list.retain(|entry| entry["count"] != 0);
    Value::Array(list)
}
