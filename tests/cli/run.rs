//! The main form: which scenarios are run, and what comes of them.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Ran, command, conform, ended, fixtures};

fn results(ran: &Ran) -> Vec<Value> {
    ran.json()["results"].as_array().unwrap().clone()
}

fn subjects(ran: &Ran) -> Vec<String> {
    results(ran).iter().map(|result| result["subject"].as_str().unwrap().to_owned()).collect()
}

fn obligations(result: &Value) -> Vec<&str> {
    result["findings"].as_array().unwrap().iter().map(|finding| finding["obligation"].as_str().unwrap()).collect()
}

const FOUR: &str = "mavai-optimize-1/one-sample mavai-optimize-1/all-pass mavai-optimize-1/none-pass \
                    mavai-optimize-1/own-optional --suites suites --exact";

#[test]
fn the_score_of_the_suites_is_stated_where_it_is_asked_for() {
    const ONE: &str = "--emitter reference --exact mavai-optimize-1/one-sample";
    assert_eq!(conform(&format!("{ONE} --format json")).json().get("mutation"), None);
    let ran = conform(&format!("{ONE} --score --format json"));
    let score = &ran.json()["mutation"][0];
    assert_eq!(score["suite"], "mavai-optimize-1");
    assert_eq!((&score["killed"], &score["covered"]), (&score["operators"], &score["obligations"]), "{score}");
    assert!(score["operators"].as_u64().unwrap() > 100, "{score}");
    let told = format!("mutation score of mavai-optimize-1: {0} of {0} operators killed", score["operators"]);
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
}

#[test]
fn each_end_of_a_scenario_has_its_own_verdict() {
    let ran = conform(&format!("--emitter emitters/several.sh {FOUR} --format json"));
    assert_eq!(ran.code, Some(1));
    let results = results(&ran);
    let verdicts: Vec<_> = results
        .iter()
        .map(|result| (result["subject"].as_str().unwrap(), result["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("mavai-optimize-1/all-pass", "unsupported"),
            ("mavai-optimize-1/none-pass", "fail"),
            ("mavai-optimize-1/one-sample", "pass"),
            ("mavai-optimize-1/own-optional", "fail"),
        ]
    );
    assert_eq!(results[0]["reason"], "no such clock");
    assert_eq!(results[0]["obligations"]["judged"], 0);
    assert_eq!(obligations(&results[1]), ["process/exit"]);
    assert!(results[1]["stderr"].as_str().unwrap().starts_with("giving up\n"));
    assert!(results[2].get("stderr").is_none() && results[2].get("reason").is_none());
    assert!(obligations(&results[3]).contains(&"scenario/differs"));
    assert_eq!(results[3]["optional"], true);
    assert_eq!(results[2]["documents"][0]["name"], "stdout");
}

#[test]
fn the_order_does_not_depend_on_the_threads() {
    let line = format!("--emitter emitters/several.sh {FOUR} --format json");
    assert_eq!(subjects(&conform(&format!("{line} -j 1"))), subjects(&conform(&format!("{line} -j 4"))));
}

#[test]
fn filters_are_parts_of_names_and_skips_take_away() {
    let ran = conform("--list one-sample all-pass --skip one --format json");
    let names: Vec<_> = ran.json().as_array().unwrap().iter().map(|job| job["name"].clone()).collect();
    assert_eq!(names, ["mavai-optimize-1/all-pass"]);
}

#[test]
fn a_filter_may_be_called_like_a_command() {
    // `list` is looked for among the scenarios, not run as a command.
    let ran = conform("--emitter emitters/several.sh list-that-is-no-scenario");
    assert!(ran.stderr.contains("no scenario contains list-that-is-no-scenario"), "{}", ran.stderr);
    let ran = conform("--emitter emitters/several.sh derive");
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
}

#[test]
fn a_filter_that_matches_nothing_is_met_with_the_nearest() {
    let ran = conform("--emitter emitters/several.sh one-sampel");
    assert_eq!(ran.stderr, "error: no scenario contains one-sampel; did you mean one-sample?\n");
}

#[test]
fn listing_starts_nothing() {
    let ran = conform("--emitter emitters/slow.sh --list one-sample");
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("mavai-optimize-1/one-sample"), "{}", ran.stdout);
}

#[test]
fn a_list_may_look_like_that_of_a_test_binary() {
    assert_eq!(conform("--list one-sample --format libtest").stdout, "mavai-optimize-1/one-sample: test\n");
}

#[test]
fn an_emitter_runs_the_suites_that_it_claims() {
    let ran = conform("--emitter emitters/claims-one --list --format json");
    let suites = ran.json();
    assert!(suites.as_array().unwrap().iter().all(|job| job["suite"] == "mavai-optimize-1"));
    let ran = conform("--emitter emitters/claims-one --exact mavai-optimize-1/one-sample --format json");
    let emitter = &ran.json()["emitter"];
    assert_eq!(emitter["name"], "claims one suite");
    assert_eq!(emitter["version"], "1.2.3");
    let ran = conform("--emitter emitters/claims-one --suite orbiplex-task-pack-execution-v1");
    assert_eq!(
        ran.stderr,
        "error: the emitter does not claim orbiplex-task-pack-execution-v1; it claims mavai-optimize-1\n"
    );
}

#[test]
fn a_scenario_yields_one_document() {
    let ran = conform("--emitter emitters/two-files.sh --exact mavai-optimize-1/one-sample --format json");
    let result = &results(&ran)[0];
    assert_eq!(obligations(result), ["scenario/documents"]);
    assert_eq!(result["findings"][0]["message"], "the emitter wrote 2 documents (a.yaml, b.yaml), where 1 is expected");
    assert_eq!(result["documents"].as_array().unwrap().len(), 2);
    assert_eq!(result["notJudged"][0]["obligation"], "scenario/differs");
}

