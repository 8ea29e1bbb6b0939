//! A finding: one violation of one obligation, at one place in one document.
//!
//! Findings are self-contained: they carry the place, the lines of source around it and, where a table should have been
//! derived, both tables. A report can so be drawn from stored results, without the documents.

use serde::{Deserialize, Serialize};

/// Where the authority of an obligation comes from; every finding carries it, so that a reader knows how hard it binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// A sentence of the schema, of the format's standard or of the protocol says so.
    Stated,
    /// Follows from stated rules by arithmetic or set logic.
    Derived,
    /// At least two released emitters do so; nothing states it.
    Family,
    /// The schema leaves room, and this is the reading that this project takes.
    Reading,
    /// Advice that some emitters contradict; never more than a note.
    Advisory,
}

impl Basis {
    /// The word that output and results use.
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Stated => "stated",
            Basis::Derived => "derived",
            Basis::Family => "family",
            Basis::Reading => "reading",
            Basis::Advisory => "advisory",
        }
    }

    /// Where the authority comes from, in a clause.
    pub fn authority(self) -> &'static str {
        match self {
            Basis::Stated => "the schema, the format's standard or the protocol says so",
            Basis::Derived => "follows from stated rules by arithmetic or logic",
            Basis::Family => "the released emitters do so; nothing states it",
            Basis::Reading => "the schema leaves room, and this is how conform reads it",
            Basis::Advisory => "advice",
        }
    }
}

/// How much a finding weighs. Only an error makes a verdict `fail`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

impl Severity {
    /// The word that output and results use.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place in a document: its JSON Pointer, and its line and column (both from 1; the column counts characters).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub pointer: String,
    pub line: u32,
    pub column: u32,
}

/// One line of the emitted document, as a report shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnippetLine {
    /// Line number, from 1.
    pub line: u32,
    /// The line's text; a long line is cut around the marked column and says so with `…`.
    pub text: String,
    /// What the report underlines, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// An underlined part of a snippet line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// First marked character of [`SnippetLine::text`], from 1.
    pub column: u32,
    /// Number of marked characters, at least 1.
    pub width: u32,
    /// What the report writes beside the mark; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// A block as the document states it, beside the block that it should be: see [`Sides`]. One item a line, in
/// an order that aligns both sides, so that a line diff shows the difference and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    pub entered: String,
    pub derived: String,
    /// What the two sides are.
    #[serde(default, skip_serializing_if = "Sides::is_usual")]
    pub sides: Sides,
}

/// What is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// A document with what follows from the rest of it.
    #[default]
    Derivation,
    /// A document with what its scenario demands.
    Scenario,
    /// A document with what the same emitter made of the same scenario another time.
    Emissions,
}

impl Sides {
    fn is_usual(&self) -> bool {
        *self == Sides::Derivation
    }

    /// What the left side is, and what the right side is.
    pub fn labels(self) -> (&'static str, &'static str) {
        match self {
            Sides::Derivation => ("as entered", "as derived from the rest of the document"),
            Sides::Scenario => ("as emitted", "as the scenario demands"),
            Sides::Emissions => ("as emitted first", "as emitted again"),
        }
    }
}

/// One violation, at one place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The obligation's id, e.g. `mavai/failure-distribution-sum`, `schema/required`, `document/duplicate-key`.
    pub obligation: String,
    pub basis: Basis,
    pub severity: Severity,
    /// What was found and what was expected, in one sentence.
    pub message: String,
    /// Where; absent only where there is no document to point into (a process that crashed).
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The emitted document by name, where a scenario yields several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The lines around the place and around what it disagrees with, in line order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snippet: Vec<SnippetLine>,
    /// Entered beside derived, where a whole block should have been derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

impl Finding {
    /// A finding without a place, for what happens outside any document.
    pub fn placeless(
        obligation: impl Into<String>,
        basis: Basis,
        severity: Severity,
        message: impl Into<String>,
    ) -> Self {
        Finding {
            obligation: obligation.into(),
            basis,
            severity,
            message: message.into(),
            place: None,
            help: None,
            document: None,
            snippet: Vec::new(),
            comparison: None,
        }
    }

    /// The same finding with advice on what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// An obligation that could not be judged, wholly or at one place, and why. Never to be read as passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotJudged {
    pub obligation: String,
    pub reason: String,
    /// The place that could not be judged; empty for the whole document.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pointer: String,
}
