//! Correction for multiple tests: of twenty unchanged rows, one has p ≤ 0.05 on average.

/// Adjusts p values, in the order given, so that among those ≤ α the expected share of false
/// discoveries is at most α. Benjamini and Hochberg, "Controlling the False Discovery Rate",
/// J. R. Statist. Soc. B 57 (1995): min over j ≥ i of p(j)·m/j, at most 1.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut least = 1.0;
    for (rank, index) in order.into_iter().enumerate().rev() {
        // A NaN, which no test gives, counts as 1: f64::min ignores it. Dividing first gives a
        // factor ≥ 1, so that rounding cannot make an adjusted p less than the original.
        least = f64::min(least, p[index] * (p.len() as f64 / (rank + 1) as f64));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `scipy.stats.false_discovery_control(p, method="bh")` of SciPy 1.17.1.
    #[test]
    fn matches_scipy() {
        let cases: &[(&[f64], &[f64])] = &[
            (&[0.01], &[0.01]),
            (&[0.04, 0.01, 0.03], &[0.04, 0.03, 0.04]),
            (&[0.05, 0.05, 0.05, 0.05], &[0.05, 0.05, 0.05, 0.05]),
            (&[1.0, 0.0, 0.5], &[1.0, 0.0, 0.75]),
            (
                &[
                    0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216,
                ],
                &[
                    0.01,
                    0.04,
                    0.084,
                    0.084,
                    0.084,
                    0.1,
                    0.1057142857142857,
                    0.216,
                    0.216,
                    0.216,
                ],
            ),
            (
                &[0.9, 0.03, 0.2, 1e-09, 0.03, 0.5, 0.0079, 1.0],
                &[
                    1.0,
                    0.06,
                    0.32000000000000006,
                    8e-09,
                    0.06,
                    0.6666666666666666,
                    0.0316,
                    1.0,
                ],
            ),
        ];
        for (p, expected) in cases {
            let adjusted = benjamini_hochberg(p);
            assert_eq!(adjusted.len(), expected.len());
            for (a, e) in adjusted.iter().zip(*expected) {
                assert!((a - e).abs() < 1e-15, "{p:?}: {adjusted:?}");
            }
        }
    }

    #[test]
    fn nan_counts_as_1() {
        assert_eq!(benjamini_hochberg(&[0.01, f64::NAN]), [0.02, 1.0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn never_less_and_order_preserving(p in prop::collection::vec(0.0..=1.0f64, 0..40)) {
            let adjusted = benjamini_hochberg(&p);
            for (i, a) in adjusted.iter().enumerate() {
                prop_assert!(p[i] <= *a && *a <= 1.0);
                for (j, b) in adjusted.iter().enumerate() {
                    prop_assert!(p[i] > p[j] || a <= b);
                }
            }
        }
    }
}
