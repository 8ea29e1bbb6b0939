//! Multiplicity: the round is the family of tests, and its correction decides which comparisons are concluded.

use super::model::{Comparison, Dimension, Epreuve, Epreuves, Known, Outcome, need};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[Obligation {
    rule: Rule {
        id: "torneo/multiplicity",
        title: "outcomes follow from the p-values",
        demand: "On a dimension where every measured comparison states `p_value`, with m = k(k-1)/2: a win is significant and a draw of kind \
                 `insufficient_precision` is not. Significant is p ≤ α under `none`, p ≤ α/m under `bonferroni`, and under `holm`, taking the p-values \
                 from the smallest up, p ≤ α/(m-i) for the value after i others, until the first that is not.",
        basis: Basis::Derived,
        severity: Severity::Error,
        group: "multiplicity",
        example: Example {
            good: &[],
            bad: &[Edit::Set("/matches/1/dimensions/0/p_value", "0.026")],
            show: "/matches/1/dimensions/0",
            also: &[],
        },
    },
    judge: multiplicity,
}];

/// How the p-values of one family of tests are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correction {
    Holm,
    Bonferroni,
    None,
}

impl Correction {
    /// The correction of a name in the schema.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "holm" => Some(Correction::Holm),
            "bonferroni" => Some(Correction::Bonferroni),
            "none" => Some(Correction::None),
            _ => None,
        }
    }
}

/// Whether a comparison's p-value is significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Significance {
    Significant,
    Not,
    /// p·n and α, and p and α/n, compare differently in double precision: the value stands on the threshold within rounding,
    /// and either outcome is right.
    OnThreshold,
}

/// The significance of each p-value, in the order given, in a family of `tests` tests (no fewer than there are p-values), and
/// the divisor of α that decided it.
pub fn significance(p: &[f64], tests: u64, alpha: f64, correction: Correction) -> Vec<(Significance, u64)> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    if correction == Correction::Holm {
        order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    }
    let mut result = vec![(Significance::Not, tests.max(1)); p.len()];
    // Step-down: what follows a value that is not significant is not significant either, and what follows one on the threshold
    // is at most on it.
    let mut ceiling = Significance::Significant;
    for (before, &at) in order.iter().enumerate() {
        let divisor = match correction {
            Correction::Holm => tests.saturating_sub(before as u64),
            Correction::Bonferroni => tests,
            Correction::None => 1,
        }
        .max(1);
        let own = against(p[at], alpha, divisor);
        let joint = match (ceiling, own) {
            (Significance::Not, _) | (_, Significance::Not) => Significance::Not,
            (Significance::OnThreshold, _) | (_, Significance::OnThreshold) => Significance::OnThreshold,
            _ => Significance::Significant,
        };
        result[at] = (joint, divisor);
        if correction == Correction::Holm {
            ceiling = joint;
        }
    }
    result
}

fn against(p: f64, alpha: f64, divisor: u64) -> Significance {
    let n = divisor as f64;
    match (p <= alpha / n, p * n <= alpha) {
        (true, true) => Significance::Significant,
        (false, false) => Significance::Not,
        _ => Significance::OnThreshold,
    }
}

