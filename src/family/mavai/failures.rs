//! failureDistribution: each failed trial attributed once, to its first failing condition.

use std::collections::HashMap;

use super::model::{Criterion, Distribution, Run, RunModel, Slot, input_suffix};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

const DISTRIBUTION: &str = "/iterations/0/statistics/failureDistribution";

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/failure-distribution-sum",
            title: "Attributed failures sum to the failures",
            demand: "The counts of a failureDistribution sum to the failures of the block that holds it (a criterion's fail); at 0 \
                     failures it is absent or empty.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "failureDistribution",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/statistics/failureDistribution/0/count", "1")],
                show: "/iterations/0/statistics/failureDistribution",
                also: &[],
            },
        },
        judge: distribution_sum,
    },
    Obligation {
        rule: Rule {
            id: "mavai/failure-distribution-unique",
            title: "One entry a condition",
            demand: "No two entries of a failureDistribution share condition, kind and inputIndex.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "failureDistribution",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/0/statistics/failureDistribution/0/count", "1"),
                    Edit::Set(
                        "/iterations/0/statistics/failureDistribution/-",
                        r#"{"condition": "parses as json", "kind": "evaluated", "count": 1}"#,
                    ),
                ],
                show: DISTRIBUTION,
                also: &[],
            },
        },
        judge: distribution_unique,
    },
    Obligation {
        rule: Rule {
            id: "mavai/condition-is-name-alone",
            title: "A condition is the name alone",
            demand: "A per-input condition is the condition's name alone; the input travels in inputIndex. A suffix ` (input N)` is \
                     noted; one that disagrees with inputIndex is an error.",
            basis: Basis::Advisory,
            severity: Severity::Note,
            group: "failureDistribution",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/iterations/0/statistics/failureDistribution/0",
                    r#"{"condition": "parses as json (input 1)", "kind": "evaluated", "inputIndex": 1, "count": 2}"#,
                )],
                show: "/iterations/0/statistics/failureDistribution/0",
                also: &[],
            },
        },
        judge: condition_is_name_alone,
    },
    Obligation {
        rule: Rule {
            id: "mavai/attribution-plausible",
            title: "Attribution stays within what failed",
            demand: "An evaluated entry whose condition is a check's name counts at most what that check failed (the sum of failed over \
                     its rows), and at most what the criteria that hold the check failed.",
            basis: Basis::Derived,
            severity: Severity::Warning,
            group: "failureDistribution",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/0/statistics/failureDistribution/0/count", "1"),
                    Edit::Set("/iterations/0/statistics/failureDistribution/1/count", "2"),
                ],
                show: DISTRIBUTION,
                also: &[],
            },
        },
        judge: attribution_plausible,
    },
];

fn distribution_sum(run: &Run<'_>, judge: &mut Judge<'_>) {
    one_sum(&run.distribution, &run.failures, "failures", judge);
    for criterion in &run.criterion_list {
        one_sum(&criterion.distribution, &criterion.fail, "fail", judge);
    }
}

fn one_sum(distribution: &Distribution<'_>, failures: &Slot<'_, u64>, name: &str, judge: &mut Judge<'_>) {
    // An absent block beside failures is the schema's to refuse (for the run) or legal (for a criterion).
    let Some(block) = distribution.block.if_stated(judge) else { return };
    let (Some(failures), Some(sum)) = (failures.need(judge), distribution.sum(judge)) else { return };
    if sum == failures.value.into() {
        return;
    }
    let counts: Vec<String> =
        distribution.entries.iter().take(8).filter_map(|entry| Some(entry.count.get()?.value.to_string())).collect();
    let more = if distribution.entries.len() > 8 { " + …" } else { "" };
    let mut report = judge
        .finding(block.at, format!("the counts sum to {sum}, but {name} is {}", failures.value))
        .mark(failures.at, "")
        .help("count each failed trial once, under its first failing condition");
    if !counts.is_empty() {
        report = report.label(format!("counts: {}{more}", counts.join(" + ")));
    }
    let _ = report;
}

