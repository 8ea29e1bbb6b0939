//! The standings of a criterion: how each of its checks fared on each input.

use serde_json::{Value, json};

use super::bounded::{excerpt, identity};
use super::run::fraction;
use super::scenario::{Check, Criterion, Outcome, Trial};

/// The most exemplars that a row shows.
const EXEMPLARS: usize = 4;

/// A criterion's `standings`: one row for every input and check that applies to it, also where no trial drove the input.
pub fn block(criterion: &Criterion, inputs: usize, trials: &[Trial]) -> Value {
    let rows: Value =
        (0..inputs).flat_map(|input| criterion.applicable(input).map(move |check| row(check, input, trials))).collect();
    match &criterion.optional_slack {
        Some(slack) => json!({ "optionalSlack": slack, "rows": rows }),
        None => json!({ "rows": rows }),
    }
}

fn row(check: &Check, input: usize, trials: &[Trial]) -> Value {
    let mut tally = Tally::default();
    for trial in trials.iter().filter(|trial| trial.input == input) {
        tally.count(trial, &check.name);
    }
    let total = tally.passed + tally.failed + tally.skipped;
    let mut row = json!({
        "inputIndex": input,
        "check": identity(&check.name),
        "provenance": if check.input.is_some() { "input" } else { "criterion" },
        "optional": check.optional,
        "passed": tally.passed,
        "failed": tally.failed,
        "skipped": tally.skipped,
        "observedFraction": fraction(tally.passed, total),
    });
    // Failing exemplars first, and otherwise in the order in which they were seen.
    let shown: Vec<&Exemplar> = tally
        .exemplars
        .iter()
        .filter(|seen| !seen.held)
        .chain(tally.exemplars.iter().filter(|seen| seen.held))
        .take(EXEMPLARS)
        .collect();
    let exemplified: usize = shown.iter().map(|seen| seen.count).sum();
    if !shown.is_empty() {
        row["observed"] = shown
            .iter()
            .map(|seen| json!({ "excerpt": seen.excerpt, "count": seen.count, "held": seen.held }))
            .collect();
    }
    if total > exemplified {
        row["elided"] = json!(total - exemplified);
    }
    row
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
    exemplars: Vec<Exemplar>,
}

/// A response that was judged, as far as a row shows it.
struct Exemplar {
    excerpt: String,
    held: bool,
    count: usize,
}

impl Tally {
    fn count(&mut self, trial: &Trial, check: &str) {
        let outcome = trial.delivery().ok().and_then(|outcomes| outcomes.get(check)).copied().unwrap_or(Outcome::Skip);
        match outcome {
            Outcome::Pass => self.passed += 1,
            Outcome::Fail => self.failed += 1,
            Outcome::Skip => self.skipped += 1,
        }
        if outcome != Outcome::Skip {
            self.exemplify(excerpt(&trial.response.clone().unwrap_or_default()), outcome == Outcome::Pass);
        }
    }

    fn exemplify(&mut self, excerpt: String, held: bool) {
        match self.exemplars.iter_mut().find(|seen| seen.held == held && seen.excerpt == excerpt) {
            Some(seen) => seen.count += 1,
            None => self.exemplars.push(Exemplar { excerpt, held, count: 1 }),
        }
    }
}
