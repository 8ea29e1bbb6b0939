//! Expected failures: what an emitter is known to get wrong, declared in a file with the reason, so that a gate can hold what
//! is right and notices when what was wrong is put right.
//!
//! A declared failure stays a failure, with all its findings; it merely no longer decides about the run. The declarations are
//! held to account in turn: one whose scenario passes, that matches nothing or that has expired fails the run ([`audit`]).

mod audit;
mod entry;
mod file;
mod update;

use std::path::Path;

use jiff::civil::Date;

pub use audit::Known;
pub use entry::Entry;
pub use file::FileError;
pub use update::{Addition, Updated, update};

use crate::finding::Severity;
use crate::run::results::{DeclaredFailure, ExpectedFailure, SubjectResult};

/// The declarations of one file, as they bear on one emitter's run on one day.
#[derive(Debug, Clone)]
pub struct Expectations {
    file: String,
    text: String,
    entries: Vec<Entry>,
    emitter: String,
    day: Date,
}

impl Expectations {
    /// Reads a file of declarations.
    ///
    /// # Errors
    /// Where the file cannot be read or says something that it may not; the error has the line.
    pub fn read(path: &Path, emitter: &str, day: Date) -> Result<Self, FileError> {
        let (text, entries) = file::read(path)?;
        Ok(Expectations { file: path.display().to_string(), text, entries, emitter: emitter.to_owned(), day })
    }

    /// A file in which nothing is declared yet.
    pub fn none(path: &Path, emitter: &str, day: Date) -> Self {
        let file = path.display().to_string();
        Expectations { file, text: String::new(), entries: Vec::new(), emitter: emitter.to_owned(), day }
    }

    /// Marks what was declared in a result.
    pub fn settle(&self, result: &mut SubjectResult) {
        let mut expected: Vec<ExpectedFailure> = Vec::new();
        for finding in result.findings.iter().filter(|finding| finding.severity != Severity::Note) {
            if expected.iter().any(|known| known.obligation == finding.obligation) {
                continue;
            }
            let mut declared = self.in_force().filter(|entry| entry.covers(&result.subject, &finding.obligation));
            expected.extend(declared.next().map(|entry| entry.expected(&finding.obligation)));
        }
        result.expected = expected;
    }

    /// The declarations that a certificate states, as they bear on its run.
    ///
    /// # Errors
    /// Where one is none; the text says which and why.
    pub fn stated(declared: &[DeclaredFailure], emitter: &str, day: Date) -> Result<Self, String> {
        let entries = declared.iter().map(Entry::stated).collect::<Result<_, _>>()?;
        Ok(Expectations { file: String::new(), text: String::new(), entries, emitter: emitter.to_owned(), day })
    }

    /// What may fail in a scenario and may pass.
    pub fn flaky<'e>(&'e self, subject: &'e str) -> impl Iterator<Item = ExpectedFailure> + 'e {
        let flaky = self.in_force().filter(move |entry| entry.flaky && entry.is_about(subject));
        flaky.map(|entry| entry.expected(entry.obligation.as_str()))
    }

    /// The declarations that may excuse something in this run: those for its emitter that have not expired.
    fn in_force(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_for(&self.emitter) && !entry.has_expired(self.day))
    }

    /// The declarations in force that concern one of these subjects, as a certificate states them.
    pub fn declared<'s>(&self, subjects: impl Iterator<Item = &'s str> + Clone) -> Vec<DeclaredFailure> {
        let concerns = |entry: &&Entry| subjects.clone().any(|subject| entry.is_about(subject));
        self.in_force().filter(concerns).map(Entry::declared).collect()
    }
}
