//! Inference: what a baseline's criteria conclude from their trials, the rate and Wilson's bound, and which of them conclude nothing.

use statrs::distribution::{ContinuousCDF, Normal};

use super::baseline::{Baseline, BaselineModel, DELIVERED};
use super::counts::decimals;
use super::model::{Stated, count, fraction_agrees, number, text};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<BaselineModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/baseline-rate",
            title: "The recorded rate is the quotient",
            demand: "An inferential criterion states observedPassRate = successes / trials if and only if it has trials.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "counts",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/criteria/delivered/observedPassRate", "0.85")],
                show: DELIVERED,
                also: &[],
            },
        },
        judge: rate,
    },
    Obligation {
        rule: Rule {
            id: "mavai/baseline-mode",
            title: "Observational criteria infer nothing",
            demand: "An observational criterion states neither observedPassRate nor wilsonLowerBound nor procedure.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "inference",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/criteria/polite/procedure", r#""REGRESSION""#)],
                show: "/criteria/polite",
                also: &[],
            },
        },
        judge: mode,
    },
    Obligation {
        rule: Rule {
            id: "mavai/wilson-bound",
            title: "The bound is Wilson's",
            demand: "An inferential criterion states wilsonLowerBound: the one-sided Wilson lower bound at confidenceLevel, exactly 0 at 0 successes, \
                     and an explicit null at 0 trials.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "inference",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/criteria/delivered/wilsonLowerBound", "0.490162")],
                show: DELIVERED,
                also: &[],
            },
        },
        judge: wilson,
    },
];

/// A criterion's mode, trials and successes, where they can be read and agree.
fn counted<'d>(at: Value<'d>, judge: &mut Judge<'_>) -> Option<(&'d str, Stated<'d, u64>, Stated<'d, u64>)> {
    let mode = text(at, "mode").need(judge)?;
    let (trials, successes) = (count(at, "trials").need(judge)?, count(at, "successes").need(judge)?);
    if successes.value > trials.value {
        judge.not_judged(successes.at.pointer(), "there are more successes than trials");
        return None;
    }
    Some((mode.value, trials, successes))
}

fn rate(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    for (name, at) in baseline.criteria(judge) {
        let Some(("inferential", trials, successes)) = counted(at, judge) else { continue };
        let stated = number(at, "observedPassRate");
        if trials.value == 0 {
            if let Some(rate) = stated.if_stated(judge) {
                judge
                    .finding(rate.at, format!("criterion {name:?} states a rate from no trials"))
                    .help("leave observedPassRate out at 0 trials: a rate of 0 would be a statement");
            }
            continue;
        }
        let Some(rate) = stated.get() else {
            if at.get("observedPassRate").is_none() {
                judge
                    .finding(
                        trials.at,
                        format!(
                            "the inferential criterion {name:?} has {} trials and states no observedPassRate",
                            trials.value
                        ),
                    )
                    .help("state observedPassRate = successes / trials");
            } else {
                stated.need(judge);
            }
            continue;
        };
        let (part, whole) = (successes.value.into(), trials.value.into());
        if !fraction_agrees(rate.value, part, whole, judge) {
            judge
                .finding(
                    rate.at,
                    format!(
                        "observedPassRate is {}, but {part} of {whole} trials passed: {}",
                        rate.at.written(),
                        decimals(part, whole)
                    ),
                )
                .mark(trials.at, "")
                .mark(successes.at, "");
        }
    }
}

fn mode(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    for (name, at) in baseline.criteria(judge) {
        let Some(mode) = text(at, "mode").need(judge).filter(|mode| mode.value == "observational") else { continue };
        for key in ["observedPassRate", "wilsonLowerBound", "procedure"] {
            if let Some(stated) = at.key(key) {
                judge
                    .finding(stated, format!("the observational criterion {name:?} states {key}"))
                    .mark(mode.at, "observational")
                    .help("leave it out: an observational criterion infers nothing");
            }
        }
    }
}

fn wilson(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    let Some(confidence) = baseline.confidence.need(judge) else { return };
    if !(confidence.value > 0.0 && confidence.value < 1.0) {
        judge.not_judged(confidence.at.pointer(), "the confidence level is not between 0 and 1");
        return;
    }
    for (name, at) in baseline.criteria(judge) {
        let Some(("inferential", trials, successes)) = counted(at, judge) else { continue };
        let Some(stated) = at.get("wilsonLowerBound") else {
            judge
                .finding(trials.at, format!("the inferential criterion {name:?} states no wilsonLowerBound"))
                .help("state the bound always, and null at 0 trials");
            continue;
        };
        match (stated.as_f64(), trials.value) {
            (None, 0) if stated.is_null() => {}
            (Some(_), 0) => {
                judge
                    .finding(stated, format!("criterion {name:?} states a bound from no trials"))
                    .help("state null at 0 trials: a bound of 0 would be a statement");
            }
            (Some(bound), _) => {
                let expected = wilson_lower_bound(successes.value, trials.value, confidence.value);
                if (bound - expected).abs() > judge.settings.tolerance() + 1e-12 {
                    judge
                        .finding(
                            stated,
                            format!(
                                "wilsonLowerBound is {}, but {} of {} at confidence {} bounds the rate by {expected:.6}",
                                stated.written(),
                                successes.value,
                                trials.value,
                                confidence.at.written()
                            ),
                        )
                        .mark(successes.at, "")
                        .help("take the one-sided bound: z is the normal quantile of confidenceLevel itself");
                }
            }
            (None, _) if stated.is_null() => {
                judge.finding(
                    stated,
                    format!("wilsonLowerBound is null, but criterion {name:?} has {} trials", trials.value),
                );
            }
            (None, _) => judge.not_judged(stated.pointer(), "it is neither a number nor null"),
        }
    }
}

/// The one-sided Wilson score lower bound of a rate: (p + z²/2n - z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = Φ⁻¹(confidence).
///
/// `trials` > 0, 0 < `confidence` < 1. Exactly 0 at 0 successes.
pub fn wilson_lower_bound(successes: u64, trials: u64, confidence: f64) -> f64 {
    if successes == 0 {
        return 0.0;
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let z = Normal::standard().inverse_cdf(confidence);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    ((p + z * z / (2.0 * n) - spread) / (1.0 + z * z / n)).clamp(0.0, 1.0)
}
