//! Expected failures on the command line: `--expected FILE` of a run, and `conform expected update`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::error::Error;
use super::exit::Exit;
use super::{output, stored};
use crate::catalogue;
use crate::expected::{self, Addition, Expectations, FileError, Known, Updated};
use crate::report::words::harmless;
use crate::run::plan::{self, Job};
use crate::suite;

#[derive(Debug, Args)]
pub struct ExpectedArgs {
    #[command(subcommand)]
    pub command: ExpectedCommand,
}

#[derive(Debug, Subcommand)]
pub enum ExpectedCommand {
    /// Rewrite a file of expected failures by the results of a run; comments stay
    #[command(after_help = super::help::EXPECTED_UPDATE)]
    Update(UpdateArgs),
}

#[derive(Debug, Args)]
pub struct UpdateArgs {
    /// The file of expected failures
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The results of a finished run (`--report json=RESULTS`)
    #[arg(value_name = "RESULTS")]
    pub results: PathBuf,
    /// Also declare failures that nothing declares yet, for this reason
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Where the failures declared anew are being worked on
    #[arg(long, value_name = "URL", requires = "reason")]
    pub issue: Option<String>,
    /// Who sees to them
    #[arg(long, value_name = "NAME", requires = "reason")]
    pub owner: Option<String>,
    /// The last day on which they are expected, e.g. 2027-01-31
    #[arg(long, value_name = "DAY", requires = "reason")]
    pub expires: Option<Date>,
    /// Also know the scenarios in DIR/<suite>/scenarios/*.yaml
    #[arg(long, value_name = "DIR")]
    pub suites: Option<PathBuf>,
}

pub fn run(args: &ExpectedArgs) -> Result<Exit, Error> {
    match &args.command {
        ExpectedCommand::Update(args) => update(args),
    }
}

/// The declarations of a file, as they bear on a run.
///
/// # Errors
/// Where the file cannot be used.
pub fn read(path: &Path, emitter: &str, started: Timestamp) -> Result<Expectations, Error> {
    Expectations::read(path, emitter, day(started)).map_err(|error| unusable(&error))
}

fn update(args: &UpdateArgs) -> Result<Exit, Error> {
    let results = stored::read(&args.results)?;
    let refused = |why: &str| Error::Usage(format!("{}: {why}", args.results.display()));
    let emitter = results.emitter.as_ref().ok_or_else(|| refused("these are the results of no emitter's run"))?;
    let started: Timestamp = results.started.parse().map_err(|_| refused("`started` is no time"))?;
    let addition = args.reason.as_ref().map(|reason| Addition {
        reason: reason.clone(),
        issue: args.issue.clone(),
        owner: args.owner.clone(),
        expires: args.expires,
    });
    if args.reason.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
        return Err(Error::Usage("--reason is blank".to_owned()));
    }
    let expectations = if addition.is_some() && !args.file.exists() {
        Expectations::none(&args.file, &emitter.name, day(started))
    } else {
        read(&args.file, &emitter.name, started)?
    };
    let names = Names::all(args.suites.as_deref())?;
    let updated = expected::update(&expectations, &results.results, &names.known(), addition.as_ref())
        .map_err(|error| unusable(&error))?;
    output::replace(&args.file, updated.text.as_bytes())
        .map_err(|error| Error::Usage(format!("cannot write {}: {error}", args.file.display())))?;
    output::print(&said(&args.file, &updated))?;
    Ok(Exit::Conformant)
}

/// What was changed, a line for each.
fn said(file: &Path, updated: &Updated) -> String {
    let file = file.display().to_string();
    let file = harmless(&file);
    let mut text = String::new();
    for line in &updated.removed {
        text.push_str(&format!("removed what was declared at {file}:{line}\n"));
    }
    for line in &updated.narrowed {
        text.push_str(&format!("narrowed what was declared at {file}:{line}\n"));
    }
    for (scenario, obligation) in &updated.added {
        text.push_str(&format!("added {} in {}\n", harmless(obligation), harmless(scenario)));
    }
    if text.is_empty() {
        text.push_str(&format!("{file} says the truth: nothing to change\n"));
    }
    text
}

/// Every name that a declaration may use.
pub struct Names {
    scenarios: Vec<String>,
    obligations: Vec<&'static str>,
}

impl Names {
    /// # Errors
    /// Where the user's own scenarios cannot be read.
    pub fn all(suites: Option<&Path>) -> Result<Self, Error> {
        let all: Vec<_> = suite::all().collect();
        let jobs = plan::scenarios(&all, suites).map_err(|error| Error::Usage(error.to_string()))?;
        let mut obligations: Vec<&str> = catalogue::all().iter().map(|entry| entry.id).collect();
        for suite in all {
            obligations.extend(suite.family().scenario_rules(suite).iter().map(|rule| rule.id));
        }
        Ok(Names { scenarios: jobs.iter().map(Job::name).collect(), obligations })
    }

    pub fn known(&self) -> Known<'_> {
        Known { scenarios: &self.scenarios, obligations: &self.obligations }
    }
}

/// The day on which a run began, in UTC.
fn day(started: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(started).date()
}

fn unusable(error: &FileError) -> Error {
    Error::Usage(error.to_string())
}
