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
use std::io::{Read, Write};

use serde::Deserialize;
use serde_json::Value;

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

/// Makes a document of a scenario's input, given the instant of emission (RFC 3339, UTC).
type Emit = fn(input: Value, generated_at: &str) -> Result<String, Refusal>;

/// Who emits what: a suite's id and its module.
const SUITES: &[(&str, Emit)] = &[
    ("mavai-optimize-1", mavai::emit),
    ("torneo-epreuve-v1", torneo::emit),
    ("orbiplex-task-pack-execution-v1", orbiplex::emit),
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

/// The document for one scenario, given as the JSON object that the protocol hands to an emitter (`suite`, `scenario`, `input`).
///
/// It keeps no state: the same scenario gives the same document, but for the time at which it was written.
///
/// # Errors
/// [`Refusal::Unsupported`] for a suite that is not in [`suites`]; [`Refusal::Broken`] for an input that is no scenario.
pub fn emit(scenario: &str) -> Result<String, Refusal> {
    let wire: Wire = serde_json::from_str(scenario).map_err(|error| {
        Refusal::Broken(format!("the scenario is no JSON object with `suite` and `input`: {error}"))
    })?;
    let (_, emit) = SUITES.iter().find(|(id, _)| *id == wire.suite).ok_or_else(|| {
        let known = suites().collect::<Vec<_>>().join(", ");
        Refusal::Unsupported(format!("suite {:?} is not one of those that this emitter knows ({known})", wire.suite))
    })?;
    emit(wire.input, &instant::now())
}

/// One turn of the protocol's process mode: reads a scenario to its end, writes the document, and returns the exit code
/// (0 emitted, [`EXIT_UNSUPPORTED`], [`EXIT_BROKEN`]). The reason for a refusal goes to `stderr`.
pub fn run(mut stdin: impl Read, mut stdout: impl Write, mut stderr: impl Write) -> u8 {
    let mut scenario = String::new();
    let emitted = match stdin.read_to_string(&mut scenario) {
        Ok(_) => emit(&scenario),
        Err(error) => Err(Refusal::Broken(format!("standard input cannot be read: {error}"))),
    };
    let (code, reason) = match emitted {
        Ok(document) => match stdout.write_all(document.as_bytes()).and_then(|()| stdout.flush()) {
            Ok(()) => return 0,
            Err(error) => (EXIT_BROKEN, format!("the document cannot be written: {error}")),
        },
        Err(Refusal::Unsupported(reason)) => (EXIT_UNSUPPORTED, reason),
        Err(Refusal::Broken(reason)) => (EXIT_BROKEN, reason),
    };
    // The exit code says it too, should standard error be closed.
    let _ = writeln!(stderr, "{reason}");
    code
}
