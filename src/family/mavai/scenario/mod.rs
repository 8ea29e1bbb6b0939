//! The inputs of mavai scenarios: what happened, trial by trial, in no framework's terms. What is declared and how trials are told is
//! the same for every kind of document.

pub mod baseline;
pub mod explore;
pub mod optimize;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What every kind of scenario declares: the contract, and the inputs that drive its trials.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'i> {
    pub contract: &'i str,
    pub clock: Clock,
    /// Samples planned for each run.
    pub samples_planned: u64,
    /// The inputs' texts; trial i of a run is driven by input i mod their number.
    pub inputs: &'i [String],
    pub criteria: &'i [Criterion],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// A trial's latency is what the scenario says.
    Virtual,
    /// Latencies are measured; only their number follows from the scenario.
    Real,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Criterion {
    pub name: String,
    #[serde(default)]
    pub optional_slack: Option<String>,
    pub checks: Vec<Check>,
}

#[derive(Debug, Clone, Deserialize)]
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

/// Reads an input of one kind; rules that its schema cannot state are held against it by the kind itself.
fn read<T: DeserializeOwned>(input: &serde_json::Value) -> Result<T, String> {
    T::deserialize(input).map_err(|error| format!("the input is no mavai scenario: {error}"))
}

impl Terms<'_> {
    /// Holds the declaration against the rules that the schemas cannot state.
    fn check(&self) -> Result<(), String> {
        if self.inputs.is_empty() || self.criteria.is_empty() {
            return Err("it needs an input and a criterion at least".to_owned());
        }
        for criterion in self.criteria {
            if let Some(slack) = &criterion.optional_slack {
                Slack::parse(slack)
                    .ok_or_else(|| format!("optionalSlack {slack:?} is neither a count nor a percentage"))?;
            }
        }
        Ok(())
    }

    /// Holds a run's trials against the declaration; `place` names the run in messages.
    fn check_trials(&self, place: &str, trials: &[Trial]) -> Result<(), String> {
        for (index, trial) in trials.iter().enumerate() {
            let place = format!("{place}, trial {index}");
            if trial.input != index as u64 % self.inputs.len() as u64 {
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
