//! Standings: one table a dimension, derived from the matches and never entered.

use std::collections::HashMap;

use super::model::{Dimension, Epreuve, Epreuves, Known, Tool, array, named, need};
use super::tally::Counts;
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/standings-cover",
            title: "standings cover dimensions and tools",
            demand: "`standings` has one table for each dimension of the épreuve and no other; each table has one row for each running tool \
                     and no other. There is no aggregated table.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "standings",
            example: Example { good: &[], bad: &[Edit::Remove("/standings/1")], show: "/standings", also: &[] },
        },
        judge: standings_cover,
    },
    Obligation {
        rule: Rule {
            id: "torneo/standings-derived",
            title: "standings are the counts over the matches",
            demand: "In every row, `wins`, `draws`, `losses` and `not_measured` (0 where absent) are what the matches add up to for that tool \
                     on that dimension.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/standings/0/table/0/tool", r#""baker""#),
                    Edit::Set("/standings/0/table/1/tool", r#""archer""#),
                ],
                show: "/standings/0",
                also: &[],
            },
        },
        judge: standings_derived,
    },
    Obligation {
        rule: Rule {
            id: "torneo/standings-balance",
            title: "standings balance",
            demand: "In every table the wins equal the losses in sum and the draws are even in sum, since each comparison counts for both tools; \
                     and every row adds up to k-1, one comparison against each other running tool. Judged from the tables alone, so also where \
                     the matches cannot be read.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/standings/0/table/0/wins", "3")],
                show: "/standings/0",
                also: &["torneo/standings-derived"],
            },
        },
        judge: standings_balance,
    },
];

/// A table of `standings` whose dimension and rows are there.
struct Table<'d> {
    value: Value<'d>,
    /// The value of `dimension`, a string.
    dimension: Value<'d>,
    table: Value<'d>,
}

/// A row whose counts can be read.
struct Row<'d> {
    value: Value<'d>,
    tool: &'d str,
    /// As entered; `appearances` is not used.
    counts: Counts,
}

impl Row<'_> {
    /// The sum of the row; not `u64`, which two entered counts may overflow.
    fn sum(&self) -> u128 {
        [self.counts.wins, self.counts.draws, self.counts.losses, self.counts.not_measured]
            .into_iter()
            .map(u128::from)
            .sum()
    }
}

/// The tables that can be read; the judge is told of the others.
fn tables<'d>(epreuve: &Epreuve<'d>, judge: &mut Judge<'_>) -> Option<Vec<Table<'d>>> {
    let standings = need(array(epreuve.root, "standings"), judge)?;
    let mut tables = Vec::new();
    for value in standings.items() {
        let dimension = value.get("dimension").filter(|dimension| dimension.as_str().is_some());
        match (dimension, array(value, "table")) {
            (Some(dimension), Ok(table)) => tables.push(Table { value, dimension, table }),
            _ => judge.not_judged(value.pointer(), "the table cannot be read"),
        }
    }
    Some(tables)
}

fn rows<'d>(table: &Table<'d>) -> impl Iterator<Item = (Value<'d>, Option<Row<'d>>)> {
    table.table.items().map(|value| (value, row(value)))
}

