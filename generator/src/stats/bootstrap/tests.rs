//! The interval against independently computed values, and its distribution against all resamples.

use super::*;
use proptest::prelude::*;

const BY_RANK: [Estimator; 4] = [
    Estimator::Median,
    Estimator::MedianHigh,
    Estimator::Min,
    Estimator::Max,
];

fn sample(values: &[f64]) -> Sample {
    Sample::new(values.to_vec()).expect("a valid sample")
}

fn interval(baseline: &[f64], candidate: &[f64], estimator: Estimator) -> Interval {
    Interval::of_ratio(&sample(baseline), &sample(candidate), estimator).expect("an interval")
}

/// The computed distribution of the estimate, with equal values combined.
fn distribution(values: &[f64], estimator: Estimator) -> Vec<(f64, f64)> {
    let outcomes = outcomes(sample(values).values(), estimator).expect("an estimate by rank");
    let equal = outcomes.chunk_by(|a, b| a.value == b.value);
    equal
        .map(|group| (group[0].value, group.iter().map(|o| o.probability).sum()))
        .collect()
}

/// The same distribution from all nⁿ resamples.
fn enumerated(values: &[f64], estimator: Estimator) -> Vec<(f64, f64)> {
    let n = values.len();
    let resamples = n.pow(n as u32);
    let mut estimates: Vec<f64> = (0..resamples)
        .map(|code| {
            let draw = |k: usize| values[code / n.pow(k as u32) % n];
            sample(&(0..n).map(draw).collect::<Vec<_>>()).estimate(estimator)
        })
        .collect();
    estimates.sort_by(f64::total_cmp);
    let equal = estimates.chunk_by(|a, b| a == b);
    equal
        .map(|group| (group[0], group.len() as f64 / resamples as f64))
        .collect()
}

#[track_caller]
fn assert_same(values: &[f64], estimator: Estimator) {
    let found = distribution(values, estimator);
    let expected = enumerated(values, estimator);
    let context = format!("{values:?} {estimator}: {found:?} {expected:?}");
    // Outcomes whose probability is 0 except for rounding are not among the resamples.
    let found: Vec<_> = found.into_iter().filter(|(_, p)| *p > 1e-15).collect();
    assert_eq!(found.len(), expected.len(), "{context}");
    for ((value, p), (expected_value, expected_p)) in found.iter().zip(&expected) {
        assert_eq!(value, expected_value, "{context}");
        assert!((p - expected_p).abs() < 1e-14, "{context}");
    }
}

#[test]
fn the_median_of_1_2_3_4() {
    assert_eq!(
        enumerated(&[1.0, 2.0, 3.0, 4.0], Estimator::Median),
        [
            (1.0, 0.05078125),
            (1.5, 0.1171875),
            (2.0, 0.21484375),
            (2.5, 0.234375),
            (3.0, 0.21484375),
            (3.5, 0.1171875),
            (4.0, 0.05078125)
        ]
    );
    assert_same(&[1.0, 2.0, 3.0, 4.0], Estimator::Median);
}

