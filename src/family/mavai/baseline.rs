//! Baseline: what a measure experiment recorded, read back by the framework that emitted it.

use super::model::{Slot, count, number, object};
use crate::document::{Document, Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Model, Obligation, Rule};

/// The marker for tables of obligations on a baseline document.
pub struct BaselineModel;

impl Model for BaselineModel {
    type Of<'d> = Baseline<'d>;
}

/// A baseline document beyond the blocks that it shares with the others.
pub struct Baseline<'d> {
    pub document: &'d Document,
    executed: Slot<'d, u64>,
    pub confidence: Slot<'d, f64>,
    criteria: Slot<'d, Value<'d>>,
}

impl<'d> Baseline<'d> {
    pub fn of(document: &'d Document) -> Self {
        let root = document.root();
        Baseline {
            document,
            executed: count(root.get("execution").unwrap_or(root), "samplesExecuted"),
            confidence: number(root, "confidenceLevel"),
            criteria: object(root, "criteria"),
        }
    }

    /// The criteria by name, where the block can be read.
    pub fn criteria(&self, judge: &mut Judge<'_>) -> impl Iterator<Item = (&'d str, Value<'d>)> + use<'d> {
        let block = self.criteria.need(judge);
        block
            .into_iter()
            .flat_map(|block| block.value.members())
            .map(|(name, at)| (name.as_str().unwrap_or_default(), at))
    }
}

pub const DELIVERED: &str = "/criteria/delivered";

pub const OBLIGATIONS: &[Obligation<BaselineModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/baseline-trials",
            title: "Every executed sample is a trial of every criterion",
            demand: "A criterion's trials = execution.samplesExecuted, and its successes are at most its trials.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "counts",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/execution/samplesPlanned", "11"),
                    Edit::Set("/execution/samplesExecuted", "11"),
                    Edit::Remove("/criteria/delivered/standings"),
                    Edit::Set("/latency/totalSamples", "11"),
                    Edit::Set("/cost/avgTimePerSampleMs", "5"),
                ],
                show: "/execution",
                also: &[],
            },
        },
        judge: trials,
    },
    Obligation {
        rule: Rule {
            id: "mavai/failure-reason",
            title: "A reason is of judged trials",
            demand: "An entry of kind delivery states no reason: nothing was judged.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "failureDistribution",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/criteria/delivered/failureDistribution/0/reason", r#""condition""#)],
                show: "/criteria/delivered/failureDistribution/0",
                also: &[],
            },
        },
        judge: reason,
    },
    Obligation {
        rule: Rule {
            id: "mavai/baseline-latency",
            title: "Latency is of the passing samples",
            demand: "Where latency is stated, contributingSamples is the number of sortedPassingLatenciesMs and at most every criterion's successes, \
                     and totalSamples = samplesExecuted.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "latency",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/latency/contributingSamples", "7")],
                show: "/latency",
                also: &[],
            },
        },
        judge: latency,
    },
];

fn trials(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    let executed = baseline.executed.need(judge);
    for (name, at) in baseline.criteria(judge) {
        let Some(trials) = count(at, "trials").need(judge) else { continue };
        if let Some(executed) = executed.filter(|executed| executed.value != trials.value) {
            judge
                .finding(
                    trials.at,
                    format!(
                        "criterion {name:?} has {} trials, but samplesExecuted is {}",
                        trials.value, executed.value
                    ),
                )
                .mark(executed.at, "executed")
                .help("every criterion judges every executed sample; an undelivered one is a failed trial");
        }
        if let Some(successes) = count(at, "successes").need(judge).filter(|successes| successes.value > trials.value) {
            judge
                .finding(
                    successes.at,
                    format!("criterion {name:?} has {} successes in {} trials", successes.value, trials.value),
                )
                .mark(trials.at, "");
        }
    }
}

fn reason(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    for (_, at) in baseline.criteria(judge) {
        let Some(entries) = at.get("failureDistribution").filter(|entries| entries.kind() == Kind::Array) else {
            continue;
        };
        for entry in entries.items().filter(|entry| entry.get("kind").and_then(Value::as_str) == Some("delivery")) {
            if let Some(stated) = entry.get("reason") {
                judge
                    .finding(
                        stated,
                        format!("an undelivered trial was not judged, yet states the reason {}", stated.written()),
                    )
                    .help("leave reason out of delivery entries");
            }
        }
    }
}

fn latency(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    let Some(block) = object(baseline.document.root(), "latency").if_stated(judge) else { return };
    let contributing = count(block.value, "contributingSamples").need(judge);
    let vector = super::model::list(block.value, "sortedPassingLatenciesMs").need(judge);
    if let (Some(contributing), Some(vector)) = (contributing, vector)
        && contributing.value != vector.value.len() as u64
    {
        judge
            .finding(
                contributing.at,
                format!(
                    "contributingSamples is {}, but {} latencies are listed",
                    contributing.value,
                    vector.value.len()
                ),
            )
            .mark(vector.at, "");
        return;
    }
    if let (Some(total), Some(executed)) =
        (count(block.value, "totalSamples").need(judge), baseline.executed.need(judge))
        && total.value != executed.value
    {
        judge
            .finding(total.at, format!("totalSamples is {}, but samplesExecuted is {}", total.value, executed.value))
            .mark(executed.at, "executed");
    }
    let Some(contributing) = contributing else { return };
    for (name, at) in baseline.criteria(judge) {
        if let Some(successes) =
            count(at, "successes").need(judge).filter(|successes| successes.value < contributing.value)
        {
            judge
                .finding(
                    contributing.at,
                    format!(
                        "{} samples contribute, but only {} passed criterion {name:?}",
                        contributing.value, successes.value
                    ),
                )
                .mark(successes.at, "");
        }
    }
}
