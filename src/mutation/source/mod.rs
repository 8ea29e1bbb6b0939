//! Where valid documents come from. None is written by hand for a mutation: they are the suites' examples, what the reference
//! emitter makes of the suites' scenarios, and what it makes of scenarios that are generated.

mod example;
mod mavai;
mod orbiplex;
pub(super) mod recast;
mod torneo;

use serde_json::Value;

use super::base::Base;
use super::choice::{Choice, pick};
use crate::document::{self, Document, Limits};
use crate::suite::Suite;
use crate::suite::scenario::{self, Scenario};

/// A source of valid documents of one suite.
pub struct Source {
    pub suite: &'static str,
    /// The documents that are always the same.
    pub fixed: fn(&'static Suite) -> Result<Vec<Base>, String>,
    /// A document that choices decide.
    pub generated: fn(&'static Suite, &mut dyn Choice) -> Result<Base, String>,
}

/// The sources, one a suite.
pub static SOURCES: &[Source] = &[
    Source {
        suite: "mavai-optimize-1",
        fixed: emitted,
        generated: |suite, choice| generated(suite, mavai::input(choice)),
    },
    Source { suite: "mavai-explore-1", fixed: recast::fixed, generated: recast::generated },
    Source { suite: "mavai-baseline-1", fixed: recast::fixed, generated: recast::generated },
    Source {
        suite: "torneo-epreuve-v1",
        fixed: emitted,
        generated: |suite, choice| generated(suite, torneo::input(choice)),
    },
    Source {
        suite: "orbiplex-task-pack-execution-v1",
        fixed: emitted,
        generated: |suite, choice| generated(suite, orbiplex::input(choice)),
    },
];

/// The documents of a suite that are always there: its examples first, then those of its scenarios.
///
/// # Errors
/// Where a scenario or an example that the binary carries yields no document, a fault of conform's own.
pub fn fixed(suite: &'static Suite) -> Result<Vec<Base>, String> {
    let mut bases = example::documents(suite)?;
    if let Some(source) = SOURCES.iter().find(|source| source.suite == suite.id) {
        bases.extend((source.fixed)(suite)?);
    }
    Ok(bases)
}

/// A document that choices decide, valid whatever they are.
///
/// # Errors
/// Where the reference emitter refuses what was generated, a fault of conform's own.
pub fn generated_document(suite: &'static Suite, choice: &mut dyn Choice) -> Result<Base, String> {
    match SOURCES.iter().find(|source| source.suite == suite.id) {
        Some(source) => (source.generated)(suite, choice),
        None => pick(choice, fixed(suite)?).ok_or_else(|| format!("there is no valid document of {}", suite.id)),
    }
}

/// The documents that those of a suite may refer to.
///
/// # Errors
/// Where one that the binary carries cannot be read, a fault of conform's own.
pub fn related(suite: &Suite) -> Result<Vec<(String, Document)>, String> {
    let family = suite.family();
    let all = family.rules(suite).into_iter().flat_map(|rule| family.related(suite, rule.id));
    let mut documents: Vec<(String, Document)> = Vec::new();
    for (name, text) in all {
        if !documents.iter().any(|(other, _)| other == name) {
            documents.push(((*name).to_owned(), read(name, text)?));
        }
    }
    Ok(documents)
}

/// What the reference emitter makes of those scenarios of the suite that ask for one document.
fn emitted_alone(suite: &'static Suite) -> Result<Vec<Base>, String> {
    // Which those are, the emitter says: it refuses to make one text of several documents.
    Ok(scenario::embedded(suite)?.iter().filter_map(|scenario| emit(suite, scenario).ok()).collect())
}

/// What the reference emitter makes of every scenario of the suite.
fn emitted(suite: &'static Suite) -> Result<Vec<Base>, String> {
    scenario::embedded(suite)?.iter().map(|scenario| emit(suite, scenario)).collect()
}

fn generated(suite: &'static Suite, input: Value) -> Result<Base, String> {
    let purpose = "Generated.".to_owned();
    emit(
        suite,
        &Scenario {
            name: "generated".to_owned(),
            purpose,
            required: true,
            timeout: None,
            input,
            sha256: String::new(),
        },
    )
}

fn emit(suite: &'static Suite, scenario: &Scenario) -> Result<Base, String> {
    let name = format!("scenario {}", scenario.name);
    let text = conform_reference_emitter::emit(&scenario.wire(suite.id).to_string())
        .map_err(|refusal| format!("{name}: the reference emitter refuses it: {refusal}"))?;
    let document = read(&name, &text)?.root().to_json();
    Ok(Base::new(suite, name, document, Some(scenario.input.clone())))
}

fn read(name: &str, text: &str) -> Result<Document, String> {
    let reading = document::read(text.as_bytes().to_vec(), &Limits::default());
    reading.document.ok_or_else(|| {
        let why = reading.findings.first().map_or("it is no document", |finding| finding.message.as_str());
        format!("{name} cannot be read: {why}")
    })
}
