//! Time of the interval and of the test of one row; a page has hundreds of rows.

use divan::{Bencher, black_box};
use generator::stats::{self, Estimator, Interval, Sample};

/// n values with few ties, around 100.
fn sample(n: u32, factor: u32) -> Sample {
    let value = |i: u32| 100.0 + f64::from(i * factor % 1009) / 100.0;
    Sample::new((0..n).map(value).collect()).expect("positive values")
}

#[divan::bench(args = [30, 31, 1000])]
fn interval_of_a_ratio(bencher: Bencher<'_, '_>, n: u32) {
    let (old, new) = (sample(n, 37), sample(n, 53));
    bencher.bench(|| Interval::of_ratio(black_box(&old), black_box(&new), Estimator::Median));
}

#[divan::bench(args = [30, 50, 1000])]
fn mann_whitney(bencher: Bencher<'_, '_>, n: u32) {
    let (old, new) = (sample(n, 37), sample(n, 53));
    bencher.bench(|| stats::mann_whitney(black_box(&old), black_box(&new)));
}
