//! The main form: an emitter is run over scenarios, and what it emits is judged.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use super::args::{Deny, Format, LimitArgs, RunArgs, SessionWhen, TableFormat};
use super::certify::{self, Certifying};
use super::error::Error;
use super::exit::Exit;
use super::output::{self, Reports, Screen};
use super::{expected, judging, list, validator};
use crate::certificate::evidence::Recorder;
use crate::check::{Checker, nearest};
use crate::document::Limits;
use crate::emitter::{self, Cancel, Emitter, EmitterError, ErrorKind, Mode, RunLimits};
use crate::expected::Expectations;
use crate::report::words::harmless;
use crate::run::conclusion::conclude;
use crate::run::emit::{Emit, Subprocess};
use crate::run::mode;
use crate::run::plan::{self, Job, PlanError, Selection};
use crate::run::reproduce::Reproduce;
use crate::run::results::{EmitterIdentity, Platform, Results, Shard, SubjectResult, Terms};
use crate::run::schedule::{Executed, Run, execute};
use crate::run::shard;
use crate::suite::{self, Suite};

/// Runs the emitter and shows what it comes to.
pub fn run(args: &RunArgs) -> Result<Exit, Error> {
    if let Some(command) = &args.validator {
        return validator::run(args, command);
    }
    if args.list && args.emitter.is_none() {
        return list(&part(select(args, None)?, args.shard), args);
    }
    let Some(argument) = args.emitter.as_deref() else {
        let advice = "name it with --emitter, e.g. `conform --emitter ./my-emitter`; `conform --emitter reference` runs the one \
                      that is built in, and `conform check PATH` judges documents without any";
        return Err(Error::Usage(format!("no emitter to run: {advice}")));
    };
    let begun = Instant::now();
    let deny_warnings = args.judging.deny == Some(Deny::Warnings);
    let checker = judging::checker(&args.judging)?;
    let folder =
        std::env::current_dir().map_err(|error| Error::Usage(format!("the current folder cannot be told: {error}")))?;
    let cancel = Cancel::new().map_err(|error| Error::Fault(format!("cannot prepare for interruptions: {error}")))?;
    let stop = interruptible(&cancel)?;
    if args.build {
        Emitter::build(argument, &folder, &cancel).map_err(|error| unusable(&error))?;
    }
    let emitter = Emitter::resolve(argument, &args.emitter_args, &folder).map_err(|error| unusable(&error))?;
    let emitter = match args.session {
        Some(SessionWhen::Always) => emitter.with_mode(Mode::Session),
        Some(SessionWhen::Never | SessionWhen::Auto) => emitter.with_mode(Mode::Process),
        None => emitter,
    };
    let jobs = select(args, emitter.suites())?;
    if args.list {
        return list(&part(jobs, args.shard), args);
    }
    let mut reports = Reports::prepare(&args.output)?;
    let mut limits = RunLimits::default();
    if let Some(time) = args.timeout.or(emitter.timeout()) {
        limits.time = time;
    }
    emitter::adopt_orphans();
    let session = emitter.clone().with_mode(Mode::Session);
    let open = if args.session == Some(SessionWhen::Auto) {
        let tried = mode::faster(&emitter, &session, &jobs, threads(args), &limits, &cancel);
        let (open, measured) = tried.map_err(|error| unusable(&error))?;
        if !args.output.quiet {
            output::note(&measured.to_string());
        }
        open
    } else {
        emitter.open(&limits, &cancel).map_err(|error| unusable(&error))?
    };
    let mode = open.mode();
    let greeting = open.greeting();
    let version = match &greeting.version {
        Some(version) => Some(version.clone()),
        None => emitter.version(&limits, &cancel).map_err(|error| unusable(&error))?,
    };
    let name = greeting.name.as_deref().unwrap_or_else(|| emitter.name()).to_owned();
    let identity = EmitterIdentity { name, version, command: emitter.argv() };
    // What a session claims is known only now, and holds beside what the manifest claims.
    let jobs = match &greeting.suites {
        Some(claimed) => select(args, Some(claimed))?,
        None => jobs,
    };
    let selection = shard::selection(&jobs, &checker.schemas);
    let jobs = part(jobs, args.shard);
    let emit = Subprocess { emitter: open, limits, cancel };

    let started = jiff::Timestamp::now();
    let expectations = args.expected.as_deref().map(|file| {
        Ok((expected::read(file, &identity.name, started)?, expected::Names::all(args.suites.as_deref())?))
    });
    let expectations = expectations.transpose()?;
    let settle = |result: &mut SubjectResult| expectations.iter().for_each(|(known, _)| known.settle(result));
    let certifying = Certifying::prepare(args, &emitter, emitter.mode(), &identity, &checker)?;
    let recorder = certifying.as_ref().map(|certifying| Recorder::new(&emit, certifying.folder()));
    let mut screen = Screen::new(&args.output, "scenario", deny_warnings);
    let reproduce = reproduce(args, argument, mode);
    let run = Run {
        checker: &checker,
        emit: recorder.as_ref().map_or(&emit as &dyn Emit, |recorder| recorder),
        jobs: &jobs,
        threads: threads(args),
        fail_fast: args.fail_fast,
        repeat: args.repeat,
        stop: &stop,
        reproduce: &|job| Some(reproduce.command(&job.name())),
        settle: &settle,
    };
    let mut results = Results::new(Some(identity), started, Vec::new(), 0);
    results.platform = Some(Platform::here());
    results.terms = Terms { strict: args.judging.strict, deny_warnings, repeat: args.repeat };
    if args.score || certifying.is_some() {
        results.mutation = judging::mutation(selection.iter().map(|suite| suite.suite.as_str()))?;
    }
    results.selection = selection;
    results.shard = args.shard;
    reports.begin(&results);
    screen.begin(&results);
    let mut show = |result: &SubjectResult| {
        reports.result(result);
        screen.result(result);
    };
    let Executed { results: mut executed, not_run, not_started } = execute(&run, &mut show);
    let kept = recorder.map_or(Ok(()), Recorder::finish);
    if let Some(mut end) = emit.close() {
        settle(&mut end);
        show(&end);
        executed.push(end);
    }
    let elapsed = begun.elapsed().as_secs_f64() * 1e3;
    results.conclude(executed, not_run, elapsed);
    results.expected =
        expectations.as_ref().map(|(expectations, names)| expectations.audit(&results.results, &names.known()));
    let shown = screen.finish(&results, elapsed);
    let written = reports.write(&results);
    let certified = match certifying {
        Some(certifying) if not_started.is_none() => {
            let expectations = expectations.as_ref().map(|(expectations, _)| expectations);
            kept.map_err(|problem| Error::Usage(format!("--certificate: the evidence is not complete: {problem}")))
                .and_then(|()| certify(certifying, args, &results, &jobs, &checker, expectations))
        }
        Some(certifying) => {
            certifying.abandon();
            Ok(())
        }
        None => Ok(()),
    };
    if let Some(why) = not_started {
        return Err(Error::EmitterNotStarted(format!("the emitter could not be started: {why}")));
    }
    super::closing(conclude(&results, deny_warnings).into(), [written, shown, certified])
}

