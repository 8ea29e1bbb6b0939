//! What a run needs from an emitter; how one is started and spoken to is the [`emitter`](crate::emitter) module's concern.

use std::time::{Duration, Instant};

use super::results::SubjectResult;
use crate::check::Judged;
use crate::emitter::{Cancel, Emission, OpenEmitter, Request, RunLimits};
use crate::suite::Suite;
use crate::suite::scenario::Scenario;

/// Something that makes documents of scenarios. Called from several threads at a time.
pub trait Emit: Sync {
    /// Has one scenario emitted, and returns when that is over, one way or the other. After a cancellation the outcome is
    /// [`Outcome::Interrupted`](crate::emitter::Outcome::Interrupted).
    fn emit(&self, suite: &Suite, scenario: &Scenario) -> Emission;
}

/// An emitter that is a program of its own.
pub struct Subprocess<'e> {
    pub emitter: OpenEmitter<'e>,
    pub limits: RunLimits,
    pub cancel: Cancel,
}

impl Subprocess<'_> {
    /// Ends the session, if there is one. What is wrong with its end is no scenario's fault and a result of its own.
    pub fn close(self) -> Option<SubjectResult> {
        let begun = Instant::now();
        let findings = self.emitter.close(&self.limits, &self.cancel);
        let judged = Judged { findings, ..Judged::default() };
        (!judged.findings.is_empty()).then(|| judged.into_result("session".to_owned(), begun.elapsed()))
    }
}

impl Emit for Subprocess<'_> {
    fn emit(&self, suite: &Suite, scenario: &Scenario) -> Emission {
        let own = scenario.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limits = RunLimits { time: self.limits.time.max(own.unwrap_or_default()), ..self.limits.clone() };
        let json = scenario.wire(suite.id).to_string();
        let request = Request { suite: suite.id, scenario: &scenario.name, json: &json };
        self.emitter.emit(&request, &limits, &self.cancel)
    }
}
