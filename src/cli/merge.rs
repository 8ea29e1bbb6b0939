//! `conform merge`: one run out of its shards.

use std::path::Path;

use super::args::MergeArgs;
use super::error::Error;
use super::exit::Exit;
use super::output::{Reports, Screen};
use super::{expected, stored};
use crate::run::conclusion::Conclusion;
use crate::run::merge;
use crate::run::results::{Results, Summary};

/// Puts the shards together and shows and writes what they come to, as the run in one piece would have.
pub fn run(args: &MergeArgs) -> Result<Exit, Error> {
    let shards = args.shards.iter().map(|path| Ok((name(path), stored::read(path)?)));
    let shards: Vec<_> = shards.collect::<Result<_, Error>>()?;
    let declared =
        shards.iter().find_map(|(_, results)| results.expected.as_ref().map(|expected| expected.file.clone()));
    let mut results = merge::merge(shards).map_err(|problem| Error::Usage(format!("cannot merge: {problem}")))?;
    match (&args.expected, declared) {
        (Some(file), _) => settle(&mut results, file, args.suites.as_deref())?,
        (None, Some(file)) => {
            return Err(Error::Usage(format!(
                "the shards were run with --expected {file}; name that file here too, so that it is held against the whole run"
            )));
        }
        (None, None) => {}
    }
    let mut reports = Reports::prepare(&args.output)?;
    let mut screen = Screen::new(&args.output, "scenario", results.terms.deny_warnings);
    reports.begin(&results);
    screen.begin(&results);
    for result in &results.results {
        reports.result(result);
        screen.result(result);
    }
    let shown = screen.finish(&results, results.duration_ms.unwrap_or_default());
    let written = reports.write(&results);
    super::closing(Conclusion::of(&results).into(), [written, shown])
}

/// Holds the file of expected failures against the whole run, as the run in one piece would have.
fn settle(results: &mut Results, file: &Path, suites: Option<&Path>) -> Result<(), Error> {
    let unusable = |what: &str| Error::Usage(format!("cannot merge: the shards' {what}"));
    let started = results.started.parse().map_err(|_| unusable("`started` is no time"))?;
    let emitter = results.emitter.as_ref().ok_or_else(|| unusable("emitter is not stated"))?;
    let expectations = expected::read(file, &emitter.name, started)?;
    let names = expected::Names::all(suites)?;
    results.results.iter_mut().for_each(|result| expectations.settle(result));
    results.expected = Some(expectations.audit(&results.results, &names.known()));
    results.summary = Summary::of(&results.results, results.summary.not_run);
    Ok(())
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
