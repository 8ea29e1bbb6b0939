//! What happened in an optimize run.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use super::{Clock, Criterion, Terms, Trial, Wrong, check_factors, completed, ensure, not_empty, read, within};
use crate::Refusal;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scenario {
    pub contract: String,
    pub experiment: String,
    pub objective: Objective,
    pub scorer: Scorer,
    #[serde(rename = "clock")]
    _clock: Clock,
    pub samples_planned: u64,
    pub inputs: Vec<String>,
    pub criteria: Vec<Criterion>,
    pub iterations: Vec<Iteration>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Objective {
    Maximize,
    Minimize,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scorer {
    ObservedPassRate,
    Stated,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Iteration {
    pub factors: Map<String, Value>,
    pub score: Option<Number>,
    #[serde(default = "completed")]
    pub termination: String,
    pub trials: Vec<Trial>,
}

impl Scenario {
    /// Reads an input and refuses one that cannot have happened.
    pub fn read(input: Value) -> Result<Self, Refusal> {
        read(input, Self::check)
    }

    pub fn terms(&self) -> Terms<'_> {
        Terms { samples_planned: self.samples_planned, inputs: &self.inputs, criteria: &self.criteria }
    }

    fn check(&self) -> Result<(), Wrong> {
        self.terms().check()?;
        not_empty("iterations", &self.iterations)?;
        for (i, iteration) in self.iterations.iter().enumerate() {
            self.check_iteration(iteration).map_err(within(format!("/iterations/{i}")))?;
        }
        Ok(())
    }

    fn check_iteration(&self, iteration: &Iteration) -> Result<(), Wrong> {
        let stated = self.scorer == Scorer::Stated;
        ensure(
            iteration.score.is_some() == stated,
            || "/score".to_owned(),
            || {
                if stated {
                    "is missing, and scorer is `stated`"
                } else {
                    "is there, and scorer is `observed-pass-rate`"
                }
                .to_owned()
            },
        )?;
        check_factors(&iteration.factors)?;
        self.terms().check_run(&iteration.termination, &iteration.trials)
    }
}
