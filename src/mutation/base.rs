//! Bases: valid documents that operators break.

use serde_json::Value;

use crate::suite::Suite;

/// A valid document, and what it is judged beside.
#[derive(Clone)]
pub struct Base {
    pub suite: &'static Suite,
    /// Where it comes from, for people: `example`, `scenario delivery`, a path.
    pub name: String,
    pub document: Value,
    /// The input of the scenario that it was emitted for, if it was.
    pub input: Option<Value>,
}

impl Base {
    /// The document as JSON, as people read it and as diffs compare it.
    pub fn json(&self) -> String {
        pretty(&self.document)
    }

    /// The document as YAML.
    pub fn yaml(&self) -> String {
        conform_reference_emitter::yaml::write(&self.document)
    }
}

/// A value as people read it.
pub fn pretty(value: &Value) -> String {
    // A tree of values always has a text.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

impl std::fmt::Debug for Base {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.name, self.suite.id)
    }
}
