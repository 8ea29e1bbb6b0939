//! Emitters: the programs under test. This module finds them, starts them over scenarios by version 1 of the emitter
//! protocol, and brings back the bytes that they emit, within limits that no emitter can get around.
//!
//! An emitter that crashes, hangs, floods its output or leaves a process behind yields findings of its own (`process/…`,
//! see [`rules`]); none of them is ever read as success. What the emitted bytes say is judged elsewhere.

mod cancel;
mod consumer;
mod error;
mod exit;
mod leftover;
mod manifest;
mod output;
mod process;
mod process_mode;
mod program;
mod resolve;
mod room;
pub mod rules;
mod session;
mod session_mode;
mod stream;

use std::time::Duration;

pub use cancel::Cancel;
pub use consumer::{Answer, Consumer, Consumption};
pub use error::{EmitterError, ErrorKind};
pub use leftover::adopt_orphans;
pub use resolve::{Emitter, Part};
pub use session_mode::{Greeting, OpenEmitter};

use crate::finding::Finding;

/// How an emitter is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One process for each scenario.
    Process,
    /// One process for the whole run, which answers in JSON Lines.
    Session,
}

/// One scenario, as an emitter gets it.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The suite's id.
    pub suite: &'r str,
    /// The scenario's name within its suite.
    pub scenario: &'r str,
    /// The scenario as one JSON object (see [`crate::suite::scenario::Scenario::wire`]).
    pub json: &'r str,
}

/// What an emitter may cost in one scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLimits {
    /// From start to exit (30 s). Then the whole process group is killed.
    pub time: Duration,
    /// Bytes on standard output and in files under `CONFORM_OUT`, together (64 MiB). Then the whole group is killed.
    pub output: u64,
    /// Files and folders under `CONFORM_OUT` (1,000).
    pub entries: usize,
    /// Bytes of standard error that are kept: its beginning and its end (64 KiB). What exceeds them is read and dropped.
    pub stderr: usize,
    /// How long, once the emitter has exited, its other processes may still take to exit too and to close the pipes (500 ms).
    pub grace: Duration,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits {
            time: Duration::from_secs(30),
            output: 64 << 20,
            entries: 1_000,
            stderr: 64 << 10,
            grace: Duration::from_millis(500),
        }
    }
}

impl RunLimits {
    /// How long a session may take to exit when its input has ended. More than the grace: it has a whole run to put away, and the
    /// machine may have other things to do.
    fn parting(&self) -> Duration {
        self.grace.saturating_mul(10)
    }
}

/// What one scenario came to on the emitter's side.
#[derive(Debug, Clone, PartialEq)]
pub struct Emission {
    pub outcome: Outcome,
    /// What was emitted, to be judged; empty unless the outcome is [`Outcome::Emitted`].
    pub documents: Vec<RawDocument>,
    /// Findings about the process, all without a place. They may accompany documents (a process left behind, say).
    pub findings: Vec<Finding>,
    /// What the emitter wrote to standard error, its beginning and its end where it was long.
    pub stderr: String,
    /// From start to exit, or to the kill.
    pub duration: Duration,
}

/// How a scenario ended on the emitter's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It exited with 0 and emitted at least one document.
    Emitted,
    /// It said that it does not support the scenario, and why (empty where it gave no reason). There are no findings.
    Unsupported(String),
    /// It failed; the findings say how.
    Failed,
    /// It could not be started; the one finding, `process/start`, says why.
    NotStarted,
    /// The run was cancelled meanwhile; nothing can be said about the emitter.
    Interrupted,
}

/// A document as it was emitted.
#[derive(Clone, PartialEq, Eq)]
pub struct RawDocument {
    /// `stdout`, or the file's path under `CONFORM_OUT`.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for RawDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bytes)", self.name, self.bytes.len())
    }
}
