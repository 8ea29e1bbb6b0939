//! Process mode: one process for each scenario.

use std::process::ExitStatus;
use std::time::Duration;

use super::leftover::Leftover;
use super::output::{self, Excess, Written};
use super::process::{self, Finished, Stop, Task};
use super::room::Room;
use super::rules;
use super::{Cancel, Emission, Emitter, Outcome, RawDocument, Request, RunLimits, exit};
use crate::finding::Finding;

/// The exit code by which an emitter says that it does not support a scenario.
const UNSUPPORTED: i32 = 77;

impl Emitter {
    /// Starts the emitter over one scenario, in a temporary folder of its own, and waits for its end. Whatever the emitter
    /// does, this returns: soon after the time limit at the latest, and at once when the run is cancelled.
    pub fn emit(&self, request: &Request<'_>, limits: &RunLimits, cancel: &Cancel) -> Emission {
        if cancel.is_cancelled() {
            return interrupted();
        }
        let room = match Room::new(request.json) {
            Ok(room) => room,
            Err(error) => return not_started(format!("no temporary folder could be made for the emitter: {error}")),
        };
        let stdin = match room.stdin() {
            Ok(stdin) => stdin,
            Err(error) => return not_started(format!("the scenario's file cannot be read back: {error}")),
        };
        let mut command = self.command();
        command
            .env("CONFORM_PROTOCOL", "1")
            .env("CONFORM_SUITE", request.suite)
            .env("CONFORM_SCENARIO", request.scenario)
            .env("CONFORM_SCENARIO_FILE", &room.scenario)
            .env("CONFORM_OUT", &room.out)
            .current_dir(&room.work)
            .stdin(stdin);
        let marker = room.out.to_str().map(|out| format!("CONFORM_OUT={out}"));
        let written = || output::size(&room.out, limits);
        let task = Task { command, marker: marker.as_deref(), written: &written };
        match process::run(task, limits, cancel) {
            Ok(finished) => {
                let budget = limits.output.saturating_sub(finished.stdout.len() as u64);
                let written = output::collect(&room.out, limits, budget);
                conclude(finished, written, limits)
            }
            Err(error) => not_started(self.start_problem(&error)),
        }
    }

    pub(super) fn start_problem(&self, error: &std::io::Error) -> String {
        const NO_EXEC_FORMAT: i32 = rustix::io::Errno::NOEXEC.raw_os_error();
        let program = self.program().display();
        match (error.raw_os_error(), error.kind()) {
            (Some(NO_EXEC_FORMAT), _) => {
                format!("{program} is neither a program for this machine nor a script that begins with `#!`")
            }
            (_, std::io::ErrorKind::NotFound) => {
                format!(
                    "{program} could not be started: it, or the interpreter that its first line names, is not there"
                )
            }
            _ => format!("{program} could not be started: {error}"),
        }
    }
}

/// Reads the end of a process and its output as the protocol does.
fn conclude(finished: Finished, written: Written, limits: &RunLimits) -> Emission {
    let Finished { status, stop, stdout, stderr, left_behind, pipe_held, duration } = finished;
    let emission =
        |outcome, documents, findings| Emission { outcome, documents, findings, stderr: stderr.clone(), duration };
    if stop == Some(Stop::Cancelled) {
        return emission(Outcome::Interrupted, Vec::new(), Vec::new());
    }
    let mut findings = Vec::new();
    findings.extend(stop.and_then(|stop| stopped(stop, limits, stdout.is_empty() && written.is_empty())));
    if stop.is_none() {
        findings.extend(status.and_then(failed));
    }
    if !left_behind.is_empty() || pipe_held && stop.is_none() {
        findings.push(left(&left_behind));
    }
    if !findings.is_empty() && findings.iter().any(|finding| finding.obligation != rules::LEFT_BEHIND.id) {
        return emission(Outcome::Failed, Vec::new(), findings);
    }
    if status.and_then(|status| status.code()) == Some(UNSUPPORTED) {
        let reason = stderr.lines().next().unwrap_or_default().trim().to_owned();
        let outcome = if findings.is_empty() { Outcome::Unsupported(reason) } else { Outcome::Failed };
        return emission(outcome, Vec::new(), findings);
    }
    findings.extend(written.irregular.iter().map(|(name, what)| irregular(name, what)));
    if let Some(excess) = written.excess {
        findings.push(too_much(excess, limits));
        return emission(Outcome::Failed, Vec::new(), findings);
    }
    let documents = if !written.is_empty() {
        written.documents
    } else if !stdout.is_empty() {
        vec![RawDocument { name: "stdout".to_owned(), bytes: stdout }]
    } else {
        findings.push(nothing());
        Vec::new()
    };
    let outcome = if documents.is_empty() { Outcome::Failed } else { Outcome::Emitted };
    emission(outcome, documents, findings)
}

