//! Titles: a winner a dimension.

use super::model::{Epreuve, Epreuves, need};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/winners-known",
            title: "winners run, on a dimension of the épreuve",
            demand: "Every value of `epreuve_winners` that is not null is a running tool, and its key is a dimension of the épreuve.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "titles",
            example: Example {
                good: &[Edit::Set("/champion", "null"), Edit::Set("/epreuve_winners/cost", "null")],
                bad: &[Edit::Set("/epreuve_winners/cost", r#""turner""#)],
                show: "/epreuve_winners",
                also: &[],
            },
        },
        judge: winners_known,
    },
    Obligation {
        rule: Rule {
            id: "torneo/winners-measured",
            title: "no winner where nothing was measured",
            demand: "A dimension on which no comparison was measured has no winner: null, or no entry.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "titles",
            example: Example {
                good: COST_NOT_MEASURED,
                bad: &[Edit::Set("/epreuve_winners/cost", r#""archer""#)],
                show: "/epreuve_winners",
                also: &[],
            },
        },
        judge: winners_measured,
    },
    Obligation {
        rule: Rule {
            id: "torneo/winners-plausible",
            title: "winners are plausible",
            demand: "A dimension's winner should not have both fewer wins and more losses on it than another tool. This is this project's reading: \
                     `epreuve_winner_rule` is free text, so a document alone cannot prove its winners.",
            basis: Basis::Reading,
            severity: Severity::Warning,
            group: "titles",
            example: Example {
                good: &[Edit::Set("/champion", "null"), Edit::Set("/epreuve_winners/quality", "null")],
                bad: &[Edit::Set("/epreuve_winners/cost", r#""carver""#)],
                show: "/epreuve_winners",
                also: &[],
            },
        },
        judge: winners_plausible,
    },
    Obligation {
        rule: Rule {
            id: "torneo/winner-rule-stated",
            title: "a winner has a written rule",
            demand: "Where a winner is named, `epreuve_winner_rule` should state the rule that names it. This is this project's reading: the schema \
                     describes the rule as written and preregistered, and does not require it.",
            basis: Basis::Reading,
            severity: Severity::Warning,
            group: "titles",
            example: Example {
                good: &[],
                bad: &[Edit::Remove("/epreuve_winner_rule")],
                show: "/epreuve_winner_rule",
                also: &[],
            },
        },
        judge: winner_rule_stated,
    },
];

/// The plain example with nothing measured on cost.
const COST_NOT_MEASURED: &[Edit] = &[
    Edit::Set("/matches/0/dimensions/1", NO_COST),
    Edit::Set("/matches/1/dimensions/1", NO_COST),
    Edit::Set("/matches/2/dimensions/1", NO_COST),
    Edit::Set(
        "/standings/1/table",
        r#"[{"tool": "archer", "wins": 0, "draws": 0, "losses": 0, "not_measured": 2},
            {"tool": "baker", "wins": 0, "draws": 0, "losses": 0, "not_measured": 2},
            {"tool": "carver", "wins": 0, "draws": 0, "losses": 0, "not_measured": 2}]"#,
    ),
    Edit::Set(
        "/dominance_basis",
        r#"[{"dominant": "archer", "dominated": "baker", "won": ["quality"], "not_measured": ["cost"]},
            {"dominant": "archer", "dominated": "carver", "won": ["quality"], "not_measured": ["cost"]}]"#,
    ),
    Edit::Set("/pareto_set", r#"["archer"]"#),
    Edit::Remove("/denominators"),
    Edit::Set("/epreuve_winners/cost", "null"),
    Edit::Set("/champion", "null"),
];

const NO_COST: &str = r#"{"dimension": "cost", "outcome": "not_measured", "reason": "no invoices"}"#;

/// The winners that are strings, with their keys, and where they stand.
fn winners<'d>(epreuve: &Epreuve<'d>) -> impl Iterator<Item = (&'d str, &'d str, Value<'d>)> {
    let stated = epreuve.root.get("epreuve_winners").into_iter().flat_map(Value::members);
    stated.filter_map(|(key, winner)| Some((key.as_str()?, winner.as_str()?, winner)))
}

fn winners_known(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    if epreuve.root.get("epreuve_winners").is_none() {
        return;
    }
    let Some(tools) = need(epreuve.tools(), judge) else { return };
    let dimensions = need(epreuve.dimensions(), judge);
    for (dimension, winner, at) in winners(epreuve) {
        let (known, name) = (tools.named(winner), winner.escape_debug());
        if known.is_none() {
            judge
                .finding(at, format!("`{name}` wins {} and is not enrolled", dimension.escape_debug()))
                .help("name a running tool, or null where there is no winner");
        } else if known.is_some_and(|tool| !tools.is_running(tool)) {
            judge
                .finding(at, format!("`{name}` wins {} and is withdrawn", dimension.escape_debug()))
                .help("name a running tool, or null where there is no winner");
        }
        if dimensions.is_some_and(|all| all.named(dimension).is_none()) {
            let dimension = dimension.escape_debug();
            judge
                .finding(at, format!("`{name}` wins `{dimension}`, no dimension of the épreuve"))
                .help("remove the entry: only the dimensions listed in `dimensions` have winners");
        }
    }
}

fn winners_measured(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    for (name, winner, at) in winners(epreuve) {
        let Some(dimension) = epreuve.dimensions().ok().and_then(|all| all.named(name)) else { continue };
        let Some(tally) = need(epreuve.tally(), judge) else { return };
        if tally.at_least(dimension).is_some_and(|seen| seen.played() > 0) {
            continue;
        }
        match tally.measured(dimension) {
            Ok(_) => {
                judge
                    .finding(at, format!("`{}` wins `{name}`, and no match measured it", winner.escape_debug()))
                    .help("a dimension on which nothing was measured has the winner null");
            }
            Err(why) => judge.not_judged(at.pointer(), why),
        }
    }
}

fn winners_plausible(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    for (name, winner, at) in winners(epreuve) {
        let Some(dimension) = epreuve.dimensions().ok().and_then(|all| all.named(name)) else { continue };
        let Some(tally) = need(epreuve.tally(), judge) else { return };
        let Ok(tools) = epreuve.tools() else { continue };
        let Some(row) = tools.named(winner) else { continue };
        let table = match tally.table(dimension) {
            Ok(table) => table,
            Err(why) => {
                judge.not_judged(at.pointer(), why);
                continue;
            }
        };
        let Some(own) = table.get(row) else { continue };
        let better = table.iter().position(|other| other.wins > own.wins && other.losses < own.losses);
        if let Some((other, counts)) = better.and_then(|tool| Some((epreuve.tool(tool), table.get(tool)?))) {
            judge
                .finding(
                    at,
                    format!(
                        "`{winner}` wins `{name}` with {} wins and {} losses, and `{other}` has {} wins and {} losses",
                        own.wins, own.losses, counts.wins, counts.losses
                    ),
                )
                .help("check the winner against `epreuve_winner_rule`");
        }
    }
}

fn winner_rule_stated(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let rule = epreuve.root.get("epreuve_winner_rule").and_then(Value::as_str);
    if rule.is_some_and(|rule| !rule.trim().is_empty()) {
        return;
    }
    if let Some((dimension, winner, at)) = winners(epreuve).next() {
        let (winner, dimension) = (winner.escape_debug(), dimension.escape_debug());
        judge
            .finding(at, format!("`{winner}` wins `{dimension}` by a rule that the document does not state"))
            .help("state in `epreuve_winner_rule` the preregistered rule that names a dimension's winner");
    }
}
