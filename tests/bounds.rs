//! Where an obligation begins to bind: on the bound itself a document is valid, one past it it is not (or the other way round).
//! Each bound is one that an emitter meets in practice, and that a rule which is off by one would get wrong.

use std::collections::BTreeSet;

use conform::check::Checker;
use conform::document::Limits;
use conform::finding::Severity;
use conform::obligation::{Edit, Settings};
use conform::run::results::SubjectResult;
use conform::schema::Schemas;
use conform::suite;
use serde_json::Value;

const OPTIMIZE: &str = "mavai-optimize-1";
const BASELINE: &str = "mavai-baseline-1";
const EPREUVE: &str = "torneo-epreuve-v1";
const RECORD: &str = "orbiplex-task-pack-execution-v1";

fn judged(id: &str, edit: impl FnOnce(&mut Value)) -> SubjectResult {
    let suite = suite::by_id(id).unwrap();
    let mut document: Value = serde_json::from_str(suite.family().example(suite)).unwrap();
    edit(&mut document);
    let checker = Checker {
        schemas: Schemas::embedded().unwrap(),
        settings: Settings::default(),
        limits: Limits::default(),
        suite: Some(suite),
    };
    checker.judge("example", serde_json::to_vec_pretty(&document).unwrap())
}

fn errors(result: &SubjectResult) -> BTreeSet<&str> {
    let errors = result.findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.obligation.as_str()).collect()
}

/// The example with some members set has exactly these errors.
fn expect(id: &str, edits: &[(&'static str, &'static str)], expected: &[&str]) {
    let result = judged(id, |document| {
        edits.iter().for_each(|(pointer, json)| Edit::Set(pointer, json).apply(document).unwrap());
    });
    assert_eq!(errors(&result), expected.iter().copied().collect(), "{edits:?}: {:?}", result.findings);
}

#[test]
fn a_key_has_256_characters_and_not_bytes() {
    for (characters, expected) in [(256, &[][..]), (257, &["mavai/key-bounded"])] {
        let result = judged(OPTIMIZE, |document| document["experimentId"] = "é".repeat(characters).into());
        assert_eq!(errors(&result), expected.iter().copied().collect(), "{characters}");
    }
}

#[test]
fn the_last_input_is_one_below_their_number() {
    let entry = "/iterations/0/statistics/failureDistribution/1/inputIndex";
    expect(OPTIMIZE, &[(entry, "2")], &[]);
    expect(OPTIMIZE, &[(entry, "3")], &["mavai/inputs-complete"]);
}

#[test]
fn an_input_that_is_not_listed_has_no_share_of_the_round() {
    // The last row is of an input past the last: that it is unknown is one fault, not a second one of the round robin.
    let rows = "/iterations/0/statistics/criteria/tone/standings/rows/2/inputIndex";
    expect(OPTIMIZE, &[(rows, "3")], &["mavai/inputs-complete"]);
}

#[test]
fn checks_that_only_inputs_state_leave_other_inputs_without_rows() {
    let rows = |provenance: &str| {
        let provenance = provenance.to_owned();
        judged(OPTIMIZE, move |document| {
            document.as_object_mut().unwrap().shift_remove("inputs");
            let rows = document.pointer_mut("/iterations/0/statistics/criteria/tone/standings/rows").unwrap();
            rows.as_array_mut().unwrap().truncate(1);
            rows[0]["provenance"] = provenance.into();
        })
    };
    assert!(errors(&rows("input")).is_empty(), "{:?}", rows("input").findings);
    let asserted = rows("criterion");
    assert!(errors(&asserted).contains("mavai/standings-row-total"), "{:?}", asserted.findings);
}

#[test]
fn a_confidence_level_of_1_bounds_nothing() {
    let bound = |level: &'static str| {
        let result = judged(BASELINE, |document| Edit::Set("/confidenceLevel", level).apply(document).unwrap());
        result.not_judged.iter().any(|entry| entry.obligation == "mavai/wilson-bound")
    };
    assert!(!bound("0.999"));
    assert!(bound("1"));
    assert!(bound("1.0"));
}

