//! What was declared beforehand to fail, as results state it.

use serde::{Deserialize, Serialize};

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
