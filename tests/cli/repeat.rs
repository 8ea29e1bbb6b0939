//! `--repeat`: emitters that say something else each time.

use super::{Ran, command, ended, fixtures};

fn repeated(mode: &str, times: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let counter = folder.path().join("runs");
    let (script, document) = (fixtures().join("emitters/restless.sh"), fixtures().join("documents/one-sample.yaml"));
    let emitter = [script.as_os_str(), counter.as_os_str(), mode.as_ref(), document.as_os_str()];
    let emitter = shell_words::join(emitter.map(|word| word.to_str().unwrap()));
    ended(command([
        "--emitter",
        &emitter,
        "--exact",
        "mavai-optimize-1/one-sample",
        "--repeat",
        times,
        "--format",
        "json",
    ]))
}

#[test]
fn instants_may_differ_from_one_emission_to_the_next() {
    let ran = repeated("steady", "3");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!(json["results"][0]["repeats"]["passed"], 3);
    assert_eq!(json["results"][0]["findings"].as_array().map(Vec::len), Some(0));
    assert_eq!(json["terms"]["repeat"], 3);
}

#[test]
fn a_document_that_changes_is_a_warning_with_both_sides() {
    let ran = repeated("unstable", "2");
    let json = ran.json();
    let findings = json["results"][0]["findings"].as_array().unwrap();
    let unstable = findings.iter().find(|finding| finding["obligation"] == "scenario/unstable").unwrap();
    assert_eq!(unstable["severity"], "warning");
    assert_eq!(unstable["message"], "stdout of emission 2 differs from that of emission 1");
    assert_eq!(unstable["comparison"]["sides"], "emissions");
    assert!(unstable["comparison"]["entered"].as_str().unwrap().contains("/serviceContractId: \"contract-1\"\n"));
    assert!(unstable["comparison"]["derived"].as_str().unwrap().contains("/serviceContractId: \"contract-2\"\n"));
}

#[test]
fn a_verdict_that_changes_is_flaky_and_the_worst_counts() {
    let ran = repeated("flaky", "3");
    assert_eq!(ran.code, Some(1));
    let json = ran.json();
    let result = &json["results"][0];
    assert_eq!(result["verdict"], "fail");
    assert_eq!(result["repeats"], serde_json::json!({"passed": 2, "failed": 1, "unsupported": 0, "notJudged": 0}));
    assert_eq!(json["summary"]["flaky"], 1);
    let findings = result["findings"].as_array().unwrap();
    let flaky = findings.iter().find(|finding| finding["obligation"] == "scenario/flaky").unwrap();
    assert_eq!(flaky["message"], "the verdict changes: of 3 emissions, 2 passed, 1 failed");
    assert!(ran.stderr.contains("1 flaky"), "{}", ran.stderr);
}

#[test]
fn the_command_that_reproduces_repeats_too() {
    let json = repeated("flaky", "3").json();
    let reproduce = json["results"][0]["reproduce"].as_str().unwrap();
    assert!(reproduce.contains(" --repeat 3 "), "{reproduce}");
}

#[test]
fn how_often_is_a_number_from_1() {
    let ran = super::conform("--emitter emitters/slow.sh --repeat 0");
    assert_eq!(ran.code, Some(2));
}
