//! The scenarios of the suite: well-formed, derived to what another implementation derives, and told apart from what differs.

use std::collections::BTreeMap;

use conform::family::orbiplex::digest::{digest_text, sha256};
use conform::family::orbiplex::kinds::EXECUTION;
use conform::family::orbiplex::oracle;
use conform::family::orbiplex::seal::Signer;
use conform::finding::Finding;
use conform::obligation::{Judge, Settings};
use conform::suite::embedded;
use conform::suite::scenario::{self, Scenario};
use serde_json::{Value, json};

use super::{fixture, read, suite};

fn scenarios() -> BTreeMap<String, Scenario> {
    let all = scenario::embedded(suite()).expect("scenarios");
    all.into_iter().map(|scenario| (scenario.name.clone(), scenario)).collect()
}

fn compare(input: &Value, documents: &[String]) -> Vec<Finding> {
    let documents: Vec<_> = documents.iter().map(|text| read(text)).collect();
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    let documents: Vec<_> = documents.iter().collect();
    suite().family().judge_scenario(suite(), input, &documents, &mut judge).expect("an input of this suite");
    judge.finish().0
}

#[test]
fn every_scenario_is_what_the_schema_of_inputs_says() {
    let schema = embedded::file("schemas/conform-scenario-orbiplex-1.schema.json").expect("embedded");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
    let files: Vec<_> = embedded::under(&format!("suites/{}/scenarios", suite().id)).collect();
    let scenarios = scenarios();
    assert_eq!(files.len(), scenarios.len(), "two scenarios have one name");
    assert!(scenarios.len() >= 18);
    for (name, scenario) in &scenarios {
        assert!(files.iter().any(|(path, _)| path.ends_with(&format!("/{name}.yaml"))), "no file is named {name}");
        let faults: Vec<String> = validator.iter_errors(&scenario.input).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{name}: {faults:?}");
        assert!(scenario.purpose.ends_with('.'), "{name}");
        for step in scenario.input["steps"].as_array().expect("an array") {
            let output = step["output"].as_str().expect("a text");
            assert_eq!(step["artifact"], digest_text(&sha256(output.as_bytes())), "{name}: {}", step["id"]);
        }
    }
}

#[test]
fn another_implementation_derives_the_same_records() {
    let scenarios = scenarios();
    let table = fixture("scenarios.tsv");
    let rows: Vec<Vec<&str>> =
        table.lines().filter(|row| !row.starts_with('#')).map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows.len(), scenarios.len());
    for row in rows {
        let [name, outcome, code, evidence, name_by_content, signature] = row.as_slice() else { panic!("{row:?}") };
        let record = oracle::derive(&scenarios[*name].input).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(record["outcome"], *outcome, "{name}");
        assert_eq!(record.get("refusal/code").and_then(Value::as_str).unwrap_or("-"), *code, "{name}");
        assert_eq!(record["evidence"].as_array().expect("an array").len().to_string(), *evidence, "{name}");
        assert_eq!(record["execution/ref"], *name_by_content, "{name}");
        assert_eq!(record["signature"]["value"], *signature, "{name}");
    }
}

#[test]
fn derived_records_keep_every_obligation_and_are_what_the_scenario_says() {
    for (name, scenario) in scenarios() {
        let record = oracle::derive(&scenario.input).expect("derived").to_string();
        let (findings, _) = super::judge(&record);
        assert!(findings.is_empty(), "{name}: {findings:#?}");
        assert!(compare(&scenario.input, &[record]).is_empty(), "{name}");
    }
}

/// Changes the record of a scenario, seals it again, and returns what is said to differ.
fn differing(name: &str, change: impl FnOnce(&mut Value)) -> Vec<(String, String)> {
    let scenario = scenarios().remove(name).expect(name);
    let mut record = oracle::derive(&scenario.input).expect("derived");
    change(&mut record);
    if record.get("signature").is_some() {
        Signer::example().seal(&EXECUTION, "host/node-id", &mut record).expect("sealed");
    }
    compare(&scenario.input, &[record.to_string()])
        .into_iter()
        .map(|finding| {
            assert_eq!(finding.obligation, "scenario/differs");
            (finding.place.expect("a place").pointer, finding.message)
        })
        .collect()
}

#[track_caller]
fn differs(found: &[(String, String)], pointer: &str, message: &str) {
    let [(at, said)] = found else { panic!("{found:?}") };
    assert_eq!((at.as_str(), said.as_str()), (pointer, message));
}

