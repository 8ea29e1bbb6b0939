//! Latencies and percentiles that are not of the passing samples.

use serde_json::{Value, json};

use super::runs;
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, items, remove, set};
use crate::mutation::tweak::{self, DOUBLED, OFF_BY_ONE, SWAPPED, ZEROED};

const PRESENT: &[&str] = &["mavai/latency-present"];
const COUNTS: &[&str] = &["mavai/latency-counts"];
const OF_BASELINE: &[&str] = &["mavai/baseline-latency"];
const SORTED: &[&str] = &["mavai/latency-sorted"];
const GATE: &[&str] = &["mavai/percentile-gate"];
const VALUE: &[&str] = &["mavai/percentile-value"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("latency-dropped", "samples passed, and there is no latency block", PRESENT, dropped),
    Operator::new("latency-of-nothing", "no sample passed, and there is a latency block", PRESENT, of_nothing)
        .may(&["schema/"]),
    Operator::new("latency-total-off-by-one", "totalSamples is one off", COUNTS, totals::<OFF_BY_ONE>)
        .may(&["schema/minimum"]),
    Operator::new("latency-total-swapped", "totalSamples is contributingSamples", COUNTS, totals::<SWAPPED>),
    Operator::new("latency-total-zeroed", "totalSamples is 0", COUNTS, totals::<ZEROED>).may(&["schema/minimum"]),
    Operator::new("latency-total-doubled", "totalSamples is twice the samples", COUNTS, totals::<DOUBLED>),
    Operator::new("latency-of-others", "contributingSamples is not the number of latencies", COUNTS, contributing)
        .may(GATE),
    Operator::new("baseline-total-off-by-one", "totalSamples is one off", OF_BASELINE, totals::<OFF_BY_ONE>),
    Operator::new("baseline-total-swapped", "totalSamples is contributingSamples", OF_BASELINE, totals::<SWAPPED>),
    Operator::new("baseline-total-zeroed", "totalSamples is 0", OF_BASELINE, totals::<ZEROED>).may(&["schema/minimum"]),
    Operator::new("baseline-total-doubled", "totalSamples is twice the samples", OF_BASELINE, totals::<DOUBLED>),
    Operator::new(
        "baseline-latency-of-others",
        "contributingSamples is not the number of latencies",
        OF_BASELINE,
        contributing,
    )
    .may(GATE),
    Operator::new("latency-neighbours-swapped", "two neighbouring latencies change places", SORTED, unsorted::<false>),
    Operator::new("latency-descending", "latencies descend", SORTED, unsorted::<true>),
    Operator::new("percentile-dropped", "enough samples passed, and a percentile is missing", GATE, gate_dropped),
    Operator::new("percentile-too-early", "a percentile is stated from too few samples", GATE, too_early),
    Operator::new("percentile-interpolated", "a percentile lies between two latencies", VALUE, value::<SWAPPED>),
    Operator::new(
        "percentile-off-by-one",
        "a percentile is the latency of a neighbouring rank",
        VALUE,
        value::<OFF_BY_ONE>,
    ),
    Operator::new("percentile-zeroed", "a percentile is 0", VALUE, value::<ZEROED>),
    Operator::new("percentile-doubled", "a percentile is twice what it should be", VALUE, value::<DOUBLED>),
];

/// A percentile's key, its percent and the contributing samples from which it is stated.
const PERCENTILES: [(&str, usize, u64); 4] =
    [("p50Ms", 50, 5), ("p90Ms", 90, 10), ("p95Ms", 95, 20), ("p99Ms", 99, 100)];

/// Pointers to the latency blocks, each with its run.
fn blocks(document: &Value) -> Vec<(String, String)> {
    let blocks = runs(document).into_iter().map(|run| (format!("{run}/latency"), run));
    blocks.filter(|(block, _)| document.pointer(block).is_some()).collect()
}

fn vector(document: &Value, block: &str) -> Vec<f64> {
    let list = items(document, &format!("{block}/sortedPassingLatenciesMs"));
    list.iter().filter_map(Value::as_f64).collect()
}

fn dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (_, run) = pick(choice, blocks(document))?;
    remove(document, &run, "latency")?;
    Some(run)
}

