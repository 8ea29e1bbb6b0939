//! The mavai family: optimize documents.

mod bounded;
mod fault;
mod latency;
mod scenario;
mod slack;
mod standings;

use serde_json::{Value, json};

use crate::{Refusal, yaml};
use bounded::{excerpt, identity};
use fault::{Fault, distribution};
use scenario::{Criterion, Iteration, Objective, Scenario, Scorer, Trial};

/// The optimize document of a scenario's input.
pub fn emit(input: Value, generated_at: &str) -> Result<String, Refusal> {
    let scenario = Scenario::read(input)?;
    let iterations: Vec<Value> =
        scenario.iterations.iter().enumerate().map(|(index, iteration)| history(&scenario, index, iteration)).collect();
    let mut document = json!({
        "schemaVersion": "mavai-optimize-1",
        "serviceContractId": identity(&scenario.contract),
        "experimentId": identity(&scenario.experiment),
        "objective": scenario.objective,
    });
    // A score that does not come from the pass rate has no name that others would know.
    if scenario.scorer == Scorer::ObservedPassRate {
        document["scorer"] = json!("observed-pass-rate");
    }
    document["generatedAt"] = json!(generated_at);
    document["inputs"] = scenario
        .inputs
        .iter()
        .enumerate()
        .map(|(index, text)| json!({ "inputIndex": index, "inputExcerpt": excerpt(text) }))
        .collect();
    document["iterations"] = Value::Array(iterations);
    document["convergence"] = convergence(&scenario);
    Ok(yaml::write(&document))
}

/// One entry of `iterations`.
fn history(scenario: &Scenario, index: usize, iteration: &Iteration) -> Value {
    let trials = &iteration.trials;
    let passing: Vec<&Trial> =
        trials.iter().filter(|trial| Fault::of_trial(&scenario.criteria, trial).is_none()).collect();
    let mut entry = json!({
        "iteration": index,
        "factors": factors(iteration),
        "score": score(scenario, iteration),
        "execution": {
            "samplesPlanned": scenario.samples_planned,
            "samplesExecuted": trials.len(),
            "terminationReason": iteration.termination,
        },
        "statistics": statistics(scenario, trials, passing.len()),
        "cost": cost(trials),
    });
    if let Some(latency) = latency::block(&passing, trials.len()) {
        entry["latency"] = latency;
    }
    entry
}

fn factors(iteration: &Iteration) -> Value {
    iteration.factors.iter().map(|(name, value)| (identity(name), value.clone())).collect()
}

/// The iteration's score: what it states, or its unrounded pass rate.
fn score(scenario: &Scenario, iteration: &Iteration) -> Value {
    match &iteration.score {
        Some(stated) => Value::Number(stated.clone()),
        None => json!(pass_rate(scenario, iteration)),
    }
}

fn pass_rate(scenario: &Scenario, iteration: &Iteration) -> f64 {
    let passed = iteration.trials.iter().filter(|trial| Fault::of_trial(&scenario.criteria, trial).is_none()).count();
    fraction(passed, iteration.trials.len())
}

/// A part of a whole; nothing of nothing is 0.
fn fraction(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn statistics(scenario: &Scenario, trials: &[Trial], successes: usize) -> Value {
    let mut block = json!({
        "observed": fraction(successes, trials.len()),
        "successes": successes,
        "failures": trials.len() - successes,
    });
    let faults = trials.iter().filter_map(|trial| Fault::of_trial(&scenario.criteria, trial));
    if let Some(entries) = distribution(faults, scenario) {
        block["failureDistribution"] = entries;
    }
    block["criteria"] = scenario
        .criteria
        .iter()
        .map(|criterion| (identity(&criterion.name), judged(scenario, criterion, trials)))
        .collect();
    block
}

/// One entry of `criteria`.
fn judged(scenario: &Scenario, criterion: &Criterion, trials: &[Trial]) -> Value {
    let faults: Vec<Fault> = trials.iter().filter_map(|trial| Fault::of_criterion(criterion, trial)).collect();
    let (pass, fail) = (trials.len() - faults.len(), faults.len());
    let mut block = json!({ "observedPassRate": fraction(pass, trials.len()), "pass": pass, "fail": fail });
    if let Some(entries) = distribution(faults, scenario) {
        block["failureDistribution"] = entries;
    }
    block["standings"] = standings::block(criterion, scenario.inputs.len(), trials);
    block
}

/// Time spent, in whole milliseconds, on delivered and undelivered trials alike.
fn cost(trials: &[Trial]) -> Value {
    let total = trials.iter().map(Trial::milliseconds).sum::<f64>().round() as u64;
    let average = total.checked_div(trials.len() as u64).unwrap_or(0);
    json!({ "totalTimeMs": total, "avgTimePerSampleMs": average })
}

/// The selected optimum: the first iteration that no other one beats.
fn convergence(scenario: &Scenario) -> Value {
    let mut best = 0;
    let scores: Vec<f64> = scenario
        .iterations
        .iter()
        .map(|iteration| {
            iteration
                .score
                .as_ref()
                .and_then(|stated| stated.as_f64())
                .unwrap_or_else(|| pass_rate(scenario, iteration))
        })
        .collect();
    for (index, score) in scores.iter().enumerate() {
        let beats = match scenario.objective {
            Objective::Maximize => *score > scores[best],
            Objective::Minimize => *score < scores[best],
        };
        if beats {
            best = index;
        }
    }
    let optimum = &scenario.iterations[best];
    json!({
        "totalIterations": scenario.iterations.len(),
        "bestIteration": best,
        "bestScore": score(scenario, optimum),
        "bestFactors": factors(optimum),
    })
}
