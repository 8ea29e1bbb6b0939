//! Titles that nobody won, and champions without them.

use serde_json::{Map, Value};

use super::{STRANGER, running, texts, withdrawn};
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, matching, remove, set, text};

/// A champion named for one fault may lack another condition too.
const CONDITIONS: &[&str] = &["torneo/champion-measured", "torneo/champion-vendors", "torneo/winners-measured"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("stranger-wins", "a dimension's winner does not run", &["torneo/winners-known"], stranger_wins)
        .may(&["torneo/winners-measured"]),
    Operator::new(
        "unmeasured-won",
        "a dimension has a winner on which nothing was measured",
        &["torneo/winners-measured"],
        unmeasured_won,
    ),
    Operator::new(
        "loser-wins",
        "a dimension's winner won less and lost more than another",
        &["torneo/winners-plausible"],
        loser_wins,
    ),
    Operator::new("rule-dropped", "a winner has no written rule", &["torneo/winner-rule-stated"], rule_dropped),
    Operator::new("title-dropped", "a champion lacks a title", &["torneo/champion-titles"], title_dropped)
        .may(CONDITIONS),
    Operator::new("title-of-another", "a champion's title is another's", &["torneo/champion-titles"], title_of_another)
        .may(CONDITIONS),
    Operator::new(
        "champion-of-unmeasured",
        "a champion is named though a comparison was not measured",
        &["torneo/champion-measured"],
        champion_unmeasured,
    )
    .may(CONDITIONS),
    Operator::new("one-vendor", "a champion's rivals are of its own vendor", &["torneo/champion-vendors"], one_vendor)
        .may(CONDITIONS),
    Operator::new(
        "vendors-unknown",
        "a champion is named and no vendor is known",
        &["torneo/champion-vendors"],
        no_vendors,
    )
    .may(CONDITIONS),
    Operator::new(
        "champion-dropped",
        "a champion's conditions hold and none is named",
        &["torneo/champion-omitted"],
        champion_dropped,
    ),
];

/// Takes the champion back, whose titles are about to change.
fn no_champion(document: &mut Value) -> Option<()> {
    if document.get("champion").is_some() { set(document, "", "champion", Value::Null) } else { Some(()) }
}

fn winner(document: &mut Value, dimension: &str, tool: &str) -> Option<String> {
    if document.get("epreuve_winners").is_none() {
        set(document, "", "epreuve_winners", Value::Object(Map::new()))?;
    }
    set(document, "/epreuve_winners", dimension, tool)?;
    Some(format!("/epreuve_winners/{dimension}"))
}

fn stranger_wins(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut tools = withdrawn(document);
    tools.push(STRANGER.to_owned());
    let (dimension, tool) = (pick(choice, texts(document, "/dimensions"))?, pick(choice, tools)?);
    no_champion(document)?;
    winner(document, &dimension, &tool)
}

/// The dimensions on which nothing was measured, by their tables.
fn unmeasured(document: &Value) -> Vec<String> {
    let tables = matching(document, "/standings/*").into_iter();
    let empty = tables.filter(|table| {
        let rows = matching(document, &format!("{table}/table/*"));
        let played = |row: &String| ["wins", "draws", "losses"].iter().any(|key| count(document, row, key) != Some(0));
        !rows.is_empty() && !rows.iter().any(played)
    });
    empty.filter_map(|table| text(document, &table, "dimension").map(str::to_owned)).collect()
}

fn unmeasured_won(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (dimension, tool) = (pick(choice, unmeasured(document))?, pick(choice, running(document))?);
    no_champion(document)?;
    winner(document, &dimension, &tool)
}

fn loser_wins(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for table in matching(document, "/standings/*") {
        let rows = matching(document, &format!("{table}/table/*"));
        for own in &rows {
            let worse = |other: &&String| {
                count(document, own, "wins") < count(document, other, "wins")
                    && count(document, own, "losses") > count(document, other, "losses")
            };
            if rows.iter().any(|other| worse(&other)) {
                let (dimension, tool) = (text(document, &table, "dimension")?, text(document, own, "tool")?);
                candidates.push((dimension.to_owned(), tool.to_owned()));
            }
        }
    }
    let (dimension, tool) = pick(choice, candidates)?;
    no_champion(document)?;
    winner(document, &dimension, &tool)
}

fn rule_dropped(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    document.get("epreuve_winners")?.as_object()?.values().find(|winner| winner.is_string())?;
    remove(document, "", "epreuve_winner_rule")?;
    Some("/epreuve_winner_rule".to_owned())
}

/// Makes a running tool champion, with the title of every dimension.
fn crown(document: &mut Value, choice: &mut dyn Choice) -> Option<String> {
    let held = document.get("champion").and_then(Value::as_str).map(str::to_owned);
    let tool = match held {
        Some(held) => held,
        None => pick(choice, running(document))?,
    };
    for dimension in texts(document, "/dimensions") {
        winner(document, &dimension, &tool)?;
    }
    set(document, "", "champion", tool.as_str())?;
    Some(tool)
}

fn title_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    crown(document, choice)?;
    let dimension = pick(choice, texts(document, "/dimensions"))?;
    set(document, "/epreuve_winners", &dimension, Value::Null)?;
    Some("/champion".to_owned())
}

fn title_of_another(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let tool = crown(document, choice)?;
    let dimension = pick(choice, texts(document, "/dimensions"))?;
    let other = pick(choice, running(document).into_iter().filter(|other| *other != tool).collect())?;
    winner(document, &dimension, &other)?;
    Some("/champion".to_owned())
}

fn champion_unmeasured(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let missing = |at: &String| text(document, at, "outcome") == Some("not_measured");
    super::comparisons(document).iter().find(|at| missing(at))?;
    crown(document, choice)?;
    Some("/champion".to_owned())
}

fn one_vendor(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    crown(document, choice)?;
    let vendors: Map<String, Value> =
        texts(document, "/tools").into_iter().map(|tool| (tool, "Ash & Co".into())).collect();
    set(document, "", "tool_vendors", vendors)?;
    Some("/champion".to_owned())
}

fn no_vendors(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    crown(document, choice)?;
    remove(document, "", "tool_vendors");
    Some("/champion".to_owned())
}

fn champion_dropped(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    draft.document.get("champion")?.as_str()?;
    no_champion(&mut draft.document)?;
    Some("/champion".to_owned())
}
