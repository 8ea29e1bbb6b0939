//! The results model: what a run or a check found, as every report is drawn from it and as `schemas/conform-results-1.schema.json`
//! publishes it.

use serde::{Deserialize, Serialize};

pub use super::declared::{DeclaredFailure, DeclaredFailures, ExpectedFailure, StaleEntry, StaleKind};
use super::score::MutationScore;
pub use super::summary::Summary;
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
    /// Wall-clock time of the whole in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// Where it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
    /// What was asked for beyond the usual, as far as it bears on the verdicts.
    #[serde(default, skip_serializing_if = "Terms::is_usual")]
    pub terms: Terms,
    /// What was to be run, all shards together; empty for `check`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selection: Vec<SuiteSelection>,
    /// How well the suites notice what is broken, where that was asked for; one for each suite selected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutation: Vec<MutationScore>,
    /// Which part of the selection this is, where it is not the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
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
            duration_ms: None,
            platform: None,
            terms: Terms::default(),
            selection: Vec::new(),
            mutation: Vec::new(),
            shard: None,
            complete: not_run == 0,
            expected: None,
            summary: Summary::of(&results, not_run),
            results,
        }
    }

    /// Takes the results in, once they are all there: `not_run` is what was selected and never run.
    pub fn conclude(&mut self, results: Vec<SubjectResult>, not_run: usize, duration_ms: f64) {
        self.summary = Summary::of(&results, not_run);
        self.complete = not_run == 0;
        self.results = results;
        self.duration_ms = Some(duration_ms);
    }

    /// Reads results from JSON.
    ///
    /// # Errors
    /// Where the text is not JSON, is of another model, or states a summary that is not that of its results or a mutation score that does not
    /// add up; the text says which.
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        let results: Results = serde_json::from_slice(json).map_err(|error| {
            #[derive(Deserialize)]
            struct Head {
                schema: String,
            }
            match serde_json::from_slice::<Head>(json) {
                Ok(head) if head.schema != SCHEMA => {
                    format!("its model is {:?}, where {SCHEMA} is expected", head.schema)
                }
                _ => format!("it is not {SCHEMA}: {error}"),
            }
        })?;
        if results.schema != SCHEMA {
            return Err(format!("its model is {:?}, where {SCHEMA} is expected", results.schema));
        }
        let summary = Summary::of(&results.results, results.summary.not_run);
        if summary != results.summary {
            return Err("its summary is not what its results come to; it was changed after it was written".to_owned());
        }
        if let Some(score) = results.mutation.iter().find(|score| !score.adds_up()) {
            let suite = &score.suite;
            return Err(format!("its mutation score of {suite} does not add up; it was changed after it was written"));
        }
        Ok(results)
    }
}

/// The machine that a run took place on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    /// Operating system, as Rust names it: `linux`, `macos`.
    pub os: String,
    /// Architecture, as Rust names it: `x86_64`, `aarch64`.
    pub arch: String,
}

impl Platform {
    /// The platform that this binary was built for.
    pub fn here() -> Self {
        Platform { os: std::env::consts::OS.to_owned(), arch: std::env::consts::ARCH.to_owned() }
    }
}

/// What was asked for that bears on the verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// Narrow tolerances, nothing forgiven.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// Whether warnings make the run fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deny_warnings: bool,
    /// How often each scenario was emitted.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub repeat: u32,
}

fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
fn is_once(repeat: &u32) -> bool {
    *repeat == 1
}

impl Default for Terms {
    fn default() -> Self {
        Terms { strict: false, deny_warnings: false, repeat: 1 }
    }
}

impl Terms {
    /// Whether nothing was asked for.
    pub fn is_usual(&self) -> bool {
        *self == Terms::default()
    }
}

/// What was selected of one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteSelection {
    pub suite: String,
    pub scenarios: usize,
    /// SHA-256 over the suite's schema and the selected scenarios, each as canonical JSON on a line, in hexadecimal.
    pub sha256: String,
}

/// A part of a run that was split over several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1.
    pub index: u32,
    pub of: u32,
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
    /// What each emission came to, where the scenario was emitted several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
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
    /// Whether the verdict depends on when one asks.
    pub fn is_flaky(&self) -> bool {
        self.repeats.is_some_and(|repeats| repeats.is_flaky())
    }

    /// The name of the document that a finding about this subject points into, if there is a document.
    pub fn document_of<'a>(&'a self, finding: &'a Finding) -> Option<&'a str> {
        finding.document.as_deref().or_else(|| self.documents.first().map(|document| document.name.as_str()))
    }

    /// The subject's name within its suite.
    pub fn short_name(&self) -> &str {
        let inside = self.suite.as_deref().and_then(|suite| self.subject.strip_prefix(suite)?.strip_prefix('/'));
        inside.unwrap_or(&self.subject)
    }

    /// The findings that make it fail.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// The declaration that expects a finding, if one does.
    pub fn expectation(&self, finding: &Finding) -> Option<&ExpectedFailure> {
        self.expected.iter().find(|expected| expected.obligation == finding.obligation)
    }

    /// Whether it failed and every error was expected.
    pub fn failed_as_expected(&self) -> bool {
        self.verdict == Verdict::Fail && self.errors().all(|finding| self.expectation(finding).is_some())
    }

    /// Whether a warning was found that nobody expected.
    pub fn warned_unexpectedly(&self) -> bool {
        let warnings = || self.findings.iter().filter(|finding| finding.severity == Severity::Warning);
        warnings().any(|finding| self.expectation(finding).is_none())
    }
}

/// How often a scenario that was emitted several times came to each verdict. The result's own verdict is the worst of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeats {
    pub passed: u32,
    pub failed: u32,
    pub unsupported: u32,
    pub not_judged: u32,
}

impl Repeats {
    /// Counts one more emission.
    pub fn count(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Pass => &mut self.passed,
            Verdict::Fail => &mut self.failed,
            Verdict::NotJudged => &mut self.not_judged,
            Verdict::Unsupported => &mut self.unsupported,
        } += 1;
    }

    /// Emissions in all.
    pub fn total(&self) -> u32 {
        self.passed + self.failed + self.unsupported + self.not_judged
    }

    /// Whether there is more than one verdict among them.
    pub fn is_flaky(&self) -> bool {
        [self.passed, self.failed, self.unsupported, self.not_judged].iter().filter(|&&count| count > 0).count() > 1
    }
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
