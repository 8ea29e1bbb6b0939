//! Exemplars: obtained values shown in a standings row, failing ones first.

use std::collections::HashMap;

use super::delivery::excerpt;
use super::model::{Row, Run, RunModel};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

const ROW: &str = "/iterations/0/statistics/criteria/format/standings/rows/1";

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/exemplars-order",
            title: "Failing exemplars come first",
            demand: "In a row's observed list, exemplars with held = false stand before those with held = true.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/iterations/0/statistics/criteria/format/standings/rows/1/observed",
                    r#"[{"excerpt": "{}", "count": 3, "held": true}, {"excerpt": "<html>", "count": 1, "held": false}]"#,
                )],
                show: ROW,
                also: &[],
            },
        },
        judge: order,
    },
    Obligation {
        rule: Rule {
            id: "mavai/exemplars-count",
            title: "Exemplars count the row's trials",
            demand: "Over a row's exemplars, the counts plus elided are at most the row's trials, the held ones at most passed and the others \
                     at most failed, and no two share excerpt and held. A row whose exemplars and elided leave trials unaccounted for is \
                     noted, no more: emitters differ there.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/0/statistics/criteria/format/standings/rows/1/observed/1/count", "2"),
                    Edit::Set("/iterations/0/statistics/criteria/format/standings/rows/1/observed/0/count", "2"),
                ],
                show: ROW,
                also: &[],
            },
        },
        judge: counts,
    },
];

fn order(run: &Run<'_>, judge: &mut Judge<'_>) {
    for exemplars in
        run.criterion_list.iter().flat_map(|criterion| &criterion.rows).filter_map(|row| row.exemplars.get())
    {
        let mut held_before: Option<Value<'_>> = None;
        for exemplar in exemplars.value.items() {
            match (exemplar.get("held").and_then(Value::as_bool), held_before) {
                (None, _) => judge.not_judged(exemplar.pointer(), "`held` is not a boolean"),
                (Some(true), None) => held_before = Some(exemplar),
                (Some(false), Some(earlier)) => {
                    judge
                        .finding(exemplar, "a failing exemplar stands after one that held")
                        .mark(earlier, "held")
                        .help("state the exemplars with held = false first");
                    break;
                }
                _ => {}
            }
        }
    }
}

fn counts(run: &Run<'_>, judge: &mut Judge<'_>) {
    let mut short: Option<(Value<'_>, u128, u128)> = None;
    let mut short_rows = 0usize;
    for row in run.criterion_list.iter().flat_map(|criterion| &criterion.rows) {
        let Some(exemplars) = row.exemplars.if_stated(judge) else { continue };
        let Some((accounted, total)) = row_counts(row, exemplars.value, judge) else { continue };
        if accounted < total {
            short_rows += 1;
            short.get_or_insert((exemplars.at, accounted, total));
        }
    }
    if let Some((at, accounted, total)) = short {
        let more =
            if short_rows > 1 { format!(" (as in {} more rows of the run)", short_rows - 1) } else { String::new() };
        judge
            .finding(at, format!("exemplars and elided account for {accounted} of the row's {total} trials{more}"))
            .severity(Severity::Note)
            .help("state the rest in `elided`");
    }
}

/// What the row's exemplars account for, and its trials, where both can be read and agree with its counts.
fn row_counts(row: &Row<'_>, exemplars: Value<'_>, judge: &mut Judge<'_>) -> Option<(u128, u128)> {
    let counts = row.counts(judge)?;
    let elided = if row.elided.is_absent() { 0 } else { u128::from(row.elided.need(judge)?.value) };
    let (mut held_sum, mut unheld_sum) = (0u128, 0u128);
    let mut seen = HashMap::with_capacity(exemplars.len());
    let mut sound = true;
    for exemplar in exemplars.items() {
        let count = exemplar.get("count").and_then(Value::as_u64);
        let held = exemplar.get("held").and_then(Value::as_bool);
        let text = exemplar.get("excerpt").and_then(Value::as_str);
        let (Some(count), Some(held), Some(text)) = (count, held, text) else {
            judge.not_judged(exemplar.pointer(), "it is not an exemplar with excerpt, count and held");
            return None;
        };
        *if held { &mut held_sum } else { &mut unheld_sum } += u128::from(count);
        if let Some(first) = seen.insert((text, held), exemplar) {
            sound = false;
            judge
                .finding(exemplar, format!("a second exemplar {} with held = {held}", excerpt(text)))
                .mark(first, "the first")
                .help("add the counts up in one exemplar");
        }
    }
    for (sum, limit, name, of) in
        [(held_sum, counts.passed, "passed", "that held"), (unheld_sum, counts.failed, "failed", "that did not hold")]
    {
        if sum > limit {
            sound = false;
            judge.finding(exemplars, format!("the exemplars {of} count {sum} trials, but {name} is {limit}"));
        }
    }
    let accounted = held_sum + unheld_sum + elided;
    if sound && accounted > counts.total() {
        sound = false;
        judge.finding(
            exemplars,
            format!("the exemplars and elided count {accounted} trials, but the row has {}", counts.total()),
        );
    }
    sound.then_some((accounted, counts.total()))
}
