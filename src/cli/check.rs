//! `conform check`: documents that were already emitted.

use std::time::Instant;

use super::args::{CheckArgs, Deny};
use super::error::Error;
use super::exit::Exit;
use super::judging;
use super::output::{Reports, Screen};
use crate::check::STACK;
use crate::run::conclusion::conclude;
use crate::run::results::{Platform, Results, Terms};

/// Judges the documents and shows what they come to.
pub fn run(args: &CheckArgs) -> Result<Exit, Error> {
    let begun = Instant::now();
    let deny_warnings = args.judging.deny == Some(Deny::Warnings);
    let checker = judging::checker(&args.judging)?;
    let sources = judging::sources(&args.paths)?;
    let mut reports = Reports::prepare(&args.output)?;
    let started = jiff::Timestamp::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.output.test_threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()
        .map_err(|error| Error::Fault(format!("cannot start threads: {error}")))?;
    let mut results = Results::new(None, started, Vec::new(), 0);
    results.platform = Some(Platform::here());
    results.terms = Terms { strict: args.judging.strict, deny_warnings, ..Terms::default() };
    let mut screen = Screen::new(&args.output, "document", deny_warnings);
    reports.begin(&results);
    screen.begin(&results);
    let judged = pool.install(|| checker.judge_all(&sources));
    let elapsed = begun.elapsed().as_secs_f64() * 1e3;
    results.conclude(judged, 0, elapsed);
    for result in &results.results {
        reports.result(result);
        screen.result(result);
    }
    let shown = screen.finish(&results, elapsed);
    let written = reports.write(&results);
    super::closing(conclude(&results, deny_warnings).into(), [written, shown])
}
