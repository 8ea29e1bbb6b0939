//! The scenario as conform gives it, and whether feotest can live through it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
pub struct Scenario {
    pub input: Run,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub contract: String,
    pub experiment: String,
    pub objective: String,
    pub scorer: String,
    pub clock: String,
    pub samples_planned: u32,
    pub inputs: Vec<String>,
    pub criteria: Vec<Criterion>,
    pub iterations: Vec<Iteration>,
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

impl Run {
    pub fn trials(&self) -> impl Iterator<Item = &Trial> {
        self.iterations.iter().flat_map(|iteration| &iteration.trials)
    }

    /// Refuses what feotest has no way to live through, and says why.
    pub fn refuse(&self) -> Result<(), String> {
        let refused = |reason: &str| Err(reason.to_owned());
        if self.trials().any(|trial| trial.event.is_some()) {
            return refused("feotest knows no failed delivery: an invocation that fails is a defect, and aborts the run");
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
        self.cut().map(|_| ())
    }

    /// After how many trials the budget ends the run, if it does. A budget that is used up stays used up.
    pub fn cut(&self) -> Result<Option<usize>, String> {
        let planned = self.samples_planned as usize;
        let mut executed = self.iterations.iter().map(|iteration| iteration.trials.len());
        let whole = executed.by_ref().take_while(|&trials| trials == planned).count();
        if whole == self.iterations.len() {
            return Ok(None);
        }
        let partial = self.iterations.get(whole).map_or(0, |iteration| iteration.trials.len());
        if executed.any(|trials| trials > 0) {
            return Err("feotest's budget is the run's: once an iteration is cut short, those after it get no sample".to_owned());
        }
        Ok(Some(whole * planned + partial))
    }
}
