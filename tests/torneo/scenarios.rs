//! The scenarios that the binary carries, and the oracle that judges what an emitter makes of them.

use conform::finding::Finding;
use conform::obligation::{Judge, Settings};
use conform::suite::{embedded, scenario};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::emitter::emit;
use crate::judging::{judge, read, suite};

fn scenarios() -> Vec<scenario::Scenario> {
    scenario::embedded(suite()).expect("the embedded scenarios can be read")
}

fn named(name: &str) -> scenario::Scenario {
    scenarios().into_iter().find(|scenario| scenario.name == name).expect("a scenario of this name")
}

/// What the oracle finds in a document that was made of an input.
fn differences(input: &Value, document: &Value) -> Result<Vec<Finding>, String> {
    let document = read(&document.to_string());
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    suite().family().judge_scenario(suite(), input, &[&document], &mut judge)?;
    Ok(judge.finish().0)
}

#[test]
fn every_input_keeps_its_schema() {
    let text = embedded::file("schemas/conform-scenario-torneo-1.schema.json").expect("the schema is embedded");
    let schema: Value = serde_json::from_str(text).expect("the schema is JSON");
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema compiles");
    for scenario in scenarios() {
        let errors: Vec<String> = validator.iter_errors(&scenario.input).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", scenario.name);
    }
}

#[test]
fn what_is_emitted_of_every_scenario_conforms() {
    let all = scenarios();
    assert!(all.len() >= 22, "{} scenarios", all.len());
    for scenario in all {
        let document = emit(&scenario.input);
        let (findings, _) = judge(&document.to_string());
        assert_eq!(findings, [], "{}", scenario.name);
        let differences =
            differences(&scenario.input, &document).unwrap_or_else(|why| panic!("{}: {why}", scenario.name));
        assert_eq!(differences, [], "{}", scenario.name);
    }
}

#[test]
fn the_document_of_one_scenario_fails_every_other() {
    let all = scenarios();
    for (at, scenario) in all.iter().enumerate() {
        let other = &all[(at + 1) % all.len()];
        let mut document = emit(&other.input);
        document["epreuve_id"] = scenario.input["epreuve_id"].clone();
        let found = differences(&scenario.input, &document).expect("a scenario");
        assert!(!found.is_empty(), "{} as {}", other.name, scenario.name);
    }
}

#[test]
fn entered_tables_fail_one_of_the_twins() {
    let (one, two) = (named("twin-one"), named("twin-two"));
    let count = |a: &Value, b: &Value| {
        a.as_array().into_iter().flatten().zip(b.as_array().into_iter().flatten()).filter(|(a, b)| a != b).count()
    };
    assert_eq!(count(&one.input["comparisons"], &two.input["comparisons"]), 1);
    let (first, mut second) = (emit(&one.input), emit(&two.input));
    second["standings"] = first["standings"].clone();
    let found = differences(&two.input, &second).expect("a scenario");
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["standings on cost: emitted other counts, the scenario says what the comparisons add up to"]);
    assert!(found[0].comparison.as_ref().is_some_and(|tables| tables.entered != tables.derived));
}

#[test]
fn the_three_corrections_disagree() {
    let wins = |name: &str| {
        let document = emit(&named(name).input);
        document["denominators"]["comparisons_concluded"].as_u64()
    };
    assert_eq!(
        [wins("multiplicity-holm"), wins("multiplicity-bonferroni"), wins("multiplicity-none")],
        [Some(4), Some(2), Some(5)]
    );
    let document = emit(&named("multiplicity-holm").input);
    let mut other = named("multiplicity-bonferroni").input;
    other["epreuve_id"] = document["epreuve_id"].clone();
    let messages: Vec<String> =
        differences(&other, &document).expect("a scenario").into_iter().map(|f| f.message).collect();
    assert!(
        messages
            .iter()
            .any(|message| message
                .contains("a win of `archer`, the scenario says a draw of kind `insufficient_precision`")),
        "{messages:?}"
    );
}

