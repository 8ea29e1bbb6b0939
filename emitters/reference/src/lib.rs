//! The emitter that `conform` carries with it: turns a scenario into a conformant document, so that the harness can be tried on a machine
//! that has nothing else, and so that every scenario is known to have an answer.
//!
//! It is written from the published rules and shares no code with the oracles that judge it. One module a family; [`emit`] dispatches by
//! the suite's id.

mod instant;
mod mavai;
mod orbiplex;
mod torneo;
pub mod yaml;

use std::fmt;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use instant::Instant;

/// Exit code of an emitter that does not support a scenario.
pub const EXIT_UNSUPPORTED: u8 = 77;
/// Exit code of an emitter that was given an input it cannot use, or could not write its document.
pub const EXIT_BROKEN: u8 = 1;

/// Why there is no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The scenario asks for something that this emitter does not do; the reason, in one line.
    Unsupported(String),
    /// The scenario is wrong: what, where, and what was expected.
    Broken(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(reason) | Self::Broken(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Refusal {}

/// One document of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// The name of its file, where there are several.
    pub name: String,
    pub text: String,
}

impl Emitted {
    /// The documents of a scenario that has one.
    fn alone(text: String) -> Vec<Self> {
        vec![Emitted { name: "document".to_owned(), text }]
    }
}

/// Makes the documents of a scenario's input, given the instant of emission.
type Emit = fn(input: Value, now: Instant) -> Result<Vec<Emitted>, Refusal>;

/// Who emits what: a suite's id and its module.
const SUITES: &[(&str, Emit)] = &[
    ("mavai-optimize-1", |input, now| mavai::optimize::emit(input, now).map(Emitted::alone)),
    ("mavai-explore-1", mavai::explore::emit),
    ("mavai-baseline-1", mavai::baseline::emit),
    ("torneo-epreuve-v1", |input, now| torneo::emit(input, &now.to_string()).map(Emitted::alone)),
    ("orbiplex-task-pack-execution-v1", |input, now| orbiplex::emit(input, &now.to_string()).map(Emitted::alone)),
];

/// The ids of the suites that [`emit`] supports.
pub fn suites() -> impl Iterator<Item = &'static str> {
    SUITES.iter().map(|(id, _)| *id)
}

/// What an emitter is handed for one scenario; further fields of the protocol are of no interest here.
#[derive(Deserialize)]
struct Wire {
    suite: String,
    input: Value,
}

/// The documents for one scenario, given as the JSON object that the protocol hands to an emitter (`suite`, `scenario`, `input`).
///
/// It keeps no state: the same scenario gives the same documents, but for the time at which they were written.
///
/// # Errors
/// [`Refusal::Unsupported`] for a suite that is not in [`suites`]; [`Refusal::Broken`] for an input that is no scenario.
pub fn emit_all(scenario: &str) -> Result<Vec<Emitted>, Refusal> {
    let wire: Wire = serde_json::from_str(scenario).map_err(|error| {
        Refusal::Broken(format!("the scenario is no JSON object with `suite` and `input`: {error}"))
    })?;
    let (_, emit) = SUITES.iter().find(|(id, _)| *id == wire.suite).ok_or_else(|| {
        let known = suites().collect::<Vec<_>>().join(", ");
        Refusal::Unsupported(format!("suite {:?} is not one of those that this emitter knows ({known})", wire.suite))
    })?;
    emit(wire.input, Instant::now())
}

/// The text of the document for a scenario that has one; see [`emit_all`].
///
/// # Errors
/// As [`emit_all`], and [`Refusal::Broken`] where the scenario has several documents.
pub fn emit(scenario: &str) -> Result<String, Refusal> {
    let mut documents = emit_all(scenario)?;
    match (documents.pop(), documents.len()) {
        (Some(only), 0) => Ok(only.text),
        (_, others) => Err(Refusal::Broken(format!("the scenario has {} documents", others + 1))),
    }
}

/// One turn of the protocol's process mode: reads a scenario to its end, writes its document, and returns the exit code
/// (0 emitted, [`EXIT_UNSUPPORTED`], [`EXIT_BROKEN`]). Several documents become files in the folder `out`, which the protocol names in
/// `CONFORM_OUT`. The reason for a refusal goes to `stderr`.
pub fn run(mut stdin: impl Read, out: Option<&Path>, mut stdout: impl Write, mut stderr: impl Write) -> u8 {
    let mut scenario = String::new();
    let emitted = match stdin.read_to_string(&mut scenario) {
        Ok(_) => emit_all(&scenario),
        Err(error) => Err(Refusal::Broken(format!("standard input cannot be read: {error}"))),
    };
    let (code, reason) = match emitted.and_then(|documents| write(&documents, out, &mut stdout)) {
        Ok(()) => return 0,
        Err(Refusal::Unsupported(reason)) => (EXIT_UNSUPPORTED, reason),
        Err(Refusal::Broken(reason)) => (EXIT_BROKEN, reason),
    };
    // The exit code says it too, should standard error be closed.
    let _ = writeln!(stderr, "{reason}");
    code
}

/// Writes one document to standard output, and several as files.
fn write(documents: &[Emitted], out: Option<&Path>, stdout: &mut impl Write) -> Result<(), Refusal> {
    let written: io::Result<()> = match (documents, out) {
        ([only], _) => stdout.write_all(only.text.as_bytes()).and_then(|()| stdout.flush()),
        (several, Some(folder)) => {
            several.iter().try_for_each(|document| fs::write(folder.join(&document.name), &document.text))
        }
        (several, None) => {
            let reason =
                format!("the scenario has {} documents, and CONFORM_OUT names no folder for them", several.len());
            return Err(Refusal::Broken(reason));
        }
    };
    written.map_err(|error| Refusal::Broken(format!("the document cannot be written: {error}")))
}
