//! Session mode: one process for the whole run, which is started again when it breaks.

use std::process::ExitStatus;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::output::Excess;
use super::process_mode::{failed, interrupted, left, not_started, nothing, timeout, too_much};
use super::session::{Answer, Broken, Session};
use super::{Cancel, Emission, Emitter, EmitterError, Mode, Outcome, RawDocument, Request, RunLimits, exit, rules};
use crate::finding::Finding;

/// An emitter that is ready for scenarios, in whichever mode it runs. May be shared by threads; a session answers them one
/// after the other.
#[derive(Debug)]
pub struct OpenEmitter<'e> {
    emitter: &'e Emitter,
    session: Option<Mutex<State>>,
    greeting: Greeting,
}

#[derive(Debug)]
struct State {
    session: Option<Session>,
    next_id: u64,
}

/// What an emitter says about itself when a session opens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Greeting {
    pub name: Option<String>,
    pub version: Option<String>,
    /// The suites that it claims; `None` where it does not say.
    pub suites: Option<Vec<String>>,
}

impl Emitter {
    /// Makes the emitter ready. In session mode this starts it and greets it; in process mode nothing is started yet.
    ///
    /// # Errors
    /// Where the process cannot be started or does not answer the greeting as the protocol demands.
    pub fn open(&self, limits: &RunLimits, cancel: &Cancel) -> Result<OpenEmitter<'_>, EmitterError> {
        if self.mode() == Mode::Process {
            return Ok(OpenEmitter { emitter: self, session: None, greeting: Greeting::default() });
        }
        let (session, greeting) = greet(self, limits, cancel)?;
        let state = State { session: Some(session), next_id: 1 };
        Ok(OpenEmitter { emitter: self, session: Some(Mutex::new(state)), greeting })
    }
}

impl OpenEmitter<'_> {
    /// The mode that it is open in.
    pub fn mode(&self) -> Mode {
        self.emitter.mode()
    }

    /// What it said about itself; empty in process mode.
    pub fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Has one scenario emitted, within the limits. A session that broke in an earlier scenario is started again first.
    pub fn emit(&self, request: &Request<'_>, limits: &RunLimits, cancel: &Cancel) -> Emission {
        let Some(session) = &self.session else { return self.emitter.emit(request, limits, cancel) };
        // A thread that panicked while it held the lock left the session in an unknown state.
        let mut state = session.lock().unwrap_or_else(|poisoned| {
            let mut state = poisoned.into_inner();
            state.session = None;
            state
        });
        if cancel.is_cancelled() {
            return interrupted();
        }
        let mut current =
            match state.session.take().map_or_else(|| greet(self.emitter, limits, cancel).map(|(new, _)| new), Ok) {
                Ok(current) => current,
                Err(_) if cancel.is_cancelled() => return interrupted(),
                Err(error) => return not_started(format!("the session could not be started again: {error}")),
            };
        let id = state.next_id;
        let Ok(line) = line(id, request) else {
            state.session = Some(current);
            return not_started("the scenario is no JSON object, which is a fault of whoever made it".to_owned());
        };
        state.next_id += 1;
        let started = Instant::now();
        let asked = current
            .expect_silence(limits)
            .and_then(|()| current.ask(&line, |answer| answers(answer, id), limits, cancel));
        let duration = started.elapsed();
        let stderr = current.take_stderr(limits);
        match asked {
            Ok(answer) => {
                state.session = Some(current);
                conclude(answer, stderr, duration)
            }
            Err(broken) => {
                drop(current);
                let findings: Vec<_> = broke(broken, limits).into_iter().collect();
                let outcome = if findings.is_empty() { Outcome::Interrupted } else { Outcome::Failed };
                Emission { outcome, documents: Vec::new(), findings, stderr, duration }
            }
        }
    }

    /// Ends the session. The findings say how its end broke the protocol; in process mode there are none.
    pub fn close(self, limits: &RunLimits, cancel: &Cancel) -> Vec<Finding> {
        let state = self.session.and_then(|session| session.into_inner().ok());
        let Some(session) = state.and_then(|state| state.session) else { return Vec::new() };
        let (status, leftovers) = session.close(limits, cancel);
        if cancel.is_cancelled() {
            return Vec::new();
        }
        let mut findings = Vec::new();
        match status {
            Some(status) if status.success() => {}
            Some(status) => findings.push(failed(status).unwrap_or_else(|| ended(Some(status)))),
            None => findings.push(
                rules::TIMEOUT
                    .finding(format!(
                        "the session was still running {} s after the end of its input, and was killed",
                        limits.parting().as_secs_f64()
                    ))
                    .help("exit when standard input ends"),
            ),
        }
        if !leftovers.is_empty() {
            findings.push(left(&leftovers));
        }
        findings
    }
}