/// Issues the certificate, where there is to be one, and says what it says.
fn certify(
    certifying: Certifying,
    args: &RunArgs,
    results: &Results,
    jobs: &[Job],
    checker: &Checker,
    expectations: Option<&Expectations>,
) -> Result<(), Error> {
    let said = match certify::refused(results) {
        Some(why) => {
            certifying.abandon();
            format!("no certificate: {why}")
        }
        None => {
            let path = certifying.path().display().to_string();
            let verdict = certifying.issue(results, jobs, checker, expectations)?;
            format!("certificate {}: {}", harmless(&path), verdict.as_str())
        }
    };
    if !args.output.quiet || said.starts_with("no certificate") {
        // Where nobody reads it, there is nobody to tell.
        let _ = writeln!(std::io::stderr().lock(), "{said}");
    }
    Ok(())
}

/// The command that runs one scenario under the same conditions: every flag that bears on what it comes to, and none else.
fn reproduce(args: &RunArgs, emitter: &str, mode: Mode) -> Reproduce {
    let judging = &args.judging;
    let path = |path: &Path| Some(path.display().to_string());
    let mut command = Reproduce::new(emitter, judging.strict, &args.emitter_args);
    if judging.deny.is_some() {
        command.flag("deny", Some("warnings".to_owned()));
    }
    if let Some(folder) = &judging.schemas {
        command.flag("schemas", path(folder));
    }
    for (id, file) in &judging.schema {
        command.flag("schema", Some(format!("{id}={}", file.display())));
    }
    for related in &judging.related {
        command.flag("related", Some(related.clone()));
    }
    if let Some(folder) = &args.suites {
        command.flag("suites", path(folder));
    }
    match (args.session, mode) {
        (None, _) => {}
        (Some(_), Mode::Session) => command.flag("session", None),
        (Some(_), Mode::Process) => command.flag("session", Some("never".to_owned())),
    }
    if args.repeat > 1 {
        command.flag("repeat", Some(args.repeat.to_string()));
    }
    if let Some(timeout) = args.timeout {
        command.flag("timeout", Some(timeout.as_secs_f64().to_string()));
    }
    let LimitArgs { max_bytes, max_depth, max_alias_nodes } = judging.limits;
    let usual = Limits::default();
    for (name, value, usual) in [
        ("max-bytes", max_bytes, usual.bytes),
        ("max-depth", max_depth as u64, usual.depth as u64),
        ("max-alias-nodes", max_alias_nodes as u64, usual.alias_nodes as u64),
    ] {
        if value != usual {
            command.flag(name, Some(value.to_string()));
        }
    }
    command
}

