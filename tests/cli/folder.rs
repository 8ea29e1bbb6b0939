//! `conform check` on a folder of what is already there: what cannot be read, results as they come in, the bar, interruptions.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::Value;

use super::{command, conform, ended, fixtures};

fn document(name: &str) -> Vec<u8> {
    fs::read(fixtures().join("documents").join(name)).unwrap()
}

/// Subject within the folder, verdict, and the obligations found broken.
fn found(folder: &Path, results: &Value) -> Vec<String> {
    let root = folder.display().to_string() + "/";
    let line = |result: &Value| {
        let subject = result["subject"].as_str().unwrap().strip_prefix(&root).unwrap().to_owned();
        let findings = result["findings"].as_array().unwrap().iter();
        let ids: Vec<&str> = findings.map(|finding| finding["obligation"].as_str().unwrap()).collect();
        format!("{subject} {} {}", result["verdict"].as_str().unwrap(), ids.join(" "))
    };
    results["results"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn what_cannot_be_read_is_found_where_it_is_and_the_rest_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a-good.yaml"), document("one-sample.yaml")).unwrap();
    fs::write(at("b-empty.yaml"), "").unwrap();
    fs::write(at("c-latin1.yaml"), b"name: caf\xe9\n").unwrap();
    fs::write(at("d-binary.json"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01").unwrap();
    symlink("nowhere.yaml", at("e-gone.yaml")).unwrap();
    symlink("f-itself.yaml", at("f-itself.yaml")).unwrap();
    symlink("/dev/zero", at("g-endless.yaml")).unwrap();
    assert!(Command::new("mkfifo").arg(at("h-pipe.yaml")).status().unwrap().success());
    fs::create_dir(at("i-folder.yaml")).unwrap();
    fs::write(at("i-folder.yaml/z.yaml"), document("warned.yaml")).unwrap();
    let ran = conform(&format!("check {} --format json", folder.path().display()));
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(found(folder.path(), &ran.json()).join("\n"), @r"
    a-good.yaml pass 
    b-empty.yaml fail document/empty
    c-latin1.yaml fail document/utf8
    d-binary.json fail document/utf8
    e-gone.yaml fail document/unreadable
    f-itself.yaml fail document/unreadable
    g-endless.yaml fail document/unreadable
    h-pipe.yaml fail document/unreadable
    i-folder.yaml/z.yaml pass document/stable-type
    ");
    let shown = conform(&format!("check {}/e-gone.yaml {0}/h-pipe.yaml", folder.path().display()));
    assert_snapshot!(shown.shown().replace(&folder.path().display().to_string(), "FOLDER"), @r"
    exit 1
    --- stdout
    FAIL FOLDER/e-gone.yaml
      document/unreadable (stated): the link leads to nowhere.yaml, which cannot be opened: No such file or directory (os error 2)
    FAIL FOLDER/h-pipe.yaml
      document/unreadable (stated): a pipe, a socket or a device stands where a regular file is expected
        = help: give a regular file, or pipe the document to `-`

    FAIL FOLDER/e-gone.yaml: document/unreadable
    FAIL FOLDER/h-pipe.yaml: document/unreadable

    By obligation:
    error   document/unreadable in 2 documents: 2 findings

    2 documents: 0 passed, 2 failed; 2 errors [TIME]
    ");
}

#[test]
fn what_may_not_be_read_is_found_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (file, below) = (folder.path().join("a.yaml"), folder.path().join("below"));
    fs::write(&file, "x: 1\n").unwrap();
    fs::create_dir(&below).unwrap();
    for path in [&file, &below] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    }
    // Who may do anything finds everything readable.
    let may = fs::read(&file).is_ok();
    let ran = conform(&format!("check {} --format json", folder.path().display()));
    fs::set_permissions(&below, fs::Permissions::from_mode(0o700)).unwrap();
    if may {
        return;
    }
    let expected = ["a.yaml fail document/unreadable", "below fail document/unreadable"];
    assert_eq!(found(folder.path(), &ran.json()), expected);
}

#[test]
fn the_end_counts_by_obligation() {
    let ran = conform("check documents --color never");
    let end: Vec<&str> = ran.stdout.split("By obligation:\n").collect();
    assert_eq!(end.len(), 2, "{}", ran.stdout);
    let table = end[1].split("\n\n").next().unwrap();
    assert_snapshot!(table, @r"
    error   document/parse              in 1 document: 1 finding
    error   document/suite              in 1 document: 1 finding
    error   mavai/criteria-bound-trials in 1 document: 1 finding
    error   mavai/latency-counts        in 1 document: 1 finding
    error   mavai/trials-counted        in 1 document: 1 finding
    warning document/stable-type        in 1 document: 1 finding
    warning mavai/score-is-rate         in 1 document: 1 finding
    ");
    assert!(ran.stdout.lines().rev().take(2).any(|line| line.starts_with("5 documents: ")), "{}", ran.stdout);
    let one = conform("check documents/count-wrong.yaml");
    assert!(!one.stdout.contains("By obligation"), "of one document the findings are enough: {}", one.stdout);
}

#[test]
fn documents_of_several_suites_are_each_judged_by_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = |name: &str| fs::read(root.join("src/family/mavai").join(name)).unwrap();
    for (name, text) in [
        ("a.json", example("example-baseline.json")),
        ("b/one.json", example("example-explore.json")),
        ("b/two.json", example("example-explore.json")),
        ("c.yaml", document("one-sample.yaml")),
        ("d/one.json", example("example-explore.json")),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let line = format!("check {} --format json", folder.path().display());
    let alone = conform(&format!("{line} -j 1")).json();
    let suites: Vec<&str> =
        alone["results"].as_array().unwrap().iter().map(|result| result["suite"].as_str().unwrap()).collect();
    let (explore, optimize) = ("mavai-explore-1", "mavai-optimize-1");
    assert_eq!(suites, ["mavai-baseline-1", explore, explore, optimize, explore]);
    let expected = [
        "a.json pass ",
        "b/one.json pass ",
        "b/two.json fail mavai/configurations-distinct mavai/base-configuration-single",
        "c.yaml pass ",
        "d/one.json pass ",
    ];
    assert_eq!(found(folder.path(), &alone), expected);
    assert_eq!(found(folder.path(), &conform(&format!("{line} -j 8")).json()), expected);
}

/// A document that keeps a thread busy for a while.
fn slow(path: &Path) {
    fs::write(path, format!("x:\n{}", "  - [a, b, {c: d}]\n".repeat(500_000))).unwrap();
}

#[test]
fn results_come_in_path_order_as_they_stand_and_an_interruption_shows_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.yaml"), document("one-sample.yaml")).unwrap();
    slow(&folder.path().join("b.yaml"));
    fs::write(folder.path().join("c.yaml"), document("warned.yaml")).unwrap();
    let report = folder.path().join("report.json");
    let line = format!("check {} -j 2 --format jsonl --report json={}", folder.path().display(), report.display());
    let mut child = command(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.find(|line| line.as_ref().unwrap().contains("a.yaml"));
    assert!(first.is_some(), "the first result is there");
    assert!(child.try_wait().unwrap().is_none(), "and the check goes on");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{rest:?}");
    let results: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    assert_eq!(results["complete"], false);
    let shown = results["results"].as_array().unwrap().len() as u64;
    assert_eq!(results["summary"]["notRun"].as_u64().unwrap() + shown, 3);
    let subjects: Vec<_> = results["results"].as_array().unwrap().iter().map(|result| &result["subject"]).collect();
    assert!(!subjects.iter().any(|subject| subject.as_str().unwrap().ends_with("b.yaml")), "{subjects:?}");
}

#[test]
fn an_interruption_does_not_wait_for_what_is_being_read() {
    let line = "check - documents/one-sample.yaml --format jsonl";
    let mut child = command(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The head of the stream is written when everything is ready.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().is_some());
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    // Standard input stays open until the process is gone.
    let input = child.stdin.take();
    let status = child.wait().unwrap();
    drop(input);
    assert_eq!(status.code(), Some(3));
}

/// What a terminal shows of a shell's line in which `conform` is the built binary.
fn on_a_terminal(line: &str) -> Option<String> {
    let line = line.replace("conform", env!("CARGO_BIN_EXE_conform"));
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).current_dir(fixtures());
    script.env("TERM", "xterm").env_remove("NO_COLOR").stdin(Stdio::null());
    match script.output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            eprintln!("script is not installed, without which there is no terminal: {error}");
            None
        }
    }
}

#[test]
fn a_check_that_takes_long_shows_a_bar_on_a_terminal_and_nowhere_else() {
    let slowly = "{ sleep 2; cat documents/one-sample.yaml; } | conform check - documents/warned.yaml";
    let Some(shown) = on_a_terminal(slowly) else { return };
    let (bar, after) = shown.split_once("PASS").unwrap();
    assert!(bar.contains(" of 2 documents"), "{shown}");
    assert!(after.contains("2 documents: "), "{shown}");
    for quick in [
        "conform check documents/one-sample.yaml documents/warned.yaml",
        &format!("{slowly} --quiet"),
        &format!("TERM=dumb; export TERM; {slowly}"),
    ] {
        let shown = on_a_terminal(quick).unwrap();
        assert!(!shown.contains("of 2 documents"), "{quick}: {shown}");
    }
    let mut elsewhere = Command::new("sh");
    let line = slowly.replace("conform", env!("CARGO_BIN_EXE_conform"));
    elsewhere.args(["-c", &line]).current_dir(fixtures());
    let ran = ended(elsewhere);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
}