#[test]
fn six_values_match_all_resamples() {
    for estimator in BY_RANK {
        assert_same(&[1.0, 2.5, 3.0, 4.25, 7.0, 16.0], estimator);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    /// Half of the cases have ties.
    #[test]
    fn matches_all_resamples(values in prop_oneof![
        prop::collection::vec((1u32..5).prop_map(f64::from), 1..=5),
        prop::collection::vec((1u32..1000).prop_map(f64::from), 1..=5),
    ]) {
        for estimator in BY_RANK {
            assert_same(&values, estimator);
        }
    }
}

/// Expected values by exact rational arithmetic.
#[test]
fn exact_rationals() {
    let baseline: Vec<f64> = (10..20).map(f64::from).collect();
    let candidate = [12.0, 13.0, 13.0, 14.0, 15.0, 16.0, 18.0, 19.0, 20.0, 22.0];
    let found = interval(&baseline, &candidate, Estimator::Median);
    assert_eq!((found.low, found.high), (26.0 / 31.0, 16.0 / 11.0));
    let mut rotated = baseline.clone();
    rotated.rotate_left(4);
    assert_eq!(interval(&rotated, &candidate, Estimator::Median), found);
}

/// The quantiles of the resampled median are known: of 31 draws of the values 1 … 31, the middle
/// one is at most k with the probability that at least 16 of 31 are: 0.0197 for 10,
/// 0.0479 for 11, 0.9521 for 20 and 0.9803 for 21 (`scipy.stats.binom.sf(15, 31, k / 31)`).
#[test]
fn matches_the_binomial_distribution() {
    let steps: Vec<f64> = (1..=31).map(f64::from).collect();
    let found = interval(&[1.0; 31], &steps, Estimator::Median);
    assert_eq!((found.low, found.high), (11.0, 21.0));
}

/// For large n the normal approximation is good: the median of n uniform draws from 1 … n has mean
/// (n + 1)/2 and standard deviation √n/2.
#[test]
fn thousands_of_values() {
    for n in [1000, 1001, 4000, 4001] {
        let steps: Vec<f64> = (1..=n).map(f64::from).collect();
        let outcomes = outcomes(&steps, Estimator::Median).expect("by rank");
        let total: f64 = outcomes.iter().map(|o| o.probability).sum();
        assert!((total - 1.0).abs() < 1e-11, "n = {n}: {total}");
        assert!(
            outcomes.len() < 100 * n as usize,
            "n = {n}: {}",
            outcomes.len()
        );
        let found = interval(&vec![1.0; n as usize], &steps, Estimator::Median);
        let [middle, deviation] = [f64::from(n + 1) / 2.0, f64::from(n).sqrt() / 2.0];
        for (end, z) in [(found.low, -1.96), (found.high, 1.96)] {
            assert!((end - middle - z * deviation).abs() < 1.0, "n = {n}: {end}");
        }
    }
}

#[test]
fn none_below_ten_per_side() {
    let few = sample(&[1.0; 9]);
    let enough = sample(&[1.0; 10]);
    for (a, b) in [(&few, &enough), (&enough, &few)] {
        assert_eq!(Interval::of_ratio(a, b, Estimator::Median), None);
    }
}

#[test]
fn none_for_means_and_overflowing_ratios() {
    let [one, huge, tiny] = [1.0, 1e300, 1e-300].map(|value| sample(&[value; 10]));
    assert_eq!(Interval::of_ratio(&one, &one, Estimator::Mean), None);
    for (a, b) in [(&huge, &tiny), (&tiny, &huge)] {
        assert_eq!(Interval::of_ratio(a, b, Estimator::Median), None);
    }
}

#[test]
fn without_spread_the_interval_is_the_ratio() {
    for estimator in BY_RANK {
        let found = interval(&[4.0; 10], &[6.0; 12], estimator);
        assert_eq!((found.low, found.high), (1.5, 1.5), "{estimator}");
    }
}

/// The ends are exact, not from a grid: each is the ratio of two estimates, and no lower ratio
/// reaches the probability.
#[test]
fn ends_are_ratios_of_two_estimates() {
    let baseline: Vec<f64> = (0..12).map(|i| 100.0 + f64::from(i * i) / 7.0).collect();
    let candidate: Vec<f64> = (0..15)
        .map(|i| 103.0 + f64::from(i * 37 % 11) / 3.0)
        .collect();
    let [old, new] = [&baseline, &candidate]
        .map(|values| outcomes(sample(values).values(), Estimator::Median).expect("by rank"));
    let found = interval(&baseline, &candidate, Estimator::Median);
    let mut ratios: Vec<(f64, f64)> = old
        .iter()
        .flat_map(|b| {
            new.iter()
                .map(|c| (c.value / b.value, c.probability * b.probability))
        })
        .collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let quantile = |end: f64| {
        let mut sum = 0.0;
        let reached = ratios.iter().find(|(_, p)| {
            sum += p;
            sum >= end
        });
        reached.expect("some ratio").0
    };
    assert_eq!((found.low, found.high), (quantile(0.025), quantile(0.975)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn scale_does_not_matter(
        baseline in prop::collection::vec(1.0..1e6f64, 10..20),
        candidate in prop::collection::vec(1.0..1e6f64, 10..20),
        exponent in -20..20i32,
    ) {
        // Scaling by a power of two is exact.
        let scale = |values: &[f64], factor: f64| -> Vec<f64> { values.iter().map(|v| v * factor).collect() };
        let first = interval(&baseline, &candidate, Estimator::Median);
        let factor = 2f64.powi(exponent);
        prop_assert_eq!(interval(&scale(&baseline, factor), &scale(&candidate, factor), Estimator::Median), first);
        let doubled = interval(&baseline, &scale(&candidate, 2.0), Estimator::Median);
        prop_assert_eq!((doubled.low, doubled.high), (first.low * 2.0, first.high * 2.0));
    }

    #[test]
    fn within_the_possible_ratios(
        baseline in prop::collection::vec(1.0..1e3f64, 10..20),
        candidate in prop::collection::vec(1.0..1e3f64, 10..20),
    ) {
        let (a, b) = (sample(&baseline), sample(&candidate));
        for estimator in BY_RANK {
            let Interval { low, high } = interval(&baseline, &candidate, estimator);
            let least = b.estimate(Estimator::Min) / a.estimate(Estimator::Max);
            let greatest = b.estimate(Estimator::Max) / a.estimate(Estimator::Min);
            prop_assert!(least <= low && low <= high && high <= greatest);
        }
    }
}
