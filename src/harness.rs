//! The conformance gate of a framework that is written in Rust: each scenario is a test of `cargo test`.
//!
//! In `Cargo.toml`:
//!
//! ```toml
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! and in `tests/conformance.rs`:
//!
//! ```no_run
//! use conform::harness::{Options, run};
//!
//! fn main() -> std::process::ExitCode {
//!     run(Options::new("target/debug/my-emitter").suite("mavai-optimize-1"))
//! }
//! ```
//!
//! The test binary takes the arguments that every test binary takes (`--list`, `--exact`, `--skip`, `--test-threads`, …), and
//! cargo-nextest runs it. A scenario that the emitter does not support is ignored, with its reason. Listing runs nothing.

use std::fmt;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::check::Checker;
use crate::document::Limits;
use crate::emitter::{self, Cancel, Emitter, RunLimits};
use crate::obligation::Settings;
use crate::report::libtest::completion;
use crate::report::pretty::Detail;
use crate::run::conduct::{Conducted, conduct};
use crate::run::emit::Subprocess;
use crate::run::plan::{self, Job};
use crate::run::reproduce::Reproduce;
use crate::schema::Schemas;
use crate::suite::{self, Suite};

/// The exit code of a test binary that cannot run its tests, as libtest has it.
const BROKEN: u8 = 101;

/// Which emitter, over what.
#[derive(Debug, Clone)]
pub struct Options {
    emitter: String,
    arguments: Vec<String>,
    suites: Vec<String>,
    timeout: Option<Duration>,
    strict: bool,
}

impl Options {
    /// The emitter as `conform --emitter` takes it: a program, a quoted command, a folder with an `emitter.toml`, or that file.
    /// Relative paths start from the package's folder, where cargo runs its tests.
    pub fn new(emitter: impl Into<String>) -> Self {
        Options { emitter: emitter.into(), arguments: Vec::new(), suites: Vec::new(), timeout: None, strict: false }
    }

    /// An argument for the emitter.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// A suite to run, by id. Without any, all that the emitter claims are run.
    #[must_use]
    pub fn suite(mut self, id: impl Into<String>) -> Self {
        self.suites.push(id.into());
        self
    }

    /// The time that the emitter may take for a scenario; otherwise its manifest's, or 30 seconds.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    /// Judges by narrow tolerances ([`Settings::strict`]).
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }
}

/// Runs the scenarios as the tests of this binary, by its command line. Returns the exit code: 0 if no scenario failed, 101
/// otherwise, and where the tests could not be run.
pub fn run(options: Options) -> ExitCode {
    let arguments = Arguments::from_args();
    match trials(options) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(BROKEN)
        }
    }
}

/// What all trials share.
struct Gate {
    checker: Checker,
    /// Lives as long as the process: so does the session, if it speaks in one.
    emitter: &'static Emitter,
    limits: RunLimits,
    /// Opened by the first trial that runs, since listing must start nothing.
    emit: OnceLock<Result<Subprocess<'static>, String>>,
    reproduce: Reproduce,
}

fn trials(options: Options) -> Result<Vec<Trial>, Problem> {
    let folder = std::env::current_dir().map_err(Problem::new)?;
    let emitter = Emitter::resolve(&options.emitter, &options.arguments, &folder).map_err(Problem::new)?;
    let suites = suites(&options, emitter.suites())?;
    let jobs = plan::scenarios(&suites, None).map_err(Problem::new)?;
    if jobs.is_empty() {
        return Err(Problem("there is no scenario to run".to_owned()));
    }
    let mut limits = RunLimits::default();
    if let Some(time) = options.timeout.or(emitter.timeout()) {
        limits.time = time;
    }
    emitter::adopt_orphans();
    let gate = Arc::new(Gate {
        checker: Checker {
            schemas: Schemas::embedded().map_err(Problem)?,
            settings: Settings { strict: options.strict, ..Settings::default() },
            limits: Limits::default(),
            suite: None,
        },
        emitter: Box::leak(Box::new(emitter)),
        limits,
        emit: OnceLock::new(),
        reproduce: Reproduce::new(&options.emitter, options.strict, &options.arguments),
    });
    Ok(jobs.into_iter().map(|job| trial(Arc::clone(&gate), job)).collect())
}

fn trial(gate: Arc<Gate>, job: Job) -> Trial {
    let (name, kind) = (job.scenario.name.clone(), job.suite.id);
    Trial::ignorable_test(name, move || gate.conduct(&job)).with_kind(kind)
}

impl Gate {
    fn conduct(&self, job: &Job) -> Result<Completion, Failed> {
        let emit = self.emit.get_or_init(|| self.open()).as_ref().map_err(Failed::from)?;
        match conduct(&self.checker, emit, job, Some(self.reproduce.command(&job.name()))) {
            Conducted::Judged(result) | Conducted::NotStarted(result) => completion(&result, Detail::Normal),
            Conducted::Interrupted => Err(Failed::from("interrupted")),
        }
    }

    fn open(&self) -> Result<Subprocess<'static>, String> {
        let cancel = Cancel::new().map_err(|error| error.to_string())?;
        let emitter = self.emitter.open(&self.limits, &cancel).map_err(|error| error.to_string())?;
        Ok(Subprocess { emitter, limits: self.limits.clone(), cancel })
    }
}

fn suites(options: &Options, claimed: Option<&[String]>) -> Result<Vec<&'static Suite>, Problem> {
    let ids = if options.suites.is_empty() { claimed.unwrap_or_default() } else { &options.suites };
    if ids.is_empty() {
        return Ok(suite::all().collect());
    }
    ids.iter().map(|id| suite::by_id(id).ok_or_else(|| Problem(format!("no such suite: {id}")))).collect()
}

/// Why the tests cannot be run.
struct Problem(String);

impl Problem {
    fn new(problem: impl fmt::Display) -> Self {
        Problem(problem.to_string())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