#[test]
fn what_is_the_emitters_own_makes_no_difference() {
    let input = named("four-tools-five-dimensions").input;
    let mut document = emit(&input);
    for optional in [
        "pareto_set",
        "dominance_cycles",
        "dominance_basis",
        "champion",
        "denominators",
        "epreuve_winners",
        "replay",
        "arbitration_rule",
        "tool_vendors",
    ] {
        document.as_object_mut().expect("an object").remove(optional);
    }
    for key in ["matches", "tools", "dimensions", "standings", "validators"] {
        document[key].as_array_mut().expect("an array").reverse();
    }
    document["matches"][0]["tools"].as_array_mut().expect("an array").reverse();
    document["matches"][0]["referee"] = "nobody".into();
    document["matches"][0]["match_id"] = "the first".into();
    document["observed_at"] = "2026-05-10T12:00:00.000Z".into();
    assert_eq!(differences(&input, &document), Ok(Vec::new()));
}

/// Faults that an emitter may have, each with what the oracle has to say.
#[test]
fn every_kind_of_difference_is_reported_at_its_place() {
    let input = named("withdrawn-tool").input;
    let faults = [
        ("/status", json!("INDETERMINATE"), "status: emitted `INDETERMINATE`, the scenario says `OK`"),
        ("/alpha", json!(0.1), "alpha: emitted 0.1, the scenario says 0.05"),
        ("/corpus/unit_count", json!(241), "corpus.unit_count: emitted 241, the scenario says 240"),
        (
            "/observed_at",
            json!("2026-05-10T12:00:00.1Z"),
            "observed_at: emitted `2026-05-10T12:00:00.1Z`, the scenario says `2026-05-10T12:00:00Z`",
        ),
        ("/tool_vendors/archer", json!("Oak"), "vendor of archer: emitted `Oak`, the scenario says `Ash & Co`"),
        (
            "/withdrawn/0/reason",
            json!("tired"),
            "withdrawn `drover`: reason: emitted `tired`, the scenario says `its licence ended before collection`",
        ),
        (
            "/matches/0/dimensions/1",
            json!({ "dimension": "quality", "outcome": "draw" }),
            "match `archer-baker-0` on quality: emitted a draw without a kind, the scenario says a win of `archer`",
        ),
        ("/pareto_set", json!([]), "pareto_set: emitted none, the scenario says `archer`, `baker`"),
        (
            "/dominance_cycles",
            json!([["archer", "baker"]]),
            "dominance_cycles: emitted (`archer`, `baker`), the scenario says none",
        ),
        ("/epreuve_winners/cost", json!(null), "winner on cost: emitted null, the scenario says `baker`"),
        ("/champion", json!("archer"), "champion: emitted `archer`, the scenario says null"),
        ("/denominators/matches_concluded", json!(2), "denominators.matches_concluded: emitted 2, the scenario says 3"),
        (
            "/denominators/per_dimension/cost/played",
            json!(2),
            "denominators on cost: played: emitted 2, the scenario says 3",
        ),
        (
            "/validators/0/checks/no_tool_withdrawn_after_the_fact",
            json!(false),
            "validators `registry-north`: checks.no_tool_withdrawn_after_the_fact: emitted false, the scenario says true",
        ),
        ("/replay/command", json!("true"), "replay.command: emitted `true`, the scenario says `make replay`"),
    ];
    for (pointer, value, message) in faults {
        let mut document = emit(&input);
        *document.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is not in the document")) = value;
        let found = differences(&input, &document).expect("a scenario");
        let [finding] = found.as_slice() else { panic!("{pointer}: {found:#?}") };
        assert_eq!((finding.obligation.as_str(), finding.message.as_str()), ("scenario/differs", message));
        assert!(
            finding.place.as_ref().is_some_and(|place| place.pointer.starts_with(pointer)),
            "{pointer}: {finding:#?}"
        );
    }
}