fn row(value: Value<'_>) -> Option<Row<'_>> {
    let count = |key: &str| value.get(key)?.as_u64();
    let not_measured = value.get("not_measured").map_or(Some(0), Value::as_u64)?;
    let (wins, draws, losses) = (count("wins")?, count("draws")?, count("losses")?);
    let counts = Counts { wins, draws, losses, not_measured, appearances: 0 };
    Some(Row { value, tool: value.get("tool")?.as_str()?, counts })
}

fn standings_cover(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(tables) = tables(epreuve, judge) else { return };
    let Some(dimensions) = need(epreuve.dimensions(), judge) else { return };
    let mut seen: Vec<Option<Value<'_>>> = vec![None; dimensions.names.len()];
    for table in &tables {
        let text = table.dimension.as_str().unwrap_or_default();
        match dimensions.named(text).map(|dimension| &mut seen[dimension]) {
            None => {
                judge
                    .finding(
                        table.dimension,
                        format!("a table for `{}`, no dimension of the épreuve", text.escape_debug()),
                    )
                    .help("remove the table: there is one for each entry of `dimensions`, and none for any aggregate");
            }
            Some(Some(first)) => {
                judge
                    .finding(table.dimension, format!("a second table for `{text}`"))
                    .mark(*first, "the first")
                    .help("keep one table for each dimension");
            }
            Some(first) => *first = Some(table.dimension),
        }
    }
    // A table that cannot be read may be the one that is missing.
    if let Some(standings) = epreuve.root.get("standings").filter(|standings| standings.len() == tables.len()) {
        let missing = || dimensions.all().filter(|&dimension| seen[dimension].is_none());
        let count = missing().count();
        if count > 0 {
            let names = named(missing().map(|dimension| epreuve.dimension(dimension)), count);
            judge
                .finding(standings, format!("no table for {names}"))
                .help("add the table that follows from the matches (`conform derive`); a dimension never measured has one too");
        }
    }
    let Some(running) = need(epreuve.running(), judge) else { return };
    for table in &tables {
        cover_tools(epreuve, running, table, judge);
    }
}

/// Judges that a table has one row for each running tool and no other.
fn cover_tools(epreuve: &Epreuve<'_>, running: &[Tool], table: &Table<'_>, judge: &mut Judge<'_>) {
    let Ok(tools) = epreuve.tools() else { return };
    let text = table.dimension.as_str().unwrap_or_default().escape_debug();
    let mut seen: HashMap<Tool, Value<'_>> = HashMap::with_capacity(table.table.len());
    let mut unreadable = false;
    for value in table.table.items() {
        let Some(tool) = value.get("tool").filter(|tool| tool.as_str().is_some()) else {
            unreadable = true;
            continue;
        };
        let name = tool.as_str().unwrap_or_default();
        match tools.named(name) {
            Some(index) if tools.is_running(index) => {
                if let Some(first) = seen.insert(index, tool) {
                    judge
                        .finding(tool, format!("a second row for `{name}` in the table for `{text}`"))
                        .mark(first, "the first")
                        .help("keep one row for each running tool");
                }
            }
            found => {
                let what = if found.is_some() { "is withdrawn" } else { "is not enrolled" };
                let name = name.escape_debug();
                judge
                    .finding(tool, format!("a row for `{name}`, which {what}, in the table for `{text}`"))
                    .help("remove the row: only running tools stand in a table");
            }
        }
    }
    if unreadable {
        judge.not_judged(table.table.pointer(), "a row names no tool");
        return;
    }
    let missing = running.len().saturating_sub(seen.len());
    if missing > 0 {
        let names = running.iter().filter(|tool| !seen.contains_key(tool)).map(|&tool| epreuve.tool(tool));
        judge
            .finding(table.table, format!("the table for `{text}` has no row for {}", named(names, missing)))
            .help("add the rows that follow from the matches; `conform derive` prints them");
    }
}

fn standings_derived(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(tables) = tables(epreuve, judge) else { return };
    let Some(tools) = need(epreuve.tools(), judge) else { return };
    let Some(tally) = need(epreuve.tally(), judge) else { return };
    for table in &tables {
        let Some(dimension) = dimension_of(epreuve, table) else { continue };
        let derived = match tally.table(dimension) {
            Ok(derived) => derived,
            Err(why) => {
                judge.not_judged(table.value.pointer(), why);
                continue;
            }
        };
        // Rows of running tools; the others are for `torneo/standings-cover`.
        let mut compared: Vec<(Row<'_>, Counts)> = Vec::with_capacity(table.table.len());
        for (value, row) in rows(table) {
            let Some(row) = row else {
                judge.not_judged(value.pointer(), "the row cannot be read");
                continue;
            };
            let Some(tool) = tools.named(row.tool).filter(|&tool| tools.is_running(tool)) else { continue };
            let Some(counts) = derived.get(tool) else { continue };
            compared.push((row, Counts { appearances: 0, ..*counts }));
        }
        let wrong: Vec<_> = compared.iter().filter(|(row, counts)| row.counts != *counts).collect();
        let Some((row, counts)) = wrong.first() else { continue };
        let (at, says, is) = first_difference(row, counts);
        let others = match wrong.len() - 1 {
            0 => String::new(),
            1 => ", and another row differs".to_owned(),
            more => format!(", and {more} other rows differ"),
        };
        judge
            .finding(
                at,
                format!(
                    "in the table for `{}`, `{}` has {says}; the matches say {is}{others}",
                    epreuve.dimension(dimension),
                    row.tool
                ),
            )
            .comparison(
                lines(compared.iter().map(|(row, _)| (row.tool, &row.counts))),
                lines(compared.iter().map(|(row, counts)| (row.tool, counts))),
            )
            .help("derive the table from the matches, never enter it; `conform derive` prints it");
    }
}

/// The first count of a row that differs: its place, and both counts in words.
fn first_difference<'d>(row: &Row<'d>, derived: &Counts) -> (Value<'d>, String, String) {
    let pairs = [
        ("wins", row.counts.wins, derived.wins),
        ("draws", row.counts.draws, derived.draws),
        ("losses", row.counts.losses, derived.losses),
        ("not_measured", row.counts.not_measured, derived.not_measured),
    ];
    let (key, entered, derived) = pairs.into_iter().find(|(_, a, b)| a != b).unwrap_or(pairs[0]);
    (row.value.get(key).unwrap_or(row.value), format!("{key} {entered}"), derived.to_string())
}

/// One line a row.
fn lines<'r>(rows: impl Iterator<Item = (&'r str, &'r Counts)>) -> String {
    let mut text = String::new();
    for (tool, Counts { wins, draws, losses, not_measured, .. }) in rows {
        text.push_str(&format!("{tool}: wins {wins}, draws {draws}, losses {losses}, not_measured {not_measured}\n"));
    }
    text
}

