//! Optimize documents.

use serde_json::{Value, json};

use super::bounded::identity;
use super::run;
use super::scenario::optimize::{Iteration, Objective, Scenario, Scorer};
use crate::instant::Instant;
use crate::{Refusal, yaml};

/// The optimize document of a scenario's input.
pub fn emit(input: Value, now: Instant) -> Result<String, Refusal> {
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
    document["generatedAt"] = json!(now.to_string());
    document["inputs"] = run::inputs(&scenario.terms());
    document["iterations"] = Value::Array(iterations);
    document["convergence"] = convergence(&scenario);
    Ok(yaml::write(&document))
}

/// One entry of `iterations`.
fn history(scenario: &Scenario, index: usize, iteration: &Iteration) -> Value {
    let mut entry =
        json!({ "iteration": index, "factors": run::factors(&iteration.factors), "score": score(scenario, iteration) });
    run::add(&mut entry, &scenario.terms(), &iteration.termination, &iteration.trials);
    entry
}

/// The iteration's score: what it states, or its unrounded pass rate.
fn score(scenario: &Scenario, iteration: &Iteration) -> Value {
    match &iteration.score {
        Some(stated) => Value::Number(stated.clone()),
        None => json!(pass_rate(scenario, iteration)),
    }
}

fn pass_rate(scenario: &Scenario, iteration: &Iteration) -> f64 {
    run::fraction(run::passing(&scenario.terms(), &iteration.trials).len(), iteration.trials.len())
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
        "bestFactors": run::factors(&optimum.factors),
    })
}
