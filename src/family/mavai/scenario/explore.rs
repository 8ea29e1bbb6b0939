//! What happened in an explore experiment: one run for each configuration.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{Clock, Criterion, Terms, Trial, read};

/// A whole explore experiment.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    pub contract: String,
    pub experiment: String,
    pub clock: Clock,
    /// Samples planned for each configuration.
    pub samples_planned: u64,
    pub inputs: Vec<String>,
    pub criteria: Vec<Criterion>,
    pub configurations: Vec<Configuration>,
}

/// One configuration, and the run over it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Configuration {
    /// Its identity within the experiment.
    pub configuration: String,
    /// What people call it.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether it is the one that the others are compared with.
    #[serde(default)]
    pub base: bool,
    #[serde(default)]
    pub factors: Option<serde_json::Map<String, serde_json::Value>>,
    /// Handed to the emitter; not compared, since termination vocabularies are not regulated.
    #[serde(default, rename = "termination")]
    pub _termination: Option<String>,
    pub trials: Vec<Trial>,
}

impl Input {
    /// Reads a scenario's input and holds it against the rules that its schema cannot state.
    ///
    /// # Errors
    /// The first rule that it breaks, with the configuration and trial.
    pub fn read(input: &serde_json::Value) -> Result<Self, String> {
        let read: Input = read(input)?;
        read.check().map_err(|error| format!("the input is no mavai scenario: {error}"))?;
        Ok(read)
    }

    pub fn terms(&self) -> Terms<'_> {
        Terms {
            contract: &self.contract,
            clock: self.clock,
            samples_planned: self.samples_planned,
            inputs: &self.inputs,
            criteria: &self.criteria,
        }
    }

    fn check(&self) -> Result<(), String> {
        self.terms().check()?;
        if self.configurations.is_empty() {
            return Err("it needs a configuration at least".to_owned());
        }
        if self.configurations.iter().filter(|configuration| configuration.base).count() > 1 {
            return Err("more than one configuration is the base".to_owned());
        }
        let keys = |configuration: &Configuration| -> Option<BTreeSet<String>> {
            configuration.factors.as_ref().map(|factors| factors.keys().cloned().collect())
        };
        let first = self.configurations.first().and_then(keys);
        let mut seen = BTreeSet::new();
        for (at, configuration) in self.configurations.iter().enumerate() {
            if !seen.insert(&configuration.configuration) {
                return Err(format!("a second configuration is {:?}", configuration.configuration));
            }
            if self.configurations.len() > 1 && (keys(configuration).is_none() || keys(configuration) != first) {
                return Err(format!("configuration {at} does not state the factors that the first one states"));
            }
            self.terms().check_trials(&format!("configuration {at}"), &configuration.trials)?;
        }
        Ok(())
    }
}