#[test]
fn arguments_after_two_dashes_are_the_emitters() {
    let line = "--emitter emitters/arguments.sh --exact mavai-optimize-1/one-sample --format json -- --flag two";
    let ran = conform(line);
    let result = &results(&ran)[0];
    assert_eq!(result["stderr"], "--flag\ntwo\n");
    assert_eq!(
        result["reproduce"],
        "conform --emitter emitters/arguments.sh --exact mavai-optimize-1/one-sample -- --flag two"
    );
}

#[test]
fn the_command_that_reproduces_a_result_reproduces_it() {
    let line =
        "--emitter emitters/several.sh --strict --suites suites --max-depth 64 --timeout 20 own-optional none-pass";
    for result in results(&conform(&format!("{line} --format json"))) {
        let reproduce = result["reproduce"].as_str().unwrap().strip_prefix("conform ").unwrap();
        let words = shell_words::split(reproduce).unwrap();
        let again = ended(command(words.iter().map(String::as_str).chain(["--format", "json"])));
        let again = &results_of(&again)[0];
        assert_eq!(again["subject"], result["subject"]);
        assert_eq!(again["findings"], result["findings"]);
    }
}

fn results_of(ran: &Ran) -> Vec<Value> {
    results(ran)
}

#[test]
fn the_first_failure_ends_the_run_where_asked_for() {
    let ran = conform(&format!("--emitter emitters/several.sh {FOUR} --fail-fast -j 1 --format json"));
    assert_eq!(ran.code, Some(1));
    assert_eq!(subjects(&ran), ["mavai-optimize-1/all-pass", "mavai-optimize-1/none-pass"]);
    assert_eq!(ran.json()["complete"], false);
    assert_eq!(ran.json()["summary"]["notRun"], 2);
}

#[test]
fn a_time_out_is_a_failure_of_its_scenario() {
    let line = "--emitter emitters/slow.sh --timeout 0.05 --exact mavai-optimize-1/one-sample --format json";
    assert_eq!(obligations(&results(&conform(line))[0]), ["process/timeout"]);
}

#[test]
fn an_emitter_that_cannot_be_started_is_tried_once() {
    let line = "--emitter ../../../emitters/broken/process/missing-interpreter.sh one- -j 1 --format json";
    let ran = conform(line);
    assert_eq!(ran.code, Some(5));
    assert_eq!(results(&ran).len(), 1);
}

#[cfg(unix)]
#[test]
fn an_interruption_kills_the_emitter_and_writes_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let begun = folder.path().join("begun");
    let report = folder.path().join("report.json");
    let line = format!(
        "--emitter emitters/slow.sh one-sample all-pass -j 1 --format json --report json={} -- {}",
        report.display(),
        begun.display()
    );
    let mut command = command(line.split_whitespace());
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let waiting = Instant::now();
    while !begun.exists() {
        assert!(waiting.elapsed() < Duration::from_secs(30), "the emitter was never started");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(results["complete"], false);
    assert_eq!(results["summary"]["notRun"], 2);
    let written: Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(written, results);
}

#[test]
fn a_session_is_one_process_for_all_scenarios() {
    let line = "--emitter emitters/session.sh --session one-sample all-pass -j 1 --format json --skip percent -- well";
    let ran = conform(line);
    assert_eq!(ran.json()["emitter"]["name"], "session", "{}", ran.stderr);
    assert_eq!(subjects(&ran), ["mavai-optimize-1/all-pass", "mavai-optimize-1/one-sample"]);
    let verdicts: Vec<_> = results(&ran).iter().map(|result| result["reason"].clone()).collect();
    assert_eq!(verdicts, ["scenario 1 of this session", "scenario 2 of this session"]);
    assert_eq!(ran.code, Some(3));
}

#[test]
fn a_session_that_ends_badly_fails_although_every_scenario_went_well() {
    let ran = conform("--emitter emitters/session.sh --session one-sample --format json -- badly");
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(subjects(&ran), ["mavai-optimize-1/one-sample", "session"]);
    assert_eq!(obligations(&results(&ran)[1]), ["process/exit"]);
}

#[test]
fn several_documents_of_a_scenario_are_one_answer_of_a_session() {
    let line = "--session --suite mavai-explore-1 --exact mavai-explore-1/base-of-three --format json";
    let warm = fixtures().join("emitters/warm.py").display().to_string();
    let emitter = shell_words::join(["python3", &warm]);
    let ran = ended(command(["--emitter", &emitter].into_iter().chain(line.split_whitespace())));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let documents = results(&ran)[0]["documents"].as_array().unwrap().len();
    assert_eq!(documents, 3);
}

#[test]
fn both_modes_are_tried_and_the_one_taken_is_said() {
    let ran = conform("--emitter emitters/unsupported.sh --session auto --exact mavai-optimize-1/one-sample");
    let said = "process mode: a process of its own yields no document, and there is no session: it exited with 77 instead of \
                answering {\"conform\":1}\n";
    assert_eq!(ran.stderr, said, "{}", ran.stdout);
    assert_eq!(ran.code, Some(3));
}

#[test]
fn the_built_in_emitter_is_an_emitter_like_any_other() {
    let ran = conform("--emitter reference --exact mavai-optimize-1/one-sample --format json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.json()["emitter"]["name"], "reference");
}
