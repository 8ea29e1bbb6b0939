//! What follows from a mavai document's own counts: rates, fractions, percentiles and convergence, for a person who fills or repairs one.

use serde_json::{Map, Value as Json, json};

use super::Artefact;
use super::inference::wilson_lower_bound;
use super::latency::{PERCENTILES, rank};
use super::model::{Run, Slot, count, fraction, list, number};
use crate::document::{Document, Value};

/// The derived members, in the document's own shape, as indented JSON. Whatever its counts cannot be read for is left out.
///
/// # Errors
/// Where nothing in the document can be derived from.
pub fn derive(artefact: Artefact, document: &Document) -> Result<String, String> {
    let root = document.root();
    let derived = match artefact {
        Artefact::Optimize => optimize(root),
        Artefact::Explore => run(&Run::of(root, None)),
        Artefact::Baseline => baseline(root),
    };
    if derived.is_empty() {
        return Err("the document has no counts to derive from: expected execution, statistics or criteria".to_owned());
    }
    serde_json::to_string_pretty(&derived).map_err(|error| error.to_string())
}

fn optimize(root: Value<'_>) -> Map<String, Json> {
    let mut derived = Map::new();
    let Some(iterations) = list(root, "iterations").get() else { return derived };
    let items: Vec<Json> = iterations
        .value
        .items()
        .enumerate()
        .map(|(index, at)| {
            let mut members = Map::from_iter([("iteration".to_owned(), json!(index))]);
            members.extend(run(&Run::of(at, None)));
            Json::Object(members)
        })
        .collect();
    derived.insert("iterations".to_owned(), Json::Array(items));
    if let Some(convergence) = convergence(root, iterations.value) {
        derived.insert("convergence".to_owned(), convergence);
    }
    derived
}

fn run(run: &Run<'_>) -> Map<String, Json> {
    let mut derived = Map::new();
    let mut statistics = Map::new();
    if let (Some(successes), Some(failures)) = (run.successes.get(), run.failures.get()) {
        let whole = u128::from(successes.value) + u128::from(failures.value);
        statistics.insert("observed".to_owned(), json!(fraction(successes.value.into(), whole)));
    }
    let criteria: Map<String, Json> = run
        .criterion_list
        .iter()
        .filter_map(|criterion| {
            let (pass, fail) = (criterion.pass.get()?.value, criterion.fail.get()?.value);
            let mut members = Map::new();
            members.insert(
                "observedPassRate".to_owned(),
                json!(fraction(pass.into(), u128::from(pass) + u128::from(fail))),
            );
            let fractions: Vec<Json> = criterion.rows.iter().filter_map(row).collect();
            if !fractions.is_empty() {
                members.insert("standings".to_owned(), json!({ "rows": fractions }));
            }
            Some((criterion.label().to_owned(), Json::Object(members)))
        })
        .collect();
    if !criteria.is_empty() {
        statistics.insert("criteria".to_owned(), Json::Object(criteria));
    }
    if !statistics.is_empty() {
        derived.insert("statistics".to_owned(), Json::Object(statistics));
    }
    if let Some(latency) = run.latency.get().and_then(|latency| latency_of(latency.value)) {
        derived.insert("latency".to_owned(), latency);
    }
    derived
}

fn row(row: &super::model::Row<'_>) -> Option<Json> {
    let (passed, failed, skipped) = (row.passed.get()?.value, row.failed.get()?.value, row.skipped.get()?.value);
    let total = u128::from(passed) + u128::from(failed) + u128::from(skipped);
    Some(json!({
        "inputIndex": row.input.get()?.value,
        "check": row.check.get()?.value,
        "observedFraction": fraction(passed.into(), total),
    }))
}

/// The number of latencies and the percentiles that it admits.
fn latency_of(block: Value<'_>) -> Option<Json> {
    let vector = list(block, "sortedPassingLatenciesMs").get()?.value;
    let mut values: Vec<(f64, Value<'_>)> =
        vector.items().map(|item| Some((item.as_f64()?, item))).collect::<Option<_>>()?;
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut members = Map::from_iter([("contributingSamples".to_owned(), json!(values.len()))]);
    for (key, percent, floor) in PERCENTILES {
        if values.len() as u64 >= floor && (key != "p90Ms" || block.get(key).is_some()) {
            let (_, element) = values.get(rank(percent, values.len()).saturating_sub(1))?;
            members.insert(key.to_owned(), element.to_json());
        }
    }
    Some(Json::Object(members))
}

fn convergence(root: Value<'_>, iterations: Value<'_>) -> Option<Json> {
    let scores: Vec<f64> =
        iterations.items().map(|at| Some(number(at, "score").get()?.value)).collect::<Option<_>>()?;
    let better: fn(f64, f64) -> bool = match root.get("objective")?.as_str()? {
        "MAXIMIZE" => |a, b| a > b,
        "MINIMIZE" => |a, b| a < b,
        _ => return None,
    };
    let best = (0..scores.len()).reduce(|best, next| if better(scores[next], scores[best]) { next } else { best })?;
    let named = iterations.items().nth(best)?;
    Some(json!({
        "totalIterations": scores.len(),
        "bestIteration": best,
        "bestScore": named.get("score")?.to_json(),
        "bestFactors": named.get("factors").map_or(Json::Null, Value::to_json),
    }))
}

fn baseline(root: Value<'_>) -> Map<String, Json> {
    let mut derived = Map::new();
    let confidence =
        number(root, "confidenceLevel").get().map(|level| level.value).filter(|level| *level > 0.0 && *level < 1.0);
    let members = root.get("criteria").into_iter().flat_map(Value::members);
    let criteria: Map<String, Json> = members
        .filter_map(|(name, at)| {
            let inferential = at.get("mode").and_then(Value::as_str) == Some("inferential");
            let (Slot::Stated(trials), Slot::Stated(successes)) = (count(at, "trials"), count(at, "successes")) else {
                return None;
            };
            if !inferential || successes.value > trials.value {
                return None;
            }
            let mut members = Map::new();
            if trials.value == 0 {
                members.insert("wilsonLowerBound".to_owned(), Json::Null);
            } else {
                members.insert(
                    "observedPassRate".to_owned(),
                    json!(fraction(successes.value.into(), trials.value.into())),
                );
                let bound = confidence.map(|level| wilson_lower_bound(successes.value, trials.value, level));
                members.insert("wilsonLowerBound".to_owned(), json!(bound));
            }
            Some((name.as_str()?.to_owned(), Json::Object(members)))
        })
        .collect();
    if !criteria.is_empty() {
        derived.insert("criteria".to_owned(), Json::Object(criteria));
    }
    if let Some(latency) = root.get("latency").and_then(latency_of) {
        derived.insert("latency".to_owned(), latency);
    }
    derived
}
