//! The scenarios that the binary carries are well-formed: each is what its schema says, and each says only what can have happened.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use conform::suite::scenario::Scenario;
use serde_json::Value;

const SUITE: &str = "suites/mavai-optimize-1/scenarios";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every scenario with its file's stem, by name.
fn scenarios() -> Vec<(String, Scenario)> {
    let mut found: Vec<_> = std::fs::read_dir(root().join(SUITE))
        .expect("the suite has a folder of scenarios")
        .map(|entry| entry.expect("the folder can be read").path())
        .map(|path| {
            let scenario = Scenario::parse(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path.file_stem().expect("a file has a name").to_string_lossy().into_owned(), scenario)
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn array<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is an array"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a string"))
}

/// The checks of a criterion that are judged on an input's trials, in order.
fn applicable(criterion: &Value, input: u64) -> impl Iterator<Item = &Value> {
    array(criterion, "checks").iter().filter(move |check| check["input"].as_u64().is_none_or(|own| own == input))
}

#[test]
fn there_are_scenarios_and_each_is_named_after_its_file() {
    let all = scenarios();
    assert!(all.len() >= 24, "{} scenarios", all.len());
    for (stem, scenario) in &all {
        assert_eq!(*stem, scenario.name);
        assert!(stem.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{stem}");
    }
}

#[test]
fn each_says_why_it_is_there_in_one_sentence() {
    let mut seen = BTreeSet::new();
    for (name, scenario) in scenarios() {
        let purpose = scenario.purpose.trim();
        assert!(purpose.len() > 20 && purpose.ends_with('.') && !purpose.contains(". "), "{name}: {purpose}");
        assert!(seen.insert(purpose.to_owned()), "{name} has the purpose of another");
    }
}

#[test]
fn each_input_is_valid_by_its_schema() {
    let schema: Value = serde_json::from_str(&read(&root().join("schemas/conform-scenario-mavai-1.schema.json")))
        .expect("the schema is JSON");
    let validator = jsonschema::options().offline().build(&schema).expect("the schema compiles");
    for (name, scenario) in scenarios() {
        let errors: Vec<_> =
            validator.iter_errors(&scenario.input).map(|error| format!("{} {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

#[test]
fn the_schema_refuses_what_is_no_scenario() {
    let schema: Value = serde_json::from_str(&read(&root().join("schemas/conform-scenario-mavai-1.schema.json")))
        .expect("the schema is JSON");
    let validator = jsonschema::options().offline().build(&schema).expect("the schema compiles");
    let (_, plain) = scenarios().into_iter().find(|(name, _)| name == "plain").expect("there is a plain scenario");
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 7] = [
        ("an unknown field", |input| input["extra"] = Value::from(1)),
        ("no criteria", |input| input["criteria"] = Value::Array(Vec::new())),
        ("a null factor", |input| input["iterations"][0]["factors"]["model"] = Value::Null),
        ("an unknown event", |input| input["iterations"][0]["trials"][0]["event"] = Value::from("http-404")),
        ("a response beside an event", |input| input["iterations"][0]["trials"][0]["event"] = Value::from("http-500")),
        ("an unknown outcome", |input| {
            input["iterations"][0]["trials"][0]["checks"]["stays polite"] = Value::from("maybe")
        }),
        ("a fractional slack", |input| input["criteria"][0]["optionalSlack"] = Value::from("12.5%")),
    ];
    for (what, edit) in edits {
        let mut input = plain.input.clone();
        edit(&mut input);
        assert!(!validator.is_valid(&input), "{what} is accepted");
    }
}

#[test]
fn trials_follow_the_inputs_in_turn_and_no_more_than_planned() {
    for (name, scenario) in scenarios() {
        let inputs = array(&scenario.input, "inputs").len();
        let planned = scenario.input["samplesPlanned"].as_u64().expect("samplesPlanned is a count") as usize;
        for iteration in array(&scenario.input, "iterations") {
            let trials = array(iteration, "trials");
            for (i, trial) in trials.iter().enumerate() {
                assert_eq!(trial["input"], Value::from(i % inputs), "{name}: trial {i}");
            }
            assert!(trials.len() <= planned, "{name}: more samples than planned");
            let completed = iteration.get("termination").and_then(Value::as_str).unwrap_or("COMPLETED") == "COMPLETED";
            assert_eq!(
                completed,
                trials.len() == planned,
                "{name}: COMPLETED means that all planned samples were executed"
            );
        }
    }
}

#[test]
fn every_trial_states_the_outcomes_of_exactly_the_checks_that_apply() {
    for (name, scenario) in scenarios() {
        let criteria = array(&scenario.input, "criteria");
        for trial in array(&scenario.input, "iterations").iter().flat_map(|iteration| array(iteration, "trials")) {
            let Some(outcomes) = trial["checks"].as_object() else { continue };
            let input = trial["input"].as_u64().expect("an index");
            let declared: BTreeSet<_> = criteria
                .iter()
                .flat_map(|criterion| applicable(criterion, input))
                .map(|check| text(check, "name"))
                .collect();
            let stated: BTreeSet<_> = outcomes.keys().map(String::as_str).collect();
            assert_eq!(declared, stated, "{name}: a trial of input {input}");
        }
    }
}

/// What fails a trial is not ambiguous: a skip comes after a failure in the same criterion, and a failure that comes before a skip in a
/// failing criterion is what the trial is attributed to.
#[test]
fn a_skipped_check_follows_a_failed_one() {
    for (name, scenario) in scenarios() {
        for trial in array(&scenario.input, "iterations").iter().flat_map(|iteration| array(iteration, "trials")) {
            let Some(outcomes) = trial["checks"].as_object() else { continue };
            let input = trial["input"].as_u64().expect("an index");
            for criterion in array(&scenario.input, "criteria") {
                let (mut failed, mut required_failed) = (false, false);
                for check in applicable(criterion, input) {
                    let required = !check["optional"].as_bool().unwrap_or(false);
                    match outcomes[text(check, "name")].as_str() {
                        Some("fail") => {
                            failed = true;
                            required_failed |= required;
                        }
                        Some("skip") => assert!(
                            failed && (required_failed || !required),
                            "{name}: a skip before any failure that explains it"
                        ),
                        _ => {}
                    }
                }
            }
        }
    }
}

#[test]
fn names_and_indices_are_unique_and_in_range() {
    for (name, scenario) in scenarios() {
        let inputs = array(&scenario.input, "inputs").len() as u64;
        let criteria = array(&scenario.input, "criteria");
        let names: BTreeSet<_> = criteria.iter().map(|criterion| text(criterion, "name")).collect();
        assert_eq!(names.len(), criteria.len(), "{name}: two criteria of one name");
        // The same name is the same check wherever it stands.
        let mut kinds = BTreeMap::new();
        for criterion in criteria {
            for input in 0..inputs {
                let mut here = BTreeSet::new();
                let mut by_criterion = 0;
                for check in applicable(criterion, input) {
                    assert!(here.insert(text(check, "name")), "{name}: a criterion holds a check twice");
                    by_criterion += usize::from(check.get("input").is_none());
                    let kind = check["optional"].as_bool().unwrap_or(false);
                    assert_eq!(
                        *kinds.entry((text(check, "name"), input)).or_insert(kind),
                        kind,
                        "{name}: a check is optional here and required there"
                    );
                }
                assert!(by_criterion > 0, "{name}: input {input} has no check of the criterion's own");
            }
            for check in array(criterion, "checks") {
                assert!(
                    check["input"].as_u64().is_none_or(|own| own < inputs),
                    "{name}: a check of an input that is not there"
                );
            }
        }
    }
}

#[test]
fn scores_are_stated_where_the_scorer_says_so() {
    for (name, scenario) in scenarios() {
        let stated = scenario.input["scorer"] == "stated";
        for iteration in array(&scenario.input, "iterations") {
            assert_eq!(iteration.get("score").is_some(), stated, "{name}");
        }
    }
}

/// A key that holds content is a fault of the emitter, so a declared name must never hold any by itself.
#[test]
fn no_declared_name_holds_the_text_of_an_input_or_a_response() {
    for (name, scenario) in scenarios() {
        let input = &scenario.input;
        let trials = || array(input, "iterations").iter().flat_map(|iteration| array(iteration, "trials"));
        let content: Vec<&str> = array(input, "inputs")
            .iter()
            .filter_map(Value::as_str)
            .chain(trials().filter_map(|trial| trial["response"].as_str()))
            .collect();
        let mut names: Vec<&str> = vec![text(input, "contract"), text(input, "experiment")];
        for criterion in array(input, "criteria") {
            names.push(text(criterion, "name"));
            names.extend(array(criterion, "checks").iter().map(|check| text(check, "name")));
        }
        for iteration in array(input, "iterations") {
            names.extend(iteration["factors"].as_object().expect("factors is a mapping").keys().map(String::as_str));
        }
        for content in content {
            assert!(content.trim().len() >= 8, "{name}: {content:?} is too short to be told from a name");
            assert!(names.iter().all(|name| !name.contains(content.trim())), "{name}: a name holds {content:?}");
        }
    }
}

/// An emitter that has no clock to set or no deadline of its own is not at fault, so the scenarios that need one are not required.
#[test]
fn what_an_emitter_may_lack_is_not_required() {
    for (name, scenario) in scenarios() {
        let deadline = array(&scenario.input, "iterations")
            .iter()
            .flat_map(|iteration| array(iteration, "trials"))
            .any(|trial| trial["event"] == "deadline-elapsed");
        assert_eq!(scenario.required, scenario.input["clock"] == "real" && !deadline, "{name}");
    }
}

/// Times are integers in a cost block, so that totals must not depend on how an emitter rounds.
#[test]
fn the_latencies_of_an_iteration_add_up_to_an_integer() {
    for (name, scenario) in scenarios() {
        for iteration in array(&scenario.input, "iterations") {
            let total: f64 = array(iteration, "trials").iter().filter_map(|trial| trial["latencyMs"].as_f64()).sum();
            assert_eq!(total.fract(), 0.0, "{name}: {total} ms");
        }
    }
}
