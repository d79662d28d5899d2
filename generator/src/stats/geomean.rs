//! The geometric mean of ratios: the one mean that does not depend on which side is the baseline.

/// A mean with what it was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeometricMean {
    /// exp(mean(ln rᵢ)).
    pub ratio: f64,
    /// How many ratios.
    pub n: usize,
}

impl GeometricMean {
    /// `None` without ratios, or with one that is not finite and positive. The caller chooses the
    /// scenarios: only those that both sides have.
    pub fn of(ratios: &[f64]) -> Option<Self> {
        let sound = !ratios.is_empty() && ratios.iter().all(|r| r.is_finite() && *r > 0.0);
        let n = ratios.len();
        sound.then(|| Self {
            ratio: (ratios.iter().map(|r| r.ln()).sum::<f64>() / n as f64).exp(),
            n,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        let mean = GeometricMean::of(&[2.0, 8.0]).expect("a mean");
        assert!((mean.ratio - 4.0).abs() < 1e-14);
        assert_eq!(mean.n, 2);
        // The arithmetic mean of 2 and ½ would call one of two equals the faster.
        let even = GeometricMean::of(&[2.0, 0.5]).expect("a mean");
        assert!((even.ratio - 1.0).abs() < 1e-15);
    }

    #[test]
    fn none_of_nothing_or_of_unsound_ratios() {
        for ratios in [&[][..], &[1.0, 0.0], &[-1.0], &[f64::NAN], &[f64::INFINITY]] {
            assert_eq!(GeometricMean::of(ratios), None);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn the_other_way_round_is_the_inverse(ratios in prop::collection::vec(1e-3..1e3f64, 1..30)) {
            let inverse: Vec<f64> = ratios.iter().map(|r| 1.0 / r).collect();
            let there = GeometricMean::of(&ratios).expect("a mean").ratio;
            let back = GeometricMean::of(&inverse).expect("a mean").ratio;
            prop_assert!((there * back - 1.0).abs() < 1e-12);
        }
    }
}
