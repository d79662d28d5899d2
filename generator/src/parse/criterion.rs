//! criterion: `sample.json`, each sample of which is a run, or the median of `estimates.json`.
//! Neither file contains the benchmark's name, which is the path before `new`:
//!
//! ```text
//! target/criterion/encode/serde/1024/new/sample.json      encode/serde/1024
//! ```
//!
//! If both files exist, only `sample.json` is read.

use super::{Collector, collector::cite, name};
use crate::files::file_name;
use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Iterations and nanoseconds of each sample, by `Linear` or `Flat` sampling alike.
#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
    /// Present among estimates of times, but not of changes.
    std_dev: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Estimate {
    /// Nanoseconds.
    point_estimate: f64,
}

const SAMPLES: &str = r#"{"sampling_mode":"#;
const ESTIMATES: &str = r#"{"mean":{"confidence_interval":"#;

pub(super) fn recognise(head: &str) -> bool {
    starts_with(head, SAMPLES) || starts_with(head, ESTIMATES)
}

/// Whether JSON starts with `start`, ignoring whitespace.
pub(super) fn starts_with(json: &str, start: &str) -> bool {
    let mut found = json.chars().filter(|c| !c.is_ascii_whitespace());
    start.chars().all(|c| found.next() == Some(c))
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let scenario = scenario(&collector.path.to_string_lossy());
    let Some(scenario) = collector.check(scenario) else {
        return;
    };
    let read = if starts_with(text, SAMPLES) {
        samples(text, &scenario, collector)
    } else {
        estimates(text, scenario, collector)
    };
    collector.check(read);
}

fn samples(text: &str, scenario: &Scenario, collector: &mut Collector) -> Result<(), String> {
    let Samples { iters, times } = json(text, collector)?;
    if iters.len() != times.len() {
        return Err(format!("{} iters and {} times", iters.len(), times.len()));
    }
    for (index, (iterations, nanoseconds)) in iters.iter().zip(&times).enumerate() {
        if collector.is_full() {
            break;
        }
        let printed = format!("{nanoseconds} ns / {iterations}");
        let seconds = nanoseconds / iterations * 1e-9;
        let what = format!("sample {}", index + 1);
        if let Some(seconds) = collector.check(positive(seconds, &what, &printed)) {
            collector.repeated(None, scenario.clone(), Unit::Time, seconds);
        }
    }
    Ok(())
}

fn estimates(text: &str, scenario: Scenario, collector: &mut Collector) -> Result<(), String> {
    let Estimates { median, std_dev } = json(text, collector)?;
    if std_dev.is_none() {
        let message = "relative changes, not times: changes are computed from the times of `new`";
        return Err(message.to_owned());
    }
    let nanoseconds = median.point_estimate;
    let seconds = positive(nanoseconds * 1e-9, "median", &nanoseconds.to_string())?;
    collector.measured(scenario, Unit::Time, seconds);
    Ok(())
}

/// Returns a positive, finite figure, or an error with the figure as `printed`.
pub(super) fn positive(seconds: f64, what: &str, printed: &str) -> Result<f64, String> {
    let valid = seconds > 0.0 && seconds.is_finite();
    let message = || format!("{what}: a figure must be positive and finite, not {printed}");
    valid.then_some(seconds).ok_or_else(message)
}

/// Deserializes a whole file. An error is one of its line.
pub(super) fn json<'a, T: Deserialize<'a>>(
    text: &'a str,
    collector: &mut Collector,
) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        collector.line = error.line() as u32;
        error.to_string()
    })
}

/// The scenario of a path: its name is the part between the folder `criterion`, otherwise the last
/// folder that names an implementation, and `new`.
fn scenario(path: &str) -> Result<Scenario, String> {
    let folders = path.split(['/', '\\']).filter(|f| !matches!(*f, "" | "."));
    let folders: Vec<&str> = folders.collect();
    let end = folders.iter().rposition(|f| *f == "new").unwrap_or(0);
    let above = &folders[..end];
    let names_implementation = |f: &&str| Implementation::from_file_name(f).is_some();
    let start = above.iter().rposition(|f| *f == "criterion");
    let start = start.or_else(|| above.iter().rposition(names_implementation));
    match &above[start.map_or(0, |at| at + 1)..] {
        [] => {
            let message = "the folder does not name the benchmark, as `NAME/new/sample.json` does:";
            Err(cite(message, path))
        }
        named => name::scenario(&named.join("/")),
    }
}

/// Whether a file is one of criterion's that can be ignored, since the file with its samples or
/// estimates is among `all`.
pub(crate) fn accompanies(path: &Path, all: &[PathBuf]) -> bool {
    let Some(folder) = path.parent() else {
        return false;
    };
    let holds = |p: PathBuf| all.binary_search(&p).is_ok() || all.contains(&p);
    match file_name(folder).as_str() {
        "new" => match file_name(path).as_str() {
            "benchmark.json" | "tukey.json" => holds(folder.join("estimates.json")),
            "estimates.json" => holds(folder.join("sample.json")),
            _ => false,
        },
        // Earlier samples, comparisons and criterion's own pages.
        kind @ ("base" | "change" | "report") => folder.parent().is_some_and(|parent| {
            let is_below = |p: &PathBuf| p.starts_with(parent) && p.ends_with("new/estimates.json");
            holds(parent.join("new/estimates.json")) || kind == "report" && all.iter().any(is_below)
        }),
        _ => false,
    }
}
