//! The quantile of the standard normal distribution.

use std::f64::consts::TAU;

/// The z below which a share of the standard normal distribution lies; `share` is between 0 and 1.
pub fn of(share: f64) -> f64 {
    // Bisection: slow, and right to the last digits, which is what a reference is for. No share that a double can hold, short of 1,
    // lies beyond nine standard deviations.
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if below(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The share of the distribution below z: 1/2 + φ(z)·(z + z³/3 + z⁵/(3·5) + …), Marsaglia's series.
fn below(z: f64) -> f64 {
    let (mut sum, mut term, mut odd) = (z, z, 1.0);
    while term.abs() > sum.abs() * f64::EPSILON / 8.0 {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    0.5 + sum * (-z * z / 2.0).exp() / TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_tables() {
        for (share, z) in [
            (0.5, 0.0),
            (0.9, 1.2815515655446004),
            (0.95, 1.6448536269514722),
            (0.975, 1.959963984540054),
            (0.99, 2.3263478740408408),
            (0.999999, 4.753424308822899),
            (0.025, -1.959963984540054),
        ] {
            assert!((of(share) - z).abs() < 1e-9, "{share}: {}", of(share));
        }
    }
}
