//! Process mode of the emitter protocol, against emitters that misbehave in every way we know of.

use std::path::{Path, PathBuf};
use std::time::Duration;

use conform::emitter::{Cancel, Emission, Emitter, Outcome, Request, RunLimits};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/emitters")
}

fn fixture(name: &str) -> Emitter {
    Emitter::resolve(&format!("./{name}.sh"), &[], &fixtures()).unwrap()
}

const REQUEST: Request<'static> =
    Request { suite: "mavai-optimize-1", scenario: "delivery", json: r#"{"conform":1,"input":{}}"# };

fn emit(name: &str, limits: &RunLimits) -> Emission {
    fixture(name).emit(&REQUEST, limits, &Cancel::new().unwrap())
}

fn run(name: &str) -> Emission {
    emit(name, &RunLimits::default())
}

/// Limits for emitters that run into the time limit.
fn brief() -> RunLimits {
    RunLimits { time: Duration::from_millis(400), ..RunLimits::default() }
}

fn ids(emission: &Emission) -> Vec<&str> {
    emission.findings.iter().map(|finding| finding.obligation.as_str()).collect()
}

fn documents(emission: &Emission) -> Vec<(&str, &str)> {
    let text = |bytes| std::str::from_utf8(bytes).unwrap();
    emission.documents.iter().map(|document| (document.name.as_str(), text(&document.bytes))).collect()
}

#[track_caller]
fn assert_failed(emission: &Emission, expected: &[&str]) {
    assert_eq!(ids(emission), expected, "{emission:#?}");
    assert_eq!(emission.outcome, Outcome::Failed);
    assert!(emission.documents.is_empty(), "a failed emitter's output is not judged");
}

#[track_caller]
fn assert_emitted(emission: &Emission, expected: &[(&str, &str)]) {
    assert_eq!(ids(emission), [""; 0], "{emission:#?}");
    assert_eq!(emission.outcome, Outcome::Emitted);
    assert_eq!(documents(emission), expected);
}

/// Whether a process whose command line holds a text is running.
fn runs(text: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).contains(text))
}

#[test]
fn the_scenario_is_on_standard_input() {
    assert_emitted(&run("echo"), &[("stdout", REQUEST.json)]);
}

#[test]
fn the_environment_is_the_protocols() {
    let expected = "same: yes\nprotocol: 1\nsuite: mavai-optimize-1\nscenario: delivery\nout: 0\nwork: 0\ngreeting: \narguments: \n";
    assert_emitted(&run("protocol"), &[("stdout", expected)]);
}

#[test]
fn every_scenario_has_folders_of_its_own_and_they_go() {
    let (first, second) = (run("where"), run("where"));
    assert_ne!(first.documents, second.documents);
    for path in [first, second].iter().flat_map(documents).flat_map(|(_, text)| text.lines()) {
        let path = Path::new(path);
        assert!(path.is_absolute() && !path.exists(), "{}", path.display());
    }
}

#[test]
fn read_only_folders_go_as_well() {
    let emission = run("read-only");
    assert_emitted(&emission, &[("sealed/a.yaml", "n: 1\n")]);
    let work = Path::new(emission.stderr.trim());
    assert!(work.is_absolute() && !work.parent().unwrap().exists(), "{}", work.display());
}

#[test]
fn files_come_in_order_and_leave_standard_output_free() {
    assert_emitted(&run("two-files"), &[("a.yaml", "n: 1\n"), ("b/second.yaml", "n: 2\n")]);
}

#[test]
fn a_large_scenario_need_not_be_read() {
    let json = format!("{{\"text\":\"{}\"}}", "x".repeat(10 << 20));
    let request = Request { json: &json, ..REQUEST };
    for name in ["closes-stdin", "where"] {
        let emission = fixture(name).emit(&request, &RunLimits::default(), &Cancel::new().unwrap());
        assert_eq!(ids(&emission), [""; 0]);
        assert_eq!(emission.outcome, Outcome::Emitted);
    }
    let emission = fixture("echo").emit(&request, &RunLimits::default(), &Cancel::new().unwrap());
    assert_emitted(&emission, &[("stdout", &json)]);
}

