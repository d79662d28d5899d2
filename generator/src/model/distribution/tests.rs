//! Distributions against the sorted values, and against `hdrhistogram`.

use super::*;
use crate::base::random::Random;
use hdrhistogram::Histogram;
use proptest::prelude::*;

/// Uniform in 0 to 1, excluding 0.
fn uniform(random: &mut Random) -> f64 {
    const STEPS: usize = 1 << 31;
    (random.below(STEPS) + 1) as f64 / STEPS as f64
}

/// Maps two uniform numbers to nanoseconds.
type Shape = fn(f64, f64) -> f64;

const SHAPES: &[(&str, Shape)] = &[
    ("uniform", |u, _| 1e3 + 1e6 * u),
    ("exponential", |u, _| 1e5 - 2e5 * u.ln()),
    ("log-normal", |u, v| {
        (12.0 + 0.5 * (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()).exp()
    }),
    ("Pareto", |u, _| 1e4 * u.powf(-0.8)),
    ("two peaks", |u, v| {
        if v < 0.9 {
            1.8e5 + 2e4 * u
        } else {
            9e6 + 3e6 * u
        }
    }),
];

#[test]
fn quantiles_are_within_0_05_percent_of_sorted_values() {
    for (name, shape) in SHAPES {
        let random = &mut Random::new(42);
        let (mut distribution, mut values) = (Distribution::default(), Vec::new());
        for _ in 0..100_000 {
            let nanos = shape(uniform(random), uniform(random)) as u64;
            distribution.record(nanos);
            values.push(nanos);
        }
        values.sort_unstable();
        for (p, rank) in [
            (0.0, 1),
            (0.5, 50_000),
            (0.9, 90_000),
            (0.99, 99_000),
            (0.999, 99_900),
            (1.0, 100_000),
        ] {
            let exact = values[rank - 1] as f64 / 1e9;
            let found = distribution.quantile(p).expect("many values");
            assert!(
                (found / exact - 1.0).abs() <= 0.0005,
                "{name} {p}: {found} {exact}"
            );
        }
        assert_eq!(distribution.count(), 100_000);
        assert_eq!(distribution.min(), values[0] as f64 / 1e9);
        assert_eq!(distribution.max(), values[99_999] as f64 / 1e9);
        let sum: u64 = values.iter().sum();
        assert_eq!(distribution.mean(), sum as f64 / 1e5 / 1e9);
    }
}

fn of(values: &[u64]) -> Distribution {
    let mut distribution = Distribution::default();
    for value in values {
        distribution.record(*value);
    }
    distribution
}

#[test]
fn nearest_rank() {
    let hundred: Vec<u64> = (1..=100).collect();
    let distribution = of(&hundred);
    for (p, nanos) in [
        (0.0, 1.0),
        (0.001, 1.0),
        (0.01, 1.0),
        (0.011, 2.0),
        (0.07, 7.0),
        (0.5, 50.0),
        (0.501, 51.0),
        (0.99, 99.0),
        (1.0, 100.0),
    ] {
        assert_eq!(distribution.quantile(p), Some(nanos / 1e9), "{p}");
    }
    assert_eq!(of(&[10, 20]).at(Percentile::P50), Some(10e-9));
}

#[test]
fn quantiles_are_within_minimum_and_maximum() {
    let distribution = of(&[5_000_001, 5_000_002, 5_000_003]);
    for p in [0.0, 0.3, 0.5, 0.7, 0.9, 1.0] {
        let value = distribution.quantile(p).expect("three values");
        assert!(
            (distribution.min()..=distribution.max()).contains(&value),
            "{p}: {value}"
        );
    }
}

#[test]
fn no_p999_below_1000_values() {
    let mut distribution = of(&[7; 999]);
    assert_eq!(distribution.at(Percentile::P999), None);
    assert_eq!(distribution.quantile(0.9999), None);
    assert_eq!(distribution.at(Percentile::P99), Some(7e-9));
    assert_eq!(distribution.at(Percentile::Max), Some(7e-9));
    distribution.record(8);
    assert_eq!(distribution.at(Percentile::P999), Some(7e-9));
}

#[test]
fn no_p99_below_100_values() {
    let mut distribution = of(&[7; 99]);
    assert_eq!(distribution.at(Percentile::P99), None);
    assert_eq!(distribution.at(Percentile::P90), Some(7e-9));
    distribution.record(8);
    assert_eq!(distribution.at(Percentile::P99), Some(7e-9));
}

#[test]
fn an_empty_distribution_has_no_figures() {
    let nothing = Distribution::default();
    assert_eq!((nothing.count(), nothing.at(Percentile::Min)), (0, None));
    assert!(nothing.min().is_nan() && nothing.max().is_nan() && nothing.mean().is_nan());
    let one = of(&[0]);
    assert_eq!(
        (one.min(), one.quantile(1.5), one.quantile(f64::NAN)),
        (1e-9, None, None)
    );
    let mut merged = nothing.clone();
    merged.merge(&one);
    merged.merge(&nothing);
    assert_eq!(merged, one);
}

#[test]
fn bins_adjoin() {
    for bin in 0..40_000 {
        assert_eq!(bin_of(bin_at(bin, DIGITS).0), bin);
        assert_eq!(bin_of(bin_at(bin + 1, DIGITS).0 - 1), bin);
    }
    assert!(bin_of(u64::MAX) < 56 * 1024);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]
    #[test]
    fn matches_hdrhistogram(values in prop::collection::vec((any::<u64>(), 0..64_u32), 1..50), split in 0..50_usize) {
        let values: Vec<u64> = values.into_iter().map(|(bits, shift)| (bits >> shift).max(1)).collect();
        let (start, end) = values.split_at(split.min(values.len()));
        let mut merged = of(start);
        merged.merge(&of(end));
        let whole = of(&values);
        prop_assert_eq!(&merged, &whole);
        let mut histogram = Histogram::<u64>::new(3).expect("three digits");
        values.iter().for_each(|value| histogram.record(*value).expect("it grows"));
        let middle = |value| histogram.median_equivalent(value).clamp(!whole.not_min, whole.max);
        let bins = histogram.iter_recorded();
        let bins = bins.map(|bin| (middle(bin.value_iterated_to()), bin.count_at_value()));
        let ours = whole.bins().map(|(bin, count)| {
            let (lowest, width) = bin_at(bin, DIGITS);
            ((lowest + width / 2).clamp(!whole.not_min, whole.max), count)
        });
        prop_assert_eq!(ours.collect::<Vec<_>>(), bins.collect::<Vec<_>>());
    }
}
