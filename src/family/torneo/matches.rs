//! The matches: each between two running tools, on exactly the épreuve's dimensions.

use std::collections::HashMap;

use super::model::{Epreuve, Epreuves, Outcome, named, need};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/match-tools-running",
            title: "matches are between running tools",
            demand: "Both tools of a match are enrolled in `tools`, and neither is withdrawn: an absent tool loses no match, it plays none.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "round",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/matches/2/tools/1", r#""turner""#)],
                show: "/matches/2/tools",
                also: &[],
            },
        },
        judge: match_tools_running,
    },
    Obligation {
        rule: Rule {
            id: "torneo/match-ids-unique",
            title: "match ids are unique",
            demand: "No two matches of an épreuve have the same `match_id`.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "round",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/matches/2/match_id", r#""M1""#)],
                show: "/matches/2/match_id",
                also: &[],
            },
        },
        judge: match_ids_unique,
    },
    Obligation {
        rule: Rule {
            id: "torneo/match-dimensions",
            title: "matches carry the épreuve's dimensions",
            demand: "Every match carries exactly the dimensions of the épreuve, each once; one that could not be measured is there as `not_measured`.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "round",
            example: Example {
                good: &[],
                bad: &[Edit::Remove("/matches/0/dimensions/1")],
                show: "/matches/0/dimensions",
                also: &[],
            },
        },
        judge: match_dimensions,
    },
    Obligation {
        rule: Rule {
            id: "torneo/winner-plays",
            title: "a comparison's winner plays in the match",
            demand: "The `winner` of a comparison is one of the two tools of its match.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "round",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/matches/0/dimensions/0/winner", r#""carver""#)],
                show: "/matches/0",
                also: &[],
            },
        },
        judge: winner_plays,
    },
];

fn match_tools_running(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(matches) = need(epreuve.matches(), judge) else { return };
    let Some(tools) = need(epreuve.tools(), judge) else { return };
    for played in matches {
        let Some(names) = played.tools else {
            judge.not_judged(played.value.pointer(), "`tools` is not two distinct tool ids");
            continue;
        };
        for (at, enrolled) in names.into_iter().zip(played.enrolled) {
            let name = at.as_str().unwrap_or_default().escape_debug();
            match enrolled {
                None => {
                    judge
                        .finding(at, format!("`{name}` plays in match {} and is not enrolled", played.name()))
                        .help("enrol the tool in `tools`, or correct its name");
                }
                Some(tool) if !tools.is_running(tool) => {
                    judge
                        .finding(at, format!("`{name}` plays in match {} and is withdrawn", played.name()))
                        .help("a withdrawn tool plays no match: remove its matches, and derive the tables again");
                }
                Some(_) => {}
            }
        }
    }
}

fn match_ids_unique(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(matches) = need(epreuve.matches(), judge) else { return };
    let mut seen: HashMap<&str, Value<'_>> = HashMap::with_capacity(matches.len());
    for id in matches.iter().filter_map(|played| played.id) {
        let name = id.as_str().unwrap_or_default();
        if let Some(&first) = seen.get(name) {
            judge
                .finding(id, format!("`{}` is the id of another match as well", name.escape_debug()))
                .mark(first, "the other match")
                .help("give every match an id of its own");
        } else {
            seen.insert(name, id);
        }
    }
}

fn match_dimensions(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(matches) = need(epreuve.matches(), judge) else { return };
    let Some(dimensions) = need(epreuve.dimensions(), judge) else { return };
    for played in matches {
        let comparisons = epreuve.comparisons(played);
        let Some(at) = played.value.get("dimensions").filter(|_| comparisons.iter().all(|c| c.name.is_some())) else {
            judge.not_judged(played.value.pointer(), "its `dimensions` cannot be read");
            continue;
        };
        let mut seen: Vec<Option<Value<'_>>> = vec![None; dimensions.names.len()];
        for comparison in comparisons {
            let Some(name) = comparison.name else { continue };
            let text = name.as_str().unwrap_or_default().escape_debug();
            let Some(dimension) = comparison.dimension else {
                judge
                    .finding(name, format!("match {} is held on `{text}`, no dimension of the épreuve", played.name()))
                    .help("remove it, or add the dimension to `dimensions` and to every match");
                continue;
            };
            match seen[dimension] {
                None => seen[dimension] = Some(name),
                Some(first) => {
                    judge
                        .finding(name, format!("match {} carries `{text}` twice", played.name()))
                        .mark(first, "the first")
                        .help("keep one comparison for each dimension");
                }
            }
        }
        let missing = || dimensions.all().filter(|&dimension| seen[dimension].is_none());
        let count = missing().count();
        if count > 0 {
            let names = named(missing().map(|dimension| epreuve.dimension(dimension)), count);
            judge
                .finding(at, format!("match {} lacks {names}", played.name()))
                .help("a dimension that could not be measured is stated with the outcome `not_measured` and a reason");
        }
    }
}

fn winner_plays(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(matches) = need(epreuve.matches(), judge) else { return };
    let Some(tools) = need(epreuve.tools(), judge) else { return };
    for played in matches {
        for comparison in epreuve.comparisons(played) {
            let winner = comparison.value.get("winner");
            match (comparison.outcome, winner, played.tools) {
                (Outcome::WinElsewhere, Some(winner), Some([a, b])) => {
                    let enrolled = winner.as_str().is_some_and(|name| tools.named(name).is_some());
                    if enrolled && played.enrolled.contains(&None) {
                        let why = "the match names a tool that is not enrolled, which may be this winner misspelt";
                        judge.not_judged(winner.pointer(), why);
                        continue;
                    }
                    let name = winner.as_str().unwrap_or_default().escape_debug();
                    let players = named([a, b].iter().filter_map(|tool| tool.as_str()), 2);
                    judge
                        .finding(winner, format!("`{name}` wins a match between {players}"))
                        .help("name one of the match's own tools");
                }
                (Outcome::Unknown, _, _) => {
                    judge.not_judged(comparison.value.pointer(), "the outcome cannot be read");
                }
                _ => {}
            }
        }
    }
}
