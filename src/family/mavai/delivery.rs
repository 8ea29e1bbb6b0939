//! Delivery: a trial whose response never came is a failed trial, with a cause from a closed vocabulary.

use super::model::{Run, RunModel};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

/// The five causes, each with what it means.
pub const CAUSES: [(&str, &str); 5] = [
    ("unreachable", "no response at all: name resolution failed, connection refused"),
    ("client-deadline", "the framework's own deadline elapsed"),
    ("peer-timeout", "the peer said that it timed out (HTTP 504)"),
    ("server-error", "the service said that it is failing (any other HTTP 5xx)"),
    ("unusable-response", "a delivered body with nothing to judge"),
];

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/delivery-cause",
            title: "Delivery causes are from the closed vocabulary",
            demand: "The condition of an entry of kind delivery is one of unreachable, client-deadline, peer-timeout, server-error and \
                     unusable-response: never a message, an address or a condition of the contract.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "delivery",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/iterations/0/statistics/failureDistribution/2/condition",
                    r#""Connection to https://basket.example refused""#,
                )],
                show: "/iterations/0/statistics/failureDistribution/2",
                also: &["schema/enum"],
            },
        },
        judge: delivery_cause,
    },
    Obligation {
        rule: Rule {
            id: "mavai/delivery-fails-every-criterion",
            title: "An undelivered trial fails every criterion",
            demand: "With D = the sum of the counts of the run's delivery entries, every criterion has fail ≥ D and successes is at most \
                     samplesExecuted - D.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "delivery",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/0/statistics/failureDistribution/1/count", "1"),
                    Edit::Set("/iterations/0/statistics/failureDistribution/2/count", "3"),
                    Edit::Remove("/iterations/0/statistics/failureDistribution/0"),
                ],
                show: "/iterations/0/statistics",
                also: &[],
            },
        },
        judge: delivery_fails_every_criterion,
    },
];

fn delivery_cause(run: &Run<'_>, judge: &mut Judge<'_>) {
    for distribution in run.distributions() {
        distribution.block.if_stated(judge);
        for entry in distribution.entries.iter().filter(|entry| entry.kind() == Some("delivery")) {
            let Some(condition) = entry.condition.need(judge) else { continue };
            if CAUSES.iter().any(|(cause, _)| *cause == condition.value) {
                continue;
            }
            let causes: Vec<&str> = CAUSES.iter().map(|(cause, _)| *cause).collect();
            judge
                .finding(
                    condition.at,
                    format!("{} is no delivery cause; the causes are {}", excerpt(condition.value), causes.join(", ")),
                )
                .help("state the cause that the framework knows; put the message elsewhere, or leave it out");
        }
    }
}

fn delivery_fails_every_criterion(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(undelivered) = run.distribution.undelivered(judge).filter(|&undelivered| undelivered > 0) else { return };
    let first = run.distribution.entries.iter().find(|entry| entry.kind() == Some("delivery"));
    for criterion in &run.criterion_list {
        let Some(fail) = criterion.fail.need(judge) else { continue };
        if u128::from(fail.value) < undelivered {
            let report = judge.finding(
                fail.at,
                format!(
                    "criterion \"{}\" failed {} trials, but {undelivered} trials were never delivered",
                    criterion.label(),
                    fail.value
                ),
            );
            match first {
                Some(first) => report.mark(first.at, "not delivered"),
                None => report,
            }
            .help("an undelivered trial fails every criterion");
        }
    }
    if let (Some(successes), Some(executed)) = (run.successes.need(judge), run.samples_executed.need(judge))
        && u128::from(successes.value) + undelivered > executed.value.into()
    {
        judge
            .finding(
                successes.at,
                format!(
                    "successes is {}, but {undelivered} of {} trials were never delivered",
                    successes.value, executed.value
                ),
            )
            .mark(executed.at, "")
            .help("an undelivered trial is a failed trial");
    }
}

/// A text in quotes, cut to what a message can show.
pub fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("{shown:?}")
}
