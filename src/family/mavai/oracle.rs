//! The oracle: what a conformant document must state of a run, derived from a scenario's input alone.

use std::collections::BTreeMap;

use super::scenario::optimize::{Input, Iteration, Objective, Scorer};
use super::scenario::{Criterion, Outcome, Slack, Trial};

/// What a failed trial is attributed to. The input is there only where an input states the check.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Evaluated { condition: String, input: Option<u64> },
    Delivery { cause: &'static str },
}

/// How often trials failed for each reason.
pub type Reasons = BTreeMap<Reason, u64>;

/// What one run must state.
#[derive(Debug)]
pub struct Expected {
    pub executed: u64,
    pub successes: u64,
    pub reasons: Reasons,
    pub criteria: Vec<ExpectedCriterion>,
    /// Latencies of the passing trials, ascending.
    pub latencies: Vec<f64>,
}

/// What one criterion of a run must state, in the order of the declaration.
#[derive(Debug)]
pub struct ExpectedCriterion {
    pub name: String,
    pub pass: u64,
    pub fail: u64,
    pub reasons: Reasons,
    pub slack: Option<String>,
    /// By input and check's name, for each input that was driven.
    pub rows: BTreeMap<(u64, String), ExpectedRow>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExpectedRow {
    pub optional: bool,
    pub stated_by_input: bool,
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

/// Each iteration's score under the run's scorer.
pub fn scores(input: &Input, expected: &[Expected]) -> Vec<f64> {
    let score = |(iteration, expected): (&Iteration, &Expected)| match input.scorer {
        Scorer::Stated => iteration.score.unwrap_or_default(),
        Scorer::ObservedPassRate if expected.executed == 0 => 0.0,
        Scorer::ObservedPassRate => expected.successes as f64 / expected.executed as f64,
    };
    input.iterations.iter().zip(expected).map(score).collect()
}

/// The best score of all iterations under the objective.
pub fn best_score(input: &Input, scores: &[f64]) -> Option<f64> {
    let scores = scores.iter().copied();
    match input.objective {
        Objective::Maximize => scores.reduce(f64::max),
        Objective::Minimize => scores.reduce(f64::min),
    }
}

/// Derives what a run over these trials must state.
pub fn expect(declared: &[Criterion], trials: &[Trial]) -> Expected {
    let mut criteria: Vec<ExpectedCriterion> = declared.iter().map(empty_criterion).collect();
    let mut expected = Expected {
        executed: trials.len() as u64,
        successes: 0,
        reasons: Reasons::new(),
        criteria: Vec::new(),
        latencies: Vec::new(),
    };
    for trial in trials {
        let mut first_reason = None;
        for (criterion, counted) in declared.iter().zip(&mut criteria) {
            count_rows(criterion, trial, counted);
            match reason(criterion, trial) {
                None => counted.pass += 1,
                Some(reason) => {
                    counted.fail += 1;
                    *counted.reasons.entry(reason.clone()).or_default() += 1;
                    first_reason.get_or_insert(reason);
                }
            }
        }
        match first_reason {
            None => {
                expected.successes += 1;
                expected.latencies.push(trial.latency_ms);
            }
            Some(reason) => *expected.reasons.entry(reason).or_default() += 1,
        }
    }
    expected.latencies.sort_by(f64::total_cmp);
    expected.criteria = criteria;
    expected
}

fn empty_criterion(declared: &Criterion) -> ExpectedCriterion {
    ExpectedCriterion {
        name: declared.name.clone(),
        pass: 0,
        fail: 0,
        reasons: Reasons::new(),
        slack: declared.optional_slack.clone(),
        rows: BTreeMap::new(),
    }
}

fn count_rows(declared: &Criterion, trial: &Trial, counted: &mut ExpectedCriterion) {
    for check in declared.checks.iter().filter(|check| check.applies_to(trial.input)) {
        let row = counted.rows.entry((trial.input, check.name.clone())).or_default();
        row.optional = check.optional;
        row.stated_by_input = check.input.is_some();
        // A trial that was never delivered was not judged either.
        match trial.checks.get(&check.name).filter(|_| trial.event.is_none()) {
            Some(Outcome::Pass) => row.passed += 1,
            Some(Outcome::Fail) => row.failed += 1,
            Some(Outcome::Skip) | None => row.skipped += 1,
        }
    }
}

/// Why a trial fails a criterion; `None` where it passes.
fn reason(declared: &Criterion, trial: &Trial) -> Option<Reason> {
    if let Some(event) = trial.event {
        return Some(Reason::Delivery { cause: event.cause() });
    }
    let applying = || declared.checks.iter().filter(|check| check.applies_to(trial.input));
    let outcome = |name: &str| trial.checks.get(name).copied().unwrap_or(Outcome::Skip);
    let missed = || applying().filter(|check| outcome(&check.name) != Outcome::Pass);
    let optional = applying().filter(|check| check.optional).count();
    let allowance =
        declared.optional_slack.as_deref().and_then(Slack::parse).map_or(0, |slack| slack.allowance(optional));
    let required_missed = missed().find(|check| !check.optional);
    let skipped = missed().any(|check| outcome(&check.name) == Outcome::Skip);
    let over_budget = missed().filter(|check| check.optional).count() > allowance;
    if required_missed.is_none() && !skipped && !over_budget {
        return None;
    }
    // A required check's failure is the reason before any optional one's.
    let named = required_missed.or_else(|| missed().next())?;
    Some(Reason::Evaluated { condition: named.name.clone(), input: named.input })
}
