//! Operators on épreuves.

mod conduct;
mod dominance;
mod round;
mod standings;
mod titles;

use serde_json::Value;

use super::operator::Operator;
use super::place::{items, matching};

/// The operators, subject by subject.
pub const OPERATORS: &[&[Operator]] =
    &[round::OPERATORS, standings::OPERATORS, dominance::OPERATORS, titles::OPERATORS, conduct::OPERATORS];

/// A tool that nobody enrolled.
const STRANGER: &str = "turner";

fn texts(document: &Value, at: &str) -> Vec<String> {
    items(document, at).iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn withdrawn(document: &Value) -> Vec<String> {
    let entries = items(document, "/withdrawn").iter();
    entries.filter_map(|entry| entry.get("tool")?.as_str()).map(str::to_owned).collect()
}

/// The enrolled tools that were not withdrawn.
fn running(document: &Value) -> Vec<String> {
    let withdrawn = withdrawn(document);
    texts(document, "/tools").into_iter().filter(|tool| !withdrawn.contains(tool)).collect()
}

/// Pointers to every comparison of every match.
fn comparisons(document: &Value) -> Vec<String> {
    matching(document, "/matches/*/dimensions/*")
}
