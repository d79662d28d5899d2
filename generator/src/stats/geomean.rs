//! The geometric mean of ratios, which does not depend on which side is the baseline.

/// exp(mean(ln rᵢ)); `None` without ratios, or with one that is not finite and positive. Pass only
/// scenarios that both sides have.
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let valid = !ratios.is_empty() && ratios.iter().all(|r| r.is_finite() && *r > 0.0);
    let sum: f64 = ratios.iter().map(|r| r.ln()).sum();
    valid.then(|| (sum / ratios.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        let mean = geometric_mean(&[2.0, 8.0]).expect("a mean");
        assert!((mean - 4.0).abs() < 1e-14);
        // By the arithmetic mean of 2 and ½, one of two equal sides would be faster.
        let even = geometric_mean(&[2.0, 0.5]).expect("a mean");
        assert!((even - 1.0).abs() < 1e-15);
    }

    #[test]
    fn none_for_empty_or_invalid_ratios() {
        for ratios in [&[][..], &[1.0, 0.0], &[-1.0], &[f64::NAN], &[f64::INFINITY]] {
            assert_eq!(geometric_mean(ratios), None);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn swapped_sides_give_the_inverse(ratios in prop::collection::vec(1e-3..1e3f64, 1..30)) {
            let inverse: Vec<f64> = ratios.iter().map(|r| 1.0 / r).collect();
            let there = geometric_mean(&ratios).expect("a mean");
            let back = geometric_mean(&inverse).expect("a mean");
            prop_assert!((there * back - 1.0).abs() < 1e-12);
        }
    }
}
