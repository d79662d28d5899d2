//! JMH's JSON (`-rf json`). A fork is a run: a Java process of its own. Its figure is the mean of
//! its iterations, as JMH's score is that of all.
//!
//! ```text
//! [{"benchmark": "a.Records.seal", "mode": "avgt", "threads": 1, "params": {"size": "1024"},
//!   "primaryMetric": {"scoreUnit": "us/op", "rawData": [[62.1, 61.9], [60.2, 63.4]]}}]
//! ```
//!
//! Samples (`-bm sample`) are in `rawDataHistogram`: pairs of a time and how often it occurred.
//! Secondary metrics are not read.

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
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metric {
    score_unit: String,
    #[serde(default)]
    raw_data: Vec<Vec<f64>>,
    #[serde(default)]
    raw_data_histogram: Vec<Vec<Vec<(f64, f64)>>>,
}

pub(super) fn recognise(head: &str) -> bool {
    // Old versions do not print their own.
    starts_with(head, r#"[{"jmhVersion":"#) || starts_with(head, r#"[{"benchmark":"#)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    json::each(json::list(text, collector), collector, read);
}

fn read(benchmark: Benchmark, collector: &mut Collector) -> Result<(), String> {
    let label = benchmark.label();
    let metric = benchmark.primary_metric;
    let (unit, factor) = unit(&metric.score_unit)?;
    if metric.raw_data.is_empty() && metric.raw_data_histogram.is_empty() {
        return Err(format!("{} has no raw data", quote(&benchmark.benchmark)));
    }
    let once = |fork: Vec<f64>| fork.into_iter().map(|value| (value, 1.0)).collect();
    let mut forks: Vec<Vec<(f64, f64)>> = metric.raw_data.into_iter().map(once).collect();
    forks.extend(metric.raw_data_histogram.iter().map(|fork| fork.concat()));
    for fork in forks {
        let count: f64 = fork.iter().map(|(_, count)| count).sum();
        let sum: f64 = fork.iter().map(|(value, count)| value * count).sum();
        let base = finite(sum / count * factor, &benchmark.benchmark)?;
        collector.benchmark(&label, unit.clone(), base)?;
    }
    Ok(())
}

/// Parses `ops/us`, `us/op`.
fn unit(symbol: &str) -> Result<(Unit, f64), String> {
    match symbol.split_once('/') {
        Some(("ops", time)) => Ok((Unit::Rate, 1.0 / seconds(time)?)),
        Some((time, "op")) => Ok((Unit::Time, seconds(time)?)),
        _ => Err(cite("unknown unit", symbol)),
    }
}

impl Benchmark {
    /// The name, with what tells benchmarks of one name apart. `avgt` and `thrpt` have different
    /// units.
    fn label(&self) -> String {
        let parameters = self.params.iter();
        let mut details: Vec<String> = parameters.map(|(name, v)| format!("{name}={v}")).collect();
        match self.mode.as_str() {
            "sample" => details.push("samples".to_owned()),
            "ss" => details.push("single shot".to_owned()),
            _ => {}
        }
        if self.threads != 1 {
            details.push(format!("{} threads", self.threads));
        }
        name::with_details(&self.benchmark, &details)
    }
}