#[test]
fn a_large_document_arrives_whole() {
    let emission = run("five-megabytes");
    assert_eq!(emission.outcome, Outcome::Emitted);
    assert!(
        emission.documents[0].bytes.len() == 5 << 20 && emission.documents[0].bytes.iter().all(|&byte| byte == b'x')
    );
}

#[test]
fn a_long_standard_error_keeps_both_ends() {
    let emission = run("flood-stderr");
    assert_emitted(&emission, &[("stdout", "document: small\n")]);
    assert!(emission.stderr.len() < 66 << 10, "{}", emission.stderr.len());
    assert!(emission.stderr.starts_with("line 0 of"));
    assert!(emission.stderr.contains("bytes left out"));
    assert!(emission.stderr.trim_end().lines().last().unwrap().starts_with("line 1999 of"));
}

#[test]
fn unsupported_is_no_failure_and_has_a_reason() {
    let emission = run("unsupported");
    assert_eq!(emission.outcome, Outcome::Unsupported("no percentile latency here".to_owned()));
    assert_eq!((ids(&emission).len(), emission.documents.len()), (0, 0));
}

#[test]
fn an_exit_code_is_a_failure_whatever_was_emitted() {
    let emission = run("exit-3");
    assert_failed(&emission, &["process/exit"]);
    assert_eq!(
        emission.findings[0].message,
        "the emitter exited with 3, where 0 (emitted) or 77 (unsupported) was expected"
    );
    assert_eq!(emission.stderr, "cannot open the ledger\n");
}

#[test]
fn a_shells_exit_code_is_explained() {
    let emission = run("exit-127");
    assert_failed(&emission, &["process/exit"]);
    assert_eq!(emission.findings[0].help.as_deref(), Some("a shell exits with 127 where it does not find a command"));
}

#[test]
fn a_crash_names_its_signal() {
    for (name, message) in [
        ("segv", "the emitter was killed by signal 11 (SIGSEGV)"),
        ("killed", "the emitter was killed by signal 9 (SIGKILL)"),
    ] {
        let emission = run(name);
        assert_failed(&emission, &["process/signal"]);
        assert_eq!(emission.findings[0].message, message);
    }
}

#[test]
fn exit_0_with_nothing_is_a_failure() {
    assert_failed(&run("silent"), &["process/no-document"]);
}

#[test]
fn what_hangs_is_killed_with_its_group() {
    for name in ["hang", "hang-with-child", "stops-itself"] {
        let emission = emit(name, &brief());
        assert_failed(&emission, &["process/timeout"]);
        assert!(emission.duration >= Duration::from_millis(400));
    }
}

