use criterion::{criterion_group, criterion_main, Criterion};
use std::hint::black_box;
use std::time::Duration;

fn benchmarks(criterion: &mut Criterion) {
    criterion.bench_function("checksum", |b| b.iter(|| checksums::checksum(black_box(7))));
    let numbers: Vec<u64> = (0..500).map(checksums::checksum).collect();
    criterion.bench_function("median", |b| b.iter(|| checksums::median(numbers.clone())));
}

criterion_group! {
    name = all;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(200));
    targets = benchmarks
}
criterion_main!(all);
