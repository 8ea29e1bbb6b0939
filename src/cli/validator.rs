//! `conform --validator`: a consumer is given valid documents and mutants, and what it makes of them is judged.

use std::fmt::Write as _;
use std::time::Instant;

use super::args::{Deny, Format, RunArgs};
use super::error::Error;
use super::exit::Exit;
use super::output::{self, Reports, Screen};
use super::{judging, run};
use crate::check::nearest;
use crate::emitter::{self, Cancel, Consumer, RunLimits};
use crate::mutation::Layer;
use crate::mutation::consumer::conduct::{Conducted, Tally, Trial, conduct};
use crate::mutation::consumer::plan::{Subject, Wanted, plan};
use crate::report::words::{counted, harmless};
use crate::run::conclusion::conclude;
use crate::run::plan::Selection;
use crate::run::results::{EmitterIdentity, Platform, Results, Terms};
use crate::suite::{self, Suite};

/// Tests the validator and shows what it comes to.
pub fn run(args: &RunArgs, command: &str) -> Result<Exit, Error> {
    let begun = Instant::now();
    let folder =
        std::env::current_dir().map_err(|error| Error::Usage(format!("the current folder cannot be told: {error}")))?;
    let consumer = Consumer::resolve(command, &folder).map_err(|error| run::unusable(&error))?;
    let (subjects, left_out) = subjects(args)?;
    if args.list {
        output::print(&subjects.iter().map(|subject| subject.name() + "\n").collect::<String>())?;
        return Ok(Exit::Conformant);
    }
    let deny_warnings = args.judging.deny == Some(Deny::Warnings);
    let cancel = Cancel::new().map_err(|error| Error::Fault(format!("cannot prepare for interruptions: {error}")))?;
    let stop = run::interruptible(&cancel)?;
    let mut reports = Reports::prepare(&args.output)?;
    let mut limits = RunLimits::default();
    limits.time = args.timeout.unwrap_or(limits.time);
    emitter::adopt_orphans();
    let mut screen = Screen::new(&args.output, "operator", deny_warnings);
    let started = jiff::Timestamp::now();
    let trial = Trial {
        consumer: &consumer,
        limits: &limits,
        cancel: &cancel,
        threads: run::threads(args),
        stop: &stop,
        reproduce: &|subject| reproduce(args, command, subject),
    };
    let identity = EmitterIdentity { name: format!("validator {command}"), version: None, command: consumer.argv() };
    let mut results = Results::new(Some(identity), started, Vec::new(), 0);
    results.platform = Some(Platform::here());
    results.terms = Terms { strict: args.judging.strict, deny_warnings, ..Terms::default() };
    reports.begin(&results);
    screen.begin(&results);
    let Conducted { results: conducted, not_started } = conduct(&trial, &subjects, |result| {
        reports.result(result);
        screen.result(result);
    });
    let table = table(&subjects, &conducted.iter().map(|(at, tally, _)| (*at, *tally)).collect::<Vec<_>>(), &left_out);
    let not_run = subjects.len() - conducted.len();
    let elapsed = begun.elapsed().as_secs_f64() * 1e3;
    results.conclude(conducted.into_iter().map(|(.., result)| result).collect(), not_run, elapsed);
    let written = reports.write(&results);
    if args.output.format == Format::Pretty && !args.output.quiet {
        output::print(&table)?;
    }
    let shown = screen.finish(&results, elapsed);
    if let Some(why) = not_started {
        return Err(Error::EmitterNotStarted(format!("the validator could not be started: {why}")));
    }
    super::closing(conclude(&results, deny_warnings).into(), [written, shown])
}

/// The subjects that are to be run, and the operators that have nothing for a validator.
fn subjects(args: &RunArgs) -> Result<(Vec<Subject>, Vec<String>), Error> {
    let suites: Vec<&'static Suite> = match args.judging.suite.as_deref() {
        Some(id) => vec![judging::suite(id)?],
        None => suite::all().collect(),
    };
    let selection = Selection { filters: args.filters.clone(), skip: args.skip.clone(), exact: args.exact };
    let wanted = Wanted {
        seed: args.seed,
        count: args.mutants,
        layer: args.structural.then_some(Layer::Structural),
        selects: &|name| selection.selects(name),
    };
    let (mut subjects, mut left_out, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for suite in suites {
        let planned = plan(suite, &wanted).map_err(Error::Fault)?;
        names.extend(planned.names);
        subjects.extend(planned.subjects);
        left_out.extend(planned.left_out);
    }
    if subjects.is_empty() {
        let advice = match args.filters.first().and_then(|filter| nearest(filter, names.iter().map(String::as_str))) {
            Some(near) => format!("did you mean {near}?"),
            None => "`conform --validator CMD --list` lists them all".to_owned(),
        };
        return Err(Error::NothingSelected(format!("no operator is selected; {advice}")));
    }
    Ok((subjects, left_out))
}

/// Operator × accepted, refused, crashed.
fn table(subjects: &[Subject], tallies: &[(usize, Tally)], left_out: &[String]) -> String {
    let width = subjects.iter().map(|subject| subject.name().len()).max().unwrap_or(0);
    let mut text = format!("\n{:width$}  accepted  refused  crashed  breaks\n", "");
    for (at, tally) in tallies {
        let Some(subject) = subjects.get(*at) else { continue };
        let breaks = subject.operator.map_or_else(|| "nothing".to_owned(), |operator| operator.breaks.join(" "));
        let Tally { accepted, refused, crashed } = tally;
        let name = subject.name();
        let _ = writeln!(
            text,
            "{:width$}  {accepted:>8}  {refused:>7}  {crashed:>7}  {}",
            harmless(&name),
            harmless(&breaks)
        );
    }
    if !left_out.is_empty() {
        let _ = writeln!(
            text,
            "left out: {} whose mutants only warn, or show only beside other documents or against a scenario",
            counted(left_out.len(), "operator")
        );
    }
    text
}

/// The command that runs one subject with the same documents.
fn reproduce(args: &RunArgs, command: &str, subject: &Subject) -> String {
    let mut words = vec!["conform".to_owned(), "--validator".to_owned(), command.to_owned()];
    if args.structural {
        words.push("--structural".to_owned());
    }
    words.extend(["--seed".to_owned(), args.seed.to_string(), "--mutants".to_owned(), args.mutants.to_string()]);
    words.extend(["--suite".to_owned(), subject.suite.id.to_owned(), "--exact".to_owned(), subject.name()]);
    shell_words::join(words)
}
