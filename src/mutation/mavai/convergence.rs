//! Histories that do not converge where they say, and plans that were not kept.

use serde_json::{Value, json};

use super::runs;
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, items, number, remove, set};
use crate::mutation::tweak::{self, DOUBLED, OFF_BY_ONE, SWAPPED, ZEROED, quotient};

const PLANNED: &[&str] = &["mavai/samples-planned"];
const NUMBERED: &[&str] = &["mavai/iterations-numbered"];
const CONSISTENT: &[&str] = &["mavai/convergence-consistent"];
const BEST: &[&str] = &["mavai/convergence-best"];
const TIE: &[&str] = &["mavai/convergence-tie"];
const RATE: &[&str] = &["mavai/score-is-rate"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("planned-off-by-one", "one sample more was planned than completed", PLANNED, planned::<OFF_BY_ONE>),
    Operator::new("planned-halved", "twice as many samples were executed as planned", PLANNED, planned::<SWAPPED>)
        .may(&["schema/minimum"]),
    Operator::new("planned-zeroed", "samples were executed and none was planned", PLANNED, planned::<ZEROED>)
        .may(&["schema/minimum"]),
    Operator::new("planned-doubled", "twice as many samples were planned as completed", PLANNED, planned::<DOUBLED>),
    Operator::new("iteration-off-by-one", "an iteration's number is one off", NUMBERED, numbered::<OFF_BY_ONE>),
    Operator::new("iterations-swapped", "two iterations change their numbers", NUMBERED, numbered::<SWAPPED>),
    Operator::new("iterations-from-one", "iterations are numbered from 1", NUMBERED, numbered::<ZEROED>),
    Operator::new("iterations-counted-off-by-one", "totalIterations is one off", CONSISTENT, iterations::<OFF_BY_ONE>)
        .may(&["schema/minimum"]),
    Operator::new(
        "iterations-counted-doubled",
        "totalIterations is twice the iterations",
        CONSISTENT,
        iterations::<DOUBLED>,
    ),
    Operator::new("iterations-counted-zeroed", "totalIterations is 0", CONSISTENT, iterations::<ZEROED>)
        .may(&["schema/minimum"]),
    Operator::new("best-score-differs", "bestScore is not the named iteration's", CONSISTENT, best_score),
    Operator::new("best-factors-differ", "bestFactors are not the named iteration's", CONSISTENT, best_factors),
    Operator::new("best-beyond", "bestIteration names no iteration", CONSISTENT, beyond).may(&["schema/minimum"]),
    Operator::new("best-worse", "bestIteration names an iteration that another one beats", BEST, worse),
    Operator::new("objective-flipped", "the objective is the opposite of what was sought", BEST, flipped),
    Operator::new("best-not-first", "bestIteration names a later one of equals", TIE, later_of_equals),
    Operator::new("score-rounded", "a score is the rate, rounded", RATE, score::<OFF_BY_ONE>),
    Operator::new("score-swapped", "a score is the failures' rate", RATE, score::<SWAPPED>),
    Operator::new("score-zeroed", "a score is 0", RATE, score::<ZEROED>),
    Operator::new("score-percent", "a score is a percentage", RATE, score::<DOUBLED>),
];

fn planned<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = runs(document)
        .into_iter()
        .filter_map(|run| {
            let at = format!("{run}/execution");
            let executed = count(document, &at, "samplesExecuted").filter(|&executed| executed > 0)?;
            let completed = document.pointer(&at)?["terminationReason"] == "COMPLETED";
            let wrong = match KIND {
                OFF_BY_ONE if completed => executed + 1,
                DOUBLED if completed => executed * 2,
                SWAPPED if executed > 1 => executed / 2,
                ZEROED => 0,
                _ => return None,
            };
            document.pointer(&format!("{at}/samplesPlanned"))?;
            Some((at, wrong))
        })
        .collect();
    let (at, wrong) = pick(choice, candidates)?;
    set(document, &at, "samplesPlanned", wrong)?;
    Some(at + "/samplesPlanned")
}

fn numbered<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let length = items(document, "/iterations").len();
    match KIND {
        ZEROED => {
            for at in 0..length {
                set(document, &format!("/iterations/{at}"), "iteration", at + 1)?;
            }
            (length > 0).then(|| "/iterations/0/iteration".to_owned())
        }
        SWAPPED => {
            let at = pick(choice, (1..length).collect())?;
            set(document, &format!("/iterations/{at}"), "iteration", at - 1)?;
            set(document, &format!("/iterations/{}", at - 1), "iteration", at)?;
            Some(format!("/iterations/{at}/iteration"))
        }
        _ => {
            let at = pick(choice, (0..length).collect())?;
            set(document, &format!("/iterations/{at}"), "iteration", at + 1)?;
            Some(format!("/iterations/{at}/iteration"))
        }
    }
}

