//! The scenarios that the project carries, and the reference emitter's documents for them.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::PathBuf;

use serde_json::{Value, json};

/// The suite of optimize documents.
pub const OPTIMIZE: &str = "mavai-optimize-1";
/// The suite of explore documents.
pub const EXPLORE: &str = "mavai-explore-1";
/// The suite of baseline documents.
pub const BASELINE: &str = "mavai-baseline-1";
/// The suite of execution records.
pub const EXECUTION: &str = "orbiplex-task-pack-execution-v1";

/// The project's root folder.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folder(suite: &str) -> PathBuf {
    root().join("suites").join(suite).join("scenarios")
}

/// The names of a suite's carried scenarios, sorted.
pub fn names(suite: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder(suite))
        .expect("the suite has scenarios")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

/// A scenario's input.
pub fn input(suite: &str, name: &str) -> Value {
    let text = std::fs::read_to_string(folder(suite).join(format!("{name}.yaml")))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let scenario: Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    scenario["input"].clone()
}

/// A scenario as an emitter gets it.
pub fn wire(suite: &str, name: &str) -> String {
    json!({ "conform": 1, "suite": suite, "scenario": name, "input": input(suite, name) }).to_string()
}

/// The reference emitter's text for a scenario.
pub fn text(suite: &str, name: &str) -> String {
    conform_reference_emitter::emit(&wire(suite, name)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

/// The reference emitter's documents for a scenario that may have several, in order.
pub fn documents(suite: &str, name: &str) -> Vec<Value> {
    let emitted = conform_reference_emitter::emit_all(&wire(suite, name));
    let emitted = emitted.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let parse = |text: &str| serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    emitted.iter().map(|document| parse(&document.text)).collect()
}

/// The reference emitter's document for a scenario.
pub fn document(suite: &str, name: &str) -> Value {
    let text = text(suite, name);
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}
