//! `data.js` of github-action-benchmark: the results of each commit of a branch.
//!
//! ```text
//! window.BENCHMARK_DATA = {"repoUrl": "https://github.com/a/codec", "entries": {"Codec": [
//!   {"commit": {"id": "b2580dff…", "timestamp": "2024-01-22T13:33:41+09:00"}, "tool": "cargo",
//!    "benches": [{"name": "encode", "value": 1234, "range": "± 5", "unit": "ns/iter"}]}]}}
//! ```
//!
//! A commit is a version of the repository's library: its time in UTC, then the start of its id. The
//! time comes first, so that versions have their order. Another suite of the file is a variant. The
//! action also takes such a list of benchmarks alone.

use super::prelude::*;
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};

pub(super) const START: &str = "window.BENCHMARK_DATA";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    repo_url: Option<String>,
    entries: BTreeMap<String, Vec<Entry>>,
}

#[derive(Deserialize)]
struct Entry {
    commit: Commit,
    #[serde(default)]
    tool: String,
    benches: Vec<Bench>,
}

#[derive(Deserialize)]
struct Commit {
    id: String,
    timestamp: Option<String>,
    url: Option<String>,
}

#[derive(Deserialize)]
struct Bench {
    name: String,
    value: Json,
    unit: Option<String>,
    extra: Option<String>,
}

pub(super) fn parse(document: &Json, out: &mut Collector) {
    let Some(data) = out.check(read::<Data>(document)) else {
        return;
    };
    out.line = 0;
    let several = data.entries.len() > 1;
    for (suite, entries) in data.entries {
        let variant = several.then_some(&*suite);
        // A file may lack its repository's address, and name that of each commit.
        let urls = entries.iter().filter_map(|entry| entry.commit.url.as_ref());
        let mut of_commits = urls.filter_map(|url| Some(url.split_once("/commit/")?.0));
        let address = data.repo_url.as_deref().or_else(|| of_commits.next());
        let address = address.unwrap_or(&suite).trim_end_matches('/');
        let library = address.rsplit_once('/').map_or(address, |(_, name)| name);
        let mut next_runs: HashMap<String, u32> = HashMap::new();
        for entry in &entries {
            let Some(version) = entry.commit.version() else {
                let message = "a commit without its time or the start of its id is left out:";
                out.note(cite(message, &entry.commit.id));
                continue;
            };
            // A commit may be measured again: its runs follow those before.
            let next_run = next_runs.entry(version.clone()).or_default();
            out.scope.run = *next_run;
            out.of(Implementation::new(library, &version, variant.as_slice()));
            let above = out.parsed.observations.len();
            add(&entry.benches, &entry.tool, out);
            let rows = out.parsed.observations.iter().skip(above);
            *next_run = rows.map(|row| row.run + 1).max().unwrap_or(*next_run);
        }
        out.scope.run = 0;
    }
    out.of(None);
}

/// Reads a list of benchmarks alone.
pub(super) fn parse_list(document: &Json, out: &mut Collector) {
    if let Some(benches) = out.check(read::<Vec<Bench>>(document)) {
        out.line = 0;
        add(&benches, "", out);
    }
}

fn read<'a, T: Deserialize<'a>>(document: &'a Json) -> Result<T, String> {
    T::deserialize(document).map_err(|error| format!("in JSON: {error}"))
}

/// Adds the benchmarks of an execution. Figures of one name that follow each other are runs, except
/// those of libtest, which has none.
fn add(benches: &[Bench], tool: &str, out: &mut Collector) {
    let better = match tool {
        "customBiggerIsBetter" => Better::Higher,
        "customSmallerIsBetter" => Better::Lower,
        _ => Better::Unknown,
    };
    let mut last = String::new();
    for bench in benches {
        let name = bench.label(tool);
        let base_name = name.split(" - ").next().unwrap_or_default().to_owned();
        let runs = match tool != "cargo" && base_name == last {
            true => Runs::Repeated,
            false => Runs::OfName,
        };
        last = base_name;
        let value = match &bench.value {
            Json::String(text) => text.clone(),
            value => value.to_string(),
        };
        // `ns/op\t64 B/op\t1 allocs/op`
        let mut units = bench.unit.as_deref().unwrap_or_default().split('\t');
        let unit = units.next().map_or("", str::trim);
        let others = units.filter_map(|other| other.trim().split_once(' '));
        for (figure, unit) in std::iter::once((&*value, unit)).chain(others) {
            let symbol = match unit.trim() {
                "" => "unitless",
                symbol => symbol,
            };
            let (unit, factor) = Unit::directed(symbol, better);
            match figure.trim().parse::<f64>() {
                Ok(figure) if figure >= 0.0 && figure.is_finite() => {
                    out.add(&name, unit, &[figure * factor], runs);
                }
                _ => {
                    let message = format!("{} is no figure, and is left out:", quote(figure));
                    out.note(cite(&message, &name));
                }
            }
        }
    }
}

impl Bench {
    /// Go's name ends with the number of processors, unless it is 1.
    fn label(&self, tool: &str) -> String {
        let mut extra = self.extra.as_deref().unwrap_or_default().lines();
        let procs = extra.find_map(|line| line.trim().strip_suffix(" procs"));
        match procs {
            Some(procs) if tool == "go" && procs != "1" && !self.name.contains(" - ") => {
                format!("{}-{procs}", self.name)
            }
            _ => self.name.clone(),
        }
    }
}

impl Commit {
    /// `None` without its time or the start of its id.
    fn version(&self) -> Option<String> {
        let time: Result<jiff::Timestamp, _> = self.timestamp.as_ref()?.parse();
        let id = self.id.get(..7)?;
        match time {
            Ok(time) if id.bytes().all(|b| b.is_ascii_hexdigit()) => {
                Some(format!("{}+{id}", time.strftime("%Y-%m-%d.%H%M")))
            }
            _ => None,
        }
    }
}
