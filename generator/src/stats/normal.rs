//! The tail of the normal distribution.

/// Below this the series, above it the continued fraction converges faster.
const SERIES_BELOW: f64 = 3.0;

/// P(|Z| ≥ z) for z ≥ 0. Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.11
/// (series) and 26.2.14 (continued fraction).
pub(super) fn two_sided_tail(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < SERIES_BELOW {
        return (1.0 - 2.0 * density * series(z)).clamp(0.0, 1.0);
    }
    2.0 * density / continued_fraction(z)
}

/// z + z³/3 + z⁵/(3·5) + …
fn series(z: f64) -> f64 {
    let mut term = z;
    let mut sum = z;
    let mut odd = 3.0;
    while term > sum * f64::EPSILON / 2.0 {
        term *= z * z / odd;
        sum += term;
        odd += 2.0;
    }
    sum
}

/// z + 1/(z + 2/(z + 3/(z + …))), from a depth where more changes no digit at z ≥ 3.
fn continued_fraction(z: f64) -> f64 {
    (1..=100).rev().fold(z, |tail, k| z + f64::from(k) / tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `2 * scipy.stats.norm.sf(z)` of SciPy 1.17.1.
    #[test]
    fn tails() {
        for (z, expected) in [
            (0.0, 1.0),
            (0.1, 0.920344325445942),
            (0.5, 0.6170750774519738),
            (1.0, 0.31731050786291415),
            (1.5, 0.13361440253771614),
            (1.959963984540054, 0.05),
            (2.5, 0.012419330651552265),
            (2.9999, 0.00270068256590985),
            (3.0, 0.0026997960632601866),
            (3.0001, 0.0026989098265214344),
            (4.0, 6.334248366623973e-05),
            (6.0, 1.973175290075389e-09),
            (8.0, 1.244192114854348e-15),
            (12.0, 3.552964224155306e-33),
            (20.0, 5.507248237212311e-89),
            (37.0, 1.1451142445047853e-299),
        ] {
            let p = two_sided_tail(z);
            // Far out, the argument of exp is rounded at 1e-13.
            assert!(
                (p / expected - 1.0).abs() < 1e-12,
                "{z}: {p:e} {expected:e}"
            );
        }
    }

    #[test]
    fn both_ways_agree_where_they_meet() {
        let below = two_sided_tail(SERIES_BELOW.next_down());
        let above = two_sided_tail(SERIES_BELOW);
        assert!((below / above - 1.0).abs() < 1e-12);
    }
}
