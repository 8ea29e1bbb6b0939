//! Giving a consumer its documents, several subjects at a time, and saying what it made of them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::plan::{Case, Subject};
use super::rules::{ACCEPTS, ANSWERS, REFUSES};
use super::survivor;
use crate::check::milliseconds;
use crate::emitter::{Answer, Cancel, Consumer, Consumption, RunLimits};
use crate::finding::Finding;
use crate::obligation::Rule;
use crate::run::results::{Coverage, SubjectResult, Verdict};

/// Findings of one subject that are kept; they say the same of one document after the other.
const KEPT: usize = 3;

/// A consumer, and how it is run.
pub struct Trial<'t> {
    pub consumer: &'t Consumer,
    pub limits: &'t RunLimits,
    pub cancel: &'t Cancel,
    pub threads: NonZeroUsize,
    /// Set from outside to stop taking on subjects.
    pub stop: &'t AtomicBool,
    /// The command that runs one subject alone.
    pub reproduce: &'t (dyn Fn(&Subject) -> String + Sync),
}

/// What a consumer said of a subject's documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub accepted: usize,
    pub refused: usize,
    pub crashed: usize,
}

/// What came of it.
#[derive(Default)]
pub struct Conducted {
    /// In the order of the plan, with the position in it; subjects that were not run are absent.
    pub results: Vec<(usize, Tally, SubjectResult)>,
    /// Why the consumer could not be started, if no document at all got it started.
    pub not_started: Option<String>,
}

/// Runs the subjects; `shown` gets each result as soon as all before it are there.
pub fn conduct(trial: &Trial<'_>, subjects: &[Subject], mut shown: impl FnMut(&SubjectResult)) -> Conducted {
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let mut finished: BTreeMap<usize, (Tally, SubjectResult)> = BTreeMap::new();
    let mut not_started = None;
    thread::scope(|scope| {
        for _ in 0..trial.threads.get().min(subjects.len()) {
            let sender = sender.clone();
            let (next, halt) = (&next, &halt);
            let work = move || {
                while !trial.stop.load(Ordering::SeqCst) && !halt.load(Ordering::SeqCst) {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    let Some(subject) = subjects.get(at) else { break };
                    let outcome = one(trial, subject);
                    halt.fetch_or(matches!(outcome, Outcome::NotStarted(_)), Ordering::SeqCst);
                    if sender.send((at, outcome)).is_err() {
                        break;
                    }
                }
            };
            // Without a thread to be had, those that there are do the work; without any, nothing is run, which is said.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        drop(sender);
        let mut due = 0;
        for (at, outcome) in receiver {
            match outcome {
                Outcome::Judged(tally, result) => {
                    finished.insert(at, (tally, *result));
                }
                Outcome::NotStarted(why) => not_started = Some(why),
                Outcome::Interrupted => {}
            }
            while let Some((_, result)) = finished.get(&due) {
                shown(result);
                due += 1;
            }
        }
        finished.range(due..).for_each(|(_, (_, result))| shown(result));
    });
    Conducted { results: finished.into_iter().map(|(at, (tally, result))| (at, tally, result)).collect(), not_started }
}

enum Outcome {
    Judged(Tally, Box<SubjectResult>),
    NotStarted(String),
    Interrupted,
}

fn one(trial: &Trial<'_>, subject: &Subject) -> Outcome {
    let begun = Instant::now();
    let mut tally = Tally::default();
    let mut told = Told::default();
    for case in &subject.cases {
        let Consumption { answer, stderr, .. } = trial.consumer.judge(&case.text, trial.limits, trial.cancel);
        match answer {
            Answer::Accepted => {
                tally.accepted += 1;
                if let Some(operator) = subject.operator {
                    let message =
                        format!("accepted, though {}: {} ({})", operator.what, operator.obligation(), case.base);
                    told.add(&REFUSES, case, message, &stderr);
                }
            }
            Answer::Refused => {
                tally.refused += 1;
                if subject.operator.is_none() {
                    told.add(&ACCEPTS, case, format!("refused, though it is valid: {}", case.base), &stderr);
                }
            }
            Answer::Crashed(what) => {
                tally.crashed += 1;
                told.add(&ANSWERS, case, format!("the validator {what} ({})", case.base), &stderr);
            }
            Answer::NotStarted(why) => return Outcome::NotStarted(why),
            Answer::Interrupted => return Outcome::Interrupted,
        }
    }
    Outcome::Judged(tally, Box::new(told.into_result(subject, begun.elapsed(), (trial.reproduce)(subject))))
}

/// What is to be told of a subject.
#[derive(Default)]
struct Told {
    findings: Vec<Finding>,
    more: usize,
    stderr: Option<String>,
}

impl Told {
    fn add(&mut self, rule: &Rule, case: &Case, message: String, stderr: &str) {
        if self.findings.len() == KEPT {
            self.more += 1;
            return;
        }
        let mut finding = Finding::placeless(rule.id, rule.basis, rule.severity, message);
        finding.document = Some(case.base.clone());
        if rule.id == REFUSES.id {
            let (place, lines) = survivor::shown(case);
            finding.place = Some(place);
            finding.snippet = lines;
        }
        self.findings.push(finding);
        if !stderr.is_empty() {
            self.stderr.get_or_insert_with(|| stderr.to_owned());
        }
    }

    fn into_result(mut self, subject: &Subject, duration: Duration, reproduce: String) -> SubjectResult {
        if let Some(last) = self.findings.last_mut().filter(|_| self.more > 0) {
            last.message += &format!(" (and {} more)", self.more);
        }
        SubjectResult {
            subject: subject.name(),
            suite: Some(subject.suite.id.to_owned()),
            verdict: if self.findings.is_empty() { Verdict::Pass } else { Verdict::Fail },
            optional: false,
            expected: Vec::new(),
            reproduce: (!self.findings.is_empty()).then_some(reproduce),
            findings: self.findings,
            not_judged: Vec::new(),
            obligations: Coverage::default(),
            duration_ms: milliseconds(duration),
            repeats: None,
            documents: Vec::new(),
            reason: None,
            stderr: self.stderr,
        }
    }
}