#[test]
fn each_mistake_of_an_emitter_is_one_difference() {
    differs(
        &differing("verifier-timed-out", |record| {
            record["outcome"] = "verification-failed".into();
        }),
        "/outcome",
        r#"emitted "verification-failed", the scenario says "refused""#,
    );
    differs(
        &differing("cancelled-after-allocation", |record| record["refusal/code"] = "run/cancelled".into()),
        "/refusal~1code",
        r#"emitted `refusal/code`: "run/cancelled", the scenario says nothing of it"#,
    );
    differs(
        &differing("unknown-exit-124", |record| record["outcome"] = "cancelled".into()),
        "/outcome",
        r#"emitted "cancelled", the scenario says "unknown""#,
    );
    let taken = scenarios()["evidence-of-another-instance"].input["steps"][0].clone();
    differs(
        &differing("evidence-of-another-instance", |record| {
            let item = json!({
                "step/id": taken["id"],
                "artifact-ref": format!("object-store:{}", taken["artifact"].as_str().expect("a digest")),
                "digest": taken["artifact"],
                "environment/ref": record["environment/ref"],
            });
            record["evidence"].as_array_mut().expect("an array").insert(0, item);
        }),
        "/evidence",
        "emitted 3 items, the scenario says 2",
    );
    differs(
        &differing("evidence-never-inline", |record| record["evidence"][0]["output"] = "$ORIGIN".into()),
        "/evidence/0/output",
        r#"emitted `output`: "$ORIGIN", the scenario says nothing of it"#,
    );
    differs(
        &differing("adopted", |record| {
            record.as_object_mut().expect("an object").remove("candidate/adoption-ref");
        }),
        "",
        &format!("emitted no `candidate/adoption-ref`, the scenario says {}", scenarios()["adopted"].input["adoption"]),
    );
    let composed = differing("text-that-normalisation-changes", |record| {
        record["idempotency/key"] = "é é Å ﬁ ẛ̣ İ 가 가".into();
    });
    assert_eq!(composed[0].0, "/idempotency~1key");
}

#[test]
fn the_seal_is_compared_where_the_rest_agrees() {
    let scenario = scenarios().remove("verified").expect("a scenario");
    let mut record = oracle::derive(&scenario.input).expect("derived");
    let payload = "other bytes";
    record["signature"]["value"] = Signer::example().sign(EXECUTION.domain, payload.as_bytes()).into();
    let findings = compare(&scenario.input, &[record.to_string()]);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].place.as_ref().expect("a place").pointer, "/signature/value");
    record.as_object_mut().expect("an object").remove("signature");
    let findings = compare(&scenario.input, &[record.to_string()]);
    assert!(findings[0].message.starts_with("emitted no `signature`"), "{}", findings[0].message);
}

#[test]
fn a_run_has_one_record() {
    let scenario = scenarios().remove("verified").expect("a scenario");
    let record = oracle::derive(&scenario.input).expect("derived").to_string();
    let findings = compare(&scenario.input, &[record.clone(), record]);
    assert_eq!(findings.len(), 1);
    assert!(findings[0].message.starts_with("emitted another record"));
    for text in ["[]", "null", "\"\"", "{}", r#"{"evidence":{},"candidate":[],"signature":1}"#] {
        assert!(!compare(&scenario.input, &[text.to_owned()]).is_empty(), "{text}");
    }
}

#[test]
fn an_input_of_another_kind_is_refused_with_its_fault() {
    let good = scenarios().remove("verified").expect("a scenario").input;
    let changes: [(&str, Value, &str); 6] = [
        ("signingSeed", "00".into(), "64 hexadecimal digits"),
        ("signingSeed", "żżżżżżżżżżżżżżżżżżżżżżżżżżżżżżżż".into(), "64 hexadecimal digits"),
        ("proposal", "corpus-experiment:sha256:short".into(), "is no `corpus-experiment:sha256:…`"),
        ("candidate", json!({ "ref": "a:b", "digest": "sha256:short" }), "is no `sha256:…`"),
        ("ended", json!({ "verifier": "perhaps" }), "unknown variant `perhaps`"),
        ("extra", json!(1), "unknown field `extra`"),
    ];
    for (key, value, message) in changes {
        let mut input = good.clone();
        input[key] = value;
        let error = oracle::derive(&input).expect_err(message);
        assert!(error.contains(message), "{error}");
    }
}
