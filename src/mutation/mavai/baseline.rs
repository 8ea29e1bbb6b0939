//! Baselines that record something else than what was measured.

use serde_json::{Value, json};

use super::is_baseline;
use crate::mutation::choice::{Choice, pick, word};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, matching, number, remove, set, text};
use crate::mutation::source::recast::wilson;
use crate::mutation::tweak::{self, DOUBLED, OFF_BY_ONE, SWAPPED, ZEROED, quotient};

const TRIALS: &[&str] = &["mavai/baseline-trials"];
const RATE: &[&str] = &["mavai/baseline-rate"];
const MODE: &[&str] = &["mavai/baseline-mode"];
const BOUND: &[&str] = &["mavai/wilson-bound"];
const REASON: &[&str] = &["mavai/failure-reason"];
const EXPIRY: &[&str] = &["mavai/expiration"];
const FINGERPRINT: &[&str] = &["mavai/content-fingerprint"];

pub const OPERATORS: &[Operator] = &[
    Operator::new(
        "executed-off-by-one",
        "a sample was executed that no criterion judged",
        TRIALS,
        executed::<OFF_BY_ONE>,
    ),
    Operator::new("executed-zeroed", "criteria judged samples, and none was executed", TRIALS, executed::<ZEROED>),
    Operator::new("executed-doubled", "every sample was executed twice and judged once", TRIALS, executed::<DOUBLED>),
    Operator::new("successes-beyond-trials", "a criterion has more successes than trials", TRIALS, beyond)
        .may(&["mavai/failure-distribution-sum", "mavai/standings-bound-criterion"]),
    Operator::new("baseline-rate-off-by-one", "a recorded rate is one trial off", RATE, rate::<OFF_BY_ONE>),
    Operator::new("baseline-rate-swapped", "a recorded rate is of the failures", RATE, rate::<SWAPPED>),
    Operator::new("baseline-rate-zeroed", "a recorded rate is 0", RATE, rate::<ZEROED>),
    Operator::new("baseline-rate-doubled", "a recorded rate is twice what it should be", RATE, rate::<DOUBLED>),
    Operator::new("baseline-rate-dropped", "an inferential criterion records no rate", RATE, no_rate)
        .may(&["schema/required"]),
    Operator::new("observational-infers", "an observational criterion infers", MODE, infers),
    Operator::new("bound-is-the-rate", "the bound is the rate itself", BOUND, bound::<SWAPPED>),
    Operator::new("bound-zeroed", "the bound is 0", BOUND, bound::<ZEROED>),
    Operator::new("bound-halved", "the bound is half of what it should be", BOUND, bound::<DOUBLED>),
    Operator::new("bound-two-sided", "the bound is one of a two-sided interval", BOUND, bound::<OFF_BY_ONE>),
    Operator::new("bound-dropped", "an inferential criterion has no bound", BOUND, no_bound).may(&["schema/required"]),
    Operator::new("bound-null", "the bound is null though there are trials", BOUND, null_bound),
    Operator::new("reason-of-undelivered", "an undelivered trial has a reason", REASON, reason),
    Operator::new("expiry-off-by-one", "the baseline expires a day late", EXPIRY, expiry::<OFF_BY_ONE>),
    Operator::new("expiry-zeroed", "the baseline expires when it is emitted", EXPIRY, expiry::<ZEROED>),
    Operator::new("expiry-doubled", "the baseline expires after twice the days", EXPIRY, expiry::<DOUBLED>),
    Operator::new("fingerprint-of-other-text", "the fingerprint is of another text", FINGERPRINT, fingerprint),
];

/// Changes how many samples were executed, and all that follows from it but the criteria's trials. Standings, which would count
/// otherwise, go.
fn executed<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let right = count(document, "/execution", "samplesExecuted").filter(|_| is_baseline(document))?;
    let wrong = tweak::count::<KIND>(right, 0, choice)?;
    set(document, "/execution", "samplesExecuted", wrong)?;
    set(document, "/execution", "samplesPlanned", wrong)?;
    if document.pointer("/latency").is_some() {
        set(document, "/latency", "totalSamples", wrong)?;
    }
    if let Some(total) = number(document, "/cost", "totalTimeMs") {
        let average = if wrong == 0 { 0.0 } else { total / wrong as f64 };
        set(document, "/cost", "avgTimePerSampleMs", average.round() as u64)?;
    }
    for criterion in matching(document, "/criteria/*") {
        remove(document, &criterion, "standings");
    }
    Some("/execution/samplesExecuted".to_owned())
}

