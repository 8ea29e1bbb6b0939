//! Reports: every way of showing results, all drawn from the one results model.
//!
//! A report depends on nothing but the results: the same results give the same bytes, on any machine and at any time.

pub mod badge;
pub mod finding;
pub mod github;
pub mod html;
pub mod json;
pub mod jsonl;
pub mod junit;
pub mod libtest;
pub mod markdown;
pub mod palette;
pub mod pretty;
pub mod sarif;
pub mod tally;
pub mod tap;
pub mod terse;
pub mod trend;
pub mod words;

use std::io::{self, Write};

use crate::run::results::{Results, SubjectResult};

/// Shows results while they come in, and what they come to.
pub trait View {
    /// Shows what is known before the first result. `opening` has no results yet.
    ///
    /// # Errors
    /// Where the output refuses.
    fn begin(&mut self, _opening: &Results) -> io::Result<()> {
        Ok(())
    }

    /// Shows one subject. Subjects come in the order of the results.
    ///
    /// # Errors
    /// Where the output refuses.
    fn result(&mut self, result: &SubjectResult) -> io::Result<()>;

    /// Shows what all of it comes to. `elapsed_ms` is the wall-clock time of the whole.
    ///
    /// # Errors
    /// Where the output refuses.
    fn finish(&mut self, results: &Results, elapsed_ms: f64) -> io::Result<()>;
}

/// Writes results, beside those of an earlier run where the format shows a trend.
type Writer = fn(&Results, Option<&Results>, &mut dyn Write) -> io::Result<()>;

/// The formats that a finished run is written in (`--report FORMAT=PATH`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Html,
    Markdown,
    Sarif,
    Github,
    Junit,
    Tap,
    Json,
    Jsonl,
    Badge,
    Shields,
}

/// One format a line: its word on the command line, what it is for, and what writes it.
const TABLE: &[(Format, &str, &str, Writer)] = &[
    (Format::Html, "html", "one page to read, for authors, managers and auditors", html::write),
    (Format::Markdown, "markdown", "a pull request comment or a step summary", markdown::write),
    (Format::Sarif, "sarif", "SARIF 2.1.0, for code scanning", |results, _, to| sarif::write(results, to)),
    (Format::Github, "github", "annotations, as GitHub Actions reads them off a log", |results, _, to| {
        github::write(results, to)
    }),
    (Format::Junit, "junit", "JUnit XML, for build servers", |results, _, to| junit::write(results, to)),
    (Format::Tap, "tap", "TAP 14", |results, _, to| tap::write(results, to)),
    (Format::Json, "json", "everything: schemas/conform-results-1.schema.json", |results, _, to| {
        json::write(results, to)
    }),
    (Format::Jsonl, "jsonl", "everything, one result a line, written while the run goes on", |results, _, to| {
        jsonl::write(results, to)
    }),
    (Format::Badge, "badge", "an SVG badge", |results, _, to| badge::svg(results, to)),
    (Format::Shields, "shields", "a badge, as the endpoint of shields.io reads it", |results, _, to| {
        badge::endpoint(results, to)
    }),
];

impl Format {
    /// Every format, in the order in which help lists them.
    pub fn all() -> impl Iterator<Item = Format> {
        TABLE.iter().map(|(format, ..)| *format)
    }

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        self.entry().map_or("", |(_, name, ..)| name)
    }

    /// What it is for, in a few words.
    pub fn purpose(self) -> &'static str {
        self.entry().map_or("", |(_, _, purpose, _)| purpose)
    }

    pub fn by_name(name: &str) -> Option<Format> {
        Format::all().find(|format| format.name() == name)
    }

    /// Writes results in this format; `previous` are those of an earlier run, for the formats that show a trend.
    ///
    /// # Errors
    /// Where the writer refuses.
    pub fn write(self, results: &Results, previous: Option<&Results>, to: &mut dyn Write) -> io::Result<()> {
        match self.entry() {
            Some((.., write)) => write(results, previous, to),
            None => Err(io::Error::other("a format without a writer")),
        }
    }

    fn entry(self) -> Option<&'static (Format, &'static str, &'static str, Writer)> {
        TABLE.iter().find(|(format, ..)| *format == self)
    }
}
