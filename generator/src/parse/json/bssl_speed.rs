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
        let threads = threads.map(|n| format!("{n} threads"));
        let bytes = result.bytes_per_call.filter(|bytes| *bytes > 0);
        let size = bytes.filter(|_| !name.contains(" bytes"));
        let size = size.map(|bytes| format!("{bytes} bytes"));
        let name = name::with_details(name, size.into_iter().chain(threads));
        match bytes {
            Some(bytes) => out.benchmark(&name, Unit::Throughput, rate * bytes as f64),
            None => out.benchmark(&name, Unit::Rate, rate),
        }
    });
}
