//! Bases: valid documents that operators break.

use std::sync::OnceLock;

use serde_json::Value;

use crate::suite::Suite;

/// A valid document, and what it is judged beside.
#[derive(Clone)]
pub struct Base {
    pub suite: &'static Suite,
    /// Where it comes from, for people: `example`, `scenario delivery`, a path.
    pub name: String,
    document: Value,
    /// The input of the scenario that it was emitted for, if it was.
    pub input: Option<Value>,
    /// Its texts, since many operators of one document's text ask for them.
    json: OnceLock<String>,
    yaml: OnceLock<String>,
}

impl Base {
    pub fn new(suite: &'static Suite, name: String, document: Value, input: Option<Value>) -> Self {
        Base { suite, name, document, input, json: OnceLock::new(), yaml: OnceLock::new() }
    }

    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The document as JSON, as people read it and as diffs compare it.
    pub fn json(&self) -> &str {
        self.json.get_or_init(|| pretty(&self.document))
    }

    /// The document as YAML.
    pub fn yaml(&self) -> &str {
        self.yaml.get_or_init(|| conform_reference_emitter::yaml::write(&self.document))
    }
}

/// A value as people read it.
pub fn pretty(value: &Value) -> String {
    // A tree of values always has a text.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// A value as few bytes say it.
pub fn compact(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

impl std::fmt::Debug for Base {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.name, self.suite.id)
    }
}
