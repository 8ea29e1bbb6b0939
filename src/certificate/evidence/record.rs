//! Keeping what an emitter emits, as it emits it: a scenario's documents are written before they are judged, and not held.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::place::{fits, places};
use crate::emitter::{Emission, RawDocument};
use crate::run::emit::Emit;
use crate::suite::Suite;
use crate::suite::scenario::Scenario;

/// An emitter, every document of which is written into a folder.
pub struct Recorder<'r> {
    emit: &'r dyn Emit,
    folder: PathBuf,
    /// Scenarios that were emitted: of one that is emitted again, the first documents are the evidence.
    seen: Mutex<HashSet<String>>,
    /// Why something could not be kept.
    fault: Mutex<Option<String>>,
}

impl<'r> Recorder<'r> {
    /// Keeps under a folder what an emitter emits. The folder must be there.
    pub fn new(emit: &'r dyn Emit, folder: &Path) -> Self {
        Recorder { emit, folder: folder.to_owned(), seen: Mutex::default(), fault: Mutex::default() }
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// Where something could not be kept; the text says what and why.
    pub fn finish(self) -> Result<(), String> {
        self.fault.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn keep(&self, subject: &str, documents: &[RawDocument]) -> Result<(), String> {
        if documents.is_empty() || !self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(subject.to_owned())
        {
            return Ok(());
        }
        if !fits(subject) {
            return Err(format!("the name of {subject:?} is too long for a folder's, or none"));
        }
        for (document, place) in documents.iter().zip(places(subject, documents.iter().map(|document| &*document.name)))
        {
            let path = self.folder.join(place);
            write(&path, &document.bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        Ok(())
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)?.write_all(bytes)
}

impl Emit for Recorder<'_> {
    fn emit(&self, suite: &Suite, scenario: &Scenario) -> Emission {
        let emission = self.emit.emit(suite, scenario);
        if let Err(problem) = self.keep(&format!("{}/{}", suite.id, scenario.name), &emission.documents) {
            self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
        }
        emission
    }
}
