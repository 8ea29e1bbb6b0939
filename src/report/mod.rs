//! Reports: every way of showing results, all drawn from the one results model.

pub mod json;

use std::io::{self, Write};

use crate::run::results::Results;

/// The formats that a finished run is written in (`--report FORMAT=PATH`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
}

impl Format {
    /// Every format, in the order in which help lists them.
    pub const ALL: &[Format] = &[Format::Json];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
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
        }
    }
}
