//! Emitted documents beside what follows from their scenario. Each difference is a finding; what is the emitter's choice (order,
//! decimals, optional blocks, further fields, the time of emission, measured times under a real clock) is none.

mod attribution;
pub mod baseline;
mod criteria;
pub mod explore;
pub mod optimize;

use self::attribution::Names;
use super::delivery::excerpt;
use super::model::{self, Run};
use super::oracle::Expected;
use super::scenario::{Clock, Terms};
use super::whole::LONGEST_KEY;
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::Judge;

fn differs(at: Value<'_>, message: String, judge: &mut Judge<'_>) {
    judge
        .finding_as("scenario/differs", Basis::Derived, Severity::Error, at, message)
        .help("compare with the scenario: its trials, in order, say what happened");
}

/// A text member, where it is stated; a declared identity longer than the bound may be stated in any bounded form.
fn same_text(parent: Value<'_>, key: &'static str, expected: &str, judge: &mut Judge<'_>) {
    let Some(stated) = model::text(parent, key).get() else { return };
    if stated.value != expected && expected.chars().count() <= LONGEST_KEY {
        differs(
            stated.at,
            format!("{key} is {}, the scenario says {}", excerpt(stated.value), excerpt(expected)),
            judge,
        );
    }
}

fn inputs(terms: &Terms<'_>, root: Value<'_>, judge: &mut Judge<'_>) {
    let Some(block) = model::list(root, "inputs").get() else { return };
    if block.value.len() != terms.inputs.len() {
        differs(
            block.at,
            format!("{} inputs are stated, the scenario drove {}", block.value.len(), terms.inputs.len()),
            judge,
        );
    }
    for item in block.value.items() {
        let own = item
            .get("inputIndex")
            .and_then(Value::as_u64)
            .and_then(|index| terms.inputs.get(usize::try_from(index).ok()?));
        let (Some(own), Some(stated)) = (own, item.get("inputExcerpt")) else { continue };
        // How an input presents itself is the emitter's choice; only another input's whole text is wrong for certain.
        let text = stated.as_str().unwrap_or_default();
        if text != own && terms.inputs.iter().any(|other| other != own && other == text) && !own.starts_with(text) {
            differs(
                stated,
                format!("the excerpt {} is another input's text; this one's is {}", excerpt(text), excerpt(own)),
                judge,
            );
        }
    }
}

fn factors(iteration: Value<'_>, expected: &serde_json::Map<String, serde_json::Value>, judge: &mut Judge<'_>) {
    let Some(stated) = model::object(iteration, "factors").get() else { return };
    for (name, value) in expected {
        match stated.value.get(name) {
            Some(emitted) if same_scalar(emitted, value) => {}
            Some(emitted) => differs(
                emitted,
                format!("factor {} is {}, the scenario says {value}", excerpt(name), emitted.to_json()),
                judge,
            ),
            None if name.chars().count() > LONGEST_KEY => {}
            None => differs(stated.at, format!("factor {} of the scenario is missing", excerpt(name)), judge),
        }
    }
    for (key, _) in stated.value.members() {
        let name = key.as_str().unwrap_or_default();
        let may_be_bounded = expected.keys().any(|name| name.chars().count() > LONGEST_KEY);
        if !expected.contains_key(name) && !may_be_bounded {
            differs(key, format!("the scenario has no factor {}", excerpt(name)), judge);
        }
    }
}

/// Whether stated factors are the scenario's, names and values.
fn same_factors(stated: Value<'_>, expected: &serde_json::Map<String, serde_json::Value>) -> bool {
    stated.members().count() == expected.len()
        && expected.iter().all(|(name, value)| stated.get(name).is_some_and(|stated| same_scalar(stated, value)))
}

fn same_scalar(emitted: Value<'_>, expected: &serde_json::Value) -> bool {
    match expected {
        serde_json::Value::String(text) => emitted.as_str() == Some(text),
        serde_json::Value::Bool(flag) => emitted.as_bool() == Some(*flag),
        serde_json::Value::Number(number) => emitted.as_f64().is_some() && emitted.as_f64() == number.as_f64(),
        _ => false,
    }
}

/// One run, of whatever kind of document: its counts, what its failures are attributed to, its criteria and its latencies.
fn run(terms: &Terms<'_>, expected: &Expected, run: &Run<'_>, judge: &mut Judge<'_>) {
    same_count("samplesExecuted", &run.samples_executed, expected.executed, judge);
    same_count("samplesPlanned", &run.samples_planned, terms.samples_planned, judge);
    same_count("successes", &run.successes, expected.successes, judge);
    same_count("failures", &run.failures, expected.executed - expected.successes, judge);
    let names = Names::of(terms);
    attribution::reasons(&run.distribution, &expected.reasons, &names, judge);
    criteria::criteria(expected, run, &names, judge);
    if terms.clock == Clock::Virtual
        && let Some(vector) =
            run.latency.get().and_then(|latency| model::list(latency.value, "sortedPassingLatenciesMs").get())
    {
        latencies(vector.value, &expected.latencies, judge);
    }
}

fn same_count(name: &str, stated: &model::Slot<'_, u64>, expected: u64, judge: &mut Judge<'_>) {
    if let Some(stated) = stated.get()
        && stated.value != expected
    {
        differs(stated.at, format!("{name} is {}, from the scenario follows {expected}", stated.value), judge);
    }
}

fn latencies(vector: Value<'_>, expected: &[f64], judge: &mut Judge<'_>) {
    if vector.len() != expected.len() {
        differs(vector, format!("{} latencies were emitted, {} trials passed", vector.len(), expected.len()), judge);
        return;
    }
    for (rank, (stated, expected)) in vector.items().zip(expected).enumerate() {
        let Some(value) = stated.as_f64() else { continue };
        if (value - expected).abs() > 1e-6 * expected.abs().max(1.0) {
            let message = format!(
                "the latency of rank {} is {}, the scenario's passing trials have {expected} there",
                rank + 1,
                stated.written()
            );
            differs(stated, message, judge);
            return;
        }
    }
}
