//! What is counted over the matches: a table for each dimension, and the denominators.

use serde_json::{Map, Value, json};

use super::round::{Outcome, Round};
use super::scenario::DrawKind;

/// A tool's row in a dimension's table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Row {
    pub wins: usize,
    pub draws: usize,
    pub losses: usize,
    pub not_measured: usize,
}

/// A dimension's table: a row for each running tool, in their order.
pub fn table(round: &Round, dimension: usize) -> Vec<Row> {
    let mut rows = vec![Row::default(); round.tools.len()];
    for (one, outcome) in round.on(dimension) {
        match outcome {
            Outcome::Win { winner, .. } => {
                rows[*winner].wins += 1;
                rows[one.opponent(*winner)].losses += 1;
            }
            Outcome::Draw { .. } => one.tools.iter().for_each(|tool| rows[*tool].draws += 1),
            Outcome::NotMeasured { .. } => one.tools.iter().for_each(|tool| rows[*tool].not_measured += 1),
        }
    }
    rows
}

/// The `standings` of the document.
pub fn document(round: &Round, tables: &[Vec<Row>]) -> Value {
    round
        .dimensions
        .iter()
        .zip(tables)
        .map(|(dimension, rows)| {
            let rows: Value = round
                .tools
                .iter()
                .zip(rows)
                .map(|(tool, row)| {
                    json!({
                        "tool": tool,
                        "wins": row.wins,
                        "draws": row.draws,
                        "losses": row.losses,
                        "not_measured": row.not_measured,
                    })
                })
                .collect();
            json!({ "dimension": dimension, "table": rows })
        })
        .collect()
}

/// The `denominators` of the document.
pub fn denominators(round: &Round) -> Value {
    let mut per_dimension = Map::new();
    let (mut played, mut concluded) = (0, 0);
    for (i, dimension) in round.dimensions.iter().enumerate() {
        let count = |counted: fn(&Outcome) -> bool| round.on(i).filter(|(_, outcome)| counted(outcome)).count();
        let wins = count(|outcome| matches!(outcome, Outcome::Win { .. }));
        let not_measured = count(|outcome| matches!(outcome, Outcome::NotMeasured { .. }));
        let imprecise =
            count(|outcome| matches!(outcome, Outcome::Draw { kind: Some(DrawKind::InsufficientPrecision), .. }));
        let equivalent =
            count(|outcome| matches!(outcome, Outcome::Draw { kind: Some(DrawKind::EquivalentWithinMargin), .. }));
        let unspecified = count(|outcome| matches!(outcome, Outcome::Draw { kind: None, .. }));
        let measured = wins + imprecise + equivalent + unspecified;
        played += measured;
        concluded += wins;
        per_dimension.insert(
            dimension.name().to_owned(),
            json!({
                "played": measured,
                "concluded": wins,
                "draws_insufficient_precision": imprecise,
                "draws_equivalent_within_margin": equivalent,
                "draws_unspecified": unspecified,
                "not_measured": not_measured,
            }),
        );
    }
    let decided = |outcomes: &[Outcome]| outcomes.iter().any(|outcome| matches!(outcome, Outcome::Win { .. }));
    json!({
        "comparisons_played": played,
        "comparisons_concluded": concluded,
        "matches_played": round.matches.len(),
        "matches_concluded": round.matches.iter().filter(|one| decided(&one.outcomes)).count(),
        "per_dimension": per_dimension,
    })
}
