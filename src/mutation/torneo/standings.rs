//! Tables and denominators that are not what the matches say.

use serde_json::{Value, json};

use super::{STRANGER, withdrawn};
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, items, last, matching, parent, remove, set, text};
use crate::mutation::tweak::{self, DOUBLED, OFF_BY_ONE, SWAPPED, ZEROED};

const COVER: &[&str] = &["torneo/standings-cover"];
const DERIVED: &[&str] = &["torneo/standings-derived"];
const BALANCE: &[&str] = &["torneo/standings-balance", "torneo/standings-derived"];
const DENOMINATORS: &[&str] = &["torneo/denominators-derived"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("table-dropped", "a dimension has no table", COVER, table_dropped).may(&["schema/minItems"]),
    Operator::new("table-repeated", "a dimension has two tables", COVER, table_repeated),
    Operator::new("row-dropped", "a table lacks a running tool", COVER, row_dropped)
        .may(&["torneo/standings-balance", "schema/minItems"]),
    Operator::new("row-of-stranger", "a table has a row for a tool that does not run", COVER, row_of_stranger)
        .may(&["torneo/standings-balance"]),
    Operator::new("tools-swapped", "two rows change their tools", DERIVED, tools_swapped),
    Operator::new("columns-swapped", "wins and losses change places", DERIVED, columns_swapped),
    Operator::new("result-turned", "a win and the loss that goes with it change sides", DERIVED, turned),
    Operator::new("table-levelled", "a table has nothing but draws", DERIVED, levelled),
    Operator::new("wins-off-by-one", "a row has a win more or less", BALANCE, row::<OFF_BY_ONE>),
    Operator::new("row-zeroed", "a row counts nothing", BALANCE, row::<ZEROED>),
    Operator::new("row-doubled", "a row counts everything twice", BALANCE, row::<DOUBLED>),
    Operator::new("denominator-off-by-one", "a denominator is one off", DENOMINATORS, denominator::<OFF_BY_ONE>),
    Operator::new("denominators-swapped", "played and concluded change places", DENOMINATORS, denominator::<SWAPPED>),
    Operator::new("denominator-zeroed", "a denominator is 0", DENOMINATORS, denominator::<ZEROED>)
        .may(&["schema/minimum"]),
    Operator::new(
        "denominator-doubled",
        "a denominator is twice what it should be",
        DENOMINATORS,
        denominator::<DOUBLED>,
    ),
];

fn tables(document: &Value) -> Vec<String> {
    matching(document, "/standings/*")
}

fn table_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let table = pick(choice, tables(&draft.document))?;
    remove(&mut draft.document, "/standings", &last(&table))?;
    Some("/standings".to_owned())
}

fn table_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let twin = pick(choice, items(&draft.document, "/standings").to_vec())?;
    set(&mut draft.document, "/standings", "-", twin)?;
    Some("/standings".to_owned())
}

fn rows(document: &Value) -> Vec<String> {
    matching(document, "/standings/*/table/*")
}

fn row_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let row = pick(choice, rows(&draft.document))?;
    remove(&mut draft.document, parent(&row), &last(&row))?;
    Some(parent(&row).to_owned())
}

fn row_of_stranger(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let mut tools = withdrawn(&draft.document);
    tools.push(STRANGER.to_owned());
    let tool = pick(choice, tools)?;
    let table = pick(choice, tables(&draft.document))? + "/table";
    set(
        &mut draft.document,
        &table,
        "-",
        json!({ "tool": tool, "wins": 0, "draws": 0, "losses": 0, "not_measured": 0 }),
    )?;
    Some(table)
}

/// The counts of a row: wins, draws, losses, not measured.
fn counts(document: &Value, row: &str) -> Option<[u64; 4]> {
    let count = |key| count(document, row, key);
    Some([count("wins")?, count("draws")?, count("losses")?, count("not_measured").unwrap_or(0)])
}

fn put(document: &mut Value, row: &str, [wins, draws, losses, not_measured]: [u64; 4]) -> Option<()> {
    set(document, row, "wins", wins)?;
    set(document, row, "draws", draws)?;
    set(document, row, "losses", losses)?;
    set(document, row, "not_measured", not_measured)
}

/// Pairs of rows of one table that a condition on their counts holds for.
fn pairs(document: &Value, fits: impl Fn([u64; 4], [u64; 4]) -> bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let rows = rows(document);
    for one in &rows {
        for other in rows.iter().filter(|other| *other != one && parent(other) == parent(one)) {
            if let (Some(own), Some(its)) = (counts(document, one), counts(document, other))
                && fits(own, its)
            {
                found.push((one.clone(), other.clone()));
            }
        }
    }
    found
}

fn tools_swapped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (one, other) = pick(choice, pairs(document, |own, its| own != its))?;
    let (own, its) = (text(document, &one, "tool")?.to_owned(), text(document, &other, "tool")?.to_owned());
    set(document, &one, "tool", its)?;
    set(document, &other, "tool", own)?;
    Some(one + "/tool")
}

fn columns_swapped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let uneven = |table: &String| {
        let rows = matching(document, &format!("{table}/table/*"));
        rows.iter().filter_map(|row| counts(document, row)).any(|counts| counts[0] != counts[2])
    };
    let table = pick(choice, tables(document).into_iter().filter(uneven).collect())?;
    for row in matching(document, &format!("{table}/table/*")) {
        let [wins, draws, losses, not_measured] = counts(document, &row)?;
        put(document, &row, [losses, draws, wins, not_measured])?;
    }
    Some(table)
}

fn turned(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (loser, winner) = pick(choice, pairs(document, |own, its| own[2] > 0 && its[0] > 0))?;
    let [wins, draws, losses, not_measured] = counts(document, &loser)?;
    put(document, &loser, [wins + 1, draws, losses - 1, not_measured])?;
    let [wins, draws, losses, not_measured] = counts(document, &winner)?;
    put(document, &winner, [wins - 1, draws, losses + 1, not_measured])?;
    Some(loser)
}

fn levelled(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let decided = |table: &String| {
        let rows = matching(document, &format!("{table}/table/*"));
        rows.iter().filter_map(|row| counts(document, row)).any(|counts| counts[0] + counts[2] > 0)
    };
    let table = pick(choice, tables(document).into_iter().filter(decided).collect())?;
    for row in matching(document, &format!("{table}/table/*")) {
        let all = counts(document, &row)?.iter().sum();
        put(document, &row, [0, all, 0, 0])?;
    }
    Some(table)
}

fn row<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let row = pick(choice, rows(document))?;
    let right = counts(document, &row)?;
    let mut wrong = right;
    match KIND {
        OFF_BY_ONE => wrong[0] = tweak::count::<OFF_BY_ONE>(right[0], 0, choice)?,
        ZEROED => wrong = [0; 4],
        _ => wrong = right.map(|count| count * 2),
    }
    if wrong == right {
        return None;
    }
    put(document, &row, wrong)?;
    Some(row)
}

fn denominator<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let numbers =
        matching(document, "/denominators/*").into_iter().chain(matching(document, "/denominators/per_dimension/*/*"));
    let candidates = numbers
        .filter_map(|at| {
            let right = document.pointer(&at)?.as_u64()?;
            let other = if at.contains("played") {
                at.replace("played", "concluded")
            } else {
                at.replace("concluded", "played")
            };
            let other = document.pointer(&other).and_then(Value::as_u64).unwrap_or(right);
            Some((tweak::count::<KIND>(right, other, choice)?, at))
        })
        .collect();
    let (wrong, at) = pick(choice, candidates)?;
    *document.pointer_mut(&at)? = wrong.into();
    Some(at)
}