/// Starts a session and exchanges greetings.
fn greet(emitter: &Emitter, limits: &RunLimits, cancel: &Cancel) -> Result<(Session, Greeting), EmitterError> {
    let mut session = Session::start(emitter, limits)
        .map_err(|error| EmitterError::Handshake { problem: emitter.start_problem(&error), stderr: String::new() })?;
    let answer = session.ask(r#"{"conform":1}"#, |_| Ok(()), limits, cancel);
    let problem = match answer {
        Ok(Answer { noise: Some((line, _)), .. }) => {
            format!("it wrote `{}` before its greeting; only answers may go to standard output", shorten(&line))
        }
        Ok(Answer { object, noise: None }) => match greeting(&object) {
            Ok(greeting) => return Ok((session, greeting)),
            Err(problem) => problem,
        },
        Err(Broken::Exited(Some(status))) => {
            format!("it {} instead of answering {{\"conform\":1}}", exit::describe(status))
        }
        Err(Broken::Exited(None)) => "it closed its standard output instead of answering {\"conform\":1}".to_owned(),
        Err(Broken::Garbled(line, problem)) => format!("it answered `{}`, and {problem}", shorten(&line)),
        Err(Broken::Time) => {
            format!("it did not answer {{\"conform\":1}} within {} s", limits.time.as_secs_f64())
        }
        Err(Broken::Output) => format!("it wrote more than {} bytes instead of a greeting", limits.output),
        Err(Broken::Cancelled) => "the run was cancelled".to_owned(),
        Err(Broken::System(error)) => format!("the system failed: {error}"),
    };
    Err(EmitterError::Handshake { problem, stderr: session.take_stderr(limits) })
}

fn greeting(object: &Map<String, Value>) -> Result<Greeting, String> {
    match object.get("conform") {
        Some(version) if version.as_u64() == Some(1) => {}
        Some(other) => {
            return Err(format!(
                "it speaks version {} of the protocol, where 1 was expected",
                shorten(&other.to_string())
            ));
        }
        None => {
            return Err(format!(
                "it answered `{}`, where {{\"conform\":1,…}} was expected",
                shorten(&Value::Object(object.clone()).to_string())
            ));
        }
    }
    let text = |value: Option<&Value>, name: &str| match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => {
            Err(format!("in its greeting `{name}` is {}, where a string was expected", shorten(&other.to_string())))
        }
    };
    let emitter = object.get("emitter");
    let suites = match object.get("suites") {
        None | Some(Value::Null) => None,
        Some(Value::Array(suites)) if suites.iter().all(Value::is_string) => {
            Some(suites.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        Some(other) => {
            return Err(format!(
                "in its greeting `suites` is {}, where an array of strings was expected",
                shorten(&other.to_string())
            ));
        }
    };
    let part = |name: &str| emitter.and_then(|emitter| emitter.get(name));
    Ok(Greeting {
        name: text(part("name"), "emitter.name")?,
        version: text(part("version"), "emitter.version")?,
        suites,
    })
}

/// The line that asks for a scenario.
fn line(id: u64, request: &Request<'_>) -> serde_json::Result<String> {
    let scenario: Map<String, Value> = serde_json::from_str(request.json)?;
    let input = scenario.get("input").unwrap_or(&Value::Null);
    Ok(json!({ "id": id, "suite": request.suite, "scenario": request.scenario, "input": input }).to_string())
}

/// What an object objects to being the answer to a request.
fn answers(object: &Map<String, Value>, id: u64) -> Result<(), String> {
    match object.get("id") {
        Some(Value::Number(number)) if number.as_u64() == Some(id) => Ok(()),
        Some(other) => Err(format!("its id is {}, where {id} was asked", shorten(&other.to_string()))),
        None => Err(format!("it has no id, where {id} was asked")),
    }
}

fn conclude(answer: Answer, stderr: String, duration: Duration) -> Emission {
    let mut findings: Vec<_> = answer.noise.map(|(line, count)| noise(&line, count)).into_iter().collect();
    let given: Vec<_> =
        ["documents", "unsupported", "error"].into_iter().filter(|&key| answer.object.contains_key(key)).collect();
    let mut documents = Vec::new();
    let mut reason = None;
    match given[..] {
        ["documents"] => match answer.object.get("documents").map(read_documents) {
            Some(Ok(read)) if !read.is_empty() => documents = read,
            Some(Err(problem)) => findings.push(garbled(&problem)),
            _ => findings.push(nothing()),
        },
        ["unsupported"] => match answer.object.get("unsupported").and_then(Value::as_str) {
            Some(text) => reason = Some(text.trim().to_owned()),
            None => findings.push(garbled("`unsupported` is not the reason as a string")),
        },
        ["error"] => {
            let text =
                answer.object.get("error").map(|error| error.as_str().map_or_else(|| error.to_string(), str::to_owned));
            findings.push(
                rules::ERROR.finding(format!("the emitter reports an error: {}", shorten(&text.unwrap_or_default()))),
            );
        }
        [] => findings.push(garbled("it has none of `documents`, `unsupported` and `error`")),
        _ => findings.push(garbled(&format!("it has `{}` at once", given.join("` and `")))),
    }
    let outcome = match reason {
        Some(reason) if findings.is_empty() => Outcome::Unsupported(reason),
        _ if !documents.is_empty() => Outcome::Emitted,
        _ => Outcome::Failed,
    };
    Emission { outcome, documents, findings, stderr, duration }
}

fn read_documents(value: &Value) -> Result<Vec<RawDocument>, String> {
    let items = value.as_array().ok_or("`documents` is no array")?;
    let document = |(at, item): (usize, &Value)| {
        let text = |key: &str| {
            let text = item.get(key).and_then(Value::as_str);
            text.map(str::to_owned).ok_or_else(|| format!("`documents[{at}].{key}` is not there or no string"))
        };
        Ok(RawDocument { name: text("name")?, bytes: text("text")?.into_bytes() })
    };
    items.iter().enumerate().map(document).collect()
}

/// The finding on a session that broke in a scenario; none when the run was cancelled.
fn broke(broken: Broken, limits: &RunLimits) -> Option<Finding> {
    Some(match broken {
        Broken::Cancelled => return None,
        Broken::Time => timeout(limits, true),
        Broken::Output => too_much(Excess::Bytes, limits),
        Broken::Exited(status) => status.and_then(failed).unwrap_or_else(|| ended(status)),
        Broken::Garbled(line, problem) => garbled(&format!("{problem}: `{}`", shorten(&line))),
        Broken::System(error) => {
            rules::START.finding(format!("the system failed while the session was running: {error}"))
        }
    })
}

fn ended(status: Option<ExitStatus>) -> Finding {
    let how = status.map_or_else(|| "closed its standard output".to_owned(), exit::describe);
    rules::PROTOCOL
        .finding(format!("the session {how}, where an answer or the end of its input was expected"))
        .help("answer every request, and exit only when standard input ends")
}

fn garbled(problem: &str) -> Finding {
    rules::PROTOCOL.finding(format!("the answer is not what was asked for: {problem}")).help(
        "answer {\"id\":n,…} with the same id and one of \"documents\", \"unsupported\" and \"error\", on one line",
    )
}

fn noise(line: &str, count: usize) -> Finding {
    let more = if count > 1 { format!(" and {} more such lines", count - 1) } else { String::new() };
    rules::PROTOCOL
        .finding(format!("the emitter wrote `{}`{more} to standard output, where only answers may be", shorten(line)))
        .help("write progress and messages to standard error")
}

/// The beginning of a text, on one line and without control characters.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 200;
    let shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() { format!("{shown}…") } else { shown }
}
