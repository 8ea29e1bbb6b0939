//! Baseline: what a measure experiment recorded, read back by the framework that emitted it.

use sha2::{Digest, Sha256};
use statrs::distribution::{ContinuousCDF, Normal};
use std::str::FromStr;

use super::counts::decimals;
use super::model::{Slot, Stated, count, fraction_agrees, number, object, text};
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
    document: &'d Document,
    executed: Slot<'d, u64>,
    confidence: Slot<'d, f64>,
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
    fn criteria(&self, judge: &mut Judge<'_>) -> impl Iterator<Item = (&'d str, Value<'d>)> + use<'d> {
        let block = self.criteria.need(judge);
        block
            .into_iter()
            .flat_map(|block| block.value.members())
            .map(|(name, at)| (name.as_str().unwrap_or_default(), at))
    }
}

const DELIVERED: &str = "/criteria/delivered";

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
    Obligation {
        rule: Rule {
            id: "mavai/expiration",
            title: "A baseline expires when it says",
            demand: "Where expiresAt is stated, it is generatedAt + expiresInDays days.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "keys and text",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/expiration/expiresAt", r#""2026-12-01T08:00:00Z""#)],
                show: "/expiration",
                also: &[],
            },
        },
        judge: expiration,
    },
    Obligation {
        rule: Rule {
            id: "mavai/content-fingerprint",
            title: "The fingerprint is of the text before it",
            demand: "A contentFingerprint that is a SHA-256 in hexadecimal (with or without the prefix sha256:) is that of the document's UTF-8 text up \
                     to the line that states it. Two released emitters do so and refuse to read a baseline that was changed since; a fingerprint of \
                     another form is not judged.",
            basis: Basis::Family,
            severity: Severity::Warning,
            group: "identity",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/contentFingerprint",
                    r#""sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#,
                )],
                show: "/contentFingerprint",
                also: &[],
            },
        },
        judge: fingerprint,
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

fn expiration(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    let root = baseline.document.root();
    let Some(block) = object(root, "expiration").if_stated(judge) else { return };
    let Some(stated) = text(block.value, "expiresAt").if_stated(judge) else { return };
    let (Some(days), Some(generated)) =
        (count(block.value, "expiresInDays").need(judge), text(root, "generatedAt").need(judge))
    else {
        return;
    };
    let instants = (jiff::Timestamp::from_str(generated.value), jiff::Timestamp::from_str(stated.value));
    let (Ok(from), Ok(until)) = instants else {
        judge.not_judged(stated.at.pointer(), "generatedAt or expiresAt is no instant");
        return;
    };
    let span =
        jiff::SignedDuration::from_hours(i64::try_from(days.value.saturating_mul(24)).unwrap_or(i64::MAX / 3600));
    let agrees = from
        .checked_add(span)
        .is_ok_and(|expected| expected.duration_until(until).abs() < jiff::SignedDuration::from_secs(1));
    if !agrees {
        judge
            .finding(stated.at, format!("expiresAt is not {} days after generatedAt", days.value))
            .mark(generated.at, "")
            .mark(days.at, "");
    }
}

fn fingerprint(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    let root = baseline.document.root();
    let Some(stated) = text(root, "contentFingerprint").need(judge) else { return };
    let hex = stated.value.strip_prefix("sha256:").unwrap_or(stated.value);
    if hex.len() != 64 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        judge.not_judged(stated.at.pointer(), "the fingerprint is no SHA-256 in hexadecimal");
        return;
    }
    let source = baseline.document.source();
    let key = root.key("contentFingerprint").map_or(0, Value::offset);
    let line = source.get(..key).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let digest = Sha256::digest(source.get(..line).unwrap_or_default().as_bytes());
    let expected: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    if !hex.eq_ignore_ascii_case(&expected) {
        judge.finding(stated.at, format!("the text before this line has the SHA-256 {expected}")).help(
            "the document was changed after it was emitted, or the fingerprint covers something else; emit it again",
        );
    }
}
