//! The command line: every command, and every flag defined once, with its help.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand};

use super::help;
pub use super::options::{
    Color, ColorArg, Deny, Format, JudgingArgs, LimitArgs, OutputArgs, ReportTarget, SessionWhen, TableFormat, What,
    assignment,
};
use super::options::{mutants, report_or_stdout, seconds, shard};
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