#[test]
fn a_bound_is_missing_at_no_trials_only_as_null() {
    let criterion = "/criteria/delivered";
    let none = |bound: &str| {
        let bound: Value = bound.parse().unwrap();
        let result = judged(BASELINE, |document| {
            let criterion = document.pointer_mut(criterion).unwrap();
            criterion["trials"] = 0.into();
            criterion["successes"] = 0.into();
            criterion["wilsonLowerBound"] = bound;
        });
        errors(&result).contains("mavai/wilson-bound")
    };
    assert!(!none("null"));
    assert!(none("0.0"));
}

#[test]
fn what_happens_at_the_moment_of_observation_is_not_before_it() {
    let observed = "\"2026-05-10T12:00:00Z\"";
    // A tool may be withdrawn, and a validator sign, at the very moment.
    expect(EPREUVE, &[("/withdrawn/0/withdrawn_at", observed)], &[]);
    expect(EPREUVE, &[("/validators/0/signed_at", observed)], &[]);
    expect(EPREUVE, &[("/validators/0/signed_at", "\"2026-05-10T11:59:59Z\"")], &["torneo/validator-signs-after"]);
    // What must be frozen before is not frozen before.
    expect(EPREUVE, &[("/corpus/frozen_at", "\"2026-05-10T11:59:59.9Z\"")], &[]);
    let late = judged(EPREUVE, |document| {
        Edit::Set("/corpus/frozen_at", observed).apply(document).unwrap();
    });
    assert!(errors(&late).contains("torneo/corpus-frozen-first"), "{:?}", late.findings);
    assert!(late.findings.iter().any(|finding| finding.message == "the corpus froze as it was observed"));
}

#[test]
fn a_day_has_24_hours_and_a_leap_second_its_place() {
    for (instant, expected) in [
        ("\"2026-05-12T23:59:59Z\"", true),
        ("\"2026-06-30T23:59:60Z\"", true),
        ("\"2026-05-12T24:00:00Z\"", false),
        ("\"2026-05-12T23:60:00Z\"", false),
        ("\"2026-05-12T23:59:60Z\"", false),
    ] {
        let result = judged(EPREUVE, |document| Edit::Set("/validators/0/signed_at", instant).apply(document).unwrap());
        assert_eq!(errors(&result).is_empty(), expected, "{instant}: {:?}", result.findings);
    }
}

#[test]
fn a_winner_is_implausible_only_beside_more_wins_and_fewer_losses() {
    // On cost, baker has as many wins as archer, if more losses; on quality, carver has fewer wins and more losses.
    expect(EPREUVE, &[("/epreuve_winners/cost", "\"baker\""), ("/champion", "null")], &[]);
    let result = judged(EPREUVE, |document| document["epreuve_winners"]["quality"] = "carver".into());
    let implausible = result.findings.iter().any(|finding| finding.obligation == "torneo/winners-plausible");
    assert!(implausible, "{:?}", result.findings);
}

#[test]
fn an_integer_is_exact_up_to_2_to_the_53() {
    // Nothing in a record is such a number but what a later version may add: the canonical form must hold it all the same.
    let canonical = |number: u64| {
        let result = judged(RECORD, |record| record["note"] = number.into());
        !result.not_judged.iter().any(|entry| entry.obligation == "orbiplex/signature")
    };
    assert!(canonical(9_007_199_254_740_991));
    assert!(!canonical(9_007_199_254_740_992));
}

#[test]
fn what_is_missing_is_named_and_nothing_else() {
    let result = judged(EPREUVE, |document| Edit::Remove("/dominance_basis/1").apply(document).unwrap());
    let said: Vec<&str> = result
        .findings
        .iter()
        .filter(|finding| finding.obligation == "torneo/dominance-basis")
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(said, ["no basis for `archer over carver`"]);
}

