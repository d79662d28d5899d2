//! `bssl speed -json`: `{"description": "AES-128-GCM seal", "numCalls": 4000000, "microseconds": 1000000,
//! "bytesPerCall": 16}`. A figure with bytes is a throughput.

use super::prelude::*;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Result {
    description: String,
    num_calls: f64,
    microseconds: f64,
    bytes_per_call: Option<u64>,
    threads: Option<u32>,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    super::each(super::list(text, out), out, |result: Result, out| {
        let name = &result.description;
        let rate = finite(result.num_calls / result.microseconds * 1e6, name)?;
        let threads = result.threads.filter(|threads| *threads > 1);
        let mut details: Vec<String> = threads
            .map(|n| format!("{n} threads"))
            .into_iter()
            .collect();
        match result.bytes_per_call {
            Some(bytes) if bytes > 0 => {
                if !name.contains(" bytes") {
                    details.insert(0, format!("{bytes} bytes"));
                }
                out.benchmark(
                    &name::with_details(name, &details),
                    Unit::Throughput,
                    rate * bytes as f64,
                )
            }
            _ => out.benchmark(&name::with_details(name, &details), Unit::Rate, rate),
        }
    });
}
