//! Explore and baseline documents: iterations of emitted optimize documents in another form. The siblings share their blocks.

use serde_json::{Map, Value, json};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::mutation::base::Base;
use crate::mutation::choice::{Choice, pick};
use crate::mutation::place::items;
use crate::mutation::tweak::quotient;
use crate::suite::{self, Suite};

/// The confidence level of recast baselines.
const CONFIDENCE: f64 = 0.95;

/// Every iteration of what is emitted for the scenarios of the optimize suite, after what is emitted for the suite's own.
pub fn fixed(suite: &'static Suite) -> Result<Vec<Base>, String> {
    let mut bases = super::emitted_alone(suite)?;
    for base in super::emitted(optimize()?)? {
        let count = items(base.document(), "/iterations").len();
        for at in 0..count {
            bases.extend(recast(suite, &base, at, at));
        }
    }
    Ok(bases)
}

pub fn generated(suite: &'static Suite, choice: &mut dyn Choice) -> Result<Base, String> {
    let base = super::generated_document(optimize()?, choice)?;
    let at = pick(choice, (0..items(base.document(), "/iterations").len()).collect());
    let variant = choice.below(4);
    at.and_then(|at| recast(suite, &base, at, variant))
        .ok_or_else(|| "the emitted document has no iteration".to_owned())
}

fn optimize() -> Result<&'static Suite, String> {
    suite::by_id("mavai-optimize-1").ok_or_else(|| "there is no suite of optimize documents".to_owned())
}

/// One iteration in the form of another suite.
fn recast(suite: &'static Suite, base: &Base, at: usize, variant: usize) -> Option<Base> {
    let iteration = base.document().pointer(&format!("/iterations/{at}"))?;
    let mut document = json!({ "schemaVersion": suite.id, "serviceContractId": base.document()["serviceContractId"] });
    if suite.id == "mavai-explore-1" {
        document["experimentId"] = base.document()["experimentId"].clone();
        document["configuration"] = format!("configuration {at}").into();
        if variant == 0 {
            document["baseConfiguration"] = true.into();
        }
        document["factors"] = iteration.get("factors")?.clone();
        document["statistics"] = iteration.get("statistics")?.clone();
    } else {
        document["serviceName"] = "basket-service".into();
        document["confidenceLevel"] = CONFIDENCE.into();
        document["inputsIdentity"] = "of the inputs".into();
        document["covariateProfile"] = json!({ "region": "north" });
        document["criteria"] = criteria(iteration.pointer("/statistics/criteria")?.as_object()?, variant)?;
        document["contentFingerprint"] = "not sealed".into();
    }
    for key in ["generatedAt", "inputs"] {
        document[key] = base.document().get(key)?.clone();
    }
    if suite.id == "mavai-baseline-1" {
        let from: jiff::Timestamp = document["generatedAt"].as_str()?.parse().ok()?;
        let until = from.checked_add(jiff::SignedDuration::from_hours(30 * 24)).ok()?;
        document["expiration"] = json!({ "expiresInDays": 30, "expiresAt": until.to_string() });
    }
    for key in ["execution", "cost", "latency"] {
        if let Some(block) = iteration.get(key) {
            document[key] = block.clone();
        }
    }
    Some(Base::new(suite, format!("iteration {at} of {}", base.name), document, None))
}

/// The criteria as a baseline records them: by turns inferential and observational.
fn criteria(judged: &Map<String, Value>, variant: usize) -> Option<Value> {
    let mut recorded = Map::new();
    for (at, (name, criterion)) in judged.iter().enumerate() {
        let (pass, fail) = (criterion.get("pass")?.as_u64()?, criterion.get("fail")?.as_u64()?);
        let trials = pass + fail;
        let inferential = (at + variant) % 3 != 2;
        let mut record = json!({ "mode": if inferential { "inferential" } else { "observational" } });
        if inferential {
            record["procedure"] = "REGRESSION".into();
        }
        record["trials"] = trials.into();
        record["successes"] = pass.into();
        if inferential {
            if trials > 0 {
                record["observedPassRate"] = quotient(pass, trials).into();
            }
            record["wilsonLowerBound"] = wilson(pass, trials, CONFIDENCE).into();
        }
        if let Some(entries) = criterion.get("failureDistribution") {
            record["failureDistribution"] = entries.clone();
        }
        if let Some(standings) = criterion.get("standings") {
            record["standings"] = standings.clone();
        }
        recorded.insert(name.clone(), record);
    }
    Some(recorded.into())
}

/// The one-sided Wilson lower bound, as the family's documents define it; none of no trials. Written apart from the obligation that
/// judges it.
pub fn wilson(successes: u64, trials: u64, confidence: f64) -> Option<f64> {
    if trials == 0 {
        return None;
    }
    if successes == 0 {
        return Some(0.0);
    }
    let (k, n) = (successes as f64, trials as f64);
    let z = Normal::standard().inverse_cdf(confidence);
    let centre = k + z * z / 2.0;
    let spread = z * (k * (n - k) / n + z * z / 4.0).sqrt();
    Some((centre - spread) / (n + z * z))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn bounds_are_those_of_the_published_examples() {
        let rounded = |successes, trials| (wilson(successes, trials, 0.95).unwrap() * 1e4).round() / 1e4;
        assert_eq!([rounded(3, 3), rounded(2, 10), rounded(100, 100)], [0.5258, 0.0686, 0.9737]);
        assert_eq!((wilson(0, 7, 0.95), wilson(0, 0, 0.95)), (Some(0.0), None));
    }
}