fn of_nothing(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let failed = |run: &String| count(document, &format!("{run}/statistics"), "successes") == Some(0);
    let run = pick(choice, runs(document).into_iter().filter(failed).collect())?;
    let samples = count(document, &format!("{run}/execution"), "samplesExecuted")?;
    let block = json!({
        "basis": "passing-samples",
        "contributingSamples": 0,
        "totalSamples": samples,
        "sortedPassingLatenciesMs": [],
    });
    set(document, &run, "latency", block)?;
    Some(run + "/latency")
}

fn totals<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = blocks(document)
        .into_iter()
        .filter_map(|(block, _)| {
            let (total, contributing) =
                (count(document, &block, "totalSamples")?, count(document, &block, "contributingSamples")?);
            Some((tweak::count::<KIND>(total, contributing, choice)?, block))
        })
        .collect();
    let (wrong, block) = pick(choice, candidates)?;
    set(document, &block, "totalSamples", wrong)?;
    Some(block + "/totalSamples")
}

fn contributing(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (block, _) = pick(choice, blocks(document))?;
    let right = count(document, &block, "contributingSamples")?;
    set(document, &block, "contributingSamples", right + 1 + choice.below(3) as u64)?;
    Some(block + "/contributingSamples")
}

fn unsorted<const REVERSED: bool>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (block, _) in blocks(document) {
        let values = vector(document, &block);
        let rises = values.windows(2).enumerate().filter(|(_, pair)| pair[0] < pair[1]).map(|(at, _)| at);
        if REVERSED {
            candidates.extend(rises.take(1).map(|at| (block.clone(), at)));
        } else {
            candidates.extend(rises.map(|at| (block.clone(), at)));
        }
    }
    let (block, at) = pick(choice, candidates)?;
    let list = format!("{block}/sortedPassingLatenciesMs");
    let values = document.pointer_mut(&list)?.as_array_mut()?;
    if REVERSED {
        values.reverse();
    } else {
        values.swap(at, at + 1);
    }
    Some(list)
}

fn gate_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (block, _) in blocks(document) {
        let contributing = count(document, &block, "contributingSamples");
        for (key, _, floor) in PERCENTILES.into_iter().filter(|(key, ..)| *key != "p90Ms") {
            if contributing.is_some_and(|contributing| contributing >= floor) {
                candidates.push((block.clone(), key));
            }
        }
    }
    let (block, key) = pick(choice, candidates)?;
    remove(document, &block, key)?;
    Some(block)
}

fn too_early(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (block, _) in blocks(document) {
        let (contributing, values) = (count(document, &block, "contributingSamples"), vector(document, &block));
        for (key, percent, floor) in PERCENTILES {
            if contributing.is_some_and(|contributing| contributing < floor) && !values.is_empty() {
                candidates.push((block.clone(), key, values[rank(percent, values.len())]));
            }
        }
    }
    let (block, key, value) = pick(choice, candidates)?;
    set(document, &block, key, value)?;
    Some(format!("{block}/{key}"))
}

/// The index of the element of rank ceil(p·n).
fn rank(percent: usize, n: usize) -> usize {
    (percent * n).div_ceil(100).clamp(1, n.max(1)) - 1
}

fn value<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (block, _) in blocks(document) {
        let values = vector(document, &block);
        for (key, percent, floor) in PERCENTILES {
            if (values.len() as u64) < floor || document.pointer(&format!("{block}/{key}")).is_none() {
                continue;
            }
            let at = rank(percent, values.len());
            let neighbour = if at + 1 < values.len() { at + 1 } else { at - 1 };
            let wrong = match KIND {
                OFF_BY_ONE => values[neighbour],
                SWAPPED => (values[at] + values[neighbour]) / 2.0,
                ZEROED => 0.0,
                _ => values[at] * 2.0,
            };
            if wrong != values[at] {
                candidates.push((block.clone(), key, wrong));
            }
        }
    }
    let (block, key, wrong) = pick(choice, candidates)?;
    set(document, &block, key, wrong)?;
    Some(format!("{block}/{key}"))
}
