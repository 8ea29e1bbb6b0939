//! The input of a mavai scenario: what happened, trial by trial, in no framework's terms.

use std::collections::BTreeMap;

use serde::Deserialize;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// A trial's latency is what the scenario says.
    Virtual,
    /// Latencies are measured; only their number follows from the scenario.
    Real,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Criterion {
    pub name: String,
    #[serde(default)]
    pub optional_slack: Option<String>,
    pub checks: Vec<Check>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    pub name: String,
    #[serde(default)]
    pub optional: bool,
    /// The input whose own expected values state the check; judged on that input's trials only.
    #[serde(default)]
    pub input: Option<u64>,
}

impl Check {
    pub fn applies_to(&self, input: u64) -> bool {
        self.input.is_none_or(|own| own == input)
    }
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

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trial {
    pub input: u64,
    pub latency_ms: f64,
    #[serde(default)]
    pub response: Option<String>,
    #[serde(default)]
    pub checks: BTreeMap<String, Outcome>,
    #[serde(default)]
    pub event: Option<Event>,
}

/// What a check said of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Pass,
    Fail,
    /// Not judged, because an earlier transform failed.
    Skip,
}

/// The event by which a delivery failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    NameResolutionFailed,
    ConnectionRefused,
    DeadlineElapsed,
    #[serde(rename = "http-500")]
    Http500,
    #[serde(rename = "http-502")]
    Http502,
    #[serde(rename = "http-503")]
    Http503,
    #[serde(rename = "http-504")]
    Http504,
    EmptyBody,
}

impl Event {
    /// The cause that the event must become.
    pub fn cause(self) -> &'static str {
        match self {
            Event::NameResolutionFailed | Event::ConnectionRefused => "unreachable",
            Event::DeadlineElapsed => "client-deadline",
            Event::Http504 => "peer-timeout",
            Event::Http500 | Event::Http502 | Event::Http503 => "server-error",
            Event::EmptyBody => "unusable-response",
        }
    }
}

impl Input {
    /// Reads a scenario's input and holds it against the rules that its schema cannot state.
    ///
    /// # Errors
    /// The first rule that it breaks, with the iteration and trial.
    pub fn read(input: &serde_json::Value) -> Result<Self, String> {
        let read: Input =
            Input::deserialize(input).map_err(|error| format!("the input is no mavai scenario: {error}"))?;
        read.check().map_err(|error| format!("the input is no mavai scenario: {error}"))?;
        Ok(read)
    }

    fn check(&self) -> Result<(), String> {
        let inputs = self.inputs.len() as u64;
        if inputs == 0 || self.criteria.is_empty() || self.iterations.is_empty() {
            return Err("it needs an input, a criterion and an iteration at least".to_owned());
        }
        for criterion in &self.criteria {
            if let Some(slack) = &criterion.optional_slack {
                Slack::parse(slack)
                    .ok_or_else(|| format!("optionalSlack {slack:?} is neither a count nor a percentage"))?;
            }
        }
        for (at, iteration) in self.iterations.iter().enumerate() {
            if self.scorer == Scorer::Stated && iteration.score.is_none() {
                return Err(format!("iteration {at} gives no score, but the scorer is `stated`"));
            }
            for (index, trial) in iteration.trials.iter().enumerate() {
                let place = format!("iteration {at}, trial {index}");
                if trial.input != index as u64 % inputs {
                    return Err(format!("{place}: input {} is not the next of the round robin", trial.input));
                }
                if trial.event.is_some() == trial.response.is_some() {
                    return Err(format!("{place}: it needs either a response or an event"));
                }
                if trial.event.is_some() {
                    continue;
                }
                let applying = self.criteria.iter().flat_map(|criterion| &criterion.checks);
                for check in applying.filter(|check| check.applies_to(trial.input)) {
                    if !trial.checks.contains_key(&check.name) {
                        return Err(format!("{place}: the outcome of check {:?} is missing", check.name));
                    }
                }
            }
        }
        Ok(())
    }
}

/// A criterion's budget of optional checks that may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slack {
    Count(usize),
    Percent(usize),
}

impl Slack {
    /// Reads `2` or `20%`.
    pub fn parse(declared: &str) -> Option<Self> {
        match declared.strip_suffix('%') {
            Some(percent) => percent.parse().ok().map(Slack::Percent),
            None => declared.parse().ok().map(Slack::Count),
        }
    }

    /// How many of so many applicable optional checks may fail; a percentage is rounded down.
    pub fn allowance(self, optional_checks: usize) -> usize {
        match self {
            Slack::Count(count) => count,
            Slack::Percent(percent) => percent.saturating_mul(optional_checks) / 100,
        }
    }
}