fn distribution_unique(run: &Run<'_>, judge: &mut Judge<'_>) {
    for distribution in run.distributions() {
        distribution.block.if_stated(judge);
        let mut seen = HashMap::with_capacity(distribution.entries.len());
        for entry in &distribution.entries {
            let Some(condition) = entry.condition.need(judge) else { continue };
            let input = entry.input.get().map(|input| input.value);
            if let Some(first) = seen.insert((condition.value, entry.kind(), input), condition.at) {
                judge
                    .finding(condition.at, format!("a second entry for the condition {}", condition.at.written()))
                    .mark(first, "the first")
                    .help("add the counts up in one entry");
            }
        }
    }
}

fn condition_is_name_alone(run: &Run<'_>, judge: &mut Judge<'_>) {
    for distribution in run.distributions() {
        for entry in &distribution.entries {
            let Some(condition) = entry.condition.get() else { continue };
            let Some(suffix) = input_suffix(condition.value) else { continue };
            match entry.input.get().filter(|input| input.value != suffix) {
                Some(input) => {
                    judge
                        .finding(
                            condition.at,
                            format!("the condition names input {suffix}, but inputIndex is {}", input.value),
                        )
                        .mark(input.at, "")
                        .severity(Severity::Error)
                        .help("state the condition's name alone and the input in inputIndex");
                }
                None => {
                    judge
                        .finding(condition.at, format!("the condition carries the input: \" (input {suffix})\""))
                        .help("state the condition's name alone and the input in inputIndex");
                }
            }
        }
    }
}

/// What a check's rows say of it: how often it failed, and how often the criteria that hold it did.
#[derive(Default)]
struct CheckTotals {
    failed: u128,
    criteria_failed: u128,
    /// A count among them cannot be read: then nothing follows.
    unread: bool,
}

fn attribution_plausible(run: &Run<'_>, judge: &mut Judge<'_>) {
    let mut over_run: HashMap<&str, CheckTotals> = HashMap::new();
    for criterion in &run.criterion_list {
        let own = totals(criterion);
        one_attribution(&criterion.distribution, &own, judge);
        for (check, totals) in own {
            let sum = over_run.entry(check).or_default();
            sum.failed += totals.failed;
            sum.criteria_failed += totals.criteria_failed;
            sum.unread |= totals.unread;
        }
    }
    one_attribution(&run.distribution, &over_run, judge);
}

fn totals<'d>(criterion: &Criterion<'d>) -> HashMap<&'d str, CheckTotals> {
    let mut totals: HashMap<&str, CheckTotals> = HashMap::new();
    for row in &criterion.rows {
        let Some(check) = row.check.get() else { continue };
        let total = totals.entry(check.value).or_default();
        match (row.failed.get(), criterion.fail.get()) {
            (Some(failed), Some(fail)) => {
                total.failed += u128::from(failed.value);
                total.criteria_failed = fail.value.into();
            }
            _ => total.unread = true,
        }
    }
    totals
}

fn one_attribution(distribution: &Distribution<'_>, checks: &HashMap<&str, CheckTotals>, judge: &mut Judge<'_>) {
    for entry in distribution.entries.iter().filter(|entry| entry.kind() == Some("evaluated")) {
        let (Some(condition), Some(count)) = (entry.condition.get(), entry.count.get()) else { continue };
        let Some(check) = checks.get(condition.value).filter(|check| !check.unread) else { continue };
        let counted = u128::from(count.value);
        let excess = if counted > check.failed {
            format!("the check failed {} times over its rows", check.failed)
        } else if counted > check.criteria_failed {
            format!("the criteria that hold the check failed {} trials", check.criteria_failed)
        } else {
            continue;
        };
        judge
            .finding(
                count.at,
                format!("{counted} failed trials are attributed to {}, but {excess}", condition.at.written()),
            )
            .mark(condition.at, "");
    }
}
