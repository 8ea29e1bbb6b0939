//! What holds of every round, and of every broken document.

use conform::finding::Severity;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::judging::{errors, ids, judge, read, suite};
use crate::rounds::{DIMENSIONS, Outcome, Round, derive, name, round};

/// Wins, draws, losses and comparisons not measured of a tool, by the definition.
fn counted(round: &Round, dimension: usize, tool: usize) -> [u64; 4] {
    let mut row = [0; 4];
    for ((a, b), outcomes) in round.pairs().zip(&round.outcomes) {
        let (first, second) = (a == tool, b == tool);
        if first || second {
            let at = match outcomes[dimension] {
                Outcome::Draw(_) => 1,
                Outcome::NotMeasured => 3,
                Outcome::First => {
                    if first {
                        0
                    } else {
                        2
                    }
                }
                Outcome::Second => {
                    if second {
                        0
                    } else {
                        2
                    }
                }
            };
            row[at] += 1;
        }
    }
    row
}

/// Whether `a` dominates `b`, by the definition.
fn dominates(round: &Round, a: usize, b: usize) -> bool {
    let at = round.pairs().position(|pair| pair == (a.min(b), a.max(b))).expect("every pair meets");
    let outcomes = &round.outcomes[at][..round.dimensions];
    let (own, other) = if a < b { (Outcome::First, Outcome::Second) } else { (Outcome::Second, Outcome::First) };
    outcomes.contains(&own) && !outcomes.contains(&other)
}

