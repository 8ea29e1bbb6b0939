//! Runs scenarios, several at a time, and hands out their results in the order of the plan.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::conduct::Conducted;
use super::emit::Emit;
use super::plan::Job;
use super::repeat::conduct_repeatedly;
use super::results::{SubjectResult, Verdict};
use crate::check::{Checker, STACK};

/// What a run consists of.
pub struct Run<'r> {
    pub checker: &'r Checker,
    pub emit: &'r dyn Emit,
    pub jobs: &'r [Job],
    pub threads: NonZeroUsize,
    pub fail_fast: bool,
    /// How often each scenario is emitted; 0 and 1 mean once.
    pub repeat: u32,
    /// Set from outside to stop taking on scenarios (after an interruption, which also cancels the emitter).
    pub stop: &'r AtomicBool,
    /// The command that runs a scenario alone.
    pub reproduce: &'r (dyn Fn(&Job) -> Option<String> + Sync),
    /// Marks in a result what was known about it beforehand, before anything is concluded from it.
    pub settle: &'r (dyn Fn(&mut SubjectResult) + Sync),
}

/// What came of it.
pub struct Executed {
    /// In the order of the plan; scenarios that were not run are absent.
    pub results: Vec<SubjectResult>,
    pub not_run: usize,
    /// Why the emitter could not be started, if no scenario at all got it started.
    pub not_started: Option<String>,
}

/// Runs every scenario of the plan, unless something stops it. `shown` gets each result as soon as all before it are there.
pub fn execute(run: &Run<'_>, mut shown: impl FnMut(&SubjectResult)) -> Executed {
    let next = AtomicUsize::new(0);
    // Whether any scenario got the emitter started. Until one did, one that did not ends the run: the others would fare alike.
    let started = AtomicBool::new(false);
    let halt = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let mut finished: BTreeMap<usize, SubjectResult> = BTreeMap::new();
    let mut not_started = None;
    thread::scope(|scope| {
        for _ in 0..run.threads.get().min(run.jobs.len()) {
            let sender = sender.clone();
            let (next, started, halt) = (&next, &started, &halt);
            let work = move || {
                while !run.stop.load(Ordering::SeqCst) && !halt.load(Ordering::SeqCst) {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    let Some(job) = run.jobs.get(at) else { break };
                    let (mut result, start) =
                        match conduct_repeatedly(run.checker, run.emit, job, (run.reproduce)(job), run.repeat) {
                            Conducted::Judged(result) => (result, true),
                            Conducted::NotStarted(result) => (result, false),
                            Conducted::Interrupted => break,
                        };
                    (run.settle)(&mut result);
                    let failed = result.verdict == Verdict::Fail && !result.failed_as_expected();
                    started.fetch_or(start, Ordering::SeqCst);
                    if (run.fail_fast && failed) || !started.load(Ordering::SeqCst) {
                        halt.store(true, Ordering::SeqCst);
                    }
                    if sender.send((at, result)).is_err() {
                        break;
                    }
                }
            };
            // Without a thread to be had, those that there are do the work; without any, nothing is run, which is said.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        drop(sender);
        let mut due = 0;
        for (at, result) in receiver {
            finished.insert(at, result);
            while let Some(result) = finished.get(&due) {
                shown(result);
                due += 1;
            }
        }
        // What came after a gap (a scenario that was interrupted) is shown at the end.
        finished.range(due..).for_each(|(_, result)| shown(result));
    });
    let results: Vec<SubjectResult> = finished.into_values().collect();
    if !started.into_inner() && !results.is_empty() {
        let finding = results.iter().find_map(|result| result.findings.first());
        not_started = Some(finding.map_or_else(|| "no reason is known".to_owned(), |finding| finding.message.clone()));
    }
    Executed { not_run: run.jobs.len() - results.len(), results, not_started }
}