fn multiplicity(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(dimensions) = need(epreuve.dimensions(), judge) else { return };
    let Some(family) = need(family(epreuve), judge) else { return };
    // One pass over the comparisons, whatever the number of dimensions.
    let mut measured: Vec<Vec<(&Comparison<'_>, Option<f64>)>> = vec![Vec::new(); dimensions.names.len()];
    for comparison in epreuve.all_comparisons() {
        let Some(dimension) = comparison.dimension else { continue };
        if comparison.outcome != Outcome::NotMeasured {
            let p = comparison.value.get("p_value").and_then(Value::as_f64);
            measured[dimension].push((comparison, p.filter(|p| (0.0..=1.0).contains(p))));
        }
    }
    for (dimension, measured) in measured.iter().enumerate() {
        judge_dimension(epreuve, dimension, measured, &family, judge);
    }
}

struct Family {
    tests: u64,
    alpha: f64,
    correction: Correction,
}

fn family(epreuve: &Epreuve<'_>) -> Known<Family> {
    let k = epreuve.running()?.len() as u64;
    epreuve.matches()?;
    let alpha = epreuve.root.get("alpha").and_then(Value::as_f64).filter(|&alpha| alpha > 0.0 && alpha < 1.0);
    let correction = epreuve.root.get("multiplicity").and_then(Value::as_str).and_then(Correction::named);
    Ok(Family {
        tests: k * k.saturating_sub(1) / 2,
        alpha: alpha.ok_or("`alpha` is no number between 0 and 1")?,
        correction: correction.ok_or("`multiplicity` names no known correction")?,
    })
}

fn judge_dimension(
    epreuve: &Epreuve<'_>,
    dimension: Dimension,
    measured: &[(&Comparison<'_>, Option<f64>)],
    family: &Family,
    judge: &mut Judge<'_>,
) {
    if measured.is_empty() {
        return;
    }
    let name = epreuve.dimension(dimension);
    if let Err(why) = epreuve.tally().and_then(|tally| tally.measured(dimension).cloned()) {
        return judge.not_judged("/matches", format!("`{name}`: {why}"));
    }
    let p: Vec<f64> = measured.iter().filter_map(|(_, p)| *p).collect();
    let lacking = measured.len() - p.len();
    if lacking > 0 {
        let of = measured.len();
        return judge
            .not_judged("/matches", format!("`{name}`: {lacking} of {of} measured comparisons have no p-value"));
    }
    if p.len() as u64 > family.tests {
        return judge
            .not_judged("/matches", format!("`{name}`: more comparisons than the {} of a round", family.tests));
    }
    let significance = significance(&p, family.tests, family.alpha, family.correction);
    for ((comparison, p), (significance, divisor)) in measured.iter().zip(significance) {
        let p = p.unwrap_or_default();
        let threshold = threshold(family, divisor);
        let at = comparison.value.get("p_value").unwrap_or(comparison.value);
        match (comparison.outcome, significance) {
            (Outcome::Win(_) | Outcome::WinElsewhere, Significance::Not) => {
                let why = if p <= family.alpha / divisor as f64 {
                    format!("p = {p} comes after a smaller p-value that is not significant")
                } else {
                    format!("p = {p} is above {threshold}")
                };
                judge.finding(at, format!("the win on `{name}` is not significant: {why}")).help(
                    "a comparison that the correction does not conclude is a draw of kind `insufficient_precision`",
                );
            }
            (Outcome::Draw(Some("insufficient_precision")), Significance::Significant) => {
                judge
                    .finding(at, format!("the draw on `{name}` for insufficient precision is significant: p = {p} is not above {threshold}"))
                    .help("a significant difference is a win, or a draw of kind `equivalent_within_margin`");
            }
            _ => {}
        }
    }
}

/// The threshold in words, e.g. `α/(m-1) = 0.05/5 = 0.01 (holm, m = 6)`.
fn threshold(family: &Family, divisor: u64) -> String {
    let Family { tests, alpha, correction } = family;
    let value = alpha / divisor as f64;
    match correction {
        Correction::None => format!("α = {alpha}"),
        Correction::Bonferroni => format!("α/m = {alpha}/{divisor} = {value:.6} (bonferroni)"),
        Correction::Holm => {
            format!("α/(m-{}) = {alpha}/{divisor} = {value:.6} (holm, m = {tests})", tests - divisor.min(*tests))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn significant(p: &[f64], tests: u64, correction: Correction) -> Vec<bool> {
        let judged = significance(p, tests, 0.05, correction);
        judged.into_iter().map(|(judged, _)| judged == Significance::Significant).collect()
    }

    #[test]
    fn the_three_disagree_where_they_should() {
        let p = [0.001, 0.012, 0.04, 0.2, 0.004, 0.3];
        assert_eq!(significant(&p, 6, Correction::Holm), [true, true, false, false, true, false]);
        assert_eq!(significant(&p, 6, Correction::Bonferroni), [true, false, false, false, true, false]);
        assert_eq!(significant(&p, 6, Correction::None), [true, true, true, false, true, false]);
    }

    #[test]
    fn holm_stops_at_the_first_that_is_not() {
        // 0.02 would pass α/(m-1) = 0.025, but 0.02 before it does not pass α/m.
        assert_eq!(significant(&[0.02, 0.02, 0.04], 3, Correction::Holm), [false; 3]);
    }

    #[test]
    fn a_p_value_at_the_threshold_is_significant() {
        assert_eq!(significant(&[0.05], 1, Correction::None), [true]);
        assert_eq!(significant(&[0.0125], 4, Correction::Bonferroni), [true]);
        assert_eq!(significant(&[0.0125], 4, Correction::Holm), [true]);
    }

    #[test]
    fn rounding_at_the_threshold_decides_nothing() {
        // α/11 is smaller than this value, and yet 11 times the value is not above α, in double precision.
        let on = (Significance::OnThreshold, 11);
        assert_eq!(significance(&[0.004545454545454546], 11, 0.05, Correction::Bonferroni), [on]);
        // Under Holm, what comes after it is no surer than it.
        let after = significance(&[0.004545454545454546, 0.0046], 11, 0.05, Correction::Holm);
        assert_eq!(after, [on, (Significance::OnThreshold, 10)]);
    }

    #[test]
    fn not_measured_comparisons_still_count_as_tests() {
        assert_eq!(significant(&[0.02], 3, Correction::Holm), [false]);
        assert_eq!(significant(&[0.02], 2, Correction::Holm), [true]);
    }
}
