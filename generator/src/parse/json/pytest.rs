//! `pytest --benchmark-json`: the median of the rounds, in seconds. All rounds are of one process, so
//! a file is one run.

use super::prelude::*;

#[derive(Deserialize)]
struct Benchmark {
    fullname: String,
    stats: Stats,
}

#[derive(Deserialize)]
struct Stats {
    median: f64,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    super::each(super::list(text, out), out, |benchmark: Benchmark, out| {
        let median = finite_or_zero(benchmark.stats.median, &benchmark.fullname)?;
        out.benchmark(&benchmark.fullname, Unit::Time, median)
    });
}