/// The scenarios of a shard.
fn part(mut jobs: Vec<Job>, shard: Option<Shard>) -> Vec<Job> {
    jobs.retain(|job| shard.is_none_or(|shard| shard::holds(shard, &job.name())));
    jobs
}

/// The scenarios that are to be run.
fn select(args: &RunArgs, claimed: Option<&[String]>) -> Result<Vec<Job>, Error> {
    let suites = suites(args.judging.suite.as_deref(), claimed)?;
    let selection = Selection { filters: args.filters.clone(), skip: args.skip.clone(), exact: args.exact };
    let all = plan::scenarios(&suites, args.suites.as_deref()).map_err(|error| match error {
        PlanError::Embedded(_) => Error::Fault(error.to_string()),
        _ => Error::Usage(error.to_string()),
    })?;
    let names: Vec<String> = all.iter().map(Job::name).collect();
    let jobs: Vec<Job> = all.into_iter().filter(|job| selection.selects(&job.name())).collect();
    // A filter that matches nothing is a slip, even beside others that match.
    let idle = args.filters.iter().find(|filter| {
        let one = Selection { filters: vec![(*filter).clone()], skip: Vec::new(), exact: args.exact };
        !names.iter().any(|name| one.selects(name))
    });
    if let Some(filter) = idle {
        let near = nearest(filter, names.iter().map(String::as_str));
        let near = near.or_else(|| nearest(filter, names.iter().filter_map(|name| name.split('/').nth(1))));
        let advice = match near {
            Some(near) => format!("did you mean {near}?"),
            None => "`conform list scenarios` lists them all".to_owned(),
        };
        let how = if args.exact { "is named" } else { "contains" };
        return Err(Error::NothingSelected(format!("no scenario {how} {filter}; {advice}")));
    }
    if jobs.is_empty() {
        let suites: Vec<&str> = suites.iter().map(|suite| suite.id).collect();
        return Err(Error::NothingSelected(format!("nothing to run: no scenario is left of {}", suites.join(", "))));
    }
    Ok(jobs)
}

/// The suites to run: the one asked for, or those that the emitter claims, or all.
fn suites(wanted: Option<&str>, claimed: Option<&[String]>) -> Result<Vec<&'static Suite>, Error> {
    let claimed: Option<Vec<&'static Suite>> =
        claimed.map(|ids| ids.iter().map(|id| judging::suite(id)).collect()).transpose()?;
    match (wanted.map(judging::suite).transpose()?, claimed) {
        (Some(wanted), Some(claimed)) if !claimed.iter().any(|suite| suite.id == wanted.id) => {
            let claimed: Vec<&str> = claimed.iter().map(|suite| suite.id).collect();
            Err(Error::Usage(format!("the emitter does not claim {}; it claims {}", wanted.id, claimed.join(", "))))
        }
        (Some(wanted), _) => Ok(vec![wanted]),
        (None, Some(claimed)) => {
            Ok(suite::all().filter(|suite| claimed.iter().any(|other| other.id == suite.id)).collect())
        }
        (None, None) => Ok(suite::all().collect()),
    }
}

fn list(jobs: &[Job], args: &RunArgs) -> Result<Exit, Error> {
    let palette = output::palette(args.output.color.color);
    let text = match args.output.format {
        Format::Pretty => list::names(jobs, TableFormat::Pretty, &palette),
        Format::Json | Format::Jsonl => list::names(jobs, TableFormat::Json, &palette),
        // As test binaries list their tests, for whatever reads those.
        Format::Terse | Format::Libtest => jobs.iter().map(|job| format!("{}: test\n", job.name())).collect(),
    };
    output::print(&text)?;
    Ok(Exit::Conformant)
}

pub(super) fn threads(args: &RunArgs) -> NonZeroUsize {
    let wanted = args.output.test_threads.and_then(|threads| NonZeroUsize::new(threads.into()));
    wanted.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

pub(super) fn unusable(error: &EmitterError) -> Error {
    match error.kind() {
        ErrorKind::Configuration => Error::Usage(error.to_string()),
        ErrorKind::NotStarted => Error::EmitterNotStarted(error.to_string()),
    }
}

/// Makes Ctrl-C (and a request to terminate) end the run in good order: running emitters are killed, and what is there is shown
/// and written. A second one ends it at once.
pub(super) fn interruptible(cancel: &Cancel) -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, cancel) = (Arc::clone(&stop), cancel.clone());
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            process::exit(Exit::Incomplete.code().into());
        }
        cancel.cancel();
    })
    .map_err(|error| Error::Fault(format!("cannot prepare for interruptions: {error}")))?;
    Ok(stop)
}