fn shuffled(document: &Value, order: &[Index]) -> Value {
    let mut document = document.clone();
    let mut left = document["matches"].as_array().expect("an array").clone();
    let mut matches = Vec::new();
    for index in order.iter().cycle() {
        if left.is_empty() {
            break;
        }
        let mut one = left.remove(index.index(left.len()));
        if matches.len() % 2 == 0 {
            one["tools"].as_array_mut().expect("an array").reverse();
        }
        one["dimensions"].as_array_mut().expect("an array").reverse();
        matches.push(one);
    }
    document["matches"] = matches.into();
    document
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_derived_keeps_every_obligation(round in round()) {
        let (findings, _) = judge(&round.document().to_string());
        prop_assert_eq!(findings, []);
    }

    #[test]
    fn what_is_derived_is_what_the_definitions_say(round in round()) {
        let derived = derive(&read(&round.raw().to_string()));
        for (dimension, text) in DIMENSIONS[..round.dimensions].iter().enumerate() {
            let rows = (0..round.tools).map(|tool| {
                let [wins, draws, losses, not_measured] = counted(&round, dimension, tool);
                json!({ "tool": name(tool), "wins": wins, "draws": draws, "losses": losses, "not_measured": not_measured })
            });
            prop_assert_eq!(&derived["standings"][dimension], &json!({ "dimension": text, "table": rows.collect::<Value>() }));
        }
        let others = |tool: usize| (0..round.tools).filter(move |&other| other != tool);
        let free = (0..round.tools).filter(|&tool| !others(tool).any(|other| dominates(&round, other, tool)));
        prop_assert_eq!(&derived["pareto_set"], &free.map(name).collect::<Value>());
        let pairs = (0..round.tools).map(|tool| others(tool).filter(|&other| dominates(&round, tool, other)).count());
        prop_assert_eq!(derived["dominance_basis"].as_array().map(Vec::len), Some(pairs.sum()));
    }

    #[test]
    fn the_order_of_matches_tools_and_dimensions_in_them_changes_nothing(
        round in round(), order in proptest::collection::vec(any::<Index>(), 1..8), row in any::<Index>(),
    ) {
        let document = round.document();
        let moved = shuffled(&document, &order);
        prop_assert_eq!(derive(&read(&document.to_string())), derive(&read(&moved.to_string())));
        let wrong = |document: &Value| {
            let mut document = document.clone();
            let wins = &mut document["standings"][0]["table"][row.index(round.tools)]["wins"];
            *wins = (wins.as_u64().expect("a count") + 1).into();
            judge(&document.to_string()).0.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        prop_assert_eq!(wrong(&document), wrong(&moved));
    }

    #[test]
    fn the_names_of_tools_change_nothing_but_names(round in round(), removed in any::<Index>(), row in any::<Index>()) {
        let mut document = round.document();
        document["standings"][0]["table"][row.index(round.tools)]["losses"] = json!(77);
        document["matches"].as_array_mut().expect("an array").remove(removed.index(round.outcomes.len()));
        let text = document.to_string();
        let other = |text: &str| text.replace("tool-", "zz_");
        let messages = |text: &str| {
            judge(text).0.into_iter().map(|finding| (finding.obligation, finding.message)).collect::<Vec<_>>()
        };
        let renamed: Vec<_> = messages(&text).into_iter().map(|(id, message)| (id, other(&message))).collect();
        prop_assert_eq!(renamed, messages(&other(&text)));
    }

    #[test]
    fn a_pair_that_did_not_meet_is_named(round in round(), removed in any::<Index>()) {
        let mut document = round.document();
        let at = removed.index(round.outcomes.len());
        document["matches"].as_array_mut().expect("an array").remove(at);
        let (findings, _) = judge(&document.to_string());
        let (a, b) = round.pairs().nth(at).expect("a pair");
        let found = findings.iter().find(|finding| finding.obligation == "torneo/round-complete").expect("a finding");
        let named = format!("1 of the {} pairs of {} running tools have no match: `{}` – `{}`",
            round.outcomes.len(), round.tools, name(a), name(b));
        prop_assert_eq!(&found.message, &named);
        prop_assert_eq!(found.place.as_ref().map(|place| place.pointer.as_str()), Some("/matches"));
    }

    #[test]
    fn a_pair_that_met_twice_is_reported_at_the_second_match(round in round(), again in any::<Index>()) {
        let mut document = round.document();
        let matches = document["matches"].as_array_mut().expect("an array");
        let mut twin = matches[again.index(matches.len())].clone();
        twin["match_id"] = "again".into();
        matches.push(twin);
        let place = format!("/matches/{}", matches.len() - 1);
        let (findings, _) = judge(&document.to_string());
        let found = findings.iter().find(|finding| finding.obligation == "torneo/round-complete").expect("a finding");
        prop_assert_eq!(found.place.as_ref().map(|place| &place.pointer), Some(&place));
    }

    #[test]
    fn unbalanced_tables_are_found_without_the_matches(round in round(), row in any::<Index>(), by in 1u64..5) {
        let mut document = round.document();
        document["matches"] = json!("lost");
        let wins = &mut document["standings"][0]["table"][row.index(round.tools)]["wins"];
        *wins = (wins.as_u64().expect("a count") + by).into();
        let (findings, not_judged) = judge(&document.to_string());
        prop_assert_eq!(errors(&findings), ["torneo/standings-balance"]);
        prop_assert!(not_judged.iter().any(|entry| entry.obligation == "torneo/standings-derived"));
        prop_assert!(not_judged.iter().any(|entry| entry.obligation == "torneo/round-complete"));
    }

    #[test]
    fn no_broken_structure_panics(faults in proptest::collection::vec((any::<Index>(), any_json()), 1..5)) {
        let mut document: Value = serde_json::from_str(suite().family().example(suite())).expect("JSON");
        for (at, value) in faults {
            let mut places = Vec::new();
            places_of(&document, String::new(), &mut places);
            *document.pointer_mut(&places[at.index(places.len())]).expect("a place") = value;
        }
        let text = document.to_string();
        let (findings, _) = judge(&text);
        prop_assert!(ids(&findings, Severity::Note).is_empty());
        let _ = suite().family().derive(suite(), &read(&text));
    }

    #[test]
    fn no_json_at_all_panics(value in any_json()) {
        let text = value.to_string();
        judge(&text);
        prop_assert!(suite().family().derive(suite(), &read(&text)).is_err());
    }
}

pub fn places_of(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                places_of(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), places);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                places_of(value, format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
    places.push(at);
}

/// Any JSON, often with the words that the model looks for.
pub fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("archer"),
        Just("drover"),
        Just("quality"),
        Just("cost"),
        Just("win"),
        Just("draw"),
        Just("not_measured"),
        Just("tools"),
        Just("dimensions"),
        Just("dimension"),
        Just("table"),
        Just("2026-05-10T12:00:00Z"),
        Just(""),
        Just("\u{1F980}"),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e18..1e18f64).prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((word.clone(), inner), 0..5)
                .prop_map(|members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}
