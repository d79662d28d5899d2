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

pub(super) const START: &str = "window.BENCHMARK_DATA";

pub(super) fn parse(document: &Json, out: &mut Collector) {
    out.line = 0;
    let suites = document["entries"].as_object();
    let several = suites.is_some_and(|suites| suites.len() > 1);
    for (suite, entries) in suites.into_iter().flatten() {
        let entries = || entries.as_array().into_iter().flatten();
        let variant = several.then_some(&**suite);
        // A file may lack its repository's address, and name that of each commit.
        let urls = entries().filter_map(|entry| entry["commit"]["url"].as_str());
        let mut of_commits = urls.filter_map(|url| Some(url.split_once("/commit/")?.0));
        let address = document["repoUrl"].as_str().or_else(|| of_commits.next());
        let address = address.unwrap_or(suite).trim_end_matches('/');
        let library = address.rsplit_once('/').map_or(address, |(_, name)| name);
        if address.starts_with("https://") && !address.contains(char::is_whitespace) {
            let (library, address) = (library.to_owned(), address.to_owned());
            out.parsed.repositories.insert(library, address);
        }
        let mut next_runs: HashMap<String, u32> = HashMap::new();
        for entry in entries() {
            let Some(version) = version(&entry["commit"]) else {
                let message = "a commit without its time or the start of its id is left out:";
                let id = entry["commit"]["id"].as_str();
                out.note(cite(message, id.unwrap_or_default()));
                continue;
            };
            // A commit may be measured again: its runs follow those before.
            let next_run = next_runs.entry(version.clone()).or_default();
            out.scope.run = *next_run;
            out.of(Implementation::new(library, &version, variant.as_slice()));
            let above = out.parsed.observations.len();
            let tool = entry["tool"].as_str().unwrap_or_default();
            add(&entry["benches"], tool, out);
            let rows = out.parsed.observations.iter().skip(above);
            *next_run = rows.map(|row| row.run + 1).max().unwrap_or(*next_run);
        }
        out.scope.run = 0;
    }
    out.of(None);
}

/// Adds the benchmarks of an execution. Figures of one name that follow each other are runs, except
/// those of libtest, which has none.
pub(super) fn add(benches: &Json, tool: &str, out: &mut Collector) {
    out.line = 0;
    let better = match tool {
        "customBiggerIsBetter" => Better::Higher,
        "customSmallerIsBetter" => Better::Lower,
        _ => Better::Unknown,
    };
    let mut last = String::new();
    for bench in benches.as_array().into_iter().flatten() {
        let Some(name) = label(bench, tool) else {
            out.unread(&bench.to_string());
            continue;
        };
        let base_name = name.split(" - ").next().unwrap_or_default().to_owned();
        let runs = match tool != "cargo" && base_name == last {
            true => Runs::Repeated,
            false => Runs::OfName,
        };
        last = base_name;
        let value = match &bench["value"] {
            Json::String(text) => text.clone(),
            value => value.to_string(),
        };
        // `ns/op\t64 B/op\t1 allocs/op`
        let mut units = bench["unit"].as_str().unwrap_or_default().split('\t');
        let unit = units.next().unwrap_or_default();
        let others = units.filter_map(|other| other.trim().split_once(' '));
        for (figure, unit) in std::iter::once((&*value, unit)).chain(others) {
            let symbol = match unit.trim() {
                "" => "unitless",
                symbol => symbol,
            };
            let (unit, factor) = Unit::directed(symbol, better);
            match figure.trim().parse::<f64>() {
                Ok(figure) if figure >= 0.0 && figure.is_finite() => {
                    let value = Value::Number(figure * factor);
                    out.add(&name, unit, vec![value], runs);
                }
                _ => {
                    let message = format!("{} is no figure, and is left out:", quote(figure));
                    out.note(cite(&message, &name));
                }
            }
        }
    }
}

/// Go's name ends with the number of processors, unless it is 1.
fn label(bench: &Json, tool: &str) -> Option<String> {
    let name = bench["name"].as_str()?;
    let mut extra = bench["extra"].as_str().unwrap_or_default().lines();
    let procs = extra.find_map(|line| line.trim().strip_suffix(" procs"));
    Some(match procs.filter(|procs| *procs != "1") {
        Some(procs) if tool == "go" && !name.contains(" - ") => format!("{name}-{procs}"),
        _ => name.to_owned(),
    })
}

/// `None` without the commit's time or the start of its id.
fn version(commit: &Json) -> Option<String> {
    let time: Result<jiff::Timestamp, _> = commit["timestamp"].as_str()?.parse();
    let id = commit["id"].as_str()?.get(..7)?;
    match time {
        Ok(time) if id.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Some(format!("{}+{id}", time.strftime("%Y-%m-%d.%H%M")))
        }
        _ => None,
    }
}
