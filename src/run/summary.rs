//! Counts over results. Every report takes them from here.

use serde::{Deserialize, Serialize};

use super::results::{SubjectResult, Verdict};
use crate::finding::Severity;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Counts over the results; derived, never counted elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub passed: usize,
    /// Failed, and not (or not only) as declared beforehand.
    pub failed: usize,
    /// Failed in every error as declared beforehand.
    #[serde(default)]
    pub expected_failures: usize,
    pub unsupported: usize,
    pub not_judged: usize,
    /// Selected but never run (interrupted, fail-fast).
    pub not_run: usize,
    /// Of all these, the subjects whose verdict changed from one emission to the next.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub flaky: usize,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// Obligations judged, of all obligations of all subjects.
    pub obligations_judged: usize,
    pub obligations_total: usize,
}

impl Summary {
    /// Counts results; `not_run` is what the selection held beyond them.
    pub fn of<'r>(results: impl IntoIterator<Item = &'r SubjectResult>, not_run: usize) -> Self {
        let mut summary = Summary { not_run, ..Summary::default() };
        for result in results {
            *match result.verdict {
                Verdict::Pass => &mut summary.passed,
                Verdict::Fail if result.failed_as_expected() => &mut summary.expected_failures,
                Verdict::Fail => &mut summary.failed,
                Verdict::NotJudged => &mut summary.not_judged,
                Verdict::Unsupported => &mut summary.unsupported,
            } += 1;
            summary.flaky += usize::from(result.is_flaky());
            for finding in &result.findings {
                *match finding.severity {
                    Severity::Error => &mut summary.errors,
                    Severity::Warning => &mut summary.warnings,
                    Severity::Note => &mut summary.notes,
                } += 1;
            }
            summary.obligations_judged += result.obligations.judged;
            summary.obligations_total += result.obligations.total;
        }
        summary
    }
}
