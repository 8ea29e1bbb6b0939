//! The results model: what a run or a check found, as every report is drawn from it and as `schemas/conform-results-1.schema.json`
//! publishes it.

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, NotJudged, Severity};

/// The model's name and version, the value of [`Results::schema`].
pub const SCHEMA: &str = "conform-results-1";

/// Everything that one run or check found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Results {
    pub schema: String,
    pub conform: Tool,
    /// The emitter under test; `None` for `check`.
    pub emitter: Option<EmitterIdentity>,
    /// When the run started, RFC 3339 in UTC.
    pub started: String,
    /// Whether everything selected was run and judged; false after an interruption or with `--fail-fast`.
    pub complete: bool,
    /// In a stable order: path order for `check`, suite and scenario order for a run.
    pub results: Vec<SubjectResult>,
    /// What was declared beforehand to fail (`--expected`), held against what did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<DeclaredFailures>,
    pub summary: Summary,
}

impl Results {
    /// The results of a run or check that started at a time; `not_run` is what was selected and never run.
    pub fn new(
        emitter: Option<EmitterIdentity>,
        started: jiff::Timestamp,
        results: Vec<SubjectResult>,
        not_run: usize,
    ) -> Self {
        // Whole milliseconds: what a person compares with a log.
        let started = started.round(jiff::Unit::Millisecond).unwrap_or(started);
        Results {
            schema: SCHEMA.to_owned(),
            conform: Tool { version: env!("CARGO_PKG_VERSION").to_owned() },
            emitter,
            started: started.to_string(),
            complete: not_run == 0,
            expected: None,
            summary: Summary::of(&results, not_run),
            results,
        }
    }
}

/// The judging tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    pub version: String,
}

/// Who emitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmitterIdentity {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The argument vector it was started with.
    pub command: Vec<String>,
}

/// What a subject came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Judged, and no finding of severity error.
    Pass,
    /// At least one finding of severity error.
    Fail,
    /// Something kept it from being judged; never to be read as passed.
    NotJudged,
    /// The emitter said that it does not support the scenario.
    Unsupported,
}

impl Verdict {
    /// The word that output and results use.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::NotJudged => "not-judged",
            Verdict::Unsupported => "unsupported",
        }
    }
}

/// One document of a check, or one scenario of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubjectResult {
    /// The document's path (`<stdin>` for standard input), `suite/scenario`, or `session` where the end of one is at fault.
    pub subject: String,
    /// The suite's id; `None` where a document says nothing that any suite claims.
    pub suite: Option<String>,
    pub verdict: Verdict,
    /// Whether this is a scenario that an emitter may leave unsupported without the run being incomplete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    pub findings: Vec<Finding>,
    /// Obligations that could not be judged, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<NotJudged>,
    /// How many of the suite's obligations were judged in full.
    pub obligations: Coverage,
    /// Wall-clock time in milliseconds, running and judging.
    pub duration_ms: f64,
    /// The documents that were judged, in the order they were emitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<EmittedDocument>,
    /// The obligations whose failure here was declared beforehand, each once. Their findings stand as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<ExpectedFailure>,
    /// Why the verdict is `not-judged` or `unsupported`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The command that runs this subject alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduce: Option<String>,
    /// The end of what the emitter wrote to standard error, where it matters to the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

impl SubjectResult {
    /// The declaration that expects a finding, if one does.
    pub fn expectation(&self, finding: &Finding) -> Option<&ExpectedFailure> {
        self.expected.iter().find(|expected| expected.obligation == finding.obligation)
    }

    /// Whether it failed and every error was expected.
    pub fn failed_as_expected(&self) -> bool {
        let errors = || self.findings.iter().filter(|finding| finding.severity == Severity::Error);
        self.verdict == Verdict::Fail && errors().all(|finding| self.expectation(finding).is_some())
    }

    /// Whether a warning was found that nobody expected.
    pub fn warned_unexpectedly(&self) -> bool {
        let warnings = || self.findings.iter().filter(|finding| finding.severity == Severity::Warning);
        warnings().any(|finding| self.expectation(finding).is_none())
    }
}

/// An obligation whose failure was declared beforehand, and what was said about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedFailure {
    /// Its id; in a declaration, a glob over ids.
    pub obligation: String,
    pub reason: String,
    /// Where it is being worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The last day on which the declaration holds, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// Whether it fails at times and passes at others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flaky: bool,
}

/// A declaration of what is expected to fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeclaredFailure {
    /// Glob over emitters' names.
    pub emitter: String,
    /// Glob over `suite/scenario`; without a slash, over scenarios' names.
    pub scenario: String,
    #[serde(flatten)]
    pub expected: ExpectedFailure,
}

/// A file of declarations, held against a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeclaredFailures {
    /// The file, as it was named.
    pub file: String,
    /// The declarations that concern a scenario that was run.
    pub in_force: Vec<DeclaredFailure>,
    /// How many concern other emitters, or scenarios that were not run.
    pub aside: usize,
    /// Those that no longer say the truth; one is enough to fail the run.
    pub stale: Vec<StaleEntry>,
}

/// A declaration that no longer says the truth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StaleEntry {
    pub kind: StaleKind,
    /// Its first line in the file, from 1.
    pub line: usize,
    pub last_line: usize,
    /// What is wrong with it, and what to do.
    pub message: String,
}

/// Why a declaration no longer says the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaleKind {
    /// What should fail passes.
    Passes,
    /// What should fail passes in some of the scenarios that it names.
    PassesPartly,
    /// It names no scenario or no obligation that there is.
    MatchesNothing,
    /// Its last day is over.
    Expired,
}

/// Obligations judged, out of all that the suite has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    pub judged: usize,
    pub total: usize,
}

/// One emitted document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmittedDocument {
    /// The file's name under `CONFORM_OUT`, or `stdout`.
    pub name: String,
    pub bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
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
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// Obligations judged, of all obligations of all subjects.
    pub obligations_judged: usize,
    pub obligations_total: usize,
}

impl Summary {
    /// Counts results; `not_run` is what the selection held beyond them.
    pub fn of(results: &[SubjectResult], not_run: usize) -> Self {
        let mut summary = Summary { not_run, ..Summary::default() };
        for result in results {
            *match result.verdict {
                Verdict::Pass => &mut summary.passed,
                Verdict::Fail if result.failed_as_expected() => &mut summary.expected_failures,
                Verdict::Fail => &mut summary.failed,
                Verdict::NotJudged => &mut summary.not_judged,
                Verdict::Unsupported => &mut summary.unsupported,
            } += 1;
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
