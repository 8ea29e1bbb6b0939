//! The orbiplex family through its public doors: records in, findings out.

mod canonical;
mod cases;
mod derive;
mod examples;
mod flips;
mod hostile;
mod mistakes;
mod relation;
mod scenarios;
mod set;
mod vector;

use conform::document::{self, Document, Limits};
use conform::finding::{Finding, NotJudged, Severity};
use conform::obligation::{Judge, Settings};
use conform::suite::{self, Suite};

/// The suite under test.
fn suite() -> &'static Suite {
    suite::by_id("orbiplex-task-pack-execution-v1").expect("the suite is registered")
}

/// A fixture's text.
fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/orbiplex/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Reads a document that must be readable.
fn read(text: &str) -> Document {
    document::read(text.as_bytes().to_vec(), &Limits::default()).document.expect("readable")
}

/// Judges one record by the family's obligations.
fn judge_with(settings: &Settings, document: &Document) -> (Vec<Finding>, Vec<NotJudged>) {
    let mut judge = Judge::new(settings);
    suite().family().judge(suite(), document, &mut judge);
    judge.finish()
}

/// Judges one record, by its text, with nothing else given.
fn judge(text: &str) -> (Vec<Finding>, Vec<NotJudged>) {
    judge_with(&Settings::default(), &read(text))
}

/// The ids of what was found, sorted, each once.
fn ids(findings: &[Finding]) -> Vec<&str> {
    let mut ids: Vec<&str> = findings.iter().map(|finding| finding.obligation.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The errors among findings.
fn errors(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}
