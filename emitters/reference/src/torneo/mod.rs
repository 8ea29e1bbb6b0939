//! The torneo family: épreuves.

mod conduct;
mod dominance;
mod round;
mod scenario;
mod significance;
mod standings;
mod titles;

use serde_json::{Value, json};

use crate::Refusal;
use dominance::Dominance;
use round::Round;
use scenario::Scenario;
use standings::Row;

/// The épreuve of a scenario's input. It states no instant of its own emission.
pub fn emit(input: Value, _generated_at: &str) -> Result<String, Refusal> {
    let scenario = Scenario::read(input)?;
    let document = epreuve(&scenario)?;
    // Values made of strings and finite numbers can be written; a failure is reported all the same.
    serde_json::to_string_pretty(&document)
        .map(|text| text + "\n")
        .map_err(|error| Refusal::Broken(format!("the épreuve cannot be written: {error}")))
}

fn epreuve(scenario: &Scenario) -> Result<Value, Refusal> {
    let round = Round::play(scenario)?;
    let tables: Vec<Vec<Row>> =
        (0..round.dimensions.len()).map(|dimension| standings::table(&round, dimension)).collect();
    let winners: Vec<Option<usize>> = tables.iter().map(|table| titles::winner(scenario.winner_rule, table)).collect();
    let dominance = Dominance::of(&round);
    let mut document = json!({
        "schema_version": "epreuve.v1",
        "epreuve_id": scenario.epreuve_id,
        "category": scenario.category,
        "tools": scenario.tools.iter().map(|enrolment| &enrolment.tool).collect::<Vec<_>>(),
        "tool_vendors": conduct::vendors(scenario),
        "withdrawn": conduct::withdrawn(scenario),
        "dimensions": scenario.dimensions,
        "corpus": scenario.corpus,
        "preregistration": scenario.preregistration,
        "multiplicity": scenario.multiplicity,
        "alpha": scenario.alpha,
        "observed_at": scenario.observed_at,
        "matches": round.document(),
        "standings": standings::document(&round, &tables),
        "denominators": standings::denominators(&round),
        "pareto_set": dominance.pareto_set(),
        "dominance_basis": dominance.basis(),
        "dominance_cycles": dominance.cycles(),
        "epreuve_winner_rule": titles::rule(scenario.winner_rule),
        "epreuve_winners": titles::document(&round, &winners),
        "champion": titles::champion(&round, &winners, &scenario.running()),
        "validators": conduct::validators(scenario),
        "status": scenario.status,
    });
    if let Some(rule) = &scenario.arbitration_rule {
        document["arbitration_rule"] = json!(rule);
    }
    if let Some(replay) = &scenario.replay {
        document["replay"] = json!(replay);
    }
    Ok(document)
}
