//! The scenario as conform gives it, and whether feotest can live through it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One scenario; what its input is depends on the suite.
#[derive(Deserialize)]
pub struct Scenario {
    pub suite: String,
    pub input: Value,
}

/// What the scenarios of both suites say.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    pub contract: String,
    pub experiment: String,
    pub clock: String,
    pub samples_planned: u32,
    pub inputs: Vec<String>,
    pub criteria: Vec<Criterion>,
}

/// An optimize run.
#[derive(Deserialize)]
pub struct Optimize {
    #[serde(flatten)]
    pub terms: Terms,
    pub objective: String,
    pub scorer: String,
    pub iterations: Vec<Iteration>,
}

/// An explore experiment.
#[derive(Deserialize)]
pub struct Explore {
    #[serde(flatten)]
    pub terms: Terms,
    pub configurations: Vec<Configuration>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Criterion {
    pub name: String,
    pub optional_slack: Option<String>,
    pub checks: Vec<Check>,
}

#[derive(Deserialize)]
pub struct Check {
    pub name: String,
    #[serde(default)]
    pub optional: bool,
    pub input: Option<usize>,
}

#[derive(Deserialize)]
pub struct Iteration {
    pub factors: Map<String, Value>,
    pub score: Option<f64>,
    pub trials: Vec<Trial>,
}

#[derive(Deserialize)]
pub struct Configuration {
    pub configuration: String,
    #[serde(default)]
    pub base: bool,
    #[serde(default)]
    pub factors: Map<String, Value>,
    pub trials: Vec<Trial>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trial {
    pub latency_ms: f64,
    pub response: Option<String>,
    #[serde(default)]
    pub checks: BTreeMap<String, String>,
    pub event: Option<String>,
}

/// The most criteria that [`crate::experiment`] can hand over: feotest takes them as an array, whose length is fixed when the
/// program is compiled.
pub const MOST_CRITERIA: usize = 6;

impl Optimize {
    /// The trials of each iteration.
    pub fn groups(&self) -> Vec<&[Trial]> {
        self.iterations.iter().map(|iteration| &iteration.trials[..]).collect()
    }
}

impl Explore {
    /// The trials of each configuration.
    pub fn groups(&self) -> Vec<&[Trial]> {
        self.configurations.iter().map(|configuration| &configuration.trials[..]).collect()
    }

    /// Refuses what feotest's explore experiment has no way to live through, and says why.
    pub fn refuse(&self) -> Result<(), String> {
        match self.configurations.iter().any(|configuration| configuration.base) {
            true => Err("feotest has no base configuration, with which the others are compared".to_owned()),
            false => Ok(()),
        }
    }
}

impl Terms {
    /// Refuses what no experiment of feotest has a way to live through, and says why.
    pub fn refuse(&self, groups: &[&[Trial]]) -> Result<(), String> {
        let refused = |reason: &str| Err(reason.to_owned());
        if groups.iter().copied().flatten().any(|trial| trial.event.is_some()) {
            return refused(
                "feotest knows no failed delivery: an invocation that fails is a defect, and aborts the run",
            );
        }
        if self.clock == "virtual" {
            return refused("feotest measures latencies, and its clock cannot be set");
        }
        let mut checks = self.criteria.iter().flat_map(|criterion| &criterion.checks);
        if checks.clone().any(|check| check.optional)
            || self.criteria.iter().any(|criterion| criterion.optional_slack.is_some())
        {
            return refused("feotest has no optional checks");
        }
        if checks.any(|check| check.input.is_some()) {
            return refused("feotest has no checks of an input's own");
        }
        if self.criteria.len() > MOST_CRITERIA {
            return Err(format!("this adapter makes contracts of at most {MOST_CRITERIA} criteria"));
        }
        self.cut(groups).map(|_| ())
    }

    /// After how many trials the budget ends the run, if it does. A budget that is used up stays used up.
    pub fn cut(&self, groups: &[&[Trial]]) -> Result<Option<usize>, String> {
        let planned = self.samples_planned as usize;
        let mut executed = groups.iter().map(|trials| trials.len());
        let whole = executed.by_ref().take_while(|&trials| trials == planned).count();
        let Some(partial) = groups.get(whole) else { return Ok(None) };
        if executed.any(|trials| trials > 0) {
            return Err("feotest's budget is the run's: once it is used up, there is not a sample more".to_owned());
        }
        Ok(Some(whole * planned + partial.len()))
    }
}
