//! A sample: the repeated values of one cell, and its estimate.

use crate::model::estimator::Estimator;

/// Values in ascending order: at least one, all finite and none negative. Only counts may be 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// `None` if there is no value, or one that is not finite or is negative.
    pub fn new(mut values: Vec<f64>) -> Option<Self> {
        let valid = !values.is_empty() && values.iter().all(|v| v.is_finite() && *v >= 0.0);
        values.sort_by(f64::total_cmp);
        valid.then_some(Self(values))
    }

    /// The number of values; never 0.
    #[expect(clippy::len_without_is_empty, reason = "a sample is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The values in ascending order.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The least and the greatest value.
    pub(super) fn range(&self) -> [f64; 2] {
        [self.0[0], self.0[self.0.len() - 1]]
    }

    /// The median of ratios: where n is even, the geometric mean of the two middle values, so that
    /// swapping the sides of each ratio inverts it.
    pub fn median_ratio(&self) -> f64 {
        let n = self.0.len();
        let (lower, upper) = (self.0[(n - 1) / 2], self.0[n / 2]);
        lower * (upper / lower).sqrt()
    }

    /// The estimate of the sample.
    pub fn estimate(&self, estimator: Estimator) -> f64 {
        let n = self.0.len();
        let upper = self.0[n / 2];
        match estimator {
            Estimator::MedianHigh => upper,
            Estimator::Median if n % 2 == 1 => upper,
            Estimator::Median => {
                let lower = self.0[n / 2 - 1];
                // Not (a + b) / 2, which can overflow.
                lower + (upper - lower) / 2.0
            }
            Estimator::Min => self.0[0],
            Estimator::Max => self.0[n - 1],
            Estimator::Mean => {
                // Each value is divided before summing, so that the sum cannot overflow.
                self.0.iter().map(|v| v / n as f64).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).expect("a valid sample")
    }

    #[test]
    fn by_hand() {
        let even = sample(&[4.0, 1.0, 3.0, 2.0]);
        for (estimator, expected) in [
            (Estimator::Median, 2.5),
            (Estimator::MedianHigh, 3.0),
            (Estimator::Min, 1.0),
            (Estimator::Max, 4.0),
            (Estimator::Mean, 2.5),
        ] {
            assert_eq!(even.estimate(estimator), expected, "{estimator}");
        }
        assert_eq!(sample(&[9.0, 1.0, 5.0]).estimate(Estimator::Median), 5.0);
    }

    #[test]
    fn invalid_samples_are_rejected() {
        for values in [
            vec![],
            vec![1.0, f64::NAN],
            vec![f64::INFINITY],
            vec![-1.0, 2.0],
        ] {
            assert_eq!(Sample::new(values), None);
        }
    }

    proptest! {
        #[test]
        fn order_and_scale_do_not_matter(mut values in prop::collection::vec(1e-9..1e12f64, 1..60), at in 0usize..60) {
            let first = sample(&values);
            let middle = at % values.len();
            values.rotate_left(middle);
            let rotated = sample(&values);
            let doubled = sample(&values.iter().map(|v| v * 2.0).collect::<Vec<_>>());
            for estimator in [Estimator::Median, Estimator::MedianHigh, Estimator::Min, Estimator::Max, Estimator::Mean] {
                let estimate = first.estimate(estimator);
                prop_assert_eq!(estimate, rotated.estimate(estimator));
                prop_assert!((doubled.estimate(estimator) / estimate - 2.0).abs() < 1e-12);
                prop_assert!(first.values()[0] <= estimate * (1.0 + 1e-12));
                prop_assert!(estimate <= first.values()[first.len() - 1] * (1.0 + 1e-12));
            }
        }
    }
}
