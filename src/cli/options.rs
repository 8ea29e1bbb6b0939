//! Options that several commands share, and how the values of options are read.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::run::results::Shard;

/// How documents are judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub struct JudgingArgs {
    /// The suite to judge by; otherwise the emitter's claims and each document's version field decide
    #[arg(long, value_name = "ID")]
    pub suite: Option<String>,
    /// Compare fractions to 5e-7 instead of 5e-5, and forgive nothing
    #[arg(long)]
    pub strict: bool,
    /// Let warnings, too, make the exit code 1
    #[arg(long, value_name = "WHAT", value_enum)]
    pub deny: Option<Deny>,
    /// Validate by this file in the place of an embedded schema; repeatable
    #[arg(long, value_name = "ID=FILE", value_parser = assignment)]
    pub schema: Vec<(String, PathBuf)>,
    /// Validate by the schemas in this folder (<id>.schema.json) in the place of the embedded ones
    #[arg(long, value_name = "DIR")]
    pub schemas: Option<PathBuf>,
    /// Documents that the judged ones may refer to: a file or a folder; repeatable
    #[arg(long, value_name = "PATH")]
    pub related: Vec<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What a document may cost.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub struct LimitArgs {
    /// Largest document, with an optional suffix K, M or G (1024 each)
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "256M")]
    pub max_bytes: u64,
    /// Deepest nesting of arrays and objects (at most 4096)
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = depth)]
    pub max_depth: usize,
    /// Most values that YAML aliases may add to a document
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_alias_nodes: usize,
}

/// What is shown, how, and where it goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// How results are printed on standard output
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub color: ColorArg,
    /// Only failures and the summary
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Everything: notes in full, what was not judged and why, the emitter's standard error
    #[arg(short, long)]
    pub verbose: bool,
    /// Also write a report, e.g. `junit=report.xml` (`-` is standard output); repeatable
    #[arg(long, value_name = "FORMAT=PATH", value_parser = report)]
    pub report: Vec<ReportTarget>,
    /// Results of an earlier run (JSON): the html and markdown reports say what changed since
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
    /// Scenarios run, or documents judged, at the same time
    #[arg(short = 'j', long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub test_threads: Option<u16>,
}

#[derive(Debug, Args)]
pub struct ColorArg {
    /// When to colour; `auto` also heeds NO_COLOR, FORCE_COLOR, CLICOLOR and CLICOLOR_FORCE
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// When one process serves the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SessionWhen {
    /// Always
    Always,
    /// Where that is faster, which is tried
    Auto,
    /// Never, even where the emitter's manifest says so
    Never,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Pretty,
    /// One character for each scenario or document, then the failures
    Terse,
    /// As `cargo test` prints its tests
    Libtest,
    /// One JSON object: schemas/conform-results-1.schema.json
    Json,
    /// JSON Lines: each result as soon as it is there
    Jsonl,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// For people
    #[default]
    Pretty,
    /// One JSON array
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    Warnings,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum What {
    #[default]
    Suites,
    Scenarios,
    Obligations,
}

/// A report to write: its format and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTarget {
    pub format: crate::report::Format,
    pub path: PathBuf,
}

fn report(text: &str) -> Result<ReportTarget, String> {
    let (name, path) = text.split_once('=').filter(|(_, path)| !path.is_empty()).ok_or("expected FORMAT=PATH")?;
    let format = crate::report::Format::by_name(name).ok_or_else(|| {
        let known: Vec<_> = crate::report::Format::all().map(crate::report::Format::name).collect();
        format!("no report format `{name}`; there are {}", known.join(", "))
    })?;
    Ok(ReportTarget { format, path: path.into() })
}

pub fn report_or_stdout(text: &str) -> Result<ReportTarget, String> {
    if text.contains('=') { report(text) } else { report(&format!("{text}=-")) }
}

pub fn assignment(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((id, file)) if !id.is_empty() && !file.is_empty() => Ok((id.to_owned(), file.into())),
        _ => Err("expected ID=FILE".to_owned()),
    }
}

pub fn shard(text: &str) -> Result<Shard, String> {
    let shard =
        text.split_once('/').and_then(|(index, of)| Some(Shard { index: index.parse().ok()?, of: of.parse().ok()? }));
    shard
        .filter(|shard| (1..=shard.of).contains(&shard.index))
        .ok_or_else(|| "expected I/N with I from 1 to N, e.g. 2/4".to_owned())
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds, e.g. 2.5")?;
    if seconds <= 0.0 {
        return Err("expected more than 0 seconds".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

pub fn mutants(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=1_000_000).contains(count))
        .ok_or_else(|| "expected a number from 1 to 1000000".to_owned())
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        other => return Err(format!("no unit `{other}`; there are K, M and G")),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a number, e.g. 64M")?;
    // Places in a document are 32-bit.
    const GREATEST: u64 = u32::MAX as u64;
    number
        .checked_mul(1 << unit)
        .filter(|bytes| (1..=GREATEST).contains(bytes))
        .ok_or_else(|| "expected from 1 byte to just under 4G".to_owned())
}

fn depth(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|depth| (1..=4096).contains(depth))
        .ok_or_else(|| "expected a number from 1 to 4096".to_owned())
}
