//! The interval on known data. Its coverage is simulated in [`super::super::simulation`].

use super::*;
use clap::ValueEnum;
use proptest::prelude::*;

fn sample(values: Vec<f64>) -> Sample {
    Sample::new(values).expect("a sound sample")
}

fn interval(baseline: &[f64], candidate: &[f64], estimator: Estimator) -> RatioInterval {
    RatioInterval::bootstrap(
        &sample(baseline.to_vec()),
        &sample(candidate.to_vec()),
        estimator,
    )
    .expect("an interval")
}

/// What must never change by itself, to the last bit: whole numbers and one division each.
#[test]
fn the_same_bits_everywhere() {
    let baseline: Vec<f64> = (0..10).map(|i| f64::from(100 + i * i)).collect();
    let candidate: Vec<f64> = (0..11).map(|i| f64::from(110 + 3 * i)).collect();
    let median = interval(&baseline, &candidate, Estimator::Median);
    assert_eq!(
        (median.low, median.high),
        (0.8140350877192982, 1.2307692307692308)
    );
    let mut turned = baseline.clone();
    turned.rotate_left(4);
    assert_eq!(interval(&turned, &candidate, Estimator::Median), median);
}

#[test]
fn none_below_ten_a_side() {
    let few = sample((1..=9).map(f64::from).collect());
    let enough = sample((1..=10).map(f64::from).collect());
    for (a, b) in [(&few, &enough), (&enough, &few)] {
        assert_eq!(RatioInterval::bootstrap(a, b, Estimator::Median), None);
    }
    let huge = sample(vec![1e300; 10]);
    let tiny = sample(vec![1e-300; 10]);
    assert_eq!(
        RatioInterval::bootstrap(&huge, &tiny, Estimator::Median),
        None
    );
    assert_eq!(
        RatioInterval::bootstrap(&tiny, &huge, Estimator::Median),
        None
    );
}

#[test]
fn without_spread_the_interval_is_the_ratio() {
    for estimator in Estimator::value_variants().iter().copied() {
        let RatioInterval { low, high } = interval(&[4.0; 10], &[6.0; 12], estimator);
        assert!(
            (low - 1.5).abs() < 1e-14 && (high - 1.5).abs() < 1e-14,
            "{estimator}"
        );
    }
}

/// The quantiles of the resampled median are known: of 31 draws of 31 values 1 … 31, the middle
/// one is at most k with the probability that 16 or more of 31 fall under k/31: 0.0197 for 10,
/// 0.0479 for 11, 0.9521 for 20 and 0.9803 for 21 (`scipy.stats.binom.sf(15, 31, k / 31)`).
#[test]
fn as_the_exact_distribution_of_the_median() {
    let flat = vec![1.0; 31];
    let steps: Vec<f64> = (1..=31).map(f64::from).collect();
    let RatioInterval { low, high } = interval(&flat, &steps, Estimator::Median);
    assert_eq!((low, high), (11.0, 21.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn scale_does_not_matter(
        baseline in prop::collection::vec(1.0..1e6f64, 10..20),
        candidate in prop::collection::vec(1.0..1e6f64, 10..20),
        exponent in -20..20i32,
    ) {
        let scale = |values: &[f64], factor: f64| -> Vec<f64> { values.iter().map(|v| v * factor).collect() };
        for estimator in [Estimator::Median, Estimator::Mean] {
            let first = interval(&baseline, &candidate, estimator);
            // A power of two changes no bit.
            let factor = 2f64.powi(exponent);
            prop_assert_eq!(interval(&scale(&baseline, factor), &scale(&candidate, factor), estimator), first);
            let doubled = interval(&baseline, &scale(&candidate, 2.0), estimator);
            prop_assert_eq!((doubled.low, doubled.high), (first.low * 2.0, first.high * 2.0));
        }
    }

    #[test]
    fn within_the_ratios_that_can_be(
        baseline in prop::collection::vec(1.0..1e3f64, 10..20),
        candidate in prop::collection::vec(1.0..1e3f64, 10..20),
    ) {
        let (a, b) = (sample(baseline.clone()), sample(candidate.clone()));
        for estimator in Estimator::value_variants().iter().copied() {
            let RatioInterval { low, high } = interval(&baseline, &candidate, estimator);
            let least = b.estimate(Estimator::Min) / a.estimate(Estimator::Max);
            let greatest = b.estimate(Estimator::Max) / a.estimate(Estimator::Min);
            prop_assert!(least * (1.0 - 1e-12) <= low && low <= high && high <= greatest * (1.0 + 1e-12));
        }
    }
}
