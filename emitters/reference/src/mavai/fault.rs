//! Why a trial fails, and how many fail for each reason.

use serde_json::{Value, json};

use super::bounded::{excerpt, identity};
use super::scenario::{Check, Criterion, Event, Outcome, Trial};

/// What a failed trial is attributed to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault<'a> {
    /// No response to judge: one of the five delivery causes.
    Delivery(&'static str),
    /// The first condition that a response did not meet.
    Evaluated(&'a Check),
}

impl<'a> Fault<'a> {
    /// What fails a trial: the first criterion that fails it. `None` where it passes all of them.
    pub fn of_trial(criteria: &'a [Criterion], trial: &Trial) -> Option<Self> {
        criteria.iter().find_map(|criterion| Self::of_criterion(criterion, trial))
    }

    /// What fails a trial by one criterion; `None` where it passes.
    pub fn of_criterion(criterion: &'a Criterion, trial: &Trial) -> Option<Self> {
        let outcomes = match trial.delivery() {
            Err(event) => return Some(Self::Delivery(cause(event))),
            Ok(outcomes) => outcomes,
        };
        let unmet = |check: &&Check| outcomes.get(&check.name) != Some(&Outcome::Pass);
        if let Some(required) = criterion.applicable(trial.input).filter(|check| !check.optional).find(unmet) {
            return Some(Self::Evaluated(required));
        }
        let optional = || criterion.applicable(trial.input).filter(|check| check.optional);
        let first = optional().find(unmet)?;
        let allowance = criterion.slack().map_or(0, |slack| slack.allowance(optional().count()));
        let skipped = optional().any(|check| outcomes.get(&check.name) == Some(&Outcome::Skip));
        let exceeded = optional().filter(unmet).count() as u64 > allowance;
        (skipped || exceeded).then_some(Self::Evaluated(first))
    }
}

/// The delivery cause of an event.
fn cause(event: Event) -> &'static str {
    match event {
        Event::NameResolutionFailed | Event::ConnectionRefused => "unreachable",
        Event::DeadlineElapsed => "client-deadline",
        Event::Http504 => "peer-timeout",
        Event::Http500 | Event::Http502 | Event::Http503 => "server-error",
        Event::EmptyBody => "unusable-response",
    }
}

/// A `failureDistribution`, its entries in the order in which the faults first occur; `None` where nothing failed.
///
/// A check that several criteria state of every input is one condition; one that two inputs state is two, told apart by the input.
pub fn distribution<'a>(faults: impl IntoIterator<Item = Fault<'a>>, inputs: &[String]) -> Option<Value> {
    let mut counts: Vec<(Fault, usize)> = Vec::new();
    for fault in faults {
        match counts.iter_mut().find(|(known, _)| same(*known, fault)) {
            Some((_, count)) => *count += 1,
            None => counts.push((fault, 1)),
        }
    }
    if counts.is_empty() {
        return None;
    }
    Some(counts.into_iter().map(|(fault, count)| entry(fault, count, inputs)).collect())
}

fn same(a: Fault, b: Fault) -> bool {
    match (a, b) {
        (Fault::Delivery(a), Fault::Delivery(b)) => a == b,
        (Fault::Evaluated(a), Fault::Evaluated(b)) => a.name == b.name && a.input == b.input,
        _ => false,
    }
}

fn entry(fault: Fault, count: usize, inputs: &[String]) -> Value {
    match fault {
        Fault::Delivery(cause) => json!({ "condition": cause, "kind": "delivery", "count": count }),
        Fault::Evaluated(check) => {
            let mut entry = json!({ "condition": identity(&check.name), "kind": "evaluated" });
            if let Some((index, text)) = check.input.and_then(|index| Some((index, inputs.get(index)?))) {
                entry["inputIndex"] = json!(index);
                entry["inputExcerpt"] = json!(excerpt(text));
            }
            entry["count"] = json!(count);
            entry
        }
    }
}
