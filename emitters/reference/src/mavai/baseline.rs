//! Baseline documents, one for each measurement.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::bounded::identity;
use super::fault::{Fault, distribution};
use super::scenario::baseline::{Measurement, Mode, Scenario};
use super::{latency, quantile, run, standings};
use crate::instant::Instant;
use crate::{Emitted, Refusal, yaml};

/// The documents of an experiment, in the order of its measurements.
pub fn emit(input: Value, now: Instant) -> Result<Vec<Emitted>, Refusal> {
    let scenario = Scenario::read(input)?;
    let emitted = |(index, measurement): (usize, Measurement)| Emitted {
        name: format!("measurement-{index}.yaml"),
        text: sealed(&document(&scenario, &measurement, now)),
    };
    Ok(scenario.measurements().enumerate().map(emitted).collect())
}

/// The document's text, whose last line is the digest of the text before it.
fn sealed(document: &Value) -> String {
    let text = yaml::write(document);
    let digest = hexadecimal(&Sha256::digest(text.as_bytes()));
    text + &yaml::write(&json!({ "contentFingerprint": format!("sha256:{digest}") }))
}

/// The document but for its fingerprint.
fn document(scenario: &Scenario, measurement: &Measurement, now: Instant) -> Value {
    let Measurement { terms, trials } = measurement;
    let mut document = json!({
        "schemaVersion": "mavai-baseline-1",
        "serviceContractId": identity(&scenario.contract),
        "serviceName": identity(&scenario.service),
        "generatedAt": now.to_string(),
        "confidenceLevel": scenario.confidence_level,
        "inputsIdentity": inputs_identity(terms.inputs),
        "inputs": run::inputs(terms),
        "covariateProfile": scenario.covariates.iter().map(|(name, value)| (identity(name), json!(value))).collect::<Map<_, _>>(),
        "execution": run::execution(terms, &scenario.termination, trials),
    });
    document["criteria"] = (0..terms.criteria.len())
        .map(|at| (identity(&terms.criteria[at].name), criterion(scenario, measurement, at)))
        .collect();
    document["cost"] = run::cost(trials);
    let passing = run::passing(terms, trials);
    if let Some(latency) = latency::block(&passing, trials.len(), &latency::BASELINE_PERCENTILES) {
        document["latency"] = latency;
    }
    if let Some(days) = scenario.expires_in_days {
        document["expiration"] = json!({ "expiresInDays": days, "expiresAt": now.days_later(days).to_string() });
    }
    document
}

/// The same for the same inputs in any order: the digest of the inputs' own digests, sorted.
fn inputs_identity(inputs: &[String]) -> String {
    let mut digests: Vec<String> = inputs.iter().map(|text| hexadecimal(&Sha256::digest(text.as_bytes()))).collect();
    digests.sort();
    hexadecimal(&Sha256::digest(digests.concat().as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One entry of `criteria`.
fn criterion(scenario: &Scenario, measurement: &Measurement, at: usize) -> Value {
    let Measurement { terms, trials } = measurement;
    let (criterion, (mode, procedure)) = (&terms.criteria[at], scenario.conclusions[at]);
    let faults: Vec<Fault> = trials.iter().filter_map(|trial| Fault::of_criterion(criterion, trial)).collect();
    let successes = trials.len() - faults.len();
    let mut block = json!({ "mode": mode });
    if let Some(procedure) = procedure {
        block["procedure"] = json!(procedure);
    }
    block["trials"] = json!(trials.len());
    block["successes"] = json!(successes);
    if mode == Mode::Inferential {
        // From no trials nothing follows: no rate, and no bound, which is stated as such.
        if !trials.is_empty() {
            block["observedPassRate"] = json!(run::fraction(successes, trials.len()));
        }
        block["wilsonLowerBound"] = json!(lower_bound(successes, trials.len(), scenario.confidence()));
    }
    if let Some(mut entries) = distribution(faults, terms.inputs) {
        for entry in entries.as_array_mut().into_iter().flatten().filter(|entry| entry["kind"] == "evaluated") {
            entry["reason"] = json!("condition");
        }
        block["failureDistribution"] = entries;
    }
    block["standings"] = standings::block(criterion, terms.inputs.len(), trials);
    block
}

/// Wilson's one-sided lower bound of a rate; `None` from no trials.
fn lower_bound(successes: usize, trials: usize, confidence: f64) -> Option<f64> {
    let (n, rate) = (trials as f64, run::fraction(successes, trials));
    match (successes, trials) {
        (_, 0) => None,
        (0, _) => Some(0.0),
        _ => {
            let z = quantile::of(confidence);
            let square = z * z / n;
            let centre = rate + square / 2.0;
            let margin = z * (rate * (1.0 - rate) / n + square / (4.0 * n)).sqrt();
            Some(((centre - margin) / (1.0 + square)).clamp(0.0, 1.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The family's published figures.
    #[test]
    fn bounds() {
        for (successes, trials, bound) in [(3, 3, 0.5258), (2, 10, 0.0686), (100, 100, 0.9737)] {
            let stated = lower_bound(successes, trials, 0.95).expect("a bound");
            assert!((stated - bound).abs() < 5e-5, "{successes}/{trials}: {stated}");
        }
        assert_eq!(lower_bound(0, 7, 0.95), Some(0.0));
        assert_eq!(lower_bound(0, 0, 0.95), None);
        assert!((lower_bound(7, 10, 0.5).expect("a bound") - 0.7).abs() < 1e-9, "at one half the bound is the rate");
    }

    #[test]
    fn identities_are_of_sets() {
        let identity = |texts: &[&str]| inputs_identity(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        assert_eq!(identity(&["a", "b", "c"]), identity(&["c", "a", "b"]));
        assert_ne!(identity(&["a", "b"]), identity(&["ab"]));
        assert_ne!(identity(&["a", "b"]), identity(&["a", "c"]));
    }
}
