//! gungraun's and iai-callgrind's `--output-format=json`: a document for each benchmark.
//!
//! ```text
//! {"module_path": "codec::records::seal", "id": "short", "details": "10", "profiles": [{"tool": "Callgrind",
//!  "summaries": {"total": {"summary": {"Callgrind": {"Ir": {"metrics": {"Both": [{"Int": 6}, {"Int": 7}]}}}}}}}]}
//! ```
//!
//! Of two figures the first is that of this execution.

use super::prelude::*;
use super::tools::gungraun_unit;
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
            out.benchmark(&name, gungraun_unit(&profile.tool, &metric), figure)?;
        }
    }
    Ok(())
}
