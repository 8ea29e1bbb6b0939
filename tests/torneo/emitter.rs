//! A small emitter of épreuves, written from `docs/scenarios-torneo.md` alone. The oracle is held against it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

const BOXES: [&str; 5] = [
    "corpus_frozen_before_collection",
    "test_and_threshold_preregistered",
    "no_tool_withdrawn_after_the_fact",
    "disagreements_arbitrated_by_the_written_rule",
    "third_party_can_replay_from_the_frozen_corpus",
];

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The épreuve of a scenario's input.
pub fn emit(input: &Value) -> Value {
    let dimensions: Vec<String> = items(&input["dimensions"]).iter().map(text).collect();
    let tools = items(&input["tools"]);
    let running: Vec<String> =
        tools.iter().filter(|tool| tool.get("withdrawn").is_none()).map(|tool| text(&tool["tool"])).collect();
    let wins = settled(input, running.len());

    let mut matches: BTreeMap<(String, String), BTreeMap<String, Value>> = BTreeMap::new();
    for (at, compared) in items(&input["comparisons"]).iter().enumerate() {
        let (a, b) = (text(&compared["pair"][0]), text(&compared["pair"][1]));
        let key = if a > b { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) };
        let dimension = text(&compared["dimension"]);
        let mut stated = json!({ "dimension": dimension });
        match (compared["result"].as_str().expect("a result"), wins[at]) {
            ("not_measured", _) => {
                stated["outcome"] = "not_measured".into();
                stated["reason"] = compared["reason"].clone();
            }
            (_, Some(first)) => {
                stated["outcome"] = "win".into();
                stated["winner"] = if first { a } else { b }.into();
            }
            (result, None) => {
                stated["outcome"] = "draw".into();
                let kind =
                    if result == "tested" { json!("insufficient_precision") } else { compared["draw_kind"].clone() };
                stated["draw_kind"] = kind;
            }
        }
        if compared.get("p_value").is_some() {
            stated["p_value"] = compared["p_value"].clone();
        }
        matches.entry(key).or_default().insert(dimension, stated);
    }

    let mut document = json!({
        "schema_version": "epreuve.v1", "epreuve_winner_rule": input["winner_rule"],
        "tools": tools.iter().map(|tool| &tool["tool"]).collect::<Vec<_>>(),
        "tool_vendors": tools.iter().filter_map(|tool| Some((text(&tool["tool"]), tool.get("vendor")?.clone()))).collect::<serde_json::Map<_, _>>(),
        "validators": items(&input["validators"]).iter().map(signature).collect::<Vec<_>>(),
    });
    for key in [
        "epreuve_id",
        "category",
        "dimensions",
        "corpus",
        "preregistration",
        "multiplicity",
        "alpha",
        "observed_at",
        "status",
        "arbitration_rule",
        "replay",
    ] {
        if let Some(value) = input.get(key) {
            document[key] = value.clone();
        }
    }
    let withdrawn: Vec<Value> = tools
        .iter()
        .filter_map(|tool| {
            let mut entry = tool.get("withdrawn")?.clone();
            entry["tool"] = tool["tool"].clone();
            Some(entry)
        })
        .collect();
    if !withdrawn.is_empty() {
        document["withdrawn"] = withdrawn.into();
    }
    let stated = matches.iter().enumerate().map(|(at, ((a, b), on))| {
        let dimensions: Vec<&Value> = on.values().collect();
        json!({ "schema_version": "match.v1", "match_id": format!("{a}-{b}-{at}"), "tools": [a, b], "dimensions": dimensions })
    });
    document["matches"] = stated.collect();
    derive(&mut document, input, &dimensions, &running, &matches);
    document
}

/// For each comparison, whether the first tool wins it; `None` for a draw or one not measured.
fn settled(input: &Value, k: usize) -> Vec<Option<bool>> {
    let (m, alpha) = ((k * (k - 1) / 2) as f64, input["alpha"].as_f64().expect("a number"));
    let all = items(&input["comparisons"]);
    let mut wins: Vec<Option<bool>> = all
        .iter()
        .map(|compared| match compared["result"].as_str() {
            Some("first") => Some(true),
            Some("second") => Some(false),
            _ => None,
        })
        .collect();
    for dimension in items(&input["dimensions"]) {
        let mut tested: Vec<(f64, usize)> = all
            .iter()
            .enumerate()
            .filter(|(_, compared)| compared["dimension"] == *dimension && compared["result"] == "tested")
            .map(|(at, compared)| (compared["p_value"].as_f64().expect("a number"), at))
            .collect();
        tested.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (before, (p, at)) in tested.into_iter().enumerate() {
            let divisor = match input["multiplicity"].as_str() {
                Some("holm") => m - before as f64,
                Some("bonferroni") => m,
                _ => 1.0,
            };
            if p > alpha / divisor {
                break;
            }
            wins[at] = Some(all[at]["better"] == "first");
        }
    }
    wins
}

