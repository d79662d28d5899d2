//! `data.js` of github-action-benchmark: the results of each commit of a branch.
//!
//! ```text
//! window.BENCHMARK_DATA = {"repoUrl": "https://github.com/a/codec", "entries": {"Codec": [
//!   {"commit": {"id": "b2580dff…", "timestamp": "2024-01-22T13:33:41+09:00"}, "tool": "cargo",
//!    "benches": [{"name": "encode", "value": 1234, "range": "± 5", "unit": "ns/iter"}]}]}}
//! ```
//!
//! A commit is a version of the repository's library: its time in UTC, then the start of its id. The
//! time comes first, so that versions have their order. Another suite of the file is a variant.

use super::prelude::*;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

const START: &str = "window.BENCHMARK_DATA = ";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    repo_url: String,
    #[serde(borrow)]
    entries: BTreeMap<String, Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
struct Entry {
    commit: Commit,
    benches: Vec<Bench>,
}

#[derive(Deserialize)]
struct Commit {
    id: String,
    timestamp: String,
}

#[derive(Deserialize)]
struct Bench {
    name: String,
    value: f64,
    unit: String,
}

pub(super) fn recognise(head: &str) -> bool {
    head.strip_prefix(START)
        .is_some_and(|json| starts_with(json, "{"))
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let body = text.strip_prefix(START).unwrap_or(text).trim_end();
    let body = body.trim_end_matches(';');
    collector.line = 1;
    let Some(data) = json::read::<Data>(body, collector) else {
        return;
    };
    let address = data.repo_url.trim_end_matches('/');
    let library = address.rsplit_once('/').map_or(address, |(_, name)| name);
    let several = data.entries.len() > 1;
    for (suite, entries) in &data.entries {
        let variant = several.then_some(suite.as_str());
        let entries = json::items::<Entry>(entries, body, collector);
        json::each(entries, collector, |entry, collector| {
            let version = entry.commit.version()?;
            let implementation = Implementation::new(library, &version, variant.as_slice());
            collector.of(implementation);
            for bench in entry.benches {
                let (unit, factor) = Unit::parse_or_other(&bench.unit);
                if bench.value == 0.0 {
                    let zero = "a figure of 0 has no ratio to others and is left out:";
                    collector.note(cite(zero, &bench.name));
                    continue;
                }
                let base = finite(bench.value * factor, &bench.name)?;
                collector.benchmark(&bench.name, unit, base)?;
            }
            Ok(())
        });
    }
}

impl Commit {
    fn version(&self) -> Result<String, String> {
        let Self { id, timestamp } = self;
        let time = timestamp.parse::<jiff::Timestamp>();
        let time = time.map_err(|_| cite("not the time of a commit:", timestamp))?;
        let short = id
            .get(..7)
            .filter(|id| id.bytes().all(|b| b.is_ascii_hexdigit()));
        let short = short.ok_or_else(|| cite("not the id of a commit:", id))?;
        Ok(format!("{}+{short}", time.strftime("%Y-%m-%d.%H%M")))
    }
}
