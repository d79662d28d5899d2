//! JMH's JSON (`-rf json`). A fork is a run: a Java process of its own. Its figure is the mean of
//! its iterations, as JMH's score is that of all.
//!
//! ```text
//! [{"benchmark": "a.Records.seal", "mode": "avgt", "threads": 1, "params": {"size": "1024"},
//!   "primaryMetric": {"scoreUnit": "us/op", "rawData": [[62.1, 61.9], [60.2, 63.4]]},
//!   "secondaryMetrics": {"gc.alloc.rate.norm": {"scoreUnit": "B/op", "rawData": [[96, 96]]}}}]
//! ```
//!
//! Samples (`-bm sample`) are in `rawDataHistogram`: pairs of a time and how often it occurred.

use super::prelude::*;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Benchmark {
    benchmark: String,
    mode: String,
    threads: u32,
    #[serde(default)]
    params: BTreeMap<String, String>,
    primary_metric: Metric,
    #[serde(default)]
    secondary_metrics: BTreeMap<String, Metric>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metric {
    score_unit: String,
    /// `"NaN"` stands for a figure that there is not.
    #[serde(default)]
    raw_data: Vec<Vec<serde_json::Value>>,
    #[serde(default)]
    raw_data_histogram: Vec<Vec<Vec<(f64, f64)>>>,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    let all: Vec<Located<Benchmark>> = super::list(text, out);
    let forks = |benchmark: &Located<Benchmark>| {
        let metric = &benchmark.value.primary_metric;
        metric.raw_data.len() + metric.raw_data_histogram.len()
    };
    let is_single = all.iter().all(|benchmark| forks(benchmark) == 1);
    if is_single && !all.is_empty() {
        out.line = 0;
        out.note(SINGLE);
    }
    super::each(all, out, read);
}

/// How to get figures that can be tested.
const SINGLE: &str = "one fork is one run, and a test needs 4: measure with `-f 4` or more";

/// The same for a table, in which a score is the mean of all forks.
pub(in crate::parse) fn table_note() -> String {
    format!("the table has no figures of single forks: use `-rf json`, and {SINGLE}")
}

fn read(benchmark: Benchmark, out: &mut Collector) -> Result<(), String> {
    let parameters = benchmark
        .params
        .iter()
        .map(|(name, v)| format!("{name}={v}"));
    let label = label(
        &benchmark.benchmark,
        parameters.collect(),
        &benchmark.mode,
        benchmark.threads,
    );
    let metric = &benchmark.primary_metric;
    // `ops/us`, `us/op`
    let (score, factor) = Unit::parse_or_other(&metric.score_unit);
    if !matches!(score, Unit::Rate | Unit::Time) || !metric.score_unit.contains('/') {
        return Err(cite("unknown unit", &metric.score_unit));
    }
    if metric.raw_data.is_empty() && metric.raw_data_histogram.is_empty() {
        return Err(format!("{} has no raw data", quote(&benchmark.benchmark)));
    }
    let mut runs = Vec::new();
    for fork in metric.forks() {
        runs.push(finite(fork * factor, &benchmark.benchmark)?);
    }
    out.runs(&label, score, runs)?;
    for (name, metric) in &benchmark.secondary_metrics {
        let (unit, factor) = Unit::parse_or_other(&metric.score_unit);
        let label = format!("{label}: {}", name.trim_start_matches('·'));
        let forks = metric.forks().into_iter().map(|fork| fork * factor);
        let forks: Vec<f64> = forks
            .filter(|fork| *fork >= 0.0 && fork.is_finite())
            .collect();
        match forks.is_empty() {
            true => out.note(cite("a metric without a figure:", &label)),
            false => out.runs(&label, unit, forks)?,
        }
    }
    Ok(())
}

impl Metric {
    /// The mean of each fork.
    fn forks(&self) -> Vec<f64> {
        let mean = |values: &[(f64, f64)]| {
            let count: f64 = values.iter().map(|(_, count)| count).sum();
            let sum: f64 = values.iter().map(|(value, count)| value * count).sum();
            sum / count
        };
        let once = |fork: &Vec<serde_json::Value>| {
            let values = fork.iter().map(|value| value.as_f64().unwrap_or(f64::NAN));
            values.map(|value| (value, 1.0)).collect()
        };
        let mut forks: Vec<Vec<(f64, f64)>> = self.raw_data.iter().map(once).collect();
        forks.extend(self.raw_data_histogram.iter().map(|fork| fork.concat()));
        forks.iter().map(|fork| mean(fork)).collect()
    }
}

/// The name, with what tells benchmarks of one name apart, then a secondary metric's. `avgt` and
/// `thrpt` have different units.
pub(in crate::parse) fn label(
    name: &str,
    mut details: Vec<String>,
    mode: &str,
    threads: u32,
) -> String {
    let (benchmark, metric) = name.split_once(':').unwrap_or((name, ""));
    match mode {
        "sample" => details.push("samples".to_owned()),
        "ss" => details.push("single shot".to_owned()),
        _ => {}
    }
    if threads != 1 {
        details.push(format!("{threads} threads"));
    }
    let label = name::with_details(benchmark, details);
    match metric.rsplit('·').next() {
        None | Some("") => label,
        // Percentiles of samples repeat the benchmark's name.
        Some(metric) => format!("{label}: {metric}"),
    }
}
