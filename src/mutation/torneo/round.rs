//! Rounds that are not complete, and matches between tools that do not play.

use serde_json::{Value, json};

use super::{STRANGER, comparisons, running, texts, withdrawn};
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{items, matching, parent, remove, set, text};

/// What follows from the matches, and is then not what they say. A match that is missing may have been the only one, and a withdrawn
/// tool's is one that a running tool lacks.
const DERIVED: &[&str] = &[
    "torneo/round-complete",
    "torneo/standings-derived",
    "torneo/standings-balance",
    "torneo/denominators-derived",
    "torneo/pareto-derived",
    "torneo/dominance-basis",
    "torneo/cycles-derived",
    "torneo/winners-measured",
    "torneo/winner-plays",
    "torneo/multiplicity",
    "schema/minItems",
];

pub const OPERATORS: &[Operator] = &[
    Operator::new("match-dropped", "two tools did not meet", &["torneo/round-complete"], dropped).may(DERIVED),
    Operator::new("match-repeated", "two tools met twice", &["torneo/round-complete"], repeated).may(DERIVED),
    Operator::new(
        "dimension-repeated",
        "a dimension is listed twice",
        &["torneo/dimensions-distinct"],
        dimension_repeated,
    ),
    Operator::new(
        "stranger-withdrawn",
        "a tool is withdrawn that was never enrolled",
        &["torneo/withdrawn-enrolled"],
        stranger_withdrawn,
    ),
    Operator::new("withdrawn-twice", "a tool is withdrawn twice", &["torneo/withdrawn-enrolled"], withdrawn_twice),
    Operator::new(
        "vendor-of-stranger",
        "a tool has a vendor that was never enrolled",
        &["torneo/vendors-enrolled"],
        vendor_of_stranger,
    ),
    Operator::new(
        "stranger-plays",
        "a tool plays that was never enrolled",
        &["torneo/match-tools-running"],
        stranger_plays,
    ),
    Operator::new("withdrawn-plays", "a withdrawn tool plays", &["torneo/match-tools-running"], withdrawn_plays)
        .may(DERIVED),
    Operator::new("match-id-repeated", "two matches have one id", &["torneo/match-ids-unique"], id_repeated),
    Operator::new("comparison-dropped", "a match lacks a dimension", &["torneo/match-dimensions"], comparison_dropped)
        .may(&["schema/minItems"]),
    Operator::new(
        "comparison-repeated",
        "a match carries a dimension twice",
        &["torneo/match-dimensions"],
        comparison_repeated,
    ),
    Operator::new(
        "comparison-on-stranger",
        "a match is held on a dimension that is not the épreuve's",
        &["torneo/match-dimensions"],
        comparison_on_stranger,
    ),
    Operator::new(
        "winner-elsewhere",
        "a tool wins a match that it does not play",
        &["torneo/winner-plays"],
        winner_elsewhere,
    ),
    Operator::new(
        "p-value-swapped",
        "a win and a draw of a dimension change their p-values",
        &["torneo/multiplicity"],
        p_swapped,
    ),
    Operator::new("p-value-of-a-draw", "a win has the p-value of a draw", &["torneo/multiplicity"], p_of_draw),
    Operator::new(
        "p-value-of-a-win",
        "a draw for want of precision has the p-value of a win",
        &["torneo/multiplicity"],
        p_of_win,
    ),
    Operator::new("alpha-shrunk", "no win is significant at the stated level", &["torneo/multiplicity"], alpha_shrunk),
];

fn dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let at = pick(choice, (0..items(document, "/matches").len()).collect())?;
    remove(document, "/matches", &at.to_string())?;
    Some("/matches".to_owned())
}

fn repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut twin = pick(choice, items(document, "/matches").to_vec())?;
    twin["match_id"] = "M-again".into();
    set(document, "/matches", "-", twin)?;
    Some(format!("/matches/{}", items(document, "/matches").len() - 1))
}

fn dimension_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let twin = pick(choice, items(document, "/dimensions").to_vec())?;
    set(document, "/dimensions", "-", twin)?;
    Some("/dimensions".to_owned())
}

fn withdraw(document: &mut Value, tool: &str) -> Option<String> {
    if document.get("withdrawn").is_none() {
        set(document, "", "withdrawn", json!([]))?;
    }
    set(
        document,
        "/withdrawn",
        "-",
        json!({ "tool": tool, "reason": "its licence ended", "withdrawn_at": "2000-01-01T00:00:00Z" }),
    )?;
    Some(format!("/withdrawn/{}", items(document, "/withdrawn").len() - 1))
}

fn stranger_withdrawn(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    withdraw(&mut draft.document, STRANGER)
}

fn withdrawn_twice(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let tool = pick(choice, withdrawn(&draft.document))?;
    withdraw(&mut draft.document, &tool)
}

fn vendor_of_stranger(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    draft.document.get("tool_vendors")?;
    set(&mut draft.document, "/tool_vendors", STRANGER, "Oak Works")?;
    Some(format!("/tool_vendors/{STRANGER}"))
}

