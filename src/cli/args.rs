//! The command line: every flag defined once, with its help.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::help;
use crate::run::results::Shard;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Says whether a program that emits interchange documents keeps its promises.
#[derive(Debug, Parser)]
#[command(
    name = "conform",
    version,
    styles = STYLES,
    about = help::ABOUT,
    long_about = help::LONG_ABOUT,
    after_help = help::MAIN_SHORT,
    after_long_help = help::MAIN,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge documents that were already emitted: files, folders, globs, `-` for standard input
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// List what there is: suites, scenarios, or obligations
    #[command(after_help = help::LIST)]
    List(ListArgs),
    /// Explain an obligation: what it demands, why, and a document that keeps it beside one that breaks it
    #[command(after_help = help::EXPLAIN)]
    Explain(ExplainArgs),
    /// Write reports from the results of a finished run
    #[command(after_help = help::report())]
    Report(ReportArgs),
    /// Put the results of all shards of a run together
    #[command(after_help = help::MERGE)]
    Merge(MergeArgs),
    /// Print what follows from a document's own raw data: the tables that it should contain
    #[command(after_help = help::DERIVE)]
    Derive(DeriveArgs),
    /// Make invalid documents of valid ones, each with the obligation that it breaks
    #[command(after_help = help::MUTATE)]
    Mutate(MutateArgs),
    /// Keep the file of expected failures true
    Expected(super::expected::ExpectedArgs),
    /// Write a working emitter to start an adapter from: it passes as it is
    #[command(after_help = help::INIT)]
    Init(super::init::InitArgs),
    /// Check a certificate: judge its evidence again, and compare
    #[command(after_help = help::VERIFY)]
    Verify(super::verify::VerifyArgs),
    /// Make a pair of keys to sign certificates with
    #[command(after_help = help::KEYGEN)]
    Keygen(super::keygen::KeygenArgs),
    /// The emitter that conform carries with it (`--emitter reference` starts it)
    #[command(hide = true)]
    ReferenceEmitter,
}

/// The main form: run an emitter.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Run only scenarios whose `suite/scenario` contains one of these
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,

    /// The emitter: a program, a quoted command, a folder with an `emitter.toml`, that file, or `reference`
    #[arg(short, long, value_name = "EMITTER", help_heading = "Emitter")]
    pub emitter: Option<String>,
    /// Run the emitter's build command first (the one in its `emitter.toml`)
    #[arg(long, help_heading = "Emitter")]
    pub build: bool,
    /// Start one process for the whole run, and speak JSON Lines with it; `--session auto` tries both ways and takes the faster
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "always",
        help_heading = "Emitter"
    )]
    pub session: Option<SessionWhen>,
    /// Seconds that the emitter may take for a scenario
    #[arg(long, value_name = "SECS", value_parser = seconds, help_heading = "Emitter")]
    pub timeout: Option<Duration>,
    /// Arguments for the emitter, after `--`
    #[arg(last = true, value_name = "EMITTER_ARGS", help_heading = "Emitter")]
    pub emitter_args: Vec<String>,

    /// Test a consumer instead: it gets a document on standard input (and its path for the word `{}`) and exits with 0 (accepted)
    /// or 1 (refused)
    #[arg(long, value_name = "CMD", conflicts_with_all = ["emitter", "build", "emitter_args", "suites", "fail_fast", "shard", "repeat", "score", "expected", "certificate", "session"], help_heading = "Validator")]
    pub validator: Option<String>,
    /// Only mutants that break the schema, for validators that know nothing else
    #[arg(long, requires = "validator", help_heading = "Validator")]
    pub structural: bool,
    /// Most mutants of each operator
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = mutants, requires = "validator", help_heading = "Validator")]
    pub mutants: usize,
    /// What the mutants follow from
    #[arg(long, value_name = "N", default_value_t = 1, requires = "validator", help_heading = "Validator")]
    pub seed: u64,

    /// A filter must be the whole `suite/scenario`, not a part of it
    #[arg(long, help_heading = "Selection")]
    pub exact: bool,
    /// Leave out scenarios whose `suite/scenario` contains this (with --exact: is this); repeatable
    #[arg(long, value_name = "SKIP", help_heading = "Selection")]
    pub skip: Vec<String>,
    /// List the selected scenarios and run none
    #[arg(long, help_heading = "Selection")]
    pub list: bool,
    /// Also read scenarios from DIR/<suite>/scenarios/*.yaml
    #[arg(long, value_name = "DIR", help_heading = "Selection")]
    pub suites: Option<PathBuf>,
    /// Run only this part of the selection, e.g. `2/4`; `conform merge` puts the parts together
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with = "certificate", help_heading = "Selection")]
    pub shard: Option<Shard>,
    /// Have each scenario emitted N times: documents that differ and verdicts that change are reported
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with = "certificate", help_heading = "Emitter")]
    pub repeat: u32,
    /// Stop at the first failure; what was not run is said to be not run
    #[arg(long, help_heading = "Selection")]
    pub fail_fast: bool,

    #[command(flatten)]
    pub judging: JudgingArgs,
    /// Failures that are known and declared in this file do not fail the run; a declaration that is no longer true does
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub expected: Option<PathBuf>,
    /// Also say how many of the operators that break documents on purpose the suites notice, as certificates do
    #[arg(long, help_heading = "Judging")]
    pub score: bool,
    #[command(flatten)]
    pub certificate: super::certify::CertificateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files, folders (every .json, .yaml and .yml below), globs in quotes, or `-` for standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
    #[command(flatten)]
    pub judging: JudgingArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to list
    #[arg(value_enum, default_value_t)]
    pub what: What,
    /// Only entries whose id contains one of these
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Only this suite's
    #[arg(long, value_name = "ID")]
    pub suite: Option<String>,
    /// Also list scenarios from DIR/<suite>/scenarios/*.yaml
    #[arg(long, value_name = "DIR")]
    pub suites: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
    #[command(flatten)]
    pub color: ColorArg,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// An obligation's id, as findings and `conform list obligations` give it
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    pub color: ColorArg,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Results as `--report json=FILE` wrote them; `-` for standard input
    #[arg(value_name = "RESULTS")]
    pub results: PathBuf,
    /// A report to write, e.g. `html=report.html` (`-` or nothing for PATH is standard output); repeatable
    #[arg(long = "as", value_name = "FORMAT[=PATH]", value_parser = report_or_stdout, required = true)]
    pub reports: Vec<ReportTarget>,
    /// Results of an earlier run: the html and markdown reports say what changed since
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The results of every shard, as `--report json=FILE` wrote them
    #[arg(value_name = "RESULTS", required = true)]
    pub shards: Vec<PathBuf>,
    /// The file of expected failures that the shards were run with
    #[arg(long, value_name = "FILE")]
    pub expected: Option<PathBuf>,
    /// The scenarios of your own that the shards were run with
    #[arg(long, value_name = "DIR")]
    pub suites: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct DeriveArgs {
    /// The document; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// The suite that it belongs to, where its version field does not say so
    #[arg(long, value_name = "ID")]
    pub suite: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub color: ColorArg,
}

