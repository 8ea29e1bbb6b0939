//! What a run needs from an emitter; how an emitter is started and spoken to is not its concern.

use std::time::Duration;

use crate::finding::Finding;
use crate::suite::Suite;
use crate::suite::scenario::Scenario;

/// Something that makes documents of scenarios. Called from several threads at a time.
pub trait Emit: Sync {
    /// Has one scenario emitted, and returns when that is over, one way or the other.
    fn emit(&self, suite: &Suite, scenario: &Scenario) -> Emission;

    /// Stops whatever is being emitted. Scenarios in flight end as [`Outcome::Interrupted`], and so do all that come after.
    fn cancel(&self);
}

/// What one scenario came to on the emitter's side.
#[derive(Debug, Clone, PartialEq)]
pub struct Emission {
    pub outcome: Outcome,
    /// What was emitted: the name and the bytes of each document, to be judged. Empty unless the outcome is
    /// [`Outcome::Emitted`].
    pub documents: Vec<(String, Vec<u8>)>,
    /// Findings about the process. They may accompany documents (a process left behind, say).
    pub findings: Vec<Finding>,
    /// What the emitter wrote to standard error, as far as it is kept.
    pub stderr: String,
    /// Wall-clock time.
    pub duration: Duration,
}

/// How a scenario ended on the emitter's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It emitted.
    Emitted,
    /// It said that it does not support the scenario, and why (may be empty).
    Unsupported(String),
    /// It failed; the findings say how.
    Failed,
    /// It could not be started; the findings say why.
    NotStarted,
    /// It was cancelled; nothing can be said about the emitter.
    Interrupted,
}
