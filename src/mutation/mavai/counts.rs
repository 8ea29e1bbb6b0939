//! Trials counted wrongly, rates that are not their counts', criteria that do not bound the trials, and costs.

use serde_json::Value;

use super::{criteria, every_criterion, is_baseline, runs};
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{self, count, number, set};
use crate::mutation::tweak::{self, DOUBLED, OFF_BY_ONE, SWAPPED, ZEROED, quotient};

const COUNTED: &[&str] = &["mavai/trials-counted"];
// A criterion that passed more, or less, than its trials may also contradict its own checks and the run.
const BESIDE_COUNTED: &[&str] = &["mavai/criteria-bound-trials", "mavai/standings-bound-criterion"];
const RATE: &[&str] = &["mavai/observed-rate"];
const BOUND: &[&str] = &["mavai/criteria-bound-trials"];
const BESIDE_BOUND: &[&str] = &["mavai/delivery-fails-every-criterion"];
const COST: &[&str] = &["mavai/cost-average"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("pass-off-by-one", "a criterion passes one trial more or less", COUNTED, pass::<OFF_BY_ONE>)
        .may(BESIDE_COUNTED),
    Operator::new("pass-zeroed", "a criterion counts no passing trial", COUNTED, pass::<ZEROED>).may(BESIDE_COUNTED),
    Operator::new("pass-doubled", "a criterion counts its passing trials twice", COUNTED, pass::<DOUBLED>)
        .may(BESIDE_COUNTED),
    Operator::new("rate-off-by-one", "a rate is one trial off", RATE, rate::<OFF_BY_ONE>),
    Operator::new("rate-swapped", "a rate is of the failures", RATE, rate::<SWAPPED>),
    Operator::new("rate-zeroed", "a rate is 0", RATE, rate::<ZEROED>),
    Operator::new("rate-doubled", "a rate is twice what it should be", RATE, rate::<DOUBLED>),
    Operator::new("criterion-off-by-one", "a trial passes although a criterion failed", BOUND, bound::<OFF_BY_ONE>)
        .may(BESIDE_BOUND),
    Operator::new("criterion-swapped", "a criterion's pass and fail change places", BOUND, bound::<SWAPPED>)
        .may(BESIDE_BOUND),
    Operator::new("criterion-zeroed", "a criterion passes nothing", BOUND, bound::<ZEROED>).may(BESIDE_BOUND),
    Operator::new("criterion-doubled", "a criterion fails twice as often", BOUND, bound::<DOUBLED>).may(BESIDE_BOUND),
    Operator::new("cost-off-by-two", "an average is 2 ms off", COST, cost::<OFF_BY_ONE>),
    Operator::new("cost-swapped", "an average is the total", COST, cost::<SWAPPED>),
    Operator::new("cost-zeroed", "an average is 0", COST, cost::<ZEROED>),
    Operator::new("cost-doubled", "an average is twice what it should be", COST, cost::<DOUBLED>),
];

fn pass<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    if is_baseline(document) {
        return None;
    }
    let candidates = every_criterion(document)
        .into_iter()
        .filter_map(|(_, at)| {
            let (pass, fail) = (count(document, &at, "pass")?, count(document, &at, "fail")?);
            Some((tweak::count::<KIND>(pass, fail, choice)?, fail, at))
        })
        .collect();
    let (pass, fail, at) = pick(choice, candidates)?;
    set(document, &at, "pass", pass)?;
    set(document, &at, "observedPassRate", quotient(pass, pass + fail))?;
    Some(format!("{at}/pass"))
}

fn rate<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for run in runs(document) {
        let blocks = [(format!("{run}/statistics"), "observed", "successes", "failures")];
        let of_criteria = criteria(document, &run).into_iter().map(|at| (at, "observedPassRate", "pass", "fail"));
        for (at, key, passed, failed) in blocks.into_iter().chain(of_criteria) {
            let (Some(passed), Some(failed)) = (count(document, &at, passed), count(document, &at, failed)) else {
                continue;
            };
            candidates.extend(tweak::fraction::<KIND>(passed, passed + failed, choice).map(|wrong| (wrong, at, key)));
        }
    }
    let (wrong, at, key) = pick(choice, candidates)?;
    set(document, &at, key, wrong)?;
    Some(format!("{at}/{key}"))
}

/// Moves trials of a criterion between pass and fail until it contradicts the run. Its distribution and standings, which would show
/// it too, go: neither need be there.
fn bound<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    if is_baseline(document) {
        return None;
    }
    let mut candidates = Vec::new();
    for run in runs(document) {
        let statistics = format!("{run}/statistics");
        let (Some(successes), Some(failures)) =
            (count(document, &statistics, "successes"), count(document, &statistics, "failures"))
        else {
            continue;
        };
        for at in criteria(document, &run) {
            let (Some(pass), Some(fail)) = (count(document, &at, "pass"), count(document, &at, "fail")) else {
                continue;
            };
            let total = pass + fail;
            let wrong = match KIND {
                OFF_BY_ONE => pass.checked_sub(1),
                SWAPPED => Some(fail),
                ZEROED => Some(0),
                _ => total.checked_sub(2 * fail),
            };
            candidates.extend(
                wrong
                    .filter(|&wrong| wrong < successes || total - wrong > failures)
                    .map(|wrong| (at, wrong, total - wrong)),
            );
        }
    }
    let (at, pass, fail) = pick(choice, candidates)?;
    set(document, &at, "pass", pass)?;
    set(document, &at, "fail", fail)?;
    set(document, &at, "observedPassRate", quotient(pass, pass + fail))?;
    place::remove(document, &at, "failureDistribution");
    place::remove(document, &at, "standings");
    Some(at)
}

fn cost<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = runs(document)
        .into_iter()
        .filter_map(|run| {
            let at = format!("{run}/cost");
            let samples = count(document, &format!("{run}/execution"), "samplesExecuted")?;
            let (total, average) =
                (number(document, &at, "totalTimeMs")?, number(document, &at, "avgTimePerSampleMs")?);
            let right = if samples == 0 { 0.0 } else { total / samples as f64 };
            let wrong = match KIND {
                OFF_BY_ONE => average + 2.0,
                SWAPPED => total,
                ZEROED => 0.0,
                _ => average * 2.0,
            };
            ((wrong - right).abs() > 1.01).then_some((at, wrong))
        })
        .collect();
    let (at, wrong) = pick(choice, candidates)?;
    set(document, &at, "avgTimePerSampleMs", whole_number(wrong))?;
    Some(format!("{at}/avgTimePerSampleMs"))
}

/// A number that is written without a fraction where it has none.
fn whole_number(number: f64) -> Value {
    if number.fract() == 0.0 && (0.0..9e15).contains(&number) { (number as u64).into() } else { number.into() }
}