#[derive(Debug, Args)]
pub struct MutateArgs {
    /// Valid documents to break: files, folders, globs, `-`; without any, those that the suite itself carries
    #[arg(value_name = "DOC")]
    pub documents: Vec<String>,
    /// The suite that they belong to, where their version field does not say so
    #[arg(long, value_name = "ID")]
    pub suite: Option<String>,
    /// Only this operator, or those for this obligation; repeatable
    #[arg(long, value_name = "NAME")]
    pub operator: Vec<String>,
    /// How many mutants (20); with --score, how many for each operator (10)
    #[arg(long, value_name = "N", value_parser = mutants)]
    pub count: Option<usize>,
    /// What everything that is chosen follows from; each mutant's own seed is in the manifest
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write the mutants into this folder, with a manifest (cases.tsv)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// List the operators and make nothing
    #[arg(long, conflicts_with_all = ["score", "valid", "out"])]
    pub list: bool,
    /// Break the suites' own documents by every operator and say which mutants were caught
    #[arg(long, conflicts_with_all = ["documents", "valid", "out", "operator"])]
    pub score: bool,
    /// Generate N valid documents of each suite and say which were refused: there should be none
    #[arg(long, value_name = "N", conflicts_with_all = ["documents", "out", "operator"])]
    pub valid: Option<u64>,
    /// How --list and --score print
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
    #[command(flatten)]
    pub color: ColorArg,
}

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

fn report_or_stdout(text: &str) -> Result<ReportTarget, String> {
    if text.contains('=') { report(text) } else { report(&format!("{text}=-")) }
}

pub fn assignment(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((id, file)) if !id.is_empty() && !file.is_empty() => Ok((id.to_owned(), file.into())),
        _ => Err("expected ID=FILE".to_owned()),
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let shard =
        text.split_once('/').and_then(|(index, of)| Some(Shard { index: index.parse().ok()?, of: of.parse().ok()? }));
    shard
        .filter(|shard| (1..=shard.of).contains(&shard.index))
        .ok_or_else(|| "expected I/N with I from 1 to N, e.g. 2/4".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds, e.g. 2.5")?;
    if seconds <= 0.0 {
        return Err("expected more than 0 seconds".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn mutants(text: &str) -> Result<usize, String> {
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
