//! What happened in an explore experiment.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Clock, Criterion, Terms, Trial, Wrong, check_factors, completed, ensure, not_empty, read, within};
use crate::Refusal;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scenario {
    pub contract: String,
    pub experiment: String,
    #[serde(rename = "clock")]
    _clock: Clock,
    pub samples_planned: u64,
    pub inputs: Vec<String>,
    pub criteria: Vec<Criterion>,
    pub configurations: Vec<Configuration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    pub configuration: String,
    pub name: Option<String>,
    #[serde(default)]
    pub base: bool,
    pub factors: Option<Map<String, Value>>,
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
        not_empty("configurations", &self.configurations)?;
        let bases = self.configurations.iter().filter(|configuration| configuration.base).count();
        ensure(
            bases <= 1,
            || "/configurations".to_owned(),
            || format!("{bases} of them are the base; at most one is"),
        )?;
        let mut seen = BTreeSet::new();
        for (i, configuration) in self.configurations.iter().enumerate() {
            let at = format!("/configurations/{i}");
            ensure(
                seen.insert(&configuration.configuration),
                || at.clone(),
                || format!("a second configuration is {:?}", configuration.configuration),
            )?;
            self.check_configuration(configuration).map_err(within(at))?;
        }
        Ok(())
    }

    fn check_configuration(&self, configuration: &Configuration) -> Result<(), Wrong> {
        let names =
            |of: &Configuration| of.factors.as_ref().map(|factors| factors.keys().cloned().collect::<BTreeSet<_>>());
        if self.configurations.len() > 1 {
            let own = names(configuration);
            let alike = own.is_some() && self.configurations.first().map(names) == Some(own);
            let what = || {
                "are not those of the first configuration, and where there are several all state the same".to_owned()
            };
            ensure(alike, || "/factors".to_owned(), what)?;
        }
        configuration.factors.as_ref().map_or(Ok(()), check_factors)?;
        self.terms().check_run(&configuration.termination, &configuration.trials)
    }
}