#[test]
fn a_p_value_is_the_scenarios() {
    let all = scenarios();
    let (input, mut document) = all
        .into_iter()
        .map(|scenario| (scenario.input.clone(), emit(&scenario.input)))
        .find(|(_, document)| document.pointer("/matches/0/dimensions/0/p_value").is_some())
        .expect("a scenario with p-values");
    assert_eq!(differences(&input, &document).expect("a scenario").len(), 0);
    let place = "/matches/0/dimensions/0/p_value";
    let stated = document.pointer_mut(place).expect("a p-value");
    *stated = json!(stated.as_f64().expect("a number") / 2.0);
    let found = differences(&input, &document).expect("a scenario");
    let places: Vec<_> = found.iter().filter_map(|finding| Some(finding.place.as_ref()?.pointer.as_str())).collect();
    assert_eq!(places, [place], "{found:#?}");
}

#[test]
fn what_the_scenario_demands_is_not_called_derived_from_the_document() {
    let input = named("two-tools").input;
    let mut document = emit(&input);
    *document.pointer_mut("/standings/0/table/0/wins").expect("wins") = json!(7);
    let found = differences(&input, &document).expect("a scenario");
    let [finding] = found.as_slice() else { panic!("{found:#?}") };
    let comparison = finding.comparison.as_ref().expect("both sides");
    assert_eq!(comparison.sides.labels(), ("as emitted", "as the scenario demands"));
}

#[test]
fn a_match_that_is_not_there_and_a_second_document_are_reported() {
    let input = named("two-tools").input;
    let document = emit(&input);
    let (one, two) = (read(&document.to_string()), read(&document.to_string()));
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    suite().family().judge_scenario(suite(), &input, &[&one, &two], &mut judge).expect("a scenario");
    let messages: Vec<String> = judge.finish().0.into_iter().map(|finding| finding.message).collect();
    assert_eq!(messages, ["document: emitted document number 2, the scenario says there is one épreuve"]);
    let mut document = document;
    document["matches"] = json!([]);
    let found = differences(&input, &document).expect("a scenario");
    assert_eq!(found[0].message, "matches: emitted no match, the scenario says `archer` and `baker` meet");
}

#[test]
fn an_input_that_is_none_is_refused_with_its_place() {
    let input = named("two-tools").input;
    let refused = |edit: &dyn Fn(&mut Value)| {
        let mut input = input.clone();
        edit(&mut input);
        differences(&input, &json!({})).expect_err("the input is refused")
    };
    assert!(refused(&|input| input["comparisons"] = json!([])).contains("0 of the 1"));
    assert!(
        refused(&|input| input["comparisons"][0]["pair"][1] = "carver".into())
            .contains("item 1 (archer, carver, quality)")
    );
    assert!(refused(&|input| input["comparisons"][0]["result"] = "tested".into()).contains("`better` and `p_value`"));
    assert!(refused(&|input| input["colour"] = "red".into()).contains("colour"));
    let nowhere = |input: &mut Value| input["comparisons"][0]["dimension"] = "energy".into();
    assert!(refused(&nowhere).contains("on one of `dimensions`"));
    let twice = |input: &mut Value| {
        let again = input["comparisons"][0].clone();
        input["comparisons"].as_array_mut().expect("an array").push(again);
    };
    assert!(refused(&twice).contains("item 2 (archer, baker, quality): the same pair is compared twice"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_emitted_document_breaks_the_oracle(faults in proptest::collection::vec((any::<proptest::sample::Index>(), crate::properties::any_json()), 1..5)) {
        let input = named("withdrawn-tool").input;
        let mut document = emit(&input);
        for (at, value) in faults {
            let mut places = Vec::new();
            crate::properties::places_of(&document, String::new(), &mut places);
            *document.pointer_mut(&places[at.index(places.len())]).expect("a place") = value;
        }
        prop_assert!(differences(&input, &document).is_ok());
    }
}