pub(super) fn interrupted() -> Emission {
    Emission {
        outcome: Outcome::Interrupted,
        documents: Vec::new(),
        findings: Vec::new(),
        stderr: String::new(),
        duration: Duration::ZERO,
    }
}

pub(super) fn not_started(problem: String) -> Emission {
    Emission {
        outcome: Outcome::NotStarted,
        documents: Vec::new(),
        findings: vec![rules::START.finding(problem)],
        stderr: String::new(),
        duration: Duration::ZERO,
    }
}

fn stopped(stop: Stop, limits: &RunLimits, silent: bool) -> Option<Finding> {
    match stop {
        Stop::Time => Some(timeout(limits, silent)),
        Stop::Output => Some(too_much(Excess::Bytes, limits)),
        Stop::Cancelled => None,
    }
}

pub(super) fn timeout(limits: &RunLimits, silent: bool) -> Finding {
    let so_far = if silent { "nothing" } else { "something" };
    let seconds = limits.time.as_secs_f64();
    rules::TIMEOUT
        .finding(format!(
            "the emitter was still running after {seconds} s, had emitted {so_far}, and was killed with its whole process group"
        ))
        .help("find what it waits for; if it only needs longer, raise the limit with --timeout")
}

pub(super) fn too_much(excess: Excess, limits: &RunLimits) -> Finding {
    let message = match excess {
        Excess::Bytes => format!(
            "the emitter wrote more than {} bytes to standard output and files under CONFORM_OUT; nothing of it was judged",
            limits.output
        ),
        Excess::Entries => format!(
            "there are more than {} files and folders under CONFORM_OUT; nothing of them was judged",
            limits.entries
        ),
    };
    rules::OUTPUT_LIMIT.finding(message).help("emit the scenario's documents and nothing else")
}

/// The finding on how a process ended by itself, unless it was with 0 or "unsupported".
pub(super) fn failed(status: ExitStatus) -> Option<Finding> {
    let how = exit::describe(status);
    let finding = match status.code() {
        Some(0 | UNSUPPORTED) => return None,
        Some(_) => {
            rules::EXIT.finding(format!("the emitter {how}, where 0 (emitted) or 77 (unsupported) was expected"))
        }
        None => rules::SIGNAL.finding(format!("the emitter {how}")),
    };
    let advice = exit::advice(status).unwrap_or_else(|| "its standard error may say why".to_owned());
    Some(finding.help(advice))
}

pub(super) fn left(left_behind: &[Leftover]) -> Finding {
    let processes: Vec<_> = left_behind.iter().map(|left| format!("{} ({})", left.name, left.pid)).collect();
    let message = if processes.is_empty() {
        "the emitter exited, but some process that it started still holds its standard output or standard error open"
            .to_owned()
    } else {
        format!("the emitter exited and left behind, now killed: {}", processes.join(", "))
    };
    rules::LEFT_BEHIND.finding(message).help("wait for every process that it starts, or stop it, before it exits")
}

fn irregular(name: &str, what: &str) -> Finding {
    rules::IRREGULAR_FILE
        .finding(format!("`{}` under CONFORM_OUT is {what}, where a regular file was expected", name.escape_debug()))
        .help("write the document itself into the folder that CONFORM_OUT names")
}

pub(super) fn nothing() -> Finding {
    rules::NO_DOCUMENT
        .finding("the emitter reported success and emitted nothing")
        .help("write the document to standard output or under CONFORM_OUT; for a scenario that it does not support, exit with 77")
}
