//! gungraun's and iai-callgrind's `--output-format=json`: a document for each benchmark.
//!
//! ```text
//! {"module_path": "codec::records::seal", "id": "short", "details": "10", "profiles": [{"tool": "Callgrind",
//!  "summaries": {"total": {"summary": {"Callgrind": {"Ir": {"metrics": {"Both": [{"Int": 6}, {"Int": 7}]}}}}}}}]}
//! ```
//!
//! Of two figures the first is that of this execution.

use super::prelude::*;
use serde_json::Value as Json;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Benchmark {
    module_path: String,
    id: Option<String>,
    details: Option<String>,
    profiles: Option<Vec<Profile>>,
}

#[derive(Deserialize)]
struct Profile {
    tool: String,
    summaries: Summaries,
}

#[derive(Deserialize)]
struct Summaries {
    total: Total,
}

#[derive(Deserialize)]
struct Total {
    summary: BTreeMap<String, BTreeMap<String, Metric>>,
}

#[derive(Deserialize)]
struct Metric {
    metrics: BTreeMap<String, Json>,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    super::document(text, out, read);
}

fn read(benchmark: Benchmark, out: &mut Collector) -> Result<(), String> {
    let mut name = benchmark.module_path;
    if let Some(id) = &benchmark.id {
        let details = benchmark
            .details
            .map_or_else(String::new, |details| format!(":{details}"));
        name = format!("{name} {id}{details}");
    }
    let profiles = benchmark
        .profiles
        .ok_or("a version without profiles, which is not read: update gungraun")?;
    for profile in profiles {
        for (metric, value) in profile.summaries.total.summary.into_values().flatten() {
            let figure = match (value.metrics.get("Left"), value.metrics.get("Both")) {
                (Some(left), _) => left,
                (_, Some(both)) => &both[0],
                // Of the earlier execution alone.
                _ => continue,
            };
            let figure = figure["Int"].as_f64().or(figure["Float"].as_f64());
            let figure =
                figure.ok_or_else(|| cite("no figure of", &format!("{metric} of {name}")))?;
            out.benchmark(&name, unit(&profile.tool, &metric), figure)?;
        }
    }
    Ok(())
}

/// Names on the console, and the short ones of JSON.
#[rustfmt::skip]
pub(in crate::parse) const METRICS: [(&str, &str); 42] = [
    ("Instructions", "Ir"), ("Dr", "Dr"), ("Dw", "Dw"), ("I1mr", "I1mr"), ("D1mr", "D1mr"), ("D1mw", "D1mw"),
    ("ILmr", "ILmr"), ("DLmr", "DLmr"), ("DLmw", "DLmw"), ("I1 Miss Rate", "I1MissRate"),
    ("LLi Miss Rate", "LLiMissRate"), ("D1 Miss Rate", "D1MissRate"), ("LLd Miss Rate", "LLdMissRate"),
    ("LL Miss Rate", "LLMissRate"), ("L1 Hits", "L1hits"), ("L2 Hits", "LLhits"), ("LL Hits", "LLhits"), ("RAM Hits", "RamHits"),
    ("L1 Hit Rate", "L1HitRate"), ("LL Hit Rate", "LLHitRate"), ("RAM Hit Rate", "RamHitRate"),
    ("Total read+write", "TotalRW"), ("Estimated Cycles", "EstimatedCycles"), ("SysCount", "SysCount"),
    ("SysTime", "SysTime"), ("SysCpuTime", "SysCpuTime"), ("Ge", "Ge"), ("Bc", "Bc"), ("Bcm", "Bcm"), ("Bi", "Bi"), ("Bim", "Bim"),
    ("L1 Accesses", ""), ("L2 Accesses", ""), ("RAM Accesses", ""),
    ("Total bytes", "TotalBytes"), ("Total blocks", "TotalBlocks"), ("At t-gmax bytes", "AtTGmaxBytes"), ("At t-gmax blocks", "AtTGmaxBlocks"),
    ("At t-end bytes", "AtTEndBytes"), ("At t-end blocks", "AtTEndBlocks"), ("Reads bytes", "ReadsBytes"), ("Writes bytes", "WritesBytes"),
];

/// The unit of a metric by either of its names.
pub(in crate::parse) fn unit(tool: &str, metric: &str) -> Unit {
    let known = METRICS
        .iter()
        .find(|(long, short)| *long == metric || *short == metric);
    match known.map_or(metric, |(long, _)| long) {
        "Instructions" => Unit::INSTRUCTIONS,
        "Total blocks" => Unit::Count("allocations"),
        "Total bytes" => Unit::Count("bytes allocated"),
        hits if hits.ends_with("Hits") || hits.ends_with("Hit Rate") => {
            Unit::other(&hits.to_lowercase())
        }
        // Of a tool that finds errors.
        errors if errors.contains("rror") || errors.contains("ontext") => {
            Unit::directed(
                &format!("{} {}", tool.to_lowercase(), errors.to_lowercase()),
                Better::Lower,
            )
            .0
        }
        other => Unit::directed(&other.to_lowercase(), Better::Lower).0,
    }
}
