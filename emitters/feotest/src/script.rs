//! A service that plays back what the scenario says happened.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use feotest::controls::Cost;
use feotest::criteria::{Criteria, Criterion};
use feotest::model::{ContractViolation, Defect, Outcome};
use feotest::service_contract::ServiceContract;

use crate::scenario::{Terms, Trial};

/// The scenario and how far it has been played.
pub struct Script {
    pub terms: Terms,
    trials: Vec<Trial>,
    scores: Vec<Option<f64>>,
    played: Mutex<Played>,
}

#[derive(Default)]
struct Played {
    trials: usize,
    scores: usize,
}

impl Script {
    pub fn new(terms: Terms, trials: Vec<Trial>, scores: Vec<Option<f64>>) -> Self {
        Script { terms, trials, scores, played: Mutex::default() }
    }

    /// The process has one scenario, and feotest's closures want what lives as long as it.
    pub fn lasting(self) -> &'static Self {
        Box::leak(Box::new(self))
    }

    fn next_trial(&self) -> Option<&Trial> {
        let mut played = self.played();
        played.trials += 1;
        self.trials.get(played.trials - 1)
    }

    fn current_trial(&self) -> Option<&Trial> {
        self.trials.get(self.played().trials.checked_sub(1)?)
    }

    pub fn next_score(&self) -> f64 {
        let mut played = self.played();
        played.scores += 1;
        self.scores.get(played.scores - 1).copied().flatten().unwrap_or(f64::NAN)
    }

    /// The outcome of a check in the current trial.
    fn check(&self, name: &str, response: &str) -> Outcome {
        let violation = |reason: String| Err(ContractViolation::new(name, reason));
        let Some(trial) = self.current_trial() else { return violation("there is no trial to judge".to_owned()) };
        // A framework that judged a trial only after it began the next one would get wrong answers here, and silently.
        assert_eq!(trial.response.as_deref(), Some(response), "feotest judges another response than it asked for last");
        match trial.checks.get(name).map(String::as_str) {
            Some("pass") => Ok(()),
            outcome => violation(format!("the scenario says {}", outcome.unwrap_or("nothing"))),
        }
    }

    fn played(&self) -> std::sync::MutexGuard<'_, Played> {
        self.played.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The scenario's contract.
pub struct Scripted(pub &'static Script);

impl ServiceContract for Scripted {
    type Input = String;
    type Output = String;

    fn id(&self) -> &str {
        &self.0.terms.contract
    }

    fn invoke(&self, _input: &String, cost: &mut Cost) -> Result<String, Defect> {
        let trial =
            self.0.next_trial().ok_or_else(|| Defect::new("feotest asked for more trials than the scenario has"))?;
        thread::sleep(Duration::from_secs_f64(trial.latency_ms / 1000.0));
        // One token a trial, so that a budget in tokens is one in trials.
        cost.record_tokens(1);
        trial.response.clone().ok_or_else(|| Defect::new("the trial has no response"))
    }

    fn criteria(&self) -> Criteria<String> {
        let mut criteria = self.0.terms.criteria.iter().map(|criterion| self.criterion(criterion));
        let mut next = || criteria.next().expect("refused unless there are from one to six criteria");
        match self.0.terms.criteria.len() {
            1 => Criteria::of([next()]),
            2 => Criteria::of([next(), next()]),
            3 => Criteria::of([next(), next(), next()]),
            4 => Criteria::of([next(), next(), next(), next()]),
            5 => Criteria::of([next(), next(), next(), next(), next()]),
            _ => Criteria::of([next(), next(), next(), next(), next(), next()]),
        }
    }
}

impl Scripted {
    fn criterion(&self, criterion: &'static crate::scenario::Criterion) -> Criterion<String> {
        let script = self.0;
        let check = |name: &'static str| move |response: &String| script.check(name, response);
        // The rate is a verdict's and does not show in an optimize run's document; feotest wants one.
        let builder = Criterion::meeting().pass_rate(0.5).name(criterion.name.clone());
        let mut names = criterion.checks.iter().map(|check| check.name.as_str());
        let Some(first) = names.next() else { return builder.build() };
        let constrained = builder.satisfies(first, check(first));
        names.fold(constrained, |builder, name| builder.satisfies(name, check(name))).build()
    }
}