/// The criteria of a mode, with trials and successes.
fn of_mode(document: &Value, mode: &str) -> Vec<(String, u64, u64)> {
    matching(document, "/criteria/*")
        .into_iter()
        .filter(|at| text(document, at, "mode") == Some(mode))
        .filter_map(|at| Some((count(document, &at, "trials")?, count(document, &at, "successes")?, at)))
        .map(|(trials, successes, at)| (at, trials, successes))
        .collect()
}

fn beyond(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (at, trials, _) = pick(choice, of_mode(document, "observational"))?;
    set(document, &at, "successes", trials + 1)?;
    Some(at + "/successes")
}

fn rate<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = of_mode(document, "inferential")
        .into_iter()
        .filter_map(|(at, trials, successes)| Some((at, tweak::fraction::<KIND>(successes, trials, choice)?)))
        .collect();
    let (at, wrong) = pick(choice, candidates)?;
    set(document, &at, "observedPassRate", wrong)?;
    Some(at + "/observedPassRate")
}

fn no_rate(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (at, ..) = pick(choice, of_mode(document, "inferential"))?;
    remove(document, &at, "observedPassRate")?;
    Some(at)
}

fn infers(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (at, trials, successes) = pick(choice, of_mode(document, "observational"))?;
    let (key, value) = match choice.below(3) {
        0 => ("procedure", json!("REGRESSION")),
        1 => ("observedPassRate", json!(quotient(successes, trials))),
        _ => ("wilsonLowerBound", json!(0.5)),
    };
    set(document, &at, key, value)?;
    Some(format!("{at}/{key}"))
}

fn bound<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let confidence = document.get("confidenceLevel")?.as_f64()?;
    let candidates = of_mode(document, "inferential")
        .into_iter()
        .filter_map(|(at, trials, successes)| {
            let right = number(document, &at, "wilsonLowerBound").filter(|_| trials > 0)?;
            let wrong = match KIND {
                SWAPPED => quotient(successes, trials),
                ZEROED => 0.0,
                OFF_BY_ONE => wilson(successes, trials, (1.0 + confidence) / 2.0)?,
                _ => right / 2.0,
            };
            ((wrong - right).abs() > 1e-3).then_some((at, wrong))
        })
        .collect();
    let (at, wrong) = pick(choice, candidates)?;
    set(document, &at, "wilsonLowerBound", wrong)?;
    Some(at + "/wilsonLowerBound")
}

fn no_bound(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (at, ..) = pick(choice, of_mode(document, "inferential"))?;
    remove(document, &at, "wilsonLowerBound")?;
    Some(at)
}

fn null_bound(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let judged = of_mode(document, "inferential").into_iter().filter(|&(_, trials, _)| trials > 0).collect();
    let (at, ..) = pick(choice, judged)?;
    set(document, &at, "wilsonLowerBound", Value::Null)?;
    Some(at + "/wilsonLowerBound")
}

fn reason(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let undelivered = |at: &String| text(document, at, "kind") == Some("delivery");
    let entries = matching(document, "/criteria/*/failureDistribution/*").into_iter().filter(undelivered).collect();
    let at: String = pick(choice, entries)?;
    set(document, &at, "reason", word(choice, &["condition", "transform/no-value"]))?;
    Some(at + "/reason")
}

fn expiry<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let days = count(document, "/expiration", "expiresInDays")?;
    let from: jiff::Timestamp = document.get("generatedAt")?.as_str()?.parse().ok()?;
    let wrong = tweak::count::<KIND>(days, 0, choice)?;
    let after = jiff::SignedDuration::from_hours(i64::try_from(wrong).ok()?.checked_mul(24)?);
    set(document, "/expiration", "expiresAt", from.checked_add(after).ok()?.to_string())?;
    Some("/expiration/expiresAt".to_owned())
}

fn fingerprint(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    text(document, "", "contentFingerprint")?;
    let digit = ["0", "7", "a", "f"][choice.below(4)];
    set(document, "", "contentFingerprint", format!("sha256:{}", digit.repeat(64)))?;
    Some("/contentFingerprint".to_owned())
}
