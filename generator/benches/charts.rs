//! Time to draw one chart of each kind. A site of 1,000 reports has 3,000 of them.

#[allow(dead_code)]
#[path = "../tests/charts/examples.rs"]
mod examples;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn charts(c: &mut Criterion) {
    let bars = examples::bars("plain title", examples::FULL, "hs/s");
    c.bench_function("bars, 8 groups of 3", |b| {
        b.iter(|| black_box(&bars).render());
    });
    let lines = examples::threads("plain title");
    c.bench_function("lines, 5 of 14 points", |b| {
        b.iter(|| black_box(&lines).render());
    });
    let latency = examples::latency("plain title", 4);
    c.bench_function("latency, 4 ridges", |b| {
        b.iter(|| black_box(&latency).render());
    });
    let writes = examples::writes("plain title", 90.0);
    c.bench_function("percentiles, 3 groups of 3", |b| {
        b.iter(|| black_box(&writes).render());
    });
    let gauge = examples::gauge("plain title");
    c.bench_function("gauge", |b| b.iter(|| black_box(&gauge).render()));
}

criterion_group!(benches, charts);
criterion_main!(benches);
