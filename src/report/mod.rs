//! Reports: every way of showing results, all drawn from the one results model.

pub mod finding;
pub mod json;
pub mod junit;
pub mod libtest;
pub mod palette;
pub mod pretty;
pub mod terse;
pub mod words;

use std::io::{self, Write};

use crate::run::results::{Results, SubjectResult};

/// Shows results while they come in, and what they come to.
pub trait View {
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

/// The formats that a finished run is written in (`--report FORMAT=PATH`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    Junit,
}

impl Format {
    /// Every format, in the order in which help lists them.
    pub const ALL: &[Format] = &[Format::Json, Format::Junit];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Junit => "junit",
        }
    }

    pub fn by_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Writes results in this format.
    ///
    /// # Errors
    /// Where the writer refuses.
    pub fn write(self, results: &Results, to: &mut dyn Write) -> io::Result<()> {
        match self {
            Format::Json => json::write(results, to),
            Format::Junit => junit::write(results, to),
        }
    }
}
