//! `conform verify` from outside: what it finds, how it says it, and its exit codes.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use super::certificate::{Desk, ONE, issue_but_one};
use super::conform;

fn write_over(path: &Path, edit: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let edited = edit(text.clone());
    assert_ne!(edited, text, "nothing was edited");
    fs::write(path, edited).unwrap();
}

#[test]
fn a_signature_is_checked_by_its_key_alone() {
    let desk = Desk::new();
    let keys = |name: &str| {
        let ran = conform(&format!("keygen {}", desk.path(name).display()));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (desk.path(name).join("conform.key"), desk.path(name).join("conform.pub"))
    };
    let ((key, public), (_, other)) = (keys("one"), keys("other"));
    let ran = desk.issue(&format!("{ONE} --sign {}", key.display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(desk.verify(&format!("--key {}", public.display())).code, Some(0));
    let without = desk.verify("");
    assert_eq!(without.code, Some(3));
    assert!(without.stdout.contains("not checked signature: signed by the key DIGEST"), "{}", without.stdout);
    let wrong = desk.verify(&format!("--key {}", other.display()));
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stdout.contains("DIFFERS     signature: it is signed by the key DIGEST"), "{}", wrong.stdout);
    // A private key is none to verify with, and the other way round.
    assert_eq!(desk.verify(&format!("--key {}", key.display())).code, Some(2));
    let again = Desk::new();
    assert_eq!(again.issue(&format!("{ONE} --sign {}", public.display())).code, Some(2));
    assert!(!again.path("c.json.evidence").exists());
    // What is not signed is not accepted where a signature is asked for.
    again.issue(ONE);
    let ran = again.verify(&format!("--key {}", public.display()));
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("the certificate is not signed"), "{}", ran.stdout);
}

#[test]
fn changes_are_shown_one_by_one() {
    let desk = Desk::new();
    let line = format!(
        "--emitter emitters/but-one mavai-optimize-1/all-pass mavai-optimize-1/one-sample mavai-optimize-1/none-pass --exact -q \
         --certificate {} -- {} one-sample",
        desk.path("c.json").display(),
        env!("CARGO_BIN_EXE_conform")
    );
    assert_eq!(conform(&line).code, Some(0));
    let evidence = desk.path("c.json.evidence/mavai-optimize-1");
    // As large as before, but another count.
    write_over(&evidence.join("one-sample/stdout"), |text| text.replacen("successes: 1", "successes: 2", 1));
    fs::remove_file(evidence.join("all-pass/stdout")).unwrap();
    fs::write(evidence.join("none-pass/another"), "x").unwrap();
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.shown());
    let json = desk.verify("--format json");
    assert_eq!(json.code, Some(1));
    assert_eq!(json.json()["verified"], false);
    let checks = json.json()["checks"].as_array().unwrap().clone();
    assert_eq!(checks.iter().find(|check| check["name"] == "evidence").unwrap()["outcome"], "differs");
}

#[test]
fn a_verdict_that_was_entered_and_does_not_follow_is_found_out() {
    let desk = Desk::new();
    issue_but_one(&desk, "count-wrong", "one-sample");
    let mut statement = desk.statement();
    let result = statement.pointer_mut("/predicate/results/0").unwrap();
    result["verdict"] = "pass".into();
    result["findings"] = serde_json::json!([]);
    statement["predicate"]["verdict"] = "certified".into();
    statement["predicate"]["exceptions"].as_array_mut().unwrap().retain(|exception| exception["kind"] != "failed");
    // Whoever does this on purpose puts the checksum right.
    let mut statement: conform::certificate::statement::Statement = serde_json::from_value(statement).unwrap();
    statement.predicate.checksum = None;
    let forged = conform::certificate::with_newline(conform::certificate::bytes(statement).unwrap());
    fs::write(desk.path("c.json"), forged).unwrap();
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.stdout);
}

#[test]
fn the_suite_must_be_the_one_that_was_judged_by() {
    let desk = Desk::new();
    let ran = issue_but_one(&desk, "one-sample", "--suites suites own-optional");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(desk.verify("--suites suites").code, Some(0));
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("DIFFERS     suites: mavai-optimize-1: its N scenarios"), "{}", ran.stdout);
    assert!(ran.stdout.contains("mavai-optimize-1/own-optional is no scenario of these suites"), "{}", ran.stdout);
    // Another schema in the place of the one that was judged by.
    fs::write(desk.path("mine.json"), "{}").unwrap();
    let ran = desk.verify(&format!("--suites suites --schema mavai-optimize-1={}", desk.path("mine.json").display()));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.contains("the schema mavai-optimize-1 has the digest DIGEST, and here DIGEST"),
        "{}",
        ran.stdout
    );
    // Related documents that the run did not have.
    let ran = desk.verify("--suites suites --related documents/one-sample.yaml");
    assert!(ran.stdout.contains("the certificate was issued without any"), "{}", ran.stdout);
}

#[test]
fn a_file_that_is_no_certificate_is_told_from_a_false_one() {
    let desk = Desk::new();
    fs::create_dir(desk.path("c.json.evidence")).unwrap();
    let mut said = String::new();
    for text in [
        "",
        "[]",
        "{\"payload\": 1}",
        "{\"payload\": \"%\", \"payloadType\": \"x\", \"signatures\": []}",
        "{\"_type\": \"https://in-toto.io/Statement/v0.1\"}",
        "{\"_type\": \"https://in-toto.io/Statement/v1\", \"predicateType\": \"https://slsa.dev/provenance/v1\"}",
        "{\"_type\": \"https://in-toto.io/Statement/v1\", \"predicateType\": \"conform:///certificate/v1\", \"subject\": 1}",
    ] {
        fs::write(desk.path("c.json"), text).unwrap();
        let ran = desk.verify("");
        assert_eq!(ran.code, Some(1), "{text}");
        said.push_str(&ran.stderr);
    }
    assert_snapshot!(said);
    fs::remove_dir(desk.path("c.json.evidence")).unwrap();
    assert_eq!(desk.verify("").code, Some(2));
    assert_eq!(conform("verify no/such/certificate --evidence documents").code, Some(2));
    assert_eq!(desk.verify("--evidence no/such/folder").code, Some(2));
}

#[test]
fn a_certificate_sets_no_limits_beyond_those_of_its_reader() {
    let desk = Desk::new();
    desk.issue(&format!("{ONE} --max-alias-nodes 1000000"));
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--max-alias-nodes 1000000; allow that here too"), "{}", ran.stderr);
    assert_eq!(desk.verify("--max-alias-nodes 1000000").code, Some(0));
}
