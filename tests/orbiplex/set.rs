//! Several records of one check.

use conform::document::Document;
use conform::family::orbiplex::kinds::EXECUTION;
use conform::family::orbiplex::seal::Signer;
use conform::finding::{Finding, Severity};
use conform::obligation::{Judge, Settings};
use serde_json::Value;

use super::{read, suite};

/// The example record with members set, sealed by a host.
fn record(host: &Signer, members: &[(&str, &str)]) -> Value {
    let mut record: Value = serde_json::from_str(suite().family().example(suite())).expect("JSON");
    for (key, value) in members {
        record[*key] = (*value).into();
    }
    if let Some(instance) = record.get("environment/ref").cloned() {
        for item in record["evidence"].as_array_mut().expect("an array") {
            item["environment/ref"] = instance.clone();
        }
    }
    host.seal(&EXECUTION, "host/node-id", &mut record).expect("sealed");
    record
}

/// What the set rules find, by the index of the record.
fn judge(records: &[Value]) -> Vec<Vec<Finding>> {
    let documents: Vec<Document> = records.iter().map(|record| read(&record.to_string())).collect();
    let settings = Settings::default();
    let mut judges: Vec<Judge<'_>> = documents.iter().map(|_| Judge::new(&settings)).collect();
    let documents: Vec<&Document> = documents.iter().collect();
    suite().family().judge_set(suite(), &documents, &mut judges);
    judges.into_iter().map(|judge| judge.finish().0).collect()
}

#[track_caller]
fn finds(records: &[Value], expected: &[&[&str]]) -> Vec<Vec<Finding>> {
    let found = judge(records);
    let ids: Vec<Vec<&str>> = found.iter().map(|findings| super::ids(findings)).collect();
    assert_eq!(ids, expected, "{found:#?}");
    found
}

const FRESH: [(&str, &str); 4] = [
    ("run/ref", "operator-task-run:2"),
    ("idempotency/key", "2"),
    ("environment/ref", "environment:2"),
    ("proposal/ref", "corpus-experiment:sha256:2SmKENGwc1g33EvYXaxkGw887yekfl1TpU8vP1svz_o"),
];

#[test]
fn the_same_record_twice_is_a_replay() {
    let host = Signer::example();
    finds(&[record(&host, &[]), record(&host, &[])], &[&[], &[]]);
    finds(&[record(&host, &[]), record(&host, &FRESH)], &[&[], &[]]);
}

#[test]
fn other_content_under_one_key_is_a_conflict() {
    let host = Signer::example();
    let records = [record(&host, &[]), record(&host, &[("recorded-at", "2026-10-01T08:00:01Z")])];
    let found = finds(&records, &[&[], &["orbiplex/idempotency-conflict"]]);
    assert_eq!(found[1][0].severity, Severity::Error);
    assert!(found[1][0].message.contains(records[0]["execution/ref"].as_str().expect("a ref")));
}

#[test]
fn hosts_choose_their_keys_independently() {
    let other = Signer::from_seed(&[7; 32]);
    let key = record(&Signer::example(), &[])["idempotency/key"].as_str().expect("a key").to_owned();
    let mut members = FRESH;
    members[1].1 = &key;
    finds(&[record(&Signer::example(), &[]), record(&other, &members)], &[&[], &[]]);
}

#[test]
fn other_content_under_one_ref_is_a_conflict() {
    let first = record(&Signer::example(), &[]);
    let mut second = record(&Signer::example(), &FRESH);
    second["execution/ref"] = first["execution/ref"].clone();
    finds(&[first, second], &[&[], &["orbiplex/idempotency-conflict"]]);
}

#[test]
fn a_second_run_of_a_proposal_is_suspicious() {
    let host = Signer::example();
    let found = finds(&[record(&host, &[]), record(&host, &FRESH[..3])], &[&[], &["orbiplex/run-repeated"]]);
    assert_eq!(found[1][0].severity, Severity::Warning);
}

#[test]
fn an_instance_of_two_runs_is_suspicious() {
    let host = Signer::example();
    let mut members = FRESH;
    members[2].1 = "environment:example-1";
    let found = finds(&[record(&host, &[]), record(&host, &members)], &[&[], &["orbiplex/instance-reused"]]);
    assert_eq!(found[1][0].severity, Severity::Warning);
    // Another host's instances are its own.
    finds(&[record(&host, &[]), record(&Signer::from_seed(&[7; 32]), &members)], &[&[], &[]]);
}

#[test]
fn broken_records_are_passed_over() {
    let texts = ["{}", "[]", "null", r#"{"run/ref":7,"idempotency/key":[]}"#, r#"{"run/ref":"a","run/ref":"b"}"#];
    let values: Vec<Value> = texts.iter().map(|text| serde_json::from_str(text).expect("JSON")).collect();
    finds(&values, &[&[], &[], &[], &[], &[]]);
}
