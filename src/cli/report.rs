//! `conform report`: reports from the results of a finished run.

use super::args::ReportArgs;
use super::error::Error;
use super::exit::Exit;
use super::output::Reports;
use super::stored;

/// Writes the reports. What the results come to does not bear on the exit code: they are reported, not judged.
pub fn run(args: &ReportArgs) -> Result<Exit, Error> {
    let results = stored::read(&args.results)?;
    let reports = Reports::to(&args.reports, args.previous.as_deref(), false)?;
    super::closing(Exit::Conformant, [reports.write(&results)])
}