#[test]
fn what_is_left_behind_cannot_hold_the_run() {
    for name in ["child-holds-pipe", "daemon-holds-pipe", "quiet-child"] {
        let emission = run(name);
        assert_eq!(ids(&emission), ["process/left-behind"], "{name}");
        assert_eq!(documents(&emission), [("stdout", "document: whole\n")]);
        assert!(emission.findings[0].message.contains("now killed: sleep ("), "{}", emission.findings[0].message);
        let pid = emission.findings[0].message.rsplit_once('(').unwrap().1.trim_end_matches(')');
        // A killed process takes a moment to go.
        let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_else(|_| ") Z".to_owned());
        let begun = std::time::Instant::now();
        while !state().contains(") Z") {
            assert!(begun.elapsed() < std::time::Duration::from_secs(10), "it is still there: {}", state());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

#[test]
fn what_ends_a_moment_later_is_not_left_behind() {
    assert_emitted(&run("late-child"), &[("stdout", "document: whole\n")]);
}

#[test]
fn a_daemon_that_cannot_be_found_cannot_hold_the_run_either() {
    let emission = run("nameless-daemon");
    assert_eq!(ids(&emission), ["process/left-behind"]);
    assert_eq!(
        emission.findings[0].message,
        "the emitter exited, but some process that it started still holds its standard output or standard error open"
    );
    assert_eq!(documents(&emission), [("stdout", "document: whole\n")]);
}

#[test]
fn an_emitter_may_remove_its_folders() {
    assert_emitted(&run("removes-folders"), &[("stdout", "document: small\n")]);
}

#[test]
fn a_flood_is_stopped() {
    let limits = RunLimits { output: 1 << 20, ..RunLimits::default() };
    for name in ["flood", "flood-file"] {
        assert_failed(&emit(name, &limits), &["process/output-limit"]);
    }
}

#[test]
fn the_output_limit_holds_for_what_ends_by_itself() {
    let limits = |output, entries| RunLimits { output, entries, ..RunLimits::default() };
    assert_failed(&emit("five-megabytes", &limits((5 << 20) - 1, 10)), &["process/output-limit"]);
    assert_eq!(emit("five-megabytes", &limits(5 << 20, 10)).outcome, Outcome::Emitted);
    // Ten bytes in two files and as many on standard output.
    assert_eq!(emit("two-files", &limits(20, 3)).outcome, Outcome::Emitted);
    assert_failed(&emit("two-files", &limits(19, 3)), &["process/output-limit"]);
    assert_failed(&emit("two-files", &limits(20, 2)), &["process/output-limit"]);
    assert_failed(&emit("many-files", &limits(20, 20)), &["process/output-limit"]);
    assert_eq!(emit("many-files", &limits(20, 30)).documents.len(), 30);
}

#[test]
fn only_regular_files_are_emitted() {
    let link = run("symlink");
    assert_failed(&link, &["process/irregular-file"]);
    assert_eq!(
        link.findings[0].message,
        "`run.yaml` under CONFORM_OUT is a symbolic link, where a regular file was expected"
    );
    assert_failed(&run("out-replaced"), &["process/irregular-file"]);

    let pipe = run("fifo");
    assert_eq!(ids(&pipe), ["process/irregular-file"]);
    assert_eq!(documents(&pipe), [("a.yaml", "n: 1\n")], "what can be judged is");
}

#[test]
fn what_cannot_be_started_is_told_apart() {
    for (name, problem) in
        [("no-interpreter", "interpreter that its first line names"), ("no-shebang", "begins with `#!`")]
    {
        let emission = run(name);
        assert_eq!(emission.outcome, Outcome::NotStarted);
        assert_eq!(ids(&emission), ["process/start"]);
        assert!(emission.findings[0].message.contains(problem), "{}", emission.findings[0].message);
    }
}

#[test]
fn cancelling_kills_every_running_emitter() {
    let cancel = Cancel::new().unwrap();
    std::thread::scope(|scope| {
        let running: Vec<_> = ["hang", "hang-with-child", "hang"]
            .map(|name| {
                let cancel = cancel.clone();
                scope.spawn(move || fixture(name).emit(&REQUEST, &RunLimits::default(), &cancel))
            })
            .into();
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
        for emission in running.into_iter().map(|thread| thread.join().unwrap()) {
            assert_eq!(emission.outcome, Outcome::Interrupted);
            assert_eq!((ids(&emission).len(), emission.documents.len()), (0, 0));
            assert!(emission.duration < RunLimits::default().time);
        }
    });
    let emission = fixture("hang").emit(&REQUEST, &RunLimits::default(), &cancel);
    assert_eq!(emission.outcome, Outcome::Interrupted, "nothing runs after a cancellation");
}

#[test]
fn nothing_outlives_a_time_limit() {
    // A command line that no other test has.
    let words = ["sh", "-c", "setsid sleep 6007 & sleep 6007"].map(str::to_owned);
    let emitter = Emitter::resolve(&shell_words::join(&words), &[], &fixtures()).unwrap();
    let emission = emitter.emit(&REQUEST, &brief(), &Cancel::new().unwrap());
    assert_failed(&emission, &["process/timeout"]);
    assert!(!runs("sleep\x006007"));
}
