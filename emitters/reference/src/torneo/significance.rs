//! Which of a family of tests are significant once their number is accounted for.

use super::scenario::Correction;

/// For each p-value, whether it is significant in a family of `tests` tests, of which those given were carried out.
///
/// Holm's procedure (1979) steps down: the smallest p-value is held to α/m, the next to α/(m-1), and so on; from the first that
/// misses its threshold, none is significant.
pub fn significant(correction: Correction, alpha: f64, tests: usize, p_values: &[f64]) -> Vec<bool> {
    let single = |among: usize| alpha / among.max(1) as f64;
    match correction {
        Correction::None => p_values.iter().map(|p| *p <= alpha).collect(),
        Correction::Bonferroni => p_values.iter().map(|p| *p <= single(tests)).collect(),
        Correction::Holm => {
            let mut ascending: Vec<usize> = (0..p_values.len()).collect();
            ascending.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
            let mut verdicts = vec![false; p_values.len()];
            for (rejected, test) in ascending.into_iter().enumerate() {
                if p_values[test] > single(tests.saturating_sub(rejected)) {
                    break;
                }
                verdicts[test] = true;
            }
            verdicts
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_corrections_part_ways() {
        let p_values = [0.04, 0.001, 0.02, 0.0127];
        let of = |correction| significant(correction, 0.05, 4, &p_values);
        assert_eq!(of(Correction::None), [true, true, true, true]);
        assert_eq!(of(Correction::Bonferroni), [false, true, false, false]);
        // 0.001 ≤ 1/80, 0.0127 ≤ 1/60, 0.02 ≤ 1/40, 0.04 ≤ 1/20
        assert_eq!(of(Correction::Holm), [true, true, true, true]);
    }

    #[test]
    fn holm_stops_at_the_first_that_misses() {
        // 0.03 misses 1/40; 0.04 would meet 1/20 alone.
        assert_eq!(significant(Correction::Holm, 0.05, 3, &[0.04, 0.03, 0.001]), [false, false, true]);
        assert_eq!(
            significant(Correction::Holm, 0.05, 3, &[0.02, 0.02]),
            [false, false],
            "of three, two were carried out"
        );
    }
}