fn signature(signed: &Value) -> Value {
    let ticked: Vec<String> = items(&signed["ticked"]).iter().map(text).collect();
    let mut stated = signed.clone();
    stated.as_object_mut().expect("an object").remove("ticked");
    stated["checks"] = BOXES
        .iter()
        .map(|&name| (name.to_owned(), ticked.contains(&name.to_owned()).into()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    stated
}

type Matches = BTreeMap<(String, String), BTreeMap<String, Value>>;

/// Adds what follows from the matches.
fn derive(document: &mut Value, input: &Value, dimensions: &[String], running: &[String], matches: &Matches) {
    let mut standings = Vec::new();
    let mut winners = serde_json::Map::new();
    let mut per_dimension = serde_json::Map::new();
    for dimension in dimensions {
        let mut rows: BTreeMap<&str, [i64; 4]> = running.iter().map(|tool| (tool.as_str(), [0; 4])).collect();
        let mut counts: BTreeMap<&str, i64> = [
            "played",
            "concluded",
            "draws_insufficient_precision",
            "draws_equivalent_within_margin",
            "draws_unspecified",
            "not_measured",
        ]
        .into_iter()
        .map(|key| (key, 0))
        .collect();
        for ((a, b), on) in matches {
            let stated = &on[dimension];
            let mut add = |tool: &str, at: usize| rows.get_mut(tool).expect("a running tool")[at] += 1;
            let mut count = |key: &'static str| *counts.get_mut(key).expect("a count") += 1;
            match stated["outcome"].as_str() {
                Some("win") => {
                    let loser = if stated["winner"] == **a { b } else { a };
                    add(stated["winner"].as_str().expect("a winner"), 0);
                    add(loser, 2);
                    count("concluded");
                    count("played");
                }
                Some("draw") => {
                    add(a, 1);
                    add(b, 1);
                    count("played");
                    count(match stated["draw_kind"].as_str() {
                        Some("insufficient_precision") => "draws_insufficient_precision",
                        Some(_) => "draws_equivalent_within_margin",
                        None => "draws_unspecified",
                    });
                }
                _ => {
                    add(a, 3);
                    add(b, 3);
                    count("not_measured");
                }
            }
        }
        let most = rows.values().map(|row| (row[0], -row[2])).max().expect("a row");
        let best: Vec<&&str> = rows.iter().filter(|(_, row)| (row[0], -row[2]) == most).map(|(tool, _)| tool).collect();
        let winner = match input["winner_rule"].as_str() {
            Some("beats-every-other") => (most.0 as usize == running.len() - 1).then(|| *best[0]),
            _ => (best.len() == 1 && most.0 > 0).then(|| *best[0]),
        };
        winners.insert(dimension.clone(), winner.into());
        let table: Vec<Value> = rows
            .iter()
            .map(|(tool, [wins, draws, losses, not_measured])| {
                json!({ "tool": tool, "wins": wins, "draws": draws, "losses": losses, "not_measured": not_measured })
            })
            .collect();
        standings.push(json!({ "dimension": dimension, "table": table }));
        per_dimension.insert(dimension.clone(), json!(counts));
    }
    dominance(document, running, matches);
    document["champion"] = champion(document, &winners, running, &per_dimension);
    let sum = |key: &str| per_dimension.values().map(|counts| counts[key].as_i64().expect("a count")).sum::<i64>();
    let won = |on: &&BTreeMap<String, Value>| on.values().any(|stated| stated["outcome"] == "win");
    document["denominators"] = json!({
        "comparisons_played": sum("played"), "comparisons_concluded": sum("concluded"),
        "matches_played": matches.len(), "matches_concluded": matches.values().filter(won).count(),
        "per_dimension": per_dimension,
    });
    document["standings"] = standings.into();
    document["epreuve_winners"] = winners.into();
}

fn champion(
    document: &Value,
    winners: &serde_json::Map<String, Value>,
    running: &[String],
    counts: &serde_json::Map<String, Value>,
) -> Value {
    let titles: BTreeSet<Option<&str>> = winners.values().map(Value::as_str).collect();
    let vendors: BTreeSet<&str> = running.iter().filter_map(|tool| document["tool_vendors"][tool].as_str()).collect();
    let measured = counts.values().all(|counts| counts["not_measured"] == 0);
    if titles.len() == 1 && vendors.len() > 1 && measured {
        titles.first().copied().flatten().into()
    } else {
        Value::Null
    }
}

fn dominance(document: &mut Value, running: &[String], matches: &Matches) {
    let mut bases = Vec::new();
    let mut reach: BTreeSet<(String, String)> = BTreeSet::new();
    for ((a, b), on) in matches {
        for (dominant, dominated) in [(a, b), (b, a)] {
            let won: Vec<&String> =
                on.iter().filter(|(_, stated)| stated["winner"] == **dominant).map(|(name, _)| name).collect();
            if won.is_empty() || on.values().any(|stated| stated["winner"] == **dominated) {
                continue;
            }
            let with = |outcome: &'static str| on.iter().filter(move |(_, stated)| stated["outcome"] == outcome);
            let undecided: Vec<Value> = with("draw")
                .map(|(name, stated)| json!({ "dimension": name, "draw_kind": stated["draw_kind"] }))
                .collect();
            let not_measured: Vec<&String> = with("not_measured").map(|(name, _)| name).collect();
            bases.push(json!({
                "dominant": dominant, "dominated": dominated, "won": won, "undecided": undecided, "not_measured": not_measured,
            }));
            reach.insert((dominant.clone(), dominated.clone()));
        }
    }
    let free = running.iter().filter(|tool| !reach.iter().any(|(_, dominated)| dominated == *tool));
    document["pareto_set"] = free.collect::<Vec<_>>().into_iter().cloned().collect();
    document["dominance_basis"] = bases.into();
    for via in running {
        for from in running {
            for to in running {
                if reach.contains(&(from.clone(), via.clone())) && reach.contains(&(via.clone(), to.clone())) {
                    reach.insert((from.clone(), to.clone()));
                }
            }
        }
    }
    let both =
        |a: &String, b: &String| reach.contains(&(a.clone(), b.clone())) && reach.contains(&(b.clone(), a.clone()));
    let groups: BTreeSet<Vec<&String>> = running
        .iter()
        .map(|tool| running.iter().filter(|other| *other == tool || both(tool, other)).collect::<Vec<_>>())
        .filter(|group| group.len() > 1)
        .collect();
    document["dominance_cycles"] = json!(groups);
}
