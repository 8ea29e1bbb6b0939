//! Baseline documents beside their scenario: one for each measurement.

use std::collections::BTreeSet;

use super::{differs, inputs, latencies, same_text};
use crate::document::{Document, Value};
use crate::family::mavai::content;
use crate::family::mavai::delivery::excerpt;
use crate::family::mavai::model::{self, Inputs, Run};
use crate::family::mavai::oracle::{self, Expected};
use crate::family::mavai::scenario::Clock;
use crate::family::mavai::scenario::baseline::{Input, Measured, Measurement};
use crate::finding::{Basis, Severity};
use crate::obligation::Judge;

/// Judges all documents of a scenario, which are in the order of its measurements.
pub fn compare(measured: &Measured, documents: &[&Document], judge: &mut Judge<'_>) {
    let measurements = measured.measurements();
    if measurements.len() != documents.len() {
        let message = format!(
            "the scenario's measurements number {}, the documents emitted {}",
            measurements.len(),
            documents.len()
        );
        judge
            .missing("scenario/differs", Basis::Derived, Severity::Error, message)
            .help("emit one document for each measurement, in files whose names sort in the measurements' order");
    }
    for (at, (measurement, document)) in measurements.iter().zip(documents).enumerate() {
        judge.about(at);
        one(&measured.input, measurement, document, judge);
    }
    if let ([one, two], [first, second]) = (&measurements[..], documents) {
        identities(one, two, first, second, judge);
    }
}

fn one(input: &Input, measurement: &Measurement<'_>, document: &Document, judge: &mut Judge<'_>) {
    let root = document.root();
    let terms = &measurement.terms;
    same_text(root, "serviceContractId", terms.contract, judge);
    same_text(root, "serviceName", &input.service, judge);
    if let Some(level) =
        model::number(root, "confidenceLevel").get().filter(|level| level.value != input.confidence_level)
    {
        let message =
            format!("confidenceLevel is {}, the scenario's is {}", level.at.written(), input.confidence_level);
        differs(level.at, message, judge);
    }
    covariates(input, root, judge);
    inputs(terms, root, judge);
    let expected = oracle::expect(terms.criteria, measurement.trials);
    super::run(terms, &expected, &Run::of_baseline(root, Inputs::of(root)), judge);
    modes(input, root, judge);
    measured_latencies(terms.clock, &expected, root, judge);
    expiry(input, root, judge);
    content::judge(terms, input.covariates.keys(), measurement.trials, document, judge);
}

/// The scenario's covariates are in the profile; that of further ones is the emitter's choice.
fn covariates(input: &Input, root: Value<'_>, judge: &mut Judge<'_>) {
    let Some(profile) = model::object(root, "covariateProfile").get() else { return };
    for (name, value) in &input.covariates {
        match profile.value.get(name) {
            Some(stated) if stated.as_str() == Some(value) => {}
            Some(stated) => differs(
                stated,
                format!("covariate {} is {}, the scenario says {}", excerpt(name), stated.to_json(), excerpt(value)),
                judge,
            ),
            None => differs(profile.at, format!("covariate {} of the scenario is missing", excerpt(name)), judge),
        }
    }
}

fn modes(input: &Input, root: Value<'_>, judge: &mut Judge<'_>) {
    let Some(block) = model::object(root, "criteria").get() else { return };
    for declared in &input.criteria {
        // A criterion that is not there has been reported with the counts.
        let Some(at) = block.value.get(declared.name()) else { continue };
        same_text(at, "mode", declared.mode.name(), judge);
        if let Some(procedure) = declared.procedure {
            same_text(at, "procedure", procedure.name(), judge);
        }
    }
}

/// How many latencies there are follows from the trials even where they were measured: a baseline does not say how many trials passed.
fn measured_latencies(clock: Clock, expected: &Expected, root: Value<'_>, judge: &mut Judge<'_>) {
    let vector = root.get("latency").and_then(|latency| model::list(latency, "sortedPassingLatenciesMs").get());
    if let Some(vector) = vector.filter(|vector| clock == Clock::Real && vector.value.len() != expected.latencies.len())
    {
        latencies(vector.value, &expected.latencies, judge);
    }
}

fn expiry(input: &Input, root: Value<'_>, judge: &mut Judge<'_>) {
    let block = model::object(root, "expiration");
    match (block.get(), input.expires_in_days) {
        (Some(block), Some(days)) => {
            super::same_count("expiresInDays", &model::count(block.value, "expiresInDays"), days, judge);
        }
        (Some(block), None) => {
            differs(block.at, "the baseline expires, but the scenario declares no expiry".to_owned(), judge);
        }
        (None, Some(days)) if block.is_absent() => {
            differs(root, format!("the scenario's expiry after {days} days is not stated"), judge);
        }
        _ => {}
    }
}

/// The identity of the inputs is that of a set: it is the same in any order, and another for other inputs.
fn identities(
    one: &Measurement<'_>,
    two: &Measurement<'_>,
    first: &Document,
    second: &Document,
    judge: &mut Judge<'_>,
) {
    let identity = |document| model::text(Document::root(document), "inputsIdentity").get();
    let (Some(first), Some(second)) = (identity(first), identity(second)) else { return };
    let set = |measurement: &Measurement<'_>| measurement.terms.inputs.iter().cloned().collect::<BTreeSet<_>>();
    let same_inputs = set(one) == set(two);
    if same_inputs == (first.value == second.value) {
        return;
    }
    let message = if same_inputs {
        format!("inputsIdentity is {}, but the same inputs in another order had {}", second.value, first.value)
    } else {
        format!("inputsIdentity is {} for other inputs too", second.value)
    };
    judge
        .finding_as("scenario/differs", Basis::Derived, Severity::Error, second.at, message)
        .help("derive the identity from the set of inputs, whatever their order");
}
