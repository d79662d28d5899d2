//! Time of the intervals and tests of one row; a page has hundreds of rows.

use criterion::{Criterion, criterion_group, criterion_main};
use generator::stats::{Estimator, MannWhitney, RatioInterval, Sample};
use std::hint::black_box;

/// n values with few ties, around 100.
fn sample(n: u32, factor: u32) -> Sample {
    let value = |i: u32| 100.0 + f64::from(i * factor % 1009) / 100.0;
    Sample::new((0..n).map(value).collect()).expect("positive values")
}

fn statistics(c: &mut Criterion) {
    for n in [30, 31, 1000] {
        let (old, new) = (sample(n, 37), sample(n, 53));
        c.bench_function(&format!("interval of a ratio, {n} and {n} values"), |b| {
            b.iter(|| {
                RatioInterval::bootstrap(black_box(&old), black_box(&new), Estimator::Median)
            });
        });
    }
    for n in [30, 50, 1000] {
        let (old, new) = (sample(n, 37), sample(n, 53));
        c.bench_function(&format!("Mann-Whitney, {n} and {n} values"), |b| {
            b.iter(|| MannWhitney::of(black_box(&old), black_box(&new)));
        });
    }
}

criterion_group!(benches, statistics);
criterion_main!(benches);
