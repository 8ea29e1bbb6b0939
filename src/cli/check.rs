//! `conform check`: documents that were already emitted.

use std::io::{self, Write};

use super::args::{CheckArgs, Deny};
use super::error::Error;
use super::exit::Exit;
use super::{inputs, judging};
use crate::check::STACK;
use crate::run::conclusion::conclude;
use crate::run::results::{Results, SCHEMA, Summary, Tool};

/// Judges the documents and shows what they come to.
pub fn run(args: &CheckArgs) -> Result<Exit, Error> {
    let checker = judging::checker(&args.judging)?;
    let inputs = inputs::collect(&args.paths)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.output.test_threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()
        .map_err(|error| Error::Fault(format!("cannot start threads: {error}")))?;
    let started = jiff::Timestamp::now().to_string();
    let results = pool.install(|| checker.judge_all(&inputs));
    let results = Results {
        schema: SCHEMA.to_owned(),
        conform: Tool { version: env!("CARGO_PKG_VERSION").to_owned() },
        emitter: None,
        started,
        complete: true,
        summary: Summary::of(&results, 0),
        results,
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    crate::report::json::write(&results, &mut out).and_then(|()| out.flush()).map_err(Error::Output)?;
    Ok(conclude(&results, args.judging.deny == Some(Deny::Warnings)).into())
}
