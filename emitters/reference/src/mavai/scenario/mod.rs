//! A scenario's input: what happened in a run, as the scenarios' schemas describe it. What every kind declares is here, and each kind
//! of run in a module of its own.

pub mod baseline;
pub mod explore;
pub mod optimize;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::slack::Slack;
use crate::Refusal;

/// What every kind of scenario declares.
#[derive(Clone, Copy)]
pub struct Terms<'s> {
    pub samples_planned: u64,
    pub inputs: &'s [String],
    pub criteria: &'s [Criterion],
}

/// A clock of neither kind is refused; this emitter has no time of its own to measure and states `latencyMs` under both.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    Virtual,
    Real,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Criterion {
    pub name: String,
    /// As it was written; [`Criterion::slack`] is what it means.
    pub optional_slack: Option<String>,
    pub checks: Vec<Check>,
}

impl Criterion {
    /// The checks that are judged on an input's trials, in order.
    pub fn applicable(&self, input: usize) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(move |check| check.input.is_none_or(|own| own == input))
    }

    pub fn slack(&self) -> Option<Slack> {
        self.optional_slack.as_deref().and_then(Slack::parse)
    }
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub name: String,
    #[serde(default)]
    pub optional: bool,
    /// The input that states the check, where it is not the criterion.
    pub input: Option<usize>,
}

fn completed() -> String {
    "COMPLETED".to_owned()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trial {
    pub input: usize,
    pub latency_ms: Number,
    pub response: Option<String>,
    checks: Option<BTreeMap<String, Outcome>>,
    event: Option<Event>,
}

impl Trial {
    /// The outcomes of the checks on the delivered response, or the event that kept it from being delivered.
    pub fn delivery(&self) -> Result<&BTreeMap<String, Outcome>, Event> {
        static NONE: BTreeMap<String, Outcome> = BTreeMap::new();
        match self.event {
            Some(event) => Err(event),
            None => Ok(self.checks.as_ref().unwrap_or(&NONE)),
        }
    }

    pub fn milliseconds(&self) -> f64 {
        self.latency_ms.as_f64().unwrap_or(0.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Pass,
    Fail,
    Skip,
}

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

/// Reads an input and refuses one that cannot have happened.
fn read<T: DeserializeOwned>(input: Value, check: impl FnOnce(&T) -> Result<(), Wrong>) -> Result<T, Refusal> {
    let scenario: T = serde_json::from_value(input).map_err(|error| Refusal::Broken(format!("input: {error}")))?;
    check(&scenario).map_err(|(place, what)| Refusal::Broken(format!("input{place}: {what}")))?;
    Ok(scenario)
}

impl Terms<'_> {
    fn check(&self) -> Result<(), Wrong> {
        not_empty("inputs", self.inputs)?;
        not_empty("criteria", self.criteria)?;
        let mut names = BTreeSet::new();
        for (i, criterion) in self.criteria.iter().enumerate() {
            let at = || format!("/criteria/{i}");
            ensure(names.insert(&criterion.name), at, || format!("a second criterion is named {:?}", criterion.name))?;
            self.check_criterion(criterion).map_err(|what| (at(), what))?;
        }
        Ok(())
    }

    fn check_criterion(&self, criterion: &Criterion) -> Result<(), String> {
        if let Some(slack) = criterion.optional_slack.as_deref().filter(|slack| Slack::parse(slack).is_none()) {
            return Err(format!("optionalSlack is {slack:?}; expected digits, or digits and `%`"));
        }
        if criterion.checks.is_empty() {
            return Err("has no checks".to_owned());
        }
        if let Some(check) =
            criterion.checks.iter().find(|check| check.input.is_some_and(|own| own >= self.inputs.len()))
        {
            return Err(format!("check {:?} is stated by an input that there is not", check.name));
        }
        for input in 0..self.inputs.len() {
            let mut names = BTreeSet::new();
            if let Some(twice) = criterion.applicable(input).find(|check| !names.insert(&check.name)) {
                return Err(format!("check {:?} applies twice to input {input}", twice.name));
            }
        }
        Ok(())
    }

    /// Holds one run against what is declared; places are those within the run.
    fn check_run(&self, termination: &str, trials: &[Trial]) -> Result<(), Wrong> {
        let planned = usize::try_from(self.samples_planned).unwrap_or(usize::MAX);
        let executed = trials.len();
        ensure(
            executed <= planned,
            || "/trials".to_owned(),
            || format!("{executed} trials, and samplesPlanned is {planned}"),
        )?;
        ensure(
            termination != completed() || executed == planned,
            || "/termination".to_owned(),
            || format!("COMPLETED with {executed} of {planned} planned samples; state why it ended early"),
        )?;
        for (i, trial) in trials.iter().enumerate() {
            self.check_trial(i, trial).map_err(|what| (format!("/trials/{i}"), what))?;
        }
        Ok(())
    }

    fn check_trial(&self, index: usize, trial: &Trial) -> Result<(), String> {
        let due = index % self.inputs.len();
        if trial.input != due {
            return Err(format!("driven by input {}, and input {due} is due", trial.input));
        }
        if trial.milliseconds() < 0.0 {
            return Err(format!("latencyMs is {}; expected 0 or more", trial.latency_ms));
        }
        let outcomes = match (&trial.response, &trial.checks, trial.event) {
            (None, None, Some(_)) => return Ok(()),
            (Some(_), Some(outcomes), None) => outcomes,
            _ => return Err("expected either `response` and `checks`, or `event`".to_owned()),
        };
        let applicable = || self.criteria.iter().flat_map(|criterion| criterion.applicable(trial.input));
        if let Some(check) = applicable().find(|check| !outcomes.contains_key(&check.name)) {
            return Err(format!("no outcome of check {:?}, which applies to input {due}", check.name));
        }
        if let Some(stray) = outcomes.keys().find(|name| applicable().all(|check| check.name != **name)) {
            return Err(format!("an outcome of {stray:?}, which is no check that applies to input {due}"));
        }
        for criterion in self.criteria {
            let mut failed = false;
            for check in criterion.applicable(trial.input) {
                match outcomes.get(&check.name) {
                    Some(Outcome::Fail) => failed = true,
                    Some(Outcome::Skip) if !failed => {
                        return Err(format!(
                            "check {:?} is skipped, and no check of {:?} before it failed",
                            check.name, criterion.name
                        ));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Factors have types that a document can state.
fn check_factors(factors: &Map<String, Value>) -> Result<(), Wrong> {
    for (name, value) in factors {
        ensure(
            value.is_string() || value.is_number() || value.is_boolean(),
            || "/factors".to_owned(),
            || format!("{name:?} is {value}; expected a string, a number or a boolean"),
        )?;
    }
    Ok(())
}

/// A place in the input, as a JSON Pointer, and what is wrong there.
type Wrong = (String, String);

fn ensure(right: bool, place: impl FnOnce() -> String, what: impl FnOnce() -> String) -> Result<(), Wrong> {
    if right { Ok(()) } else { Err((place(), what())) }
}

fn not_empty<T>(field: &str, items: &[T]) -> Result<(), Wrong> {
    ensure(!items.is_empty(), || format!("/{field}"), || "is empty, and at least one is expected".to_owned())
}

/// The place of what is wrong within a part of the input.
fn within(place: String) -> impl FnOnce(Wrong) -> Wrong {
    move |(inner, what)| (format!("{place}{inner}"), what)
}
