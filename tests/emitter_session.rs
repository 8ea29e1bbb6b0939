//! Session mode of the emitter protocol, against a session that misbehaves on request.

use std::path::Path;
use std::time::Duration;

use conform::emitter::{
    Cancel, Emission, Emitter, EmitterError, ErrorKind, Greeting, Mode, OpenEmitter, Outcome, Request, RunLimits,
};

/// The scripted session, or any other command.
fn emitter(command: &str) -> Emitter {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/emitters/session");
    Emitter::resolve(command, &[], &fixtures).unwrap().with_mode(Mode::Session)
}

fn limits() -> RunLimits {
    RunLimits { output: 64 << 10, ..RunLimits::default() }
}

/// Limits for what runs into the time limit.
fn brief() -> RunLimits {
    RunLimits { time: Duration::from_millis(500), ..limits() }
}

fn ask(open: &OpenEmitter<'_>, scenario: &str) -> Emission {
    let request = Request { suite: "mavai-optimize-1", scenario, json: r#"{"conform":1,"input":{"n":[1,2.50]}}"# };
    let limits = if scenario == "hang" { brief() } else { limits() };
    open.emit(&request, &limits, &Cancel::new().unwrap())
}

fn ids(emission: &Emission) -> Vec<&str> {
    emission.findings.iter().map(|finding| finding.obligation.as_str()).collect()
}

fn text(emission: &Emission) -> &str {
    assert_eq!(emission.outcome, Outcome::Emitted, "{emission:#?}");
    std::str::from_utf8(&emission.documents[0].bytes).unwrap()
}

#[test]
fn one_process_answers_every_scenario() {
    let emitter = emitter("./scripted.sh");
    let cancel = Cancel::new().unwrap();
    let open = emitter.open(&limits(), &cancel).unwrap();
    assert_eq!(
        open.greeting(),
        &Greeting {
            name: Some("scripted".to_owned()),
            version: Some("2.0".to_owned()),
            suites: Some(vec!["mavai-optimize-1".to_owned()])
        }
    );
    assert_eq!(text(&ask(&open, "process-id")), text(&ask(&open, "process-id")));

    let echo = ask(&open, "echo");
    assert_eq!(text(&echo), "one\ntwo");
    assert_eq!(
        std::str::from_utf8(&echo.documents[1].bytes).unwrap(),
        "{'id':3,'suite':'mavai-optimize-1','scenario':'echo','input':{'n':[1,2.5]}}"
    );
    assert_eq!(ask(&open, "unsupported").outcome, Outcome::Unsupported("no percentile latency here".to_owned()));
    assert_eq!(ask(&open, "stderr").stderr, "about stderr\n");
    assert_eq!(ask(&open, "echo").stderr, "", "standard error belongs to its scenario");
    assert_eq!(open.close(&limits(), &cancel), []);
}

#[test]
fn a_large_scenario_gets_through() {
    let emitter = emitter("./scripted.sh");
    let open = emitter.open(&limits(), &Cancel::new().unwrap()).unwrap();
    let json = format!(r#"{{"input":"{}"}}"#, "x".repeat(400_000));
    let request = Request { suite: "s", scenario: "large", json: &json };
    let limits = RunLimits::default();
    let emission = open.emit(&request, &limits, &Cancel::new().unwrap());
    assert!(text(&emission).parse::<usize>().unwrap() > 400_000);
}

#[test]
fn what_breaks_the_session_fails_its_scenario_and_no_other() {
    let emitter = emitter("./scripted.sh");
    let open = emitter.open(&limits(), &Cancel::new().unwrap()).unwrap();
    let mut process = text(&ask(&open, "process-id")).to_owned();
    for (scenario, id) in [
        ("crash", "process/signal"),
        ("exit-3", "process/exit"),
        ("exit-0", "process/protocol"),
        ("held", "process/protocol"),
        ("mute", "process/protocol"),
        ("hang", "process/timeout"),
        ("flood", "process/output-limit"),
        ("flood-line", "process/output-limit"),
        ("wrong-id", "process/protocol"),
        ("half", "process/protocol"),
        ("partial", "process/protocol"),
        ("not-utf8", "process/protocol"),
    ] {
        let emission = ask(&open, scenario);
        assert_eq!(ids(&emission), [id], "{scenario}: {emission:#?}");
        assert_eq!((emission.outcome, emission.documents.len()), (Outcome::Failed, 0), "{scenario}");
        let next = ask(&open, "process-id");
        assert_eq!(ids(&next), [""; 0], "{scenario}");
        assert_ne!(text(&next), process, "after {scenario} the session was started again");
        process = text(&next).to_owned();
    }
    assert_eq!(ask(&open, "crash").stderr, "about to crash\n");
}

#[test]
fn a_wrong_answer_fails_its_scenario_and_the_session_goes_on() {
    let emitter = emitter("./scripted.sh");
    let open = emitter.open(&limits(), &Cancel::new().unwrap()).unwrap();
    let process = text(&ask(&open, "process-id")).to_owned();
    for (scenario, id) in [
        ("error", "process/error"),
        ("empty", "process/no-document"),
        ("both", "process/protocol"),
        ("neither", "process/protocol"),
        ("no-text", "process/protocol"),
    ] {
        let emission = ask(&open, scenario);
        assert_eq!(ids(&emission), [id], "{scenario}");
        assert_eq!((emission.outcome, emission.documents.len()), (Outcome::Failed, 0), "{scenario}");
    }
    let talk = ask(&open, "talk");
    assert_eq!(ids(&talk), ["process/protocol"]);
    assert_eq!(
        talk.findings[0].message,
        "the emitter wrote `sample 1` and 1 more such lines to standard output, where only answers may be"
    );
    assert_eq!(text(&talk), "y", "what can be judged is");
    assert_eq!(text(&ask(&open, "process-id")), process);
}

#[test]
fn an_answer_that_nobody_asked_for_is_taken_for_none() {
    let emitter = emitter("./scripted.sh");
    let open = emitter.open(&limits(), &Cancel::new().unwrap()).unwrap();
    for scenario in ["twice", "early"] {
        assert_eq!(text(&ask(&open, scenario)), "y");
        let next = ask(&open, "process-id");
        assert_eq!((ids(&next), next.documents.len()), (vec!["process/protocol"], 0), "{scenario}");
        let message = &next.findings[0].message;
        assert!(message.contains("it was there before anything was asked: `{\"id\":"), "{message}");
        assert_eq!(ids(&ask(&open, "process-id")), [""; 0], "after {scenario} the session was started again");
    }
}

#[test]
fn the_end_of_a_session_is_judged() {
    let cancel = Cancel::new().unwrap();
    for (command, expected) in [
        ("./scripted.sh", None),
        ("./scripted.sh stay", Some("process/timeout")),
        ("./scripted.sh fail", Some("process/exit")),
        ("./scripted.sh leave", Some("process/left-behind")),
    ] {
        let emitter = emitter(command);
        let findings = emitter.open(&limits(), &cancel).unwrap().close(&limits(), &cancel);
        let found: Vec<_> = findings.iter().map(|finding| &*finding.obligation).collect();
        assert_eq!(found, Vec::from_iter(expected), "{command}");
    }
}

#[test]
fn a_refused_greeting_says_why() {
    let said = |command: &str| {
        let limits = if command.contains("sleep") { brief() } else { limits() };
        let error = emitter(command).open(&limits, &Cancel::new().unwrap()).unwrap_err();
        assert!(matches!(error, EmitterError::Handshake { .. }) && error.kind() == ErrorKind::NotStarted);
        error.to_string()
    };
    for (script, expected) in [
        ("exit 3", "it exited with 3 instead of answering {\"conform\":1}"),
        (
            "echo no licence >&2; exit 3",
            "it exited with 3 instead of answering {\"conform\":1}; its standard error ends\n    no licence",
        ),
        ("echo '{\"conform\":2}'", "it speaks version 2 of the protocol, where 1 was expected"),
        ("echo '{}'", "it answered `{}`, where {\"conform\":1,…} was expected"),
        (
            "echo ready; echo '{\"conform\":1}'",
            "it wrote `ready` before its greeting; only answers may go to standard output",
        ),
        (
            "echo '{\"conform\":1,\"suites\":[1]}'",
            "in its greeting `suites` is [1], where an array of strings was expected",
        ),
        (
            "echo '{\"conform\":1,\"emitter\":{\"name\":1}}'",
            "in its greeting `emitter.name` is 1, where a string was expected",
        ),
        ("sleep 600", "it did not answer {\"conform\":1} within 0.5 s"),
        ("exec yes", "it wrote more than 65536 bytes instead of a greeting"),
    ] {
        let command = shell_words::join(["sh", "-c", script]);
        assert_eq!(said(&command), format!("the emitter opened no session: {expected}"), "{script}");
    }
}

#[test]
fn process_mode_opens_without_a_session() {
    let emitter = emitter("./scripted.sh").with_mode(Mode::Process);
    let cancel = Cancel::new().unwrap();
    let open = emitter.open(&limits(), &cancel).unwrap();
    assert_eq!(open.greeting(), &Greeting::default());
    assert_eq!(ids(&ask(&open, "echo")), ["process/exit"]);
    assert_eq!(open.close(&limits(), &cancel), []);
}

#[test]
fn cancelling_ends_the_session() {
    let emitter = emitter("./scripted.sh");
    let cancel = Cancel::new().unwrap();
    let open = emitter.open(&limits(), &cancel).unwrap();
    let request = Request { suite: "s", scenario: "hang", json: "{}" };
    let emission = std::thread::scope(|scope| {
        let running = scope.spawn(|| open.emit(&request, &RunLimits::default(), &cancel));
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
        running.join().unwrap()
    });
    assert_eq!((emission.outcome, emission.findings.len()), (Outcome::Interrupted, 0));
    assert_eq!(open.emit(&request, &limits(), &cancel).outcome, Outcome::Interrupted);
    assert_eq!(open.close(&limits(), &cancel), []);
}
