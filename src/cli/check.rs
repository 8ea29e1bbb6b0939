//! `conform check`: documents that were already emitted.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::args::{CheckArgs, Deny};
use super::error::Error;
use super::exit::Exit;
use super::output::{Reports, Screen};
use super::progress::Progress;
use super::{judging, run};
use crate::emitter::Cancel;
use crate::run::conclusion::conclude;
use crate::run::results::{Platform, Results, SubjectResult, Terms};

/// How long nothing may come in before it is looked whether the check was interrupted.
const LOOK: Duration = Duration::from_millis(50);

/// Judges the documents and shows what they come to, each as soon as all before it were shown.
pub fn run(args: &CheckArgs) -> Result<Exit, Error> {
    let begun = Instant::now();
    let deny_warnings = args.judging.deny == Some(Deny::Warnings);
    let checker = Arc::new(judging::checker(&args.judging)?);
    let sources = judging::sources(&args.paths)?;
    let mut reports = Reports::prepare(&args.output)?;
    let cancel = Cancel::new().map_err(|error| Error::Fault(format!("cannot prepare for interruptions: {error}")))?;
    let stop = run::interruptible(&cancel)?;
    let started = jiff::Timestamp::now();
    let pool = judging::threads(args.output.test_threads)?;
    let mut results = Results::new(None, started, Vec::new(), 0);
    results.platform = Some(Platform::here());
    results.terms = Terms { strict: args.judging.strict, deny_warnings, ..Terms::default() };
    let mut screen = Screen::new(&args.output, "document", deny_warnings);
    let mut progress = Progress::new(sources.len(), !args.output.quiet);
    reports.begin(&results);
    screen.begin(&results);
    let mut judged: Vec<SubjectResult> = Vec::with_capacity(sources.len());
    let mut show = |progress: &Progress, come: Vec<SubjectResult>| {
        progress.beside(|| {
            for result in &come {
                reports.result(result);
                screen.result(result);
            }
        });
        judged.extend(come);
    };
    let mut stream = checker.judge_each(pool, sources);
    while let Some(come) = stream.wait(LOOK) {
        progress.at(stream.judged());
        if !come.is_empty() {
            show(&progress, come);
        }
        if stop.load(Ordering::SeqCst) {
            break;
        }
    }
    let (rest, not_run) = stream.end();
    show(&progress, rest);
    progress.finish();
    let elapsed = begun.elapsed().as_secs_f64() * 1e3;
    results.conclude(judged, not_run, elapsed);
    let shown = screen.finish(&results, elapsed);
    let written = reports.write(&results);
    super::closing(conclude(&results, deny_warnings).into(), [written, shown])
}
