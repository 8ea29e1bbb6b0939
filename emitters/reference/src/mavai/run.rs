//! What a run over trials comes to, in the blocks that every kind of document states.

use serde_json::{Map, Value, json};

use super::bounded::{excerpt, identity};
use super::fault::{Fault, distribution};
use super::latency;
use super::scenario::{Criterion, Terms, Trial};
use super::standings;

/// The trials that pass every criterion.
pub fn passing<'t>(terms: &Terms, trials: &'t [Trial]) -> Vec<&'t Trial> {
    trials.iter().filter(|trial| Fault::of_trial(terms.criteria, trial).is_none()).collect()
}

/// The document's `inputs`.
pub fn inputs(terms: &Terms) -> Value {
    let item = |(index, text): (usize, &String)| json!({ "inputIndex": index, "inputExcerpt": excerpt(text) });
    terms.inputs.iter().enumerate().map(item).collect()
}

/// Factors as a document states them.
pub fn factors(declared: &Map<String, Value>) -> Value {
    declared.iter().map(|(name, value)| (identity(name), value.clone())).collect()
}

/// Adds what a run comes to: `execution`, `statistics`, `cost`, and `latency` where a trial passed.
pub fn add(document: &mut Value, terms: &Terms, termination: &str, trials: &[Trial]) {
    let passing = passing(terms, trials);
    document["execution"] = execution(terms, termination, trials);
    document["statistics"] = statistics(terms, trials, passing.len());
    document["cost"] = cost(trials);
    if let Some(latency) = latency::block(&passing, trials.len(), &latency::PERCENTILES) {
        document["latency"] = latency;
    }
}

pub fn execution(terms: &Terms, termination: &str, trials: &[Trial]) -> Value {
    json!({
        "samplesPlanned": terms.samples_planned,
        "samplesExecuted": trials.len(),
        "terminationReason": termination,
    })
}

/// A part of a whole; nothing of nothing is 0.
pub fn fraction(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn statistics(terms: &Terms, trials: &[Trial], successes: usize) -> Value {
    let mut block = json!({
        "observed": fraction(successes, trials.len()),
        "successes": successes,
        "failures": trials.len() - successes,
    });
    let faults = trials.iter().filter_map(|trial| Fault::of_trial(terms.criteria, trial));
    if let Some(entries) = distribution(faults, terms.inputs) {
        block["failureDistribution"] = entries;
    }
    block["criteria"] =
        terms.criteria.iter().map(|criterion| (identity(&criterion.name), judged(terms, criterion, trials))).collect();
    block
}

/// One entry of `criteria`.
fn judged(terms: &Terms, criterion: &Criterion, trials: &[Trial]) -> Value {
    let faults: Vec<Fault> = trials.iter().filter_map(|trial| Fault::of_criterion(criterion, trial)).collect();
    let (pass, fail) = (trials.len() - faults.len(), faults.len());
    let mut block = json!({ "observedPassRate": fraction(pass, trials.len()), "pass": pass, "fail": fail });
    if let Some(entries) = distribution(faults, terms.inputs) {
        block["failureDistribution"] = entries;
    }
    block["standings"] = standings::block(criterion, terms.inputs.len(), trials);
    block
}

/// Time spent, in whole milliseconds, on delivered and undelivered trials alike.
pub fn cost(trials: &[Trial]) -> Value {
    let total = trials.iter().map(Trial::milliseconds).sum::<f64>().round() as u64;
    let average = total.checked_div(trials.len() as u64).unwrap_or(0);
    json!({ "totalTimeMs": total, "avgTimePerSampleMs": average })
}
