//! What happened in a whole optimize run.

use serde::Deserialize;

use super::{Clock, Criterion, Terms, Trial, read};

/// A whole optimize run.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    pub contract: String,
    pub experiment: String,
    pub objective: Objective,
    pub scorer: Scorer,
    pub clock: Clock,
    /// Samples planned for each iteration.
    pub samples_planned: u64,
    /// The inputs' texts; trial i of an iteration is driven by input i mod their number.
    pub inputs: Vec<String>,
    pub criteria: Vec<Criterion>,
    pub iterations: Vec<Iteration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Objective {
    Maximize,
    Minimize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scorer {
    /// successes / samplesExecuted.
    ObservedPassRate,
    /// Each iteration gives its score.
    Stated,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Iteration {
    pub factors: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    pub score: Option<f64>,
    /// Handed to the emitter; not compared, since termination vocabularies are not regulated.
    #[serde(default, rename = "termination")]
    pub _termination: Option<String>,
    pub trials: Vec<Trial>,
}

impl Input {
    /// Reads a scenario's input and holds it against the rules that its schema cannot state.
    ///
    /// # Errors
    /// The first rule that it breaks, with the iteration and trial.
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
        if self.iterations.is_empty() {
            return Err("it needs an iteration at least".to_owned());
        }
        for (at, iteration) in self.iterations.iter().enumerate() {
            if self.scorer == Scorer::Stated && iteration.score.is_none() {
                return Err(format!("iteration {at} gives no score, but the scorer is `stated`"));
            }
            self.terms().check_trials(&format!("iteration {at}"), &iteration.trials)?;
        }
        Ok(())
    }
}
