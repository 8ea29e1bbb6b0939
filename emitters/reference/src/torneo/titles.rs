//! The winner of each dimension, by the rule that the scenario names, and the champion.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::round::{Outcome, Round};
use super::scenario::{Enrolment, WinnerRule};
use super::standings::Row;

/// The winner of a dimension, or `None` where the rule names none.
pub fn winner(rule: WinnerRule, table: &[Row]) -> Option<usize> {
    match rule {
        WinnerRule::MostWinsThenFewestLosses => {
            let most = table.iter().map(|row| row.wins).max().filter(|wins| *wins > 0)?;
            let fewest = table.iter().filter(|row| row.wins == most).map(|row| row.losses).min()?;
            let mut best = (0..table.len()).filter(|tool| table[*tool].wins == most && table[*tool].losses == fewest);
            let first = best.next()?;
            best.next().is_none().then_some(first)
        }
        // Nobody is met twice: as many wins as there are others is a win over each of them.
        WinnerRule::BeatsEveryOther => (0..table.len()).find(|tool| table[*tool].wins + 1 == table.len()),
    }
}

/// The rule as the document words it.
pub fn rule(rule: WinnerRule) -> &'static str {
    match rule {
        WinnerRule::MostWinsThenFewestLosses => {
            "The tool with the most wins on the dimension; of several, the one with the fewest losses; none where that leaves a tie or nobody won."
        }
        WinnerRule::BeatsEveryOther => "The tool that won against every other on the dimension, or none.",
    }
}

/// The `epreuve_winners` of the document.
pub fn document(round: &Round, winners: &[Option<usize>]) -> Value {
    let titles: Map<String, Value> = round
        .dimensions
        .iter()
        .zip(winners)
        .map(|(dimension, winner)| (dimension.name().to_owned(), json!(winner.map(|tool| round.tools[tool]))))
        .collect();
    Value::Object(titles)
}

/// The champion: it holds every title, everything was measured, and the running tools come from two vendors or more.
pub fn champion<'a>(round: &Round<'a>, winners: &[Option<usize>], running: &[&Enrolment]) -> Option<&'a str> {
    let holder = (*winners.first()?)?;
    let holds_all = winners.iter().all(|winner| *winner == Some(holder));
    let measured = |outcome: &Outcome| !matches!(outcome, Outcome::NotMeasured { .. });
    let all_measured = round.matches.iter().all(|one| one.outcomes.iter().all(measured));
    let vendors: BTreeSet<&str> = running.iter().filter_map(|enrolment| enrolment.vendor.as_deref()).collect();
    (holds_all && all_measured && vendors.len() >= 2).then(|| round.tools[holder])
}
