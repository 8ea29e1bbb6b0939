//! What the obligations demand that were broken, warned of, or remarked on: in words, and by example.

use std::collections::BTreeSet;

use super::diff::{self, Row};
use crate::catalogue::{self, Entry, Form};
use crate::finding::{Comparison, Severity, Sides};
use crate::run::results::Results;

/// Lines that agree, shown around those that make an example good or bad.
const CONTEXT: usize = 4;

pub struct Text {
    pub id: &'static str,
    pub title: &'static str,
    pub demand: &'static str,
    pub basis: &'static str,
    pub authority: &'static str,
    pub severity: &'static str,
    pub example: Option<Example>,
}

pub enum Example {
    /// What keeps it and what breaks it, in words.
    Words(String, String),
    /// The place, and what two documents of one check break it by saying both.
    Pair(String, String),
    /// The place in the document, and the bad document beside the good one.
    Documents(String, Vec<Row>),
}

/// The texts of every obligation that a finding names, in the order of the tables.
pub fn of(results: &Results) -> Vec<Text> {
    let named: BTreeSet<&str> =
        results.results.iter().flat_map(|result| &result.findings).map(|finding| finding.obligation.as_str()).collect();
    catalogue::all().into_iter().filter(|entry| named.contains(entry.id)).map(|entry| text(&entry)).collect()
}

fn text(entry: &Entry) -> Text {
    // An example that cannot be made is a fault that a test rules out; the text is then without it.
    let example = entry.example.shown().ok().flatten().map(|shown| {
        match shown.form {
            Form::Words => return Example::Words(shown.good, shown.bad),
            Form::Pair => return Example::Pair(shown.pointer, shown.bad),
            Form::Documents => {}
        }
        let comparison = Comparison { entered: shown.bad, derived: shown.good, sides: Sides::Derivation };
        Example::Documents(shown.pointer, diff::rows(&comparison, CONTEXT))
    });
    Text {
        id: entry.id,
        title: entry.title,
        demand: entry.demand,
        basis: entry.basis.as_str(),
        authority: entry.basis.authority(),
        severity: match entry.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        example,
    }
}
