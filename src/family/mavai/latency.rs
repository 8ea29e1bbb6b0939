//! Latency: the passing samples' latencies in ascending order, and the percentiles that their number admits.

use super::model::{Run, RunModel, count, list, number};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

const LATENCY: &str = "/iterations/0/latency";

/// The percentiles: key, percent, and the least number of contributing samples from which it is stated.
pub const PERCENTILES: [(&str, u64, u64); 4] =
    [("p50Ms", 50, 5), ("p90Ms", 90, 10), ("p95Ms", 95, 20), ("p99Ms", 99, 100)];

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/latency-present",
            title: "Latency is there iff a sample passed",
            demand: "The latency block is stated if and only if successes > 0.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "latency",
            example: Example { good: &[], bad: &[Edit::Remove(LATENCY)], show: "/iterations/0", also: &[] },
        },
        judge: present,
    },
    Obligation {
        rule: Rule {
            id: "mavai/latency-counts",
            title: "Latency counts the passing samples",
            demand: "contributingSamples = successes = the number of sortedPassingLatenciesMs, and totalSamples = samplesExecuted.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "latency",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/latency/totalSamples", "8")],
                show: LATENCY,
                also: &[],
            },
        },
        judge: counts,
    },
    Obligation {
        rule: Rule {
            id: "mavai/latency-sorted",
            title: "Latencies ascend",
            demand: "sortedPassingLatenciesMs is in ascending order (equal neighbours are fine).",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "latency",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/latency/sortedPassingLatenciesMs", "[12, 14, 15, 18, 25, 21, 31, 40]")],
                show: LATENCY,
                also: &[],
            },
        },
        judge: sorted,
    },
    Obligation {
        rule: Rule {
            id: "mavai/percentile-gate",
            title: "Percentiles are stated iff enough samples passed",
            demand: "p50Ms is stated if and only if contributingSamples is at least 5, p95Ms from 20, p99Ms from 100. p90Ms, which not every \
                     emitter states, is not stated below 10.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "latency",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/1/latency/p50Ms", "17")],
                show: "/iterations/1/latency",
                also: &[],
            },
        },
        judge: percentile_gate,
    },
    Obligation {
        rule: Rule {
            id: "mavai/percentile-value",
            title: "Percentiles are elements, not interpolations",
            demand: "A percentile is the element of one-based rank ceil(p·n) of the n sorted latencies, without interpolation.",
            basis: Basis::Family,
            severity: Severity::Error,
            group: "latency",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/latency/p50Ms", "19.5")],
                show: LATENCY,
                also: &[],
            },
        },
        judge: percentile_value,
    },
];

fn present(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(successes) = run.successes.need(judge) else { return };
    match (run.at.get("latency"), successes.value) {
        (None, 1..) => {
            judge
                .finding(successes.at, format!("{} samples passed, but there is no latency block", successes.value))
                .help("state the latency block wherever a sample passed");
        }
        (Some(latency), 0) => {
            judge
                .finding(latency, "there is a latency block, but no sample passed")
                .mark(successes.at, "")
                .help("leave the latency block out where no sample passed");
        }
        _ => {}
    }
}

fn counts(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(latency) = run.latency.if_stated(judge) else { return };
    let vector = list(latency.value, "sortedPassingLatenciesMs").need(judge);
    if let Some(contributing) = count(latency.value, "contributingSamples").need(judge) {
        if let Some(vector) = &vector
            && vector.value.len() as u64 != contributing.value
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
                .mark(vector.at, "")
                .help("list the latency of every passing sample");
        }
        // With 0 successes the block itself is the fault.
        if let Some(successes) = run.successes.need(judge).filter(|successes| successes.value > 0)
            && successes.value != contributing.value
        {
            judge
                .finding(
                    contributing.at,
                    format!("contributingSamples is {}, but {} samples passed", contributing.value, successes.value),
                )
                .mark(successes.at, "")
                .help("latency is of the passing samples only");
        }
    }
    if let (Some(total), Some(executed)) =
        (count(latency.value, "totalSamples").need(judge), run.samples_executed.need(judge))
        && total.value != executed.value
    {
        judge
            .finding(total.at, format!("totalSamples is {}, but samplesExecuted is {}", total.value, executed.value))
            .mark(executed.at, "executed");
    }
}

fn sorted(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(latency) = run.latency.if_stated(judge) else { return };
    let Some(vector) = list(latency.value, "sortedPassingLatenciesMs").need(judge) else { return };
    let mut before: Option<(Value<'_>, f64)> = None;
    for item in vector.value.items() {
        let Some(value) = item.as_f64() else {
            judge.not_judged(item.pointer(), "it is not a number");
            before = None;
            continue;
        };
        if let Some((earlier, _)) = before.filter(|&(_, earlier)| earlier > value) {
            judge
                .finding(item, format!("{} stands after {}", item.written(), earlier.written()))
                .mark(earlier, "")
                .help("state the latencies in ascending order");
            return;
        }
        before = Some((item, value));
    }
}

fn percentile_gate(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(latency) = run.latency.if_stated(judge) else { return };
    let Some(contributing) = count(latency.value, "contributingSamples").need(judge) else { return };
    for (key, percent, floor) in PERCENTILES {
        let stated = latency.value.get(key);
        match stated {
            Some(value) if contributing.value < floor => {
                judge
                    .finding(
                        value,
                        format!("p{percent} is stated from {} passing samples; it takes {floor}", contributing.value),
                    )
                    .mark(contributing.at, "")
                    .help(format!("leave {key} out below {floor} contributing samples"));
            }
            None if contributing.value >= floor && key != "p90Ms" => {
                judge
                    .finding(
                        contributing.at,
                        format!(
                            "{} samples contribute, but p{percent} is not stated; it is from {floor} on",
                            contributing.value
                        ),
                    )
                    .help(format!("state {key}: the latency of rank ceil({percent}/100 · n)"));
            }
            _ => {}
        }
    }
}

fn percentile_value(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(latency) = run.latency.if_stated(judge) else { return };
    if PERCENTILES.iter().all(|(key, ..)| latency.value.get(key).is_none()) {
        return;
    }
    let Some(vector) = list(latency.value, "sortedPassingLatenciesMs").need(judge) else { return };
    let Some(mut values) = vector.value.items().map(Value::as_f64).collect::<Option<Vec<f64>>>() else {
        judge.not_judged(vector.at.pointer(), "not all of its items are numbers");
        return;
    };
    // An unsorted vector is another obligation's finding; the rank is that of the sorted one.
    values.sort_by(f64::total_cmp);
    for (key, percent, floor) in PERCENTILES {
        let Some(stated) = number(latency.value, key).if_stated(judge) else { continue };
        // Below the floor the percentile itself is the fault.
        if (values.len() as u64) < floor {
            continue;
        }
        let rank = rank(percent, values.len());
        let expected = values[rank - 1];
        if stated.value != expected {
            judge
                .finding(
                    stated.at,
                    format!(
                        "p{percent} is {}, but the latency of rank {rank} of {} is {expected}",
                        stated.at.written(),
                        values.len()
                    ),
                )
                .help("take the element of rank ceil(p·n), counted from 1; do not interpolate");
        }
    }
}

/// ceil(percent/100 · n), in integers: `0.95 · 20` is not 19 in binary fractions.
pub fn rank(percent: u64, n: usize) -> usize {
    (percent as usize * n).div_ceil(100).clamp(1, n.max(1))
}