#[test]
fn a_champion_beside_an_outcome_that_cannot_be_read_is_not_judged() {
    let not_judged = |outcome: &'static str| {
        let result =
            judged(EPREUVE, |document| Edit::Set("/matches/0/dimensions/0/outcome", outcome).apply(document).unwrap());
        result.not_judged.iter().any(|entry| entry.obligation == "torneo/champion-measured")
    };
    assert!(!not_judged("\"win\""));
    assert!(not_judged("\"triumph\""));
}

#[test]
fn a_path_is_found_in_the_excerpt_of_a_failure_too() {
    let result = judged(OPTIMIZE, |document| {
        let entry = document.pointer_mut("/iterations/0/statistics/failureDistribution/1").unwrap();
        entry["inputIndex"] = 1.into();
        entry["inputExcerpt"] = "/home/me/inputs/pear.txt".into();
    });
    let path = |finding: &&conform::finding::Finding| finding.message.contains("is a path on somebody's machine");
    let place = result.findings.iter().find(path).and_then(|finding| finding.place.as_ref());
    let place = place.map_or("nowhere", |place| place.pointer.as_str());
    assert_eq!(place, "/iterations/0/statistics/failureDistribution/1/inputExcerpt");
}

#[test]
fn a_table_whose_rows_add_up_must_balance_all_the_same() {
    let result = judged(EPREUVE, |document| {
        let row = document.pointer_mut("/standings/0/table/0").unwrap();
        (row["wins"], row["draws"]) = (1.into(), 1.into());
    });
    let balance = |finding: &&conform::finding::Finding| finding.obligation == "torneo/standings-balance";
    let said: Vec<_> = result.findings.iter().filter(balance).map(|finding| finding.message.as_str()).collect();
    assert!(said.iter().any(|said| said.contains("has 1 wins and 2 losses in sum")), "{said:?}");
}

#[test]
fn the_entry_without_a_kind_is_the_one_shown() {
    let entry = "/iterations/0/statistics/failureDistribution/1";
    let result = judged(OPTIMIZE, |document| {
        document.pointer_mut(entry).and_then(Value::as_object_mut).unwrap().shift_remove("kind");
    });
    let kind = result.findings.iter().find(|finding| finding.obligation == "mavai/kind-stated-throughout").unwrap();
    assert_eq!(kind.place.as_ref().map(|place| place.pointer.as_str()), Some(entry));
}

#[test]
fn who_dominates_a_tool_of_the_pareto_set_is_named() {
    let result = judged(EPREUVE, |document| Edit::Set("/pareto_set/-", "\"carver\"").apply(document).unwrap());
    let pareto = result.findings.iter().find(|finding| finding.obligation == "torneo/pareto-derived").unwrap();
    assert_eq!(pareto.message, "`carver` is in the Pareto set and is dominated by `archer`");
}

#[test]
fn two_matches_of_the_same_tools_show_who_dominates_only_if_they_agree() {
    let with = |outcome: Option<&str>| {
        let result = judged(EPREUVE, |document| {
            let mut again = document["matches"][0].clone();
            again["match_id"] = "M4".into();
            if let Some(outcome) = outcome {
                again["dimensions"][0]["outcome"] = outcome.into();
                again["dimensions"][0].as_object_mut().unwrap().shift_remove("winner");
            }
            document["matches"].as_array_mut().unwrap().push(again);
        });
        let pareto = |entry: &&conform::finding::NotJudged| entry.obligation == "torneo/pareto-derived";
        result.not_judged.iter().find(pareto).map(|entry| entry.reason.clone())
    };
    assert_eq!(with(None), None);
    assert_eq!(with(Some("draw")).as_deref(), Some("matches `M1` and `M4` of the same tools disagree"));
}
