//! What a run or a check comes to as a whole, from its results alone.

use super::results::{Results, SubjectResult, Verdict};
use crate::check::is_fault;

/// What the results say together, from the worst to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// Something broke inside conform while a subject was judged.
    Fault,
    /// Something failed unexpectedly, or warned where warnings are denied, or is no longer rightly expected to fail.
    NotConformant,
    /// Nothing failed, but something required was not judged.
    Incomplete,
    Conformant,
}

impl Conclusion {
    /// What reports say.
    pub fn as_str(self) -> &'static str {
        match self {
            Conclusion::Fault => "a fault of conform's own",
            Conclusion::NotConformant => "not conformant",
            Conclusion::Incomplete => "incomplete",
            Conclusion::Conformant => "conformant",
        }
    }

    /// Concludes from results under their own terms.
    pub fn of(results: &Results) -> Self {
        conclude(results, results.terms.deny_warnings)
    }
}

/// Concludes from results.
pub fn conclude(results: &Results, deny_warnings: bool) -> Conclusion {
    let unjudged = |result: &SubjectResult| match result.verdict {
        Verdict::NotJudged => true,
        Verdict::Unsupported => !result.optional,
        Verdict::Pass | Verdict::Fail => false,
    };
    let warned = || results.results.iter().any(SubjectResult::warned_unexpectedly);
    let stale = results.expected.as_ref().is_some_and(|expected| !expected.stale.is_empty());
    if results.results.iter().any(is_fault) {
        Conclusion::Fault
    } else if results.summary.failed > 0 || stale || (deny_warnings && warned()) {
        Conclusion::NotConformant
    } else if !results.complete || results.summary.not_run > 0 || results.results.iter().any(unjudged) {
        Conclusion::Incomplete
    } else {
        Conclusion::Conformant
    }
}
