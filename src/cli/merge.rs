//! `conform merge`: one run out of its shards.

use std::path::Path;

use super::args::MergeArgs;
use super::error::Error;
use super::exit::Exit;
use super::output::{Reports, Screen};
use super::stored;
use crate::run::conclusion::Conclusion;
use crate::run::merge;

/// Puts the shards together and shows and writes what they come to, as the run in one piece would have.
pub fn run(args: &MergeArgs) -> Result<Exit, Error> {
    let shards = args.shards.iter().map(|path| Ok((name(path), stored::read(path)?)));
    let shards: Vec<_> = shards.collect::<Result<_, Error>>()?;
    let results = merge::merge(shards).map_err(|problem| Error::Usage(format!("cannot merge: {problem}")))?;
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

fn name(path: &Path) -> String {
    path.display().to_string()
}