fn player(document: &Value, choice: &mut dyn Choice) -> Option<String> {
    pick(choice, matching(document, "/matches/*/tools/*"))
}

fn stranger_plays(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = player(&draft.document, choice)?;
    *draft.document.pointer_mut(&at)? = STRANGER.into();
    Some(at)
}

fn withdrawn_plays(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let tool = pick(choice, withdrawn(&draft.document))?;
    let at = player(&draft.document, choice)?;
    *draft.document.pointer_mut(&at)? = tool.into();
    Some(at)
}

fn id_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut matches = matching(document, "/matches/*");
    if matches.len() < 2 {
        return None;
    }
    let one = matches.swap_remove(choice.below(matches.len()));
    let id = text(document, &pick(choice, matches)?, "match_id")?.to_owned();
    set(document, &one, "match_id", id)?;
    Some(one + "/match_id")
}

fn comparison_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, comparisons(&draft.document))?;
    let (list, index) = at.rsplit_once('/')?;
    remove(&mut draft.document, list, index)?;
    Some(list.to_owned())
}

fn comparison_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, comparisons(&draft.document))?;
    let twin = draft.document.pointer(&at)?.clone();
    set(&mut draft.document, parent(&at), "-", twin)?;
    Some(parent(&at).to_owned())
}

fn comparison_on_stranger(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let own = texts(&draft.document, "/dimensions");
    let others = ["quality", "latency", "cost", "reliability", "energy"].into_iter();
    let other = pick(choice, others.filter(|name| !own.iter().any(|own| own == name)).collect())?;
    let list = pick(choice, matching(&draft.document, "/matches/*"))? + "/dimensions";
    set(
        &mut draft.document,
        &list,
        "-",
        json!({ "dimension": other, "outcome": "not_measured", "reason": "no data" }),
    )?;
    Some(list)
}

fn winner_elsewhere(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let running = running(document);
    let mut candidates = Vec::new();
    for at in comparisons(document).into_iter().filter(|at| text(document, at, "outcome") == Some("win")) {
        let players = texts(document, &format!("{}/tools", parent(parent(&at))));
        candidates.extend(running.iter().filter(|tool| !players.contains(tool)).map(|tool| (at.clone(), tool.clone())));
        candidates.push((at, STRANGER.to_owned()));
    }
    let (at, tool) = pick(choice, candidates)?;
    set(document, &at, "winner", tool)?;
    Some(at + "/winner")
}

/// The comparisons of dimensions on which every measured one states its p-value: place, dimension, whether it is a win (or a draw
/// for want of precision), and p.
fn tested(document: &Value) -> Vec<(String, String, bool, f64)> {
    let mut found = Vec::new();
    let mut untested = Vec::new();
    for at in comparisons(document) {
        let Some(comparison) = document.pointer(&at) else { continue };
        let dimension = comparison["dimension"].as_str().unwrap_or_default().to_owned();
        match (comparison["outcome"].as_str(), comparison["p_value"].as_f64()) {
            (Some("not_measured"), _) => {}
            (_, None) => untested.push(dimension),
            (Some("win"), Some(p)) => found.push((at, dimension, true, p)),
            (_, Some(p)) if comparison["draw_kind"] == "insufficient_precision" => {
                found.push((at, dimension, false, p))
            }
            _ => {}
        }
    }
    found.retain(|(_, dimension, ..)| !untested.contains(dimension));
    found
}

fn p_swapped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let tested = tested(&draft.document);
    let mut candidates = Vec::new();
    for (win, dimension, is_win, p) in &tested {
        let draws = tested.iter().filter(|(_, other, wins, q)| *is_win && other == dimension && !wins && q > p);
        candidates.extend(draws.map(|(draw, _, _, q)| (win.clone(), draw.clone(), *p, *q)));
    }
    let (win, draw, p, q) = pick(choice, candidates)?;
    set(&mut draft.document, &win, "p_value", q)?;
    set(&mut draft.document, &draw, "p_value", p)?;
    Some(win + "/p_value")
}

fn p_of_draw(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let wins = tested(&draft.document).into_iter().filter(|(_, _, win, _)| *win).map(|(at, ..)| at).collect();
    let at: String = pick(choice, wins)?;
    set(&mut draft.document, &at, "p_value", [0.99, 0.75, 1.0][choice.below(3)])?;
    Some(at + "/p_value")
}

fn p_of_win(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let draws = tested(&draft.document).into_iter().filter(|(_, _, win, _)| !*win).map(|(at, ..)| at).collect();
    let at: String = pick(choice, draws)?;
    set(&mut draft.document, &at, "p_value", [0.0, 1e-9, 1e-7][choice.below(3)])?;
    Some(at + "/p_value")
}

fn alpha_shrunk(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    let least = 1e-12;
    tested(&draft.document).iter().find(|(_, _, win, p)| *win && *p > least)?;
    set(&mut draft.document, "", "alpha", least)?;
    Some("/alpha".to_owned())
}
