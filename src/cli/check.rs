//! `conform check`: documents that were already emitted.

use std::time::Instant;

use super::args::{CheckArgs, Deny};
use super::error::Error;
use super::exit::Exit;
use super::judging;
use super::output::{Reports, Screen};
use crate::check::STACK;
use crate::run::conclusion::conclude;
use crate::run::results::Results;

/// Judges the documents and shows what they come to.
pub fn run(args: &CheckArgs) -> Result<Exit, Error> {
    let begun = Instant::now();
    let deny_warnings = args.judging.deny == Some(Deny::Warnings);
    let checker = judging::checker(&args.judging)?;
    let sources = judging::sources(&args.paths)?;
    let reports = Reports::prepare(&args.output.report)?;
    let started = jiff::Timestamp::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.output.test_threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()
        .map_err(|error| Error::Fault(format!("cannot start threads: {error}")))?;
    let judged = pool.install(|| checker.judge_all(&sources));
    let results = Results::new(None, started, judged, 0);
    let mut screen = Screen::new(&args.output, "document", deny_warnings);
    results.results.iter().for_each(|result| screen.result(result));
    let written = reports.write(&results);
    let shown = screen.finish(&results, begun.elapsed().as_secs_f64() * 1e3);
    super::closing(conclude(&results, deny_warnings).into(), [written, shown])
}
