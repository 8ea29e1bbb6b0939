//! What follows from an épreuve's matches, as the members of the document that state it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::denominators::{counts_of, totals_of};
use super::graph::basis;
use super::model::{Dimension, Epreuve, Known, Outcome, Tool};
use super::tally::Counts;

/// A rule that names a dimension's winner from the counts alone. A document's own rule is prose; a scenario names one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WinnerRule {
    /// Most wins, among those fewest losses; none where that leaves two tools, or nobody won.
    MostWinsThenFewestLosses,
    /// The tool that won against each of the others; none where there is none.
    BeatsEveryOther,
}

impl WinnerRule {
    /// The rule as a document states it.
    pub fn text(self) -> &'static str {
        match self {
            WinnerRule::MostWinsThenFewestLosses => "most wins, then fewest losses; no winner on a tie",
            WinnerRule::BeatsEveryOther => "the tool that beats every other; no winner where there is none",
        }
    }

    /// The winner among the running tools of a dimension's table.
    pub fn winner(self, table: &[Counts], running: &[Tool]) -> Option<Tool> {
        let rows = || running.iter().filter_map(|&tool| Some((table.get(tool)?, tool)));
        match self {
            WinnerRule::MostWinsThenFewestLosses => {
                let rank = |counts: &Counts| (counts.wins, u64::MAX - counts.losses);
                let (best, tool) = rows().map(|(counts, tool)| (rank(counts), tool)).max()?;
                (best.0 > 0 && rows().filter(|(counts, _)| rank(counts) == best).count() == 1).then_some(tool)
            }
            WinnerRule::BeatsEveryOther => {
                let others = running.len().checked_sub(1).filter(|&others| others > 0)? as u64;
                rows().find(|(counts, _)| counts.wins == others).map(|(_, tool)| tool)
            }
        }
    }
}

/// The derived members as one JSON object, ready to be pasted into the document.
///
/// # Errors
/// Where the tools, the dimensions or the matches cannot be read in full; the text says which.
pub fn fragment(epreuve: &Epreuve<'_>) -> Result<String, String> {
    let members = members(epreuve, WinnerRule::MostWinsThenFewestLosses)?;
    let text = serde_json::to_string_pretty(&members).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

/// Every derived member, with winners by a rule.
pub(super) fn members(epreuve: &Epreuve<'_>, rule: WinnerRule) -> Known<Value> {
    let dimensions = epreuve.dimensions()?;
    let tally = epreuve.tally()?;
    let dominance = epreuve.dominance()?;
    let running = epreuve.running()?;
    let measured = tally.all_measured()?;

    let mut standings = Vec::new();
    let mut winners = Map::new();
    for dimension in dimensions.all() {
        let table = tally.table(dimension)?;
        let rows: Vec<Value> =
            running.iter().filter_map(|&tool| Some(row(epreuve.tool(tool), table.get(tool)?))).collect();
        standings.push(json!({ "dimension": epreuve.dimension(dimension), "table": rows }));
        let winner = rule.winner(table, running).map(|tool| epreuve.tool(tool));
        winners.insert(epreuve.dimension(dimension).to_owned(), json!(winner));
    }
    let names = |tools: &[Tool]| tools.iter().map(|&tool| epreuve.tool(tool)).collect::<Vec<_>>();
    let bases: Vec<Value> = dominance
        .edges
        .iter()
        .map(|edge| {
            let basis = basis(epreuve, edge);
            let undecided: Vec<Value> = basis
                .undecided
                .iter()
                .map(|(dimension, kind)| json!({ "dimension": dimension, "draw_kind": kind }))
                .collect();
            json!({
                "dominant": epreuve.tool(edge.dominant), "dominated": epreuve.tool(edge.dominated),
                "won": basis.won, "undecided": undecided, "not_measured": basis.not_measured,
            })
        })
        .collect();
    let cycles: Vec<_> = dominance.cycles.iter().map(|group| names(group)).collect();
    let champion = champion(epreuve, &winners, dimensions.all().len());
    let mut denominators: Map<String, Value> =
        totals_of(tally, measured).iter().map(|&(key, count)| (key.to_owned(), count.into())).collect();
    let per_dimension: Map<String, Value> = dimensions
        .all()
        .zip(measured)
        .map(|(dimension, one)| (epreuve.dimension(dimension).to_owned(), counts(one)))
        .collect();
    denominators.insert("per_dimension".to_owned(), per_dimension.into());
    Ok(json!({
        "standings": standings,
        "pareto_set": names(&dominance.pareto),
        "dominance_basis": bases,
        "dominance_cycles": cycles,
        "epreuve_winner_rule": rule.text(),
        "epreuve_winners": winners,
        "champion": champion,
        "denominators": denominators,
    }))
}

fn row(tool: &str, counts: &Counts) -> Value {
    json!({
        "tool": tool, "wins": counts.wins, "draws": counts.draws, "losses": counts.losses, "not_measured": counts.not_measured,
    })
}

fn counts(measured: &super::tally::Measured) -> Value {
    counts_of(measured).iter().map(|&(key, count)| (key.to_owned(), Value::from(count))).collect::<Map<_, _>>().into()
}

/// The tool that holds every title, where every comparison was measured and two vendors ran.
fn champion<'w>(epreuve: &Epreuve<'_>, winners: &'w Map<String, Value>, dimensions: Dimension) -> Option<&'w str> {
    let mut titles = winners.values().map(Value::as_str);
    let holder = titles.next()??;
    let holds_all = winners.len() == dimensions && titles.all(|title| title == Some(holder));
    let measured = epreuve.all_comparisons().iter().all(|comparison| comparison.outcome != Outcome::NotMeasured);
    let vendors = super::champion::vendors(epreuve).is_ok_and(|vendors| vendors.len() >= 2);
    (holds_all && measured && vendors).then_some(holder)
}
