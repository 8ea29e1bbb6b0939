//! Operators on mavai documents. They put right what would betray the fault elsewhere (the rate beside a changed count, say), so
//! that only the intended obligation is broken.

mod baseline;
mod convergence;
mod counts;
mod delivery;
mod failures;
mod latency;
mod scenario;
mod set;
mod standings;
mod whole;

use serde_json::Value;

use super::operator::Operator;
use super::place::{self, matching};

/// The operators, subject by subject.
pub const OPERATORS: &[&[Operator]] = &[
    counts::OPERATORS,
    failures::OPERATORS,
    delivery::OPERATORS,
    standings::OPERATORS,
    latency::OPERATORS,
    convergence::OPERATORS,
    whole::OPERATORS,
    baseline::OPERATORS,
    set::OPERATORS,
    scenario::OPERATORS,
];

/// Pointers to what records one run: the iterations of an optimize document; any other document itself.
fn runs(document: &Value) -> Vec<String> {
    if document.get("iterations").is_some() { matching(document, "/iterations/*") } else { vec![String::new()] }
}

/// Whether the document is a baseline: its criteria stand at its top.
fn is_baseline(document: &Value) -> bool {
    document.get("criteria").is_some()
}

/// Pointers to the criteria of a run.
fn criteria(document: &Value, run: &str) -> Vec<String> {
    if is_baseline(document) {
        matching(document, "/criteria/*")
    } else {
        within(document, run, "/statistics/criteria/*")
    }
}

/// Pointers to what a pattern matches below a place.
fn within(document: &Value, at: &str, pattern: &str) -> Vec<String> {
    let Some(inner) = document.pointer(at) else { return Vec::new() };
    matching(inner, pattern).into_iter().map(|pointer| format!("{at}{pointer}")).collect()
}

/// Pointers to the rows of a criterion's standings.
fn rows(document: &Value, criterion: &str) -> Vec<String> {
    within(document, criterion, "/standings/rows/*")
}

/// Every criterion of the document, with its run.
fn every_criterion(document: &Value) -> Vec<(String, String)> {
    runs(document)
        .into_iter()
        .flat_map(|run| criteria(document, &run).into_iter().map(move |criterion| (run.clone(), criterion)))
        .collect()
}

/// Every row of the document, with its criterion.
fn every_row(document: &Value) -> Vec<(String, String)> {
    every_criterion(document)
        .into_iter()
        .flat_map(|(_, criterion)| rows(document, &criterion).into_iter().map(move |row| (criterion.clone(), row)))
        .collect()
}

/// Every failure distribution of the document: pointer of the block that holds it and its run.
fn every_distribution(document: &Value) -> Vec<(String, String)> {
    let mut holders = Vec::new();
    for run in runs(document) {
        if !is_baseline(document) {
            holders.push((run.clone(), format!("{run}/statistics")));
        }
        holders.extend(criteria(document, &run).into_iter().map(|criterion| (run.clone(), criterion)));
    }
    holders.retain(|(_, holder)| !place::items(document, &format!("{holder}/failureDistribution")).is_empty());
    holders
}

/// A row's counts: passed, failed, skipped.
fn row_counts(document: &Value, row: &str) -> Option<[u64; 3]> {
    let count = |key| place::count(document, row, key);
    Some([count("passed")?, count("failed")?, count("skipped")?])
}

/// Sets a row's counts and what follows from them; exemplars, which no longer fit, go.
fn set_row(document: &mut Value, row: &str, [passed, failed, skipped]: [u64; 3]) -> Option<()> {
    place::set(document, row, "passed", passed)?;
    place::set(document, row, "failed", failed)?;
    place::set(document, row, "skipped", skipped)?;
    place::set(document, row, "observedFraction", super::tweak::quotient(passed, passed + failed + skipped))?;
    place::remove(document, row, "observed");
    place::remove(document, row, "elided");
    Some(())
}

/// What an entry of a failure distribution says of its kind.
fn is_delivery(entry: &Value) -> bool {
    entry.get("kind").and_then(Value::as_str) == Some("delivery")
}
