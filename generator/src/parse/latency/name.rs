//! The scenario of a capture, which only its file name gives.

use crate::model::scenario::{Scenario, Side, TlsVersion, Workload};
use crate::parse::cite::quote;
use std::path::Path;

/// Parses a name such as `latency-fullhs-tls13-server-<thread>-latency.tsv`, in which only the
/// three words matter. Folders are ignored.
pub(crate) fn scenario(path: &Path) -> Result<Scenario, String> {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy();
    let words: Vec<&str> = file.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let has = |word: &str| words.iter().any(|found| found.eq_ignore_ascii_case(word));
    let mut wrong = Vec::new();
    let mut is_first = |one: &str, other: &str| {
        match (has(one), has(other)) {
            (true, true) => wrong.push(format!("both `{one}` and `{other}`")),
            (false, false) => wrong.push(format!("neither `{one}` nor `{other}`")),
            _ => {}
        }
        has(one)
    };
    let mut scenario = Scenario::new(match is_first("fullhs", "resume") {
        true => Workload::FullLatency,
        false => Workload::ResumedLatency,
    });
    scenario.version = Some(match is_first("tls12", "tls13") {
        true => TlsVersion::V1_2,
        false => TlsVersion::V1_3,
    });
    scenario.side = Some(match is_first("client", "server") {
        true => Side::Client,
        false => Side::Server,
    });
    if wrong.is_empty() {
        return Ok(scenario);
    }
    let (file, wrong) = (quote(&file), wrong.join(", "));
    Err(format!(
        "the name of a latency file must say what was measured, as `latency-fullhs-tls13-server-1-latency.tsv` does; {file} has {wrong}"
    ))
}
