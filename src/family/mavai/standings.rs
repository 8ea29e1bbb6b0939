//! Standings: for each criterion, one row an input and check, with counts and the observed fraction only. What the rows' totals must
//! be, and how they bound their criterion, is `totals`'.

use std::collections::HashMap;

use super::counts::decimals;
use super::model::{Run, RunModel, fraction_agrees};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

const ROWS: &str = "/iterations/0/statistics/criteria/tone/standings/rows";

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/observed-fraction",
            title: "Fractions are the row's quotients",
            demand: "A row's observedFraction = passed / (passed + failed + skipped), within 5e-5 (5e-7 under --strict); a row that \
                     counts nothing has the fraction 0.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/iterations/0/statistics/criteria/tone/standings/rows/0/observedFraction",
                    "0.666667",
                )],
                show: "/iterations/0/statistics/criteria/tone/standings/rows/0",
                also: &[],
            },
        },
        judge: observed_fraction,
    },
    Obligation {
        rule: Rule {
            id: "mavai/standings-rows-unique",
            title: "One row an input and check",
            demand: "Within a criterion no two rows share inputIndex and check.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/iterations/0/statistics/criteria/tone/standings/rows/-",
                    r#"{"inputIndex": 2, "check": "is polite", "optional": false, "passed": 4, "failed": 0, "skipped": 0, "observedFraction": 1.0}"#,
                )],
                show: ROWS,
                also: &[],
            },
        },
        judge: rows_unique,
    },
    Obligation {
        rule: Rule {
            id: "mavai/standings-descriptive",
            title: "Standings describe and do not judge",
            demand: "No member of a standings block is an interval, a bound, a threshold, a confidence or a verdict: standings hold counts \
                     and the observed fraction only.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/0/wilsonLowerBound", "0.15")],
                show: "/iterations/0/statistics/criteria/tone/standings/rows/0",
                also: &[],
            },
        },
        judge: descriptive,
    },
    Obligation {
        rule: Rule {
            id: "mavai/provenance-unknown",
            title: "An unknown provenance reads as criterion",
            demand: "A consumer reads a provenance that it does not know as criterion. The schema's enum refuses such a value all the same, \
                     and that error stands; this note says what consumers do.",
            basis: Basis::Stated,
            severity: Severity::Note,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/0/provenance", r#""service""#)],
                show: "/iterations/0/statistics/criteria/tone/standings/rows/0",
                also: &["schema/enum"],
            },
        },
        judge: provenance_unknown,
    },
];

fn observed_fraction(run: &Run<'_>, judge: &mut Judge<'_>) {
    for row in run.criterion_list.iter().flat_map(|criterion| &criterion.rows) {
        let (Some(stated), Some(counts)) = (row.fraction.need(judge), row.counts(judge)) else { continue };
        if !fraction_agrees(stated.value, counts.passed, counts.total(), judge) {
            judge.finding(
                stated.at,
                format!(
                    "observedFraction is {}, but {} of {} trials passed the check: {}",
                    stated.at.written(),
                    counts.passed,
                    counts.total(),
                    decimals(counts.passed, counts.total())
                ),
            );
        }
    }
}

fn rows_unique(run: &Run<'_>, judge: &mut Judge<'_>) {
    for criterion in &run.criterion_list {
        let mut seen = HashMap::with_capacity(criterion.rows.len());
        for row in &criterion.rows {
            let (Some(input), Some(check)) = (row.input.need(judge), row.check.need(judge)) else { continue };
            if let Some(first) = seen.insert((input.value, check.value), row.at) {
                judge
                    .finding(row.at, format!("a second row for input {} and check {}", input.value, check.at.written()))
                    .mark(first, "the first")
                    .help("state one row for each input and check; a check that two criteria share has a row in each");
            }
        }
    }
}

/// Words that judge; a member whose name holds one of them has no place in standings.
const JUDGING: [&str; 15] = [
    "wilson",
    "bound",
    "bounds",
    "interval",
    "intervals",
    "confidence",
    "threshold",
    "thresholds",
    "verdict",
    "verdicts",
    "ci",
    "alpha",
    "pvalue",
    "significance",
    "significant",
];

fn descriptive(run: &Run<'_>, judge: &mut Judge<'_>) {
    for criterion in &run.criterion_list {
        let Some(standings) = criterion.standings.if_stated(judge) else { continue };
        for (key, value) in standings.value.members() {
            if key.as_str() == Some("rows") {
                for row in value.items() {
                    judging_members(row, judge);
                }
            } else {
                judging_member(key, judge);
            }
        }
    }
}

fn judging_members(row: Value<'_>, judge: &mut Judge<'_>) {
    const KNOWN: [&str; 13] = [
        "inputIndex",
        "check",
        "provenance",
        "optional",
        "passed",
        "failed",
        "skipped",
        "observedFraction",
        "path",
        "form",
        "expected",
        "observed",
        "elided",
    ];
    for (key, _) in row.members() {
        if !key.as_str().is_some_and(|key| KNOWN.contains(&key)) {
            judging_member(key, judge);
        }
    }
}

fn judging_member(key: Value<'_>, judge: &mut Judge<'_>) {
    let name = key.as_str().unwrap_or_default();
    if let Some(word) = words(name).into_iter().find(|word| JUDGING.contains(&word.as_str())) {
        judge
            .finding(key, format!("the member {name:?} judges (\"{word}\"); standings only describe"))
            .help("leave it out here; what the counts mean is for the reader's own statistics to say");
    }
}

/// The words of an identifier in camelCase, snake_case or kebab-case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    let mut lower_before = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            fresh = true;
            continue;
        }
        if fresh || (c.is_uppercase() && lower_before) {
            words.push(String::new());
        }
        fresh = false;
        lower_before = c.is_lowercase() || c.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

fn provenance_unknown(run: &Run<'_>, judge: &mut Judge<'_>) {
    for row in run.criterion_list.iter().flat_map(|criterion| &criterion.rows) {
        let Some(provenance) = row.provenance.if_stated(judge) else { continue };
        if !matches!(provenance.value, "criterion" | "input") {
            judge.finding(
                provenance.at,
                format!(
                    "{} is no provenance that the schema knows; consumers read it as \"criterion\"",
                    provenance.at.written()
                ),
            );
        }
    }
}
