//! Reads and judges documents as the rest of the tests need it.

use conform::document::{self, Document, Limits};
use conform::finding::{Finding, NotJudged, Severity};
use conform::obligation::{Judge, Settings};
use conform::suite::{self, Suite};

pub fn suite() -> &'static Suite {
    suite::by_id("torneo-epreuve-v1").expect("the suite is registered")
}

pub fn read(text: &str) -> Document {
    document::read(text.as_bytes().to_vec(), &Limits::default()).document.expect("a readable document")
}

pub fn judge(text: &str) -> (Vec<Finding>, Vec<NotJudged>) {
    let document = read(text);
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    suite().family().judge(suite(), &document, &mut judge);
    judge.finish()
}

/// Distinct ids of the findings of a severity, sorted.
pub fn ids(findings: &[Finding], severity: Severity) -> Vec<&str> {
    let mut ids: Vec<_> = findings
        .iter()
        .filter(|finding| finding.severity == severity)
        .map(|finding| finding.obligation.as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

pub fn errors(findings: &[Finding]) -> Vec<&str> {
    ids(findings, Severity::Error)
}
