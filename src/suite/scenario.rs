//! Scenarios: declared inputs that an emitter turns into documents.

use serde::{Deserialize, Serialize};

use super::{Suite, embedded};
use crate::digest;

/// One declared input. Its file is `suites/<suite>/scenarios/<name>.yaml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Name within its suite, the file's stem.
    pub name: String,
    /// Why it is there, in a sentence.
    pub purpose: String,
    /// Whether a run is incomplete when an emitter does not support it (default) or merely says so.
    #[serde(default = "yes")]
    pub required: bool,
    /// Seconds that an emitter may take, where the run's limit is too short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// What happened, in the family's own terms; handed to the emitter as it stands.
    pub input: serde_json::Value,
    /// SHA-256 of the file's text, in hexadecimal.
    #[serde(skip)]
    pub sha256: String,
}

fn yes() -> bool {
    true
}

impl Scenario {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// Where the text is no scenario; the message has the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let scenario: Scenario = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        Ok(Scenario { sha256: digest::sha256(text.as_bytes()), ..scenario })
    }

    /// The object that an emitter gets on standard input: protocol version, suite, scenario name and input.
    pub fn wire(&self, suite: &str) -> serde_json::Value {
        serde_json::json!({ "conform": 1, "suite": suite, "scenario": self.name, "purpose": self.purpose, "input": self.input })
    }
}

/// The scenarios that the binary carries for a suite, by name.
///
/// # Errors
/// Where an embedded file is no scenario (a fault of conform's own, which a test rules out).
pub fn embedded(suite: &Suite) -> Result<Vec<Scenario>, String> {
    embedded::under(&format!("suites/{}/scenarios", suite.id))
        .map(|(path, text)| Scenario::parse(text).map_err(|error| format!("{path}: {error}")))
        .collect()
}
