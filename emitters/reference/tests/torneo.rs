//! Épreuves of the carried scenarios, against what was worked out by hand from the scenario files, and inputs that are no round.

mod carried;

use conform_reference_emitter::{Refusal, emit};
use serde_json::{Value, json};

const SUITE: &str = "torneo-epreuve-v1";

fn input(name: &str) -> Value {
    let path = carried::root().join("suites").join(SUITE).join("scenarios").join(format!("{name}.yaml"));
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let scenario: Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    scenario["input"].clone()
}

fn emitted(input: &Value) -> Result<String, Refusal> {
    emit(&json!({ "conform": 1, "suite": SUITE, "scenario": "carried", "input": input }).to_string())
}

fn epreuve(name: &str) -> Value {
    let text = emitted(&input(name)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// `[tool, wins, draws, losses, not measured]`, row by row.
fn table(epreuve: &Value, dimension: usize) -> Value {
    let rows = epreuve["standings"][dimension]["table"].as_array().expect("a table");
    rows.iter().map(|row| json!([row["tool"], row["wins"], row["draws"], row["losses"], row["not_measured"]])).collect()
}

/// `[outcome, winner or draw kind]` of each match on its first dimension.
fn outcomes(epreuve: &Value) -> Vec<Value> {
    let matches = epreuve["matches"].as_array().expect("matches");
    matches
        .iter()
        .map(|one| &one["dimensions"][0])
        .map(|entry| json!([entry["outcome"], entry.get("winner").or(entry.get("draw_kind"))]))
        .collect()
}

#[test]
fn counts_titles_and_dominance_of_the_twins() {
    let (one, two) = (epreuve("twin-one"), epreuve("twin-two"));
    let quality =
        json!([["archer", 2, 0, 1, 0], ["baker", 1, 1, 1, 0], ["carver", 1, 1, 1, 0], ["drover", 1, 0, 2, 0]]);
    assert_eq!((table(&one, 0), table(&two, 0)), (quality.clone(), quality));
    assert_eq!(
        table(&one, 1),
        json!([["archer", 2, 1, 0, 0], ["baker", 1, 1, 1, 0], ["carver", 0, 1, 2, 0], ["drover", 1, 1, 1, 0]])
    );
    assert_eq!(
        table(&two, 1),
        json!([["archer", 2, 0, 1, 0], ["baker", 1, 1, 1, 0], ["carver", 1, 0, 2, 0], ["drover", 1, 1, 1, 0]])
    );
    // archer dominates baker in both; over carver it keeps a draw beside its win in the first only. baker dominates carver and drover.
    let dominated = |epreuve: &Value| -> Value {
        let basis = epreuve["dominance_basis"].as_array().expect("dominations");
        basis.iter().map(|entry| json!([entry["dominant"], entry["dominated"]])).collect()
    };
    assert_eq!(
        dominated(&one),
        json!([["archer", "baker"], ["archer", "carver"], ["baker", "carver"], ["baker", "drover"]])
    );
    assert_eq!(dominated(&two), json!([["archer", "baker"], ["baker", "carver"], ["baker", "drover"]]));
    assert_eq!((&one["pareto_set"], &one["champion"]), (&json!(["archer"]), &json!("archer")));
    assert_eq!(one["denominators"]["comparisons_concluded"], json!(9));
    assert_eq!(two["denominators"]["comparisons_concluded"], json!(10));
}

#[test]
fn what_a_domination_rests_on() {
    assert_eq!(
        epreuve("basis-of-each-part")["dominance_basis"],
        json!([{
            "dominant": "archer",
            "dominated": "baker",
            "won": ["quality"],
            "undecided": [
                { "dimension": "latency", "draw_kind": "insufficient_precision" },
                { "dimension": "cost", "draw_kind": "equivalent_within_margin" },
                { "dimension": "energy", "draw_kind": null },
            ],
            "not_measured": ["reliability"],
        }])
    );
}

/// Two p-values of three: 0.001 meets 0.05/3 and 0.03 misses 0.05/2, though it would meet it were the family one of two.
#[test]
fn a_family_has_as_many_tests_as_the_round_has_pairs() {
    let epreuve = epreuve("multiplicity-partly-measured");
    assert_eq!(
        outcomes(&epreuve),
        [json!(["draw", "insufficient_precision"]), json!(["not_measured", null]), json!(["win", "carver"])]
    );
    assert_eq!(table(&epreuve, 0), json!([["archer", 0, 1, 0, 1], ["baker", 0, 1, 1, 0], ["carver", 1, 0, 0, 1]]));
    assert_eq!((&epreuve["epreuve_winners"], &epreuve["champion"]), (&json!({ "quality": "carver" }), &Value::Null));
}

#[test]
fn circles_are_told_apart_and_explain_an_empty_pareto_set() {
    let three = epreuve("three-cycle");
    assert_eq!(three["pareto_set"], json!([]));
    assert_eq!(three["dominance_cycles"].as_array().map(Vec::len), Some(1));
    let sizes = |name: &str| -> Vec<usize> {
        let epreuve = epreuve(name);
        let cycles = epreuve["dominance_cycles"].as_array().expect("cycles");
        cycles.iter().map(|cycle| cycle.as_array().expect("a cycle").len()).collect()
    };
    assert_eq!(sizes("two-cycles-apart"), [3, 3]);
    assert_eq!(sizes("one-cycle-of-six"), [6]);
}

#[test]
fn the_sides_of_a_comparison_may_change_from_dimension_to_dimension() {
    let plain = input("two-tools");
    let mut turned = plain.clone();
    let comparison = &mut turned["comparisons"][0];
    assert_eq!(comparison["result"], json!("first"));
    comparison["result"] = json!("second");
    comparison["pair"].as_array_mut().expect("a pair").reverse();
    assert_eq!(emitted(&turned), emitted(&plain));
}

fn broken(edit: impl FnOnce(&mut Value)) -> String {
    let mut input = input("multiplicity-partly-measured");
    edit(&mut input);
    match emitted(&input) {
        Err(Refusal::Broken(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_input_that_is_no_round_is_broken_and_the_place_is_named() {
    let withdrawn = json!({ "reason": "gone", "withdrawn_at": "2026-05-04T09:30:00Z" });
    assert_eq!(
        broken(|input| input["tools"][1]["tool"] = json!("archer")),
        "input/tools/1: \"archer\" is enrolled twice"
    );
    assert_eq!(
        broken(|input| (0..2).for_each(|tool| input["tools"][tool]["withdrawn"] = withdrawn.clone())),
        "input/tools: 1 run; a round needs two or more"
    );
    assert_eq!(
        broken(|input| input["tools"][2]["withdrawn"] = withdrawn.clone()),
        "input/comparisons/1: \"carver\" is no running tool"
    );
    assert_eq!(
        broken(|input| input["dimensions"] = json!(["quality", "quality"])),
        "input/dimensions: expected one or more, each once"
    );
    assert_eq!(broken(|input| input["alpha"] = json!(1.0)), "input/alpha: is 1; expected a number between 0 and 1");
    assert_eq!(
        broken(|input| input["comparisons"][0]["pair"] = json!(["baker", "baker"])),
        "input/comparisons/0: \"baker\" is compared with itself"
    );
    assert_eq!(
        broken(|input| input["comparisons"][0]["pair"] = json!(["carver", "baker"])),
        "input/comparisons/2: \"baker\" and \"carver\" are compared twice on quality"
    );
    assert_eq!(
        broken(|input| input["comparisons"].as_array_mut().expect("comparisons").truncate(2)),
        "input/comparisons: \"baker\" and \"carver\" are not compared on quality"
    );
    assert_eq!(
        broken(|input| input["comparisons"][0]["dimension"] = json!("cost")),
        "input/comparisons/0: cost is none of the épreuve's dimensions"
    );
    assert_eq!(
        broken(|input| input["comparisons"][0]["result"] = json!("first")),
        "input/comparisons/0: the result is `first`; `better` and `p_value` stand beside `tested`, and nowhere else"
    );
    assert_eq!(
        broken(|input| input["comparisons"][0]["p_value"] = json!(1.5)),
        "input/comparisons/0: p_value is 1.5; expected a number from 0 to 1"
    );
    assert_eq!(
        broken(|input| input["comparisons"][0]["reason"] = json!("none")),
        "input/comparisons/0: the result is `tested`; `reason` stands beside `not_measured`, and nowhere else"
    );
    assert_eq!(
        broken(|input| input["comparisons"][0]["draw_kind"] = json!("insufficient_precision")),
        "input/comparisons/0: the result is `tested`; `draw_kind` stands beside `draw`, and nowhere else"
    );
    let without = |comparison: usize, field: &'static str| {
        move |input: &mut Value| drop(input["comparisons"][comparison].as_object_mut().map(|one| one.remove(field)))
    };
    assert_eq!(
        broken(without(0, "better")),
        "input/comparisons/0: the result is `tested`; `better` and `p_value` are expected beside it"
    );
    assert_eq!(
        broken(without(1, "reason")),
        "input/comparisons/1: the result is `not_measured`; `reason` is expected beside it"
    );
    assert!(broken(|input| input["more"] = json!(1)).contains("unknown field `more`"));
    assert!(broken(|input| *input = json!(7)).starts_with("input: invalid type"));
}
