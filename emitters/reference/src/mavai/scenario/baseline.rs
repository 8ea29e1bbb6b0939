//! What happened in a measure experiment.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::{Check, Clock, Criterion, Terms, Trial, Wrong, completed, ensure, read, within};
use crate::Refusal;

/// The input as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    contract: String,
    service: String,
    #[serde(rename = "clock")]
    _clock: Clock,
    confidence_level: Number,
    covariates: BTreeMap<String, String>,
    expires_in_days: Option<u32>,
    samples_planned: u64,
    inputs: Vec<String>,
    criteria: Vec<WrittenCriterion>,
    #[serde(default = "completed")]
    termination: String,
    trials: Vec<Trial>,
    again: Option<Again>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenCriterion {
    name: String,
    mode: Mode,
    procedure: Option<Procedure>,
    optional_slack: Option<String>,
    checks: Vec<Check>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Again {
    inputs: Vec<String>,
    trials: Vec<Trial>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Inferential,
    Observational,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Procedure {
    Regression,
    Compliance,
}

pub struct Scenario {
    pub contract: String,
    pub service: String,
    pub confidence_level: Number,
    pub covariates: BTreeMap<String, String>,
    pub expires_in_days: Option<u32>,
    pub termination: String,
    /// What is concluded from each criterion.
    pub conclusions: Vec<(Mode, Option<Procedure>)>,
    samples_planned: u64,
    criteria: Vec<Criterion>,
    measurements: Vec<(Vec<String>, Vec<Trial>)>,
}

/// One measurement, which makes a document.
pub struct Measurement<'s> {
    pub terms: Terms<'s>,
    pub trials: &'s [Trial],
}

impl Scenario {
    /// Reads an input and refuses one that cannot have happened.
    pub fn read(input: Value) -> Result<Self, Refusal> {
        let written: Written = read(input, |_| Ok(()))?;
        let scenario = Self::of(written);
        scenario.check().map_err(|(place, what)| Refusal::Broken(format!("input{place}: {what}")))?;
        Ok(scenario)
    }

    fn of(written: Written) -> Self {
        let conclusions = written.criteria.iter().map(|criterion| (criterion.mode, criterion.procedure)).collect();
        let criteria = written
            .criteria
            .into_iter()
            .map(|WrittenCriterion { name, optional_slack, checks, .. }| Criterion { name, optional_slack, checks });
        let again = written.again.map(|again| (again.inputs, again.trials));
        Scenario {
            contract: written.contract,
            service: written.service,
            confidence_level: written.confidence_level,
            covariates: written.covariates,
            expires_in_days: written.expires_in_days,
            termination: written.termination,
            conclusions,
            samples_planned: written.samples_planned,
            criteria: criteria.collect(),
            measurements: [Some((written.inputs, written.trials)), again].into_iter().flatten().collect(),
        }
    }

    pub fn confidence(&self) -> f64 {
        self.confidence_level.as_f64().unwrap_or(f64::NAN)
    }

    pub fn measurements(&self) -> impl Iterator<Item = Measurement<'_>> {
        self.measurements.iter().map(|(inputs, trials)| Measurement {
            terms: Terms { samples_planned: self.samples_planned, inputs, criteria: &self.criteria },
            trials,
        })
    }

    fn check(&self) -> Result<(), Wrong> {
        let level = self.confidence();
        ensure(
            level > 0.0 && level < 1.0,
            || "/confidenceLevel".to_owned(),
            || format!("is {}; expected a number between 0 and 1", self.confidence_level),
        )?;
        ensure(
            self.expires_in_days != Some(0),
            || "/expiresInDays".to_owned(),
            || "is 0; expected a day at least".to_owned(),
        )?;
        for (i, conclusion) in self.conclusions.iter().enumerate() {
            ensure(
                !matches!(conclusion, (Mode::Observational, Some(_))),
                || format!("/criteria/{i}/procedure"),
                || "is there, and mode is `observational`".to_owned(),
            )?;
        }
        for (measurement, place) in self.measurements().zip(["", "/again"]) {
            measurement.terms.check().map_err(within(place.to_owned()))?;
            measurement.terms.check_run(&self.termination, measurement.trials).map_err(within(place.to_owned()))?;
        }
        Ok(())
    }
}
