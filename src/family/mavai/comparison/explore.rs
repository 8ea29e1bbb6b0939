//! The documents of an explore experiment beside their scenario: one for each configuration.

use super::{differs, factors, inputs, same_factors, same_text};
use crate::document::{Document, Value};
use crate::family::mavai::content;
use crate::family::mavai::delivery::excerpt;
use crate::family::mavai::model::{self, Inputs, Run};
use crate::family::mavai::oracle;
use crate::family::mavai::scenario::explore::{Configuration, Input};
use crate::finding::{Basis, Severity};
use crate::obligation::Judge;

/// Judges all documents of a scenario.
pub fn compare(input: &Input, documents: &[&Document], judge: &mut Judge<'_>) {
    let told = told(input, documents);
    for (at, (document, told)) in documents.iter().zip(&told).enumerate() {
        judge.about(at);
        match told.and_then(|own| input.configurations.get(own)) {
            Some(configuration) => one(input, configuration, document, judge),
            None => stray(document.root(), judge),
        }
    }
    for (own, configuration) in input.configurations.iter().enumerate() {
        if !told.contains(&Some(own)) {
            judge
                .missing(
                    "scenario/differs",
                    Basis::Derived,
                    Severity::Error,
                    format!("no document tells of configuration {}", excerpt(&configuration.configuration)),
                )
                .help("emit one document for each configuration, each in a file of its own under CONFORM_OUT");
        }
    }
}

/// Which configuration each document tells of: the first of those that state a configuration has it; any other document has the
/// configuration that is left with its factors, or else the one that it states, or none.
fn told(input: &Input, documents: &[&Document]) -> Vec<Option<usize>> {
    let stated: Vec<Option<usize>> = documents
        .iter()
        .map(|document| {
            let name = model::text(document.root(), "configuration").get()?.value;
            input.configurations.iter().position(|configuration| configuration.configuration == name)
        })
        .collect();
    let first = |at: usize| stated[at].filter(|own| stated.iter().position(|other| other == &Some(*own)) == Some(at));
    let mut told: Vec<Option<usize>> = (0..documents.len()).map(first).collect();
    for (at, document) in documents.iter().enumerate() {
        if told[at].is_none() {
            let left =
                |own: &usize| !told.contains(&Some(*own)) && factors_agree(&input.configurations[*own], document);
            told[at] = (0..input.configurations.len()).find(left).or(stated[at]);
        }
    }
    told
}

fn factors_agree(configuration: &Configuration, document: &Document) -> bool {
    let stated = document.root().get("factors");
    stated.zip(configuration.factors.as_ref()).is_some_and(|(stated, own)| same_factors(stated, own))
}

fn stray(root: Value<'_>, judge: &mut Judge<'_>) {
    match model::text(root, "configuration").get() {
        Some(stated) => {
            differs(stated.at, format!("the scenario has no configuration {}", excerpt(stated.value)), judge);
        }
        None => differs(root, "the document tells of no configuration of the scenario".to_owned(), judge),
    }
}

fn one(input: &Input, configuration: &Configuration, document: &Document, judge: &mut Judge<'_>) {
    let root = document.root();
    let terms = input.terms();
    same_text(root, "serviceContractId", &input.contract, judge);
    same_text(root, "experimentId", &input.experiment, judge);
    same_text(root, "configuration", &configuration.configuration, judge);
    if let Some(name) = &configuration.name {
        same_text(root, "configurationName", name, judge);
    }
    base(input, configuration, root, judge);
    let none = serde_json::Map::new();
    factors(root, configuration.factors.as_ref().unwrap_or(&none), judge);
    inputs(&terms, root, judge);
    let expected = oracle::expect(terms.criteria, &configuration.trials);
    super::run(&terms, &expected, &Run::of(root, Inputs::of(root)), judge);
    let names = configuration.factors.iter().flat_map(|factors| factors.keys());
    content::judge(&terms, names, &configuration.trials, document, judge);
}

/// Where the scenario names no base, whether one is stated is the emitter's choice: its framework may always have one.
fn base(input: &Input, configuration: &Configuration, root: Value<'_>, judge: &mut Judge<'_>) {
    if !input.configurations.iter().any(|configuration| configuration.base) {
        return;
    }
    match root.get("baseConfiguration") {
        None if configuration.base => {
            let at = root.get("configuration").unwrap_or(root);
            differs(at, "it is the scenario's base configuration, but states no baseConfiguration".to_owned(), judge);
        }
        Some(stated) if stated.as_bool() == Some(true) && !configuration.base => {
            differs(stated, "it is not the scenario's base configuration".to_owned(), judge);
        }
        _ => {}
    }
}
