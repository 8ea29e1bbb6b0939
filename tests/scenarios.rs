//! The scenarios that the binary carries are well-formed: each is what its schema says, and each says only what can have happened.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use conform::document::{self, Limits};
use conform::obligation::{Judge, Settings};
use conform::schema::Schemas;
use conform::suite::scenario::Scenario;
use serde_json::Value;

/// The suites whose scenarios tell of trials, and the schema of their inputs.
const SUITES: [(&str, &str); 3] = [
    ("mavai-optimize-1", "conform-scenario-mavai-1"),
    ("mavai-explore-1", "conform-scenario-mavai-explore-1"),
    ("mavai-baseline-1", "conform-scenario-mavai-baseline-1"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every scenario of a suite with its file's stem, by name.
fn of_suite(suite: &str) -> Vec<(String, Scenario)> {
    let mut found: Vec<_> = std::fs::read_dir(root().join("suites").join(suite).join("scenarios"))
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

/// Every scenario with its suite and name.
fn scenarios() -> Vec<(String, Scenario)> {
    let named =
        |suite: &'static str| of_suite(suite).into_iter().map(move |(name, one)| (format!("{suite}/{name}"), one));
    SUITES.iter().flat_map(|(suite, _)| named(suite)).collect()
}

/// One series of trials that begins with the first input: an iteration, a configuration or a measurement.
struct Run<'a> {
    inputs: &'a [Value],
    trials: &'a [Value],
    termination: &'a str,
    factors: Option<&'a Value>,
}

fn runs(input: &Value) -> Vec<Run<'_>> {
    let run = |inputs, of| Run {
        inputs: array(inputs, "inputs"),
        trials: array(of, "trials"),
        termination: of["termination"].as_str().unwrap_or("COMPLETED"),
        factors: of.get("factors"),
    };
    for history in ["iterations", "configurations"] {
        if input.get(history).is_some() {
            return array(input, history).iter().map(|of| run(input, of)).collect();
        }
    }
    std::iter::once(run(input, input)).chain(input.get("again").map(|again| run(again, again))).collect()
}

fn trials(input: &Value) -> Vec<&Value> {
    runs(input).iter().flat_map(|run| run.trials).collect()
}

/// What a schema finds in an input.
fn violations(schemas: &Schemas, schema: &str, input: &Value) -> Vec<String> {
    let document = document::read(input.to_string().into_bytes(), &Limits::default()).document.expect("JSON");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    schemas.validate(schema, document.root(), &mut judge).expect("the schema is carried");
    judge.finish().0.into_iter().map(|finding| finding.message).collect()
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
    for ((suite, _), fewest) in SUITES.into_iter().zip([24, 10, 10]) {
        let all = of_suite(suite);
        assert!(all.len() >= fewest, "{suite}: {} scenarios", all.len());
        for (stem, scenario) in &all {
            assert_eq!(*stem, scenario.name);
            assert!(stem.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{stem}");
        }
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
    let schemas = Schemas::embedded().expect("the schemas");
    for (suite, schema) in SUITES {
        for (name, scenario) in of_suite(suite) {
            assert_eq!(violations(&schemas, schema, &scenario.input), [""; 0], "{suite}/{name}");
        }
    }
}

#[test]
fn the_schemas_refuse_what_is_no_scenario() {
    type Edit = fn(&mut Value);
    let shared: [(&str, Edit); 3] = [
        ("an unknown field", |input| input["extra"] = Value::from(1)),
        ("no criteria", |input| input["criteria"] = Value::Array(Vec::new())),
        ("a fractional slack", |input| input["criteria"][0]["optionalSlack"] = Value::from("12.5%")),
    ];
    let optimize: [(&str, Edit); 4] = [
        ("a null factor", |input| input["iterations"][0]["factors"]["model"] = Value::Null),
        ("an unknown event", |input| input["iterations"][0]["trials"][0]["event"] = Value::from("http-404")),
        ("a response beside an event", |input| input["iterations"][0]["trials"][0]["event"] = Value::from("http-500")),
        ("an unknown outcome", |input| {
            input["iterations"][0]["trials"][0]["checks"]["stays polite"] = Value::from("maybe")
        }),
    ];
    let explore: [(&str, Edit); 4] = [
        ("no configurations", |input| input["configurations"] = Value::Array(Vec::new())),
        ("a configuration without its identity", |input| {
            input["configurations"][0].as_object_mut().map(|one| one.remove("configuration"));
        }),
        ("factors that are none", |input| input["configurations"][0]["factors"] = serde_json::json!({})),
        ("a score", |input| input["configurations"][0]["score"] = Value::from(1)),
    ];
    let baseline: [(&str, Edit); 6] = [
        ("a criterion without a mode", |input| {
            input["criteria"][0].as_object_mut().map(|one| one.remove("mode"));
        }),
        ("a procedure of an observational criterion", |input| {
            input["criteria"][0]["mode"] = Value::from("observational")
        }),
        ("a certain confidence", |input| input["confidenceLevel"] = Value::from(1)),
        ("a covariate that is a number", |input| input["covariates"]["count"] = Value::from(7)),
        ("an expiry at once", |input| input["expiresInDays"] = Value::from(0)),
        ("an unknown event", |input| input["trials"][0]["event"] = Value::from("http-404")),
    ];
    let schemas = Schemas::embedded().expect("the schemas");
    let own: [&[(&str, Edit)]; 3] = [&optimize, &explore, &baseline];
    for (((suite, schema), example), own) in SUITES.into_iter().zip(["plain", "plain", "inferential"]).zip(own) {
        let all = of_suite(suite);
        let (_, example) = all.iter().find(|(name, _)| name == example).expect("there is such a scenario");
        for (what, edit) in shared.iter().chain(own) {
            let mut input = example.input.clone();
            edit(&mut input);
            assert!(!violations(&schemas, schema, &input).is_empty(), "{suite}: {what} is accepted");
        }
    }
}

#[test]
fn trials_follow_the_inputs_in_turn_and_no_more_than_planned() {
    for (name, scenario) in scenarios() {
        let planned = scenario.input["samplesPlanned"].as_u64().expect("samplesPlanned is a count") as usize;
        // A second measurement is planned, and ends, as the first one does.
        let whole = scenario.input["termination"].as_str().unwrap_or("COMPLETED");
        for run in runs(&scenario.input) {
            for (i, trial) in run.trials.iter().enumerate() {
                assert_eq!(trial["input"], Value::from(i % run.inputs.len()), "{name}: trial {i}");
            }
            assert!(run.trials.len() <= planned, "{name}: more samples than planned");
            let completed = run.termination == "COMPLETED" && whole == "COMPLETED";
            assert_eq!(
                completed,
                run.trials.len() == planned,
                "{name}: COMPLETED means that all planned samples were executed"
            );
        }
    }
}

#[test]
fn configurations_are_told_apart_and_one_is_the_base_at_most() {
    for (name, scenario) in of_suite("mavai-explore-1") {
        let all = array(&scenario.input, "configurations");
        let identities: BTreeSet<_> = all.iter().map(|one| text(one, "configuration")).collect();
        assert_eq!(identities.len(), all.len(), "{name}");
        assert!(all.iter().filter(|one| one["base"] == true).count() <= 1, "{name}");
        if all.len() > 1 {
            let keys =
                |one: &Value| one["factors"].as_object().expect("factors").keys().cloned().collect::<BTreeSet<_>>();
            assert!(all.iter().all(|one| keys(one) == keys(&all[0])), "{name}");
            let factors: Vec<_> = all.iter().map(|one| &one["factors"]).collect();
            assert!(
                (1..all.len()).all(|at| !factors[..at].contains(&factors[at])),
                "{name}: two have the same factors"
            );
        }
    }
}

#[test]
fn every_trial_states_the_outcomes_of_exactly_the_checks_that_apply() {
    for (name, scenario) in scenarios() {
        let criteria = array(&scenario.input, "criteria");
        for trial in trials(&scenario.input) {
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
        for trial in trials(&scenario.input) {
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
    for (name, scenario) in of_suite("mavai-optimize-1") {
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
        let content: Vec<&str> = runs(input)
            .iter()
            .flat_map(|run| run.inputs)
            .filter_map(Value::as_str)
            .chain(trials(input).into_iter().filter_map(|trial| trial["response"].as_str()))
            .collect();
        let mut names: Vec<&str> = vec![text(input, "contract")];
        names.extend(["experiment", "service"].into_iter().filter_map(|key| input[key].as_str()));
        for criterion in array(input, "criteria") {
            names.push(text(criterion, "name"));
            names.extend(array(criterion, "checks").iter().map(|check| text(check, "name")));
        }
        for configuration in input["configurations"].as_array().into_iter().flatten() {
            names.extend(["configuration", "name"].into_iter().filter_map(|key| configuration[key].as_str()));
        }
        let runs = runs(input);
        let mappings = runs.iter().filter_map(|run| run.factors).chain(input.get("covariates"));
        for mapping in mappings {
            names.extend(mapping.as_object().expect("a mapping").keys().map(String::as_str));
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
        let deadline = trials(&scenario.input).iter().any(|trial| trial["event"] == "deadline-elapsed");
        assert_eq!(scenario.required, scenario.input["clock"] == "real" && !deadline, "{name}");
    }
}

/// Times are integers in a cost block, so that totals must not depend on how an emitter rounds.
#[test]
fn the_latencies_of_a_run_add_up_to_an_integer() {
    for (name, scenario) in scenarios() {
        for run in runs(&scenario.input) {
            let total: f64 = run.trials.iter().filter_map(|trial| trial["latencyMs"].as_f64()).sum();
            assert_eq!(total.fract(), 0.0, "{name}: {total} ms");
        }
    }
}
