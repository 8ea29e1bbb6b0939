//! What happened in a measure experiment: one run, or the same measurement made twice.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Check, Clock, Criterion, Terms, Trial, read};

/// A whole measure experiment.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    pub contract: String,
    pub service: String,
    pub clock: Clock,
    pub confidence_level: f64,
    /// What else was the case, name by name.
    pub covariates: BTreeMap<String, String>,
    #[serde(default)]
    pub expires_in_days: Option<u64>,
    pub samples_planned: u64,
    pub inputs: Vec<String>,
    pub criteria: Vec<Judged>,
    /// Handed to the emitter; not compared, since termination vocabularies are not regulated.
    #[serde(default, rename = "termination")]
    pub _termination: Option<String>,
    pub trials: Vec<Trial>,
    /// The same contract and service measured once more, over inputs of its own.
    #[serde(default)]
    pub again: Option<Again>,
}

/// A criterion, and what the baseline concludes from it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Judged {
    name: String,
    pub mode: Mode,
    /// Of an inferential criterion only.
    #[serde(default)]
    pub procedure: Option<Procedure>,
    #[serde(default)]
    optional_slack: Option<String>,
    checks: Vec<Check>,
}

impl Judged {
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    Inferential,
    Observational,
}

impl Mode {
    /// As a document states it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Inferential => "inferential",
            Mode::Observational => "observational",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Procedure {
    Regression,
    Compliance,
}

impl Procedure {
    /// As a document states it.
    pub fn name(self) -> &'static str {
        match self {
            Procedure::Regression => "REGRESSION",
            Procedure::Compliance => "COMPLIANCE",
        }
    }
}

/// The second measurement: its inputs, and what happened.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Again {
    pub inputs: Vec<String>,
    pub trials: Vec<Trial>,
}

/// A scenario's input, with its criteria as every kind of scenario has them.
#[derive(Debug)]
pub struct Measured {
    pub input: Input,
    criteria: Vec<Criterion>,
}

/// One measurement of a scenario; each makes a document.
pub struct Measurement<'i> {
    pub terms: Terms<'i>,
    pub trials: &'i [Trial],
}

impl Measured {
    /// Reads a scenario's input and holds it against the rules that its schema cannot state.
    ///
    /// # Errors
    /// The first rule that it breaks, with the trial.
    pub fn read(input: &serde_json::Value) -> Result<Self, String> {
        let input: Input = read(input)?;
        let criteria = input
            .criteria
            .iter()
            .map(|judged| Criterion {
                name: judged.name.clone(),
                optional_slack: judged.optional_slack.clone(),
                checks: judged.checks.clone(),
            })
            .collect();
        let measured = Measured { input, criteria };
        measured.check().map_err(|error| format!("the input is no mavai scenario: {error}"))?;
        Ok(measured)
    }

    /// The measurements, in the order of their documents.
    pub fn measurements(&self) -> Vec<Measurement<'_>> {
        let input = &self.input;
        let first = (&input.inputs, &input.trials);
        let again = input.again.as_ref().map(|again| (&again.inputs, &again.trials));
        [Some(first), again]
            .into_iter()
            .flatten()
            .map(|(inputs, trials)| Measurement {
                terms: Terms {
                    contract: &input.contract,
                    clock: input.clock,
                    samples_planned: input.samples_planned,
                    inputs,
                    criteria: &self.criteria,
                },
                trials,
            })
            .collect()
    }

    fn check(&self) -> Result<(), String> {
        let level = self.input.confidence_level;
        if !(level > 0.0 && level < 1.0) {
            return Err(format!("confidenceLevel is {level}, which is not between 0 and 1"));
        }
        if self.input.expires_in_days == Some(0) {
            return Err("expiresInDays is 0; a baseline holds for a day at least".to_owned());
        }
        let inferring = |judged: &&Judged| judged.mode == Mode::Observational && judged.procedure.is_some();
        if let Some(judged) = self.input.criteria.iter().find(inferring) {
            return Err(format!("criterion {:?} is observational and has a procedure", judged.name));
        }
        if self.input.again.is_some() && self.criteria.iter().flat_map(|one| &one.checks).any(|one| one.input.is_some())
        {
            return Err("a check is stated by an input, but `again` has inputs of its own".to_owned());
        }
        for (at, measurement) in self.measurements().iter().enumerate() {
            measurement.terms.check()?;
            measurement.terms.check_trials(&format!("measurement {at}"), measurement.trials)?;
        }
        Ok(())
    }
}
