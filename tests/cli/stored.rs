//! Reports of stored results, and those that are written while a run goes on.

use std::fs;

use super::{conform, fed};

#[test]
fn a_report_of_stored_results_is_the_one_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let formats = ["html", "markdown", "sarif", "github", "junit", "tap", "json", "jsonl", "badge", "shields"];
    let mut line = "check documents".to_owned();
    for format in formats {
        line.push_str(&format!(" --report {format}={}", path(format)));
    }
    assert_eq!(conform(&line).code, Some(1));
    for format in formats {
        let ran = conform(&format!("report {} --as {format}", path("json")));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stdout, fs::read_to_string(path(format)).unwrap(), "{format}");
    }
}

#[test]
fn results_may_come_from_standard_input() {
    let json = conform("check documents --format json").stdout;
    let ran = fed("report - --as shields=-", json.as_bytes());
    assert_eq!(ran.json()["message"], "not conformant 2/5");
}

#[test]
fn json_lines_may_be_watched_on_standard_output() {
    let ran = conform("--emitter emitters/several.sh one-sample none-pass --format jsonl");
    let lines: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line.as_object().unwrap().keys().next().unwrap().as_str()).collect();
    assert_eq!(kinds, ["run", "result", "result", "end"]);
    assert!(ran.stderr.contains("2 scenarios: "), "{}", ran.stderr);
}

#[test]
fn a_page_says_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let previous = folder.path().join("previous.json").display().to_string();
    conform(&format!("check documents/one-sample.yaml --report json={previous}"));
    let ran = conform(&format!("check documents --report markdown=- --previous {previous}"));
    assert!(ran.stdout.contains("### Since "), "{}", ran.stdout);
    let ran = conform("check documents --report markdown=- --previous documents/broken.json");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: documents/broken.json cannot be used: "), "{}", ran.stderr);
}

#[test]
fn machine_output_is_not_mixed_with_a_report() {
    let ran = conform("check documents --format json --report github=-");
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.stderr,
        "error: --report github=-: standard output already carries --format's JSON; give the report a file\n"
    );
}