fn iterations<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let right = count(document, "/convergence", "totalIterations")?;
    set(document, "/convergence", "totalIterations", tweak::count::<KIND>(right, 0, choice)?)?;
    Some("/convergence/totalIterations".to_owned())
}

fn best_score(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let right = number(document, "/convergence", "bestScore")?;
    let others: Vec<f64> = (0..items(document, "/iterations").len())
        .filter_map(|at| number(document, &format!("/iterations/{at}"), "score"))
        .chain([right + 0.125, right - 1.0])
        .filter(|&other| other != right)
        .collect();
    set(document, "/convergence", "bestScore", pick(choice, others)?)?;
    Some("/convergence/bestScore".to_owned())
}

fn best_factors(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let right = document.pointer("/convergence/bestFactors")?.clone();
    let mut others: Vec<Value> =
        items(document, "/iterations").iter().filter_map(|iteration| iteration.get("factors")).cloned().collect();
    let mut with_more = right.clone();
    with_more.as_object_mut()?.insert("retries".to_owned(), json!(3));
    others.push(with_more);
    if let Some(key) = right.as_object()?.keys().next() {
        let mut with_less = right.clone();
        with_less.as_object_mut()?.shift_remove(key);
        others.push(with_less);
    }
    others.retain(|other| *other != right);
    set(document, "/convergence", "bestFactors", pick(choice, others)?)?;
    Some("/convergence/bestFactors".to_owned())
}

fn beyond(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let length = items(document, "/iterations").len() as i64;
    let wrong = [length, length + 7, -1][choice.below(3)];
    set(document, "/convergence", "bestIteration", wrong)?;
    Some("/convergence/bestIteration".to_owned())
}

fn scores(document: &Value) -> Option<Vec<f64>> {
    items(document, "/iterations").iter().map(|iteration| iteration.get("score")?.as_f64()).collect()
}

/// Makes an iteration the best one that the document names.
fn name_best(document: &mut Value, at: usize) -> Option<()> {
    let named = items(document, "/iterations").get(at)?;
    let (score, factors) = (named.get("score")?.clone(), named.get("factors")?.clone());
    set(document, "/convergence", "bestIteration", at)?;
    set(document, "/convergence", "bestScore", score)?;
    set(document, "/convergence", "bestFactors", factors)
}

fn worse(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let best = number(document, "/convergence", "bestScore")?;
    let beaten =
        scores(document)?.into_iter().enumerate().filter(|&(_, score)| score != best).map(|(at, _)| at).collect();
    let at = pick(choice, beaten)?;
    name_best(document, at)?;
    Some("/convergence/bestIteration".to_owned())
}

fn flipped(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let scores = scores(document)?;
    if scores.iter().all(|&score| Some(&score) == scores.first()) {
        return None;
    }
    let other = if document["objective"] == "MAXIMIZE" { "MINIMIZE" } else { "MAXIMIZE" };
    set(document, "", "objective", other)?;
    Some("/objective".to_owned())
}

/// Gives another iteration the best score and names the later of the two. The scorer, which would have to produce that score,
/// is not named.
fn later_of_equals(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let best = usize::try_from(count(document, "/convergence", "bestIteration")?).ok()?;
    let score = document.pointer("/convergence/bestScore")?.clone();
    let other = pick(choice, (0..items(document, "/iterations").len()).filter(|&at| at != best).collect())?;
    set(document, &format!("/iterations/{other}"), "score", score)?;
    remove(document, "", "scorer");
    name_best(document, other.max(best))?;
    Some("/convergence/bestIteration".to_owned())
}

/// Changes a score for the worse, so that the best iteration stays the best.
fn score<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    if document["scorer"] != "observed-pass-rate" {
        return None;
    }
    let best = count(document, "/convergence", "bestIteration")?;
    let maximize = document["objective"] == "MAXIMIZE";
    let alone = items(document, "/iterations").len() == 1;
    let mut candidates = Vec::new();
    for at in 0..items(document, "/iterations").len() {
        let iteration = format!("/iterations/{at}");
        let statistics = format!("{iteration}/statistics");
        let (passed, failed) = (count(document, &statistics, "successes")?, count(document, &statistics, "failures")?);
        let right = quotient(passed, passed + failed);
        let wrong = match KIND {
            OFF_BY_ONE => (right * 100.0).round() / 100.0,
            SWAPPED => quotient(failed, passed + failed),
            ZEROED => 0.0,
            _ => right * 100.0,
        };
        let harmless = alone || at as u64 != best && if maximize { wrong < right } else { wrong > right };
        if harmless && (wrong - right).abs() > 1e-6 {
            candidates.push((at, wrong));
        }
    }
    let (at, wrong) = pick(choice, candidates)?;
    set(document, &format!("/iterations/{at}"), "score", wrong)?;
    if alone {
        set(document, "/convergence", "bestScore", wrong)?;
    }
    Some(format!("/iterations/{at}/score"))
}
