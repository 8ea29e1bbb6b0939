//! SARIF, against its own schema.

use std::fs;

use conform::report::Format;
use conform::run::results::Results;
use serde_json::Value;

use super::{empty, fixture, of_a_check, results, written};

fn log(results: &Results) -> Value {
    serde_json::from_str(&written(Format::Sarif, results)).unwrap()
}

#[test]
fn sarif_keeps_its_schema() {
    let mut schema: Value = serde_json::from_slice(&fs::read(fixture("sarif-schema-2.1.0.json")).unwrap()).unwrap();
    // As published, this pattern has a bracket that it never opens.
    for definition in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][definition]["properties"]["language"];
        assert_eq!(language["pattern"], "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$");
        language["pattern"] = "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$".into();
    }
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    for results in [results(), of_a_check(), empty()] {
        let log = log(&results);
        let errors: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    // The schema can fail.
    let mut broken = log(&results());
    broken["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&broken));
}

#[test]
fn every_result_names_its_rule_and_its_artifact() {
    let log = log(&results());
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let artifacts = run["artifacts"].as_array().unwrap();
    let found = run["results"].as_array().unwrap();
    assert_eq!(found.len(), results().results.iter().map(|result| result.findings.len()).sum::<usize>());
    for result in found {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["text"].as_str().is_some_and(|text| text.len() > 20), "{rule}");
        if let Some(location) = result["locations"][0]["physicalLocation"]["artifactLocation"].as_object() {
            let artifact = &artifacts[location["index"].as_u64().unwrap() as usize];
            assert_eq!(artifact["location"]["uri"], location["uri"]);
        }
    }
}

#[test]
fn a_finding_has_its_region_and_what_it_disagrees_with() {
    let log = log(&results());
    let found = log["runs"][0]["results"].as_array().unwrap();
    let latency = found.iter().find(|result| result["ruleId"] == "mavai/latency-present").unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(latency).unwrap());
}

#[test]
fn a_fingerprint_stays_where_lines_move() {
    let moved = {
        let mut results = results();
        for finding in results.results.iter_mut().flat_map(|result| &mut result.findings) {
            if let Some(place) = &mut finding.place {
                place.line += 7;
            }
        }
        results
    };
    let prints = |results: &Results| -> Vec<Value> {
        let log = log(results);
        let found = log["runs"][0]["results"].as_array().unwrap();
        found.iter().map(|result| result["partialFingerprints"].clone()).collect()
    };
    assert_eq!(prints(&results()), prints(&moved));
}

#[test]
fn a_path_becomes_a_uri() {
    let mut results = of_a_check();
    results.results[0].subject = "/tmp/out dir/ü?#%.yaml".to_owned();
    results.results[0].documents[0].name = "/tmp/out dir/ü?#%.yaml".to_owned();
    let log = log(&results);
    assert_eq!(log["runs"][0]["artifacts"][0]["location"]["uri"], "file:///tmp/out%20dir/%C3%BC%3F%23%25.yaml");
}
