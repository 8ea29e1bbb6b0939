//! Evidence in the emitter's place: a scenario is conducted again with the documents that were kept, so that it is judged in
//! exactly the way in which it was judged first.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::statement::ScenarioResult;
use crate::check::Checker;
use crate::emitter::{Emission, Outcome, RawDocument};
use crate::finding::Finding;
use crate::run::conduct::{Conducted, conduct};
use crate::run::emit::Emit;
use crate::run::plan::Job;
use crate::run::results::{EmittedDocument, SubjectResult, Verdict};
use crate::suite::Suite;
use crate::suite::scenario::Scenario;

/// Judges a scenario again. How the emitter behaved is taken from what was entered, since no document shows it.
pub(super) fn judge(
    checker: &Checker,
    job: &Job,
    entered: &ScenarioResult,
    documents: Vec<RawDocument>,
) -> Option<SubjectResult> {
    let process = entered.findings.iter().filter(|found| found.is_about_the_process());
    let outcome = if !documents.is_empty() {
        Outcome::Emitted
    } else if entered.verdict == Verdict::Unsupported {
        Outcome::Unsupported(entered.reason.clone().unwrap_or_default())
    } else {
        Outcome::Failed
    };
    let emission = Emission {
        outcome,
        documents,
        findings: process.map(|found| found.finding()).collect(),
        stderr: String::new(),
        duration: Duration::ZERO,
    };
    match conduct(checker, &Kept(Mutex::new(Some(emission))), job, None) {
        Conducted::Judged(result) | Conducted::NotStarted(result) => Some(result),
        Conducted::Interrupted => None,
    }
}

/// A result as it was entered, where nothing can be judged again.
pub(super) fn entered(result: &ScenarioResult) -> SubjectResult {
    let documents = result.documents.iter().map(|document| EmittedDocument {
        name: document.name.clone(),
        bytes: document.bytes,
        sha256: document.sha256.clone(),
    });
    SubjectResult {
        subject: result.subject.clone(),
        suite: None,
        verdict: result.verdict,
        optional: result.optional,
        findings: result.findings.iter().map(|found| -> Finding { found.finding() }).collect(),
        not_judged: result.not_judged.clone(),
        obligations: result.obligations,
        duration_ms: 0.0,
        documents: documents.collect(),
        expected: Vec::new(),
        repeats: None,
        reason: result.reason.clone(),
        reproduce: None,
        stderr: None,
    }
}

/// What was emitted once.
struct Kept(Mutex<Option<Emission>>);

impl Emit for Kept {
    fn emit(&self, _: &Suite, _: &Scenario) -> Emission {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(Emission {
            outcome: Outcome::Interrupted,
            documents: Vec::new(),
            findings: Vec::new(),
            stderr: String::new(),
            duration: Duration::ZERO,
        })
    }
}
