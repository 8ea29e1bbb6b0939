//! Optimize documents held against their scenario: what another emitter may write otherwise than the reference is no difference, and
//! what it may not is one.

use conform::document::{self, Limits};
use conform::obligation::{Judge, Settings};
use conform::suite::{self, Suite, scenario};
use serde_json::{Value, json};

const CRITERIA: &str = "/iterations/0/statistics/criteria";

fn suite() -> &'static Suite {
    suite::by_id("mavai-optimize-1").expect("the suite is carried")
}

/// A scenario's input, and what the reference emitter makes of it.
fn emitted(name: &str) -> (Value, Value) {
    let all = scenario::embedded(suite()).expect("the scenarios");
    let scenario = all.into_iter().find(|scenario| scenario.name == name).expect("a scenario of this name");
    let text = conform_reference_emitter::emit(&scenario.wire(suite().id).to_string()).expect("a document");
    (scenario.input, serde_yaml::from_str(&text).expect("YAML"))
}

/// Place and message of each difference.
fn told(input: &Value, document: &Value) -> Vec<String> {
    let document = document::read(document.to_string().into_bytes(), &Limits::default()).document.expect("a document");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    suite().family().judge_scenario(suite(), input, &[&document], &mut judge).expect("a scenario");
    let place =
        |finding: &conform::finding::Finding| finding.place.as_ref().map_or("", |place| &place.pointer).to_owned();
    judge.finish().0.iter().map(|finding| format!("{}: {}", place(finding), finding.message)).collect()
}

fn entries(document: &mut Value, at: &str, edit: impl Fn(&mut Value)) {
    document.pointer_mut(at).and_then(Value::as_array_mut).expect("an array").iter_mut().for_each(edit);
}

#[test]
fn an_identity_may_name_its_input_in_brackets() {
    let (input, mut document) = emitted("per-input");
    assert_eq!(told(&input, &document), [""; 0]);
    let suffix = |value: &mut Value, key: &str| {
        let of_input =
            value["provenance"] == "input" || value.get("provenance").is_none() && value.get("inputIndex").is_some();
        if let (true, Some(name), Some(index)) = (of_input, value[key].as_str(), value["inputIndex"].as_u64()) {
            value[key] = format!("{name} (input {index})").into();
        }
    };
    entries(&mut document, "/iterations/0/statistics/failureDistribution", |entry| suffix(entry, "condition"));
    entries(&mut document, &format!("{CRITERIA}/content/failureDistribution"), |entry| suffix(entry, "condition"));
    entries(&mut document, &format!("{CRITERIA}/content/standings/rows"), |row| suffix(row, "check"));
    assert_eq!(told(&input, &document), [""; 0]);
    // What only looks like it is another name.
    let row = format!("{CRITERIA}/content/standings/rows/0/check");
    *document.pointer_mut(&row).expect("a row") = "answers the question (input zero)".into();
    assert_eq!(told(&input, &document).len(), 2, "{:?}", told(&input, &document));
}

#[test]
fn a_criterion_whose_name_is_too_long_may_go_by_another() {
    let (mut input, mut document) = emitted("one-sample");
    let name = input["criteria"][0]["name"].as_str().expect("a name").to_owned();
    let rename = |input: &mut Value, length: usize| input["criteria"][0]["name"] = "n".repeat(length).into();
    let criteria = document.pointer_mut(CRITERIA).and_then(Value::as_object_mut).expect("criteria");
    let block = criteria.shift_remove(&name).expect("the criterion");
    criteria.insert("n…".to_owned(), block);
    rename(&mut input, 300);
    assert_eq!(told(&input, &document), [""; 0]);
    // One that is not too long must be there, and nothing else in its place.
    rename(&mut input, 256);
    let differences = told(&input, &document);
    assert!(differences.iter().any(|told| told.contains("of the scenario is missing")), "{differences:?}");
    assert!(differences.iter().any(|told| told.contains("the scenario has no criterion \"n…\"")), "{differences:?}");
}

#[test]
fn a_slack_that_was_declared_is_stated() {
    let (input, mut document) = emitted("optional-count");
    assert_eq!(told(&input, &document), [""; 0]);
    let standings = document.pointer_mut(&format!("{CRITERIA}/format/standings")).expect("standings");
    standings.as_object_mut().expect("an object").shift_remove("optionalSlack");
    assert_eq!(
        told(&input, &document),
        [format!("{CRITERIA}/format/standings: optionalSlack \"2\" of the declaration is missing")]
    );
}

#[test]
fn a_row_that_counts_nothing_says_nothing_and_a_doubled_one_is_found_elsewhere() {
    let (input, document) = emitted("inputs-undriven");
    let rows = format!("{CRITERIA}/delivered/standings/rows/-");
    let with = |row: Value| {
        let mut document = document.clone();
        let (parent, _) = rows.rsplit_once('/').expect("a pointer");
        document.pointer_mut(parent).and_then(Value::as_array_mut).expect("rows").push(row);
        told(&input, &document)
    };
    let row = |index: u64, passed: u64| {
        json!({
            "inputIndex": index, "check": "lists the apples", "provenance": "criterion", "optional": false,
            "passed": passed, "failed": 0, "skipped": 0, "observedFraction": if passed == 0 { 0.0 } else { 1.0 },
        })
    };
    assert_eq!(with(row(4, 0)), [""; 0]);
    assert_eq!(with(row(0, 1)), [""; 0], "a second row of the same check and input is an obligation's finding");
    let undriven = with(row(4, 1));
    assert!(undriven.len() == 1 && undriven[0].contains("is not judged on input 4"), "{undriven:?}");
}

#[test]
fn a_key_holds_no_text_of_twelve_characters_or_more() {
    let held = |text: &str| {
        let (mut input, mut document) = emitted("one-sample");
        input["inputs"][0] = text.into();
        let factors = document.pointer_mut("/iterations/0/factors").and_then(Value::as_object_mut).expect("factors");
        factors.insert(format!("of {text}"), 1.into());
        told(&input, &document).iter().any(|told| told.contains("holds text of an input"))
    };
    assert!(held("twelve chars"));
    assert!(!held("eleven char"));
}