fn dimension_of(epreuve: &Epreuve<'_>, table: &Table<'_>) -> Option<Dimension> {
    epreuve.dimensions().ok()?.named(table.dimension.as_str()?)
}

fn standings_balance(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(tables) = tables(epreuve, judge) else { return };
    let owed = epreuve.running().map(|running| running.len().saturating_sub(1) as u128);
    for table in &tables {
        balance_table(epreuve, table, &owed, judge);
    }
    if let Err(why) = owed {
        judge.not_judged("/standings", format!("the sum of the rows: {why}"));
    }
}

fn balance_table(epreuve: &Epreuve<'_>, table: &Table<'_>, owed: &Known<u128>, judge: &mut Judge<'_>) {
    let text = table.dimension.as_str().unwrap_or_default().escape_debug();
    let (mut wins, mut draws, mut losses) = (0u128, 0u128, 0u128);
    let mut whole = true;
    for (value, row) in rows(table) {
        let Some(row) = row else {
            judge.not_judged(value.pointer(), "the row cannot be read");
            whole = false;
            continue;
        };
        wins += u128::from(row.counts.wins);
        draws += u128::from(row.counts.draws);
        losses += u128::from(row.counts.losses);
        let Ok(owed) = *owed else { continue };
        let sum = row.sum();
        if sum == owed {
            continue;
        }
        if appearances(epreuve, table, row.tool).is_some_and(|played| u128::from(played) == sum) {
            let why = format!("`{}` has {sum} comparisons in the matches, not {owed}: the round is at fault", row.tool);
            judge.not_judged(row.value.pointer(), why);
            continue;
        }
        judge
            .finding(
                row.value,
                format!("the row of `{}` on `{text}` adds up to {sum}, not to {owed} (one comparison against each other running tool)", row.tool.escape_debug()),
            )
            .help("wins + draws + losses + not_measured = number of running tools - 1");
    }
    if !whole {
        return;
    }
    if wins != losses {
        judge
            .finding(table.table, format!("the table for `{text}` has {wins} wins and {losses} losses in sum; every win is another tool's loss"))
            .help("derive the table from the matches; `conform derive` prints it");
    }
    if draws % 2 == 1 {
        judge
            .finding(
                table.table,
                format!("the table for `{text}` has {draws} draws in sum; every draw counts for two tools"),
            )
            .help("derive the table from the matches; `conform derive` prints it");
    }
}

/// Number of comparisons in the matches that name the row's tool, on the table's dimension.
fn appearances(epreuve: &Epreuve<'_>, table: &Table<'_>, tool: &str) -> Option<u64> {
    let tally = epreuve.tally().ok()?;
    let tool = epreuve.tools().ok()?.named(tool)?;
    Some(tally.appearances(dimension_of(epreuve, table)?, tool))
}
