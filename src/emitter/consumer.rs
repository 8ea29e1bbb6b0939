//! Consumers: programs that are given a document and accept or refuse it. They are contained as emitters are.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use super::process::{self, Finished, Stop, Task};
use super::program::{self, Program};
use super::room::Room;
use super::{Cancel, EmitterError, RunLimits, exit};

/// The word of a command that stands for the document's path.
const PATH: &str = "{}";

/// A program that judges documents by its exit code: 0 accepts, 1 refuses.
#[derive(Debug, Clone)]
pub struct Consumer {
    program: Program,
}

/// What a consumer said of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consumption {
    pub answer: Answer,
    /// What it wrote to standard error, its beginning and its end where it was long.
    pub stderr: String,
    pub duration: Duration,
}

/// A consumer's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Accepted,
    Refused,
    /// Neither: what happened instead, in words that continue "the validator …".
    Crashed(String),
    /// It could not be started, and why.
    NotStarted(String),
    /// The run was cancelled meanwhile.
    Interrupted,
}

impl Consumer {
    /// Finds the program that a command names, as seen from the caller's folder: a path, or words as a POSIX shell splits them. The
    /// word `{}` stands for the document's path; the document is on standard input in any case.
    ///
    /// # Errors
    /// Where the command is none, or its program is not there or not executable.
    pub fn resolve(command: &str, folder: &Path) -> Result<Self, EmitterError> {
        let folder = program::under(folder, ".".as_ref());
        let path = program::under(&folder, command.as_ref());
        let words =
            if command.contains('/') && path.is_file() { vec![command.to_owned()] } else { program::words(command)? };
        Ok(Consumer { program: Program::resolve(&words, &folder)? })
    }

    /// The whole argument vector, as a report shows it.
    pub fn argv(&self) -> Vec<String> {
        self.program.shown()
    }

    /// Gives it one document, in a temporary folder of its own, and waits for its answer. Whatever it does, this returns: soon after
    /// the time limit at the latest, and at once when the run is cancelled.
    pub fn judge(&self, document: &[u8], limits: &RunLimits, cancel: &Cancel) -> Consumption {
        let end = |answer| Consumption { answer, stderr: String::new(), duration: Duration::ZERO };
        if cancel.is_cancelled() {
            return end(Answer::Interrupted);
        }
        let prepared = Room::new(document).and_then(|room| {
            let json = document.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'{' | b'['));
            let path = room.work.join(if json { "document.json" } else { "document.yaml" });
            fs::write(&path, document)?;
            Ok((File::open(&path)?, path, room))
        });
        let (stdin, path, room) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return end(Answer::NotStarted(format!("no temporary folder could be made: {error}"))),
        };
        let mut program = self.program.clone();
        for word in &mut program.arguments {
            if word.to_str() == Some(PATH) {
                *word = OsString::from(&path);
            }
        }
        let mut command = program.command();
        // The variable that tells this run's processes from all others.
        command.env("CONFORM_OUT", &room.out).current_dir(&room.work).stdin(stdin);
        let marker = room.out.to_str().map(|out| format!("CONFORM_OUT={out}"));
        let task = Task { command, marker: marker.as_deref(), written: &|| 0 };
        match process::run(task, limits, cancel) {
            Ok(finished) => conclude(finished, limits),
            Err(error) => end(Answer::NotStarted(format!("{}: {error}", program.path.display()))),
        }
    }
}

fn conclude(finished: Finished, limits: &RunLimits) -> Consumption {
    let Finished { status, stop, stderr, left_behind, pipe_held, duration, .. } = finished;
    let crashed = |what: String| Answer::Crashed(what);
    let left = !left_behind.is_empty() || pipe_held;
    let answer = match (stop, status.and_then(|status| status.code()), status) {
        (Some(Stop::Cancelled), ..) => Answer::Interrupted,
        (Some(Stop::Time), ..) => {
            crashed(format!("was still running after {} s and was killed", limits.time.as_secs_f64()))
        }
        (Some(Stop::Output), ..) => crashed(format!("wrote more than {} bytes and was killed", limits.output)),
        (None, Some(0 | 1), _) if left => crashed("exited and left a process behind, now killed".to_owned()),
        (None, Some(0), _) => Answer::Accepted,
        (None, Some(1), _) => Answer::Refused,
        (None, _, Some(status)) => {
            crashed(format!("{}, where 0 (accepted) or 1 (refused) was expected", exit::describe(status)))
        }
        (None, _, None) => crashed("did not end even when it was killed".to_owned()),
    };
    Consumption { answer, stderr, duration }
}
