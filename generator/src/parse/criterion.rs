//! criterion's folder of a benchmark and an execution: `estimates.json`, or `sample.json` where it is
//! alone, and beside them `benchmark.json`, which names the benchmark.
//!
//! ```text
//! target/criterion/encode_serde/1024/new/        benchmark.json, estimates.json, sample.json
//! target/criterion/encode_serde/1024/v1/         the same, after `--save-baseline v1`
//! ```
//!
//! A folder is one run, one execution of `cargo bench`: criterion takes its samples within a few
//! seconds of one process, so they show less noise than there is between executions. The figure
//! is the median of the samples.
//!
//! Neither file says the unit, which is ns unless a program measures something of its own, such as
//! cycles. Then `raw.csv` beside them says it, which criterion 0.3 always writes and later versions with
//! the feature `csv_output`.

use super::Parsed;
use super::prelude::*;
use super::tables::record;
use crate::base::failure::{self, Failure};
use crate::files::{self, file_name};
use anyhow::Context;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Files with figures, the best first.
const FIGURES: [&str; 2] = ["estimates.json", "sample.json"];

/// The baseline that each execution of `cargo bench` writes.
const LATEST: &str = "new";

#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
    directory_name: String,
    /// Bytes or elements of an iteration, or both.
    throughput: Option<BTreeMap<String, Json>>,
}

/// Either of the files with figures.
#[derive(Deserialize)]
struct Figures {
    median: Option<Estimate>,
    /// Iterations of each sample, and nanoseconds.
    #[serde(default)]
    iters: Vec<f64>,
    #[serde(default)]
    times: Vec<f64>,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// What is assumed without a raw.csv.
pub(crate) const NANOSECONDS: &str = "the folder of criterion does not say its unit, which is taken to be ns; \
    with the feature `csv_output` it would";

/// Whether a file is called like those with figures.
pub(crate) fn has_figures(path: &Path) -> bool {
    FIGURES.iter().any(|name| path.ends_with(name))
}

/// Reads a file with figures and those beside it. Returns the folder that criterion wrote to, too; `None`
/// if the file is none of criterion's.
pub(super) fn read(path: &Path, figures: &[u8]) -> failure::Result<Option<(PathBuf, Parsed)>> {
    if !has_figures(path) {
        return Ok(None);
    }
    let named = path.with_file_name("benchmark.json");
    let Some(benchmark) = files::read_limited(&named, limits::TEXT)? else {
        return Ok(None);
    };
    let benchmark: Benchmark = json(&named, &benchmark)?;
    let raw = files::read_limited(&path.with_file_name("raw.csv"), limits::FILE)?;
    let raw = String::from_utf8_lossy(raw.as_deref().unwrap_or_default());
    // It is above the folders of the benchmark and of the baseline.
    let depth = benchmark.directory_name.split('/').count();
    let root = path.ancestors().nth(depth + 2).unwrap_or(path);
    let mut out = Collector::new(path);
    out.of(package(path)?);
    let added = benchmark.add(&json(path, figures)?, &raw, &mut out);
    out.check(added);
    let parsed = out.finish().map_err(Failure::BadInput)?;
    Ok(Some((root.to_owned(), parsed)))
}

fn json<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> failure::Result<T> {
    serde_json::from_slice(bytes)
        .map_err(|error| Failure::at(path, error.line() as u32, error.to_string()))
}

impl Benchmark {
    /// Adds the figure and what follows from it. `raw` is the `raw.csv`, or empty.
    fn add(self, figures: &Figures, raw: &str, out: &mut Collector) -> Result<(), String> {
        let (heading, length) = record(raw, b',');
        let (first, _) = record(&raw[length..], b',');
        let mut cells = heading.iter().zip(&first);
        let unit = cells.find(|(column, cell)| *column == "unit" && !cell.is_empty());
        if unit.is_none() {
            out.note(NANOSECONDS);
        }
        // For criterion, less is better whatever is measured.
        let (unit, factor) = Unit::directed(unit.map_or("ns", |(_, unit)| unit), Better::Lower);
        let base = figures.median()? * factor;
        out.benchmark(&self.full_id, unit.clone(), base);
        for (what, amount) in self.throughput.iter().flatten().filter(|_| base != 0.0) {
            // `{"ElementsAndBytes": {"elements": 3, "bytes": 1024}}`
            let both = amount.as_object().into_iter().flatten();
            for (what, amount) in both.chain([(what, amount)]) {
                let (rate, what, factor) = match &*what.to_lowercase() {
                    "bytes" | "bytesdecimal" => (Unit::Throughput, "bytes", 1.0),
                    "bits" => (Unit::Throughput, "bytes", 0.125),
                    "elements" => (Unit::Rate, "elements", 1.0),
                    _ => continue,
                };
                let rate = match unit {
                    Unit::Time => rate,
                    _ => Unit::directed(&format!("{what}/{unit}"), Better::Higher).0,
                };
                let amount = amount.as_f64().unwrap_or(f64::NAN);
                out.benchmark(&self.full_id, rate, amount * factor / base);
            }
        }
        Ok(())
    }
}

impl Figures {
    /// The median as estimated, or of the samples.
    fn median(&self) -> Result<f64, String> {
        if let Some(estimate) = &self.median {
            return Ok(estimate.point_estimate);
        }
        if self.times.is_empty() || self.iters.len() != self.times.len() {
            return Err("neither estimates of times nor samples".to_owned());
        }
        let pairs = self.times.iter().zip(&self.iters);
        let mut each: Vec<f64> = pairs.map(|(time, n)| time / n).collect();
        each.sort_by(f64::total_cmp);
        let middle = each.len() / 2;
        Ok((each[(each.len() - 1) / 2] + each[middle]) / 2.0)
    }
}

/// Returns the package whose `target` folder a path is in, by the manifest beside that folder; a
/// workspace without a package of its own is called like its folder.
pub(crate) fn package(path: &Path) -> failure::Result<Option<Implementation>> {
    let path = std::path::absolute(path).context("cannot find the current folder")?;
    let mut above = path.ancestors();
    let Some(project) = above.find(|p| p.ends_with("target")).and_then(Path::parent) else {
        return Ok(None);
    };
    let manifest = project.join("Cargo.toml");
    let Some(bytes) = files::read_limited(&manifest, limits::TEXT)? else {
        return Ok(None);
    };
    let invalid = || files::cannot_read(&manifest);
    let table: toml::Table = toml::from_slice(&bytes).with_context(invalid)?;
    let package = |key: &str| {
        let package = table.get("package")?.get(key)?;
        let inherited = || table.get("workspace")?.get("package")?.get(key)?.as_str();
        package.as_str().or_else(inherited)
    };
    let folder = file_name(project);
    let name = package("name").unwrap_or(&folder);
    // A package that is not published needs none.
    let version = package("version").unwrap_or("");
    Ok(Some(Implementation::new(name, version, &[])))
}

/// criterion's results among files.
pub(crate) struct Results {
    /// The folders of a benchmark and a baseline, each with the file to read.
    folders: BTreeMap<PathBuf, PathBuf>,
    /// The names of all baselines.
    pub(crate) baselines: BTreeSet<String>,
    /// Those to read.
    pub(crate) wanted: BTreeSet<String>,
}

impl Results {
    /// Finds the results among `all` files. `baseline` is read, or the executions `baseline-1`,
    /// `baseline-2` … if there is no such baseline; by default the latest execution.
    pub(crate) fn of(all: &[PathBuf], baseline: Option<&str>) -> Self {
        let known: HashSet<&Path> = all.iter().map(PathBuf::as_path).collect();
        let mut folders = BTreeMap::new();
        for path in all.iter().filter(|path| path.ends_with("benchmark.json")) {
            let mut figures = FIGURES.iter().map(|name| path.with_file_name(name));
            if let Some(figures) = figures.find(|path| known.contains(&**path)) {
                folders.insert(path.with_file_name(""), figures);
            }
        }
        let baselines: BTreeSet<String> = folders.keys().map(|folder| file_name(folder)).collect();
        let is_wanted = |name: &&String| match baseline {
            None => *name == LATEST,
            Some(one) if baselines.contains(one) => *name == one,
            Some(one) => {
                let number = name.strip_prefix(one);
                number.is_some_and(|rest| rest.strip_prefix('-').is_some_and(is_integer))
            }
        };
        let wanted = baselines.iter().filter(is_wanted).cloned().collect();
        Self {
            folders,
            baselines,
            wanted,
        }
    }

    pub(crate) fn are_any(&self) -> bool {
        !self.folders.is_empty()
    }

    /// Whether a file is left out: it is in the folder of another baseline, has no figures, or belongs
    /// to criterion's comparisons and pages.
    pub(crate) fn leaves_out(&self, path: &Path) -> bool {
        let folder = path.parent().unwrap_or(path);
        if let Some(read) = self.folders.get(folder) {
            return read != path || !self.wanted.contains(&file_name(folder));
        }
        let is_own = |above: &&Path| above.ends_with("report") || above.ends_with("change");
        // A benchmark may be called so.
        let has_results = |above: &Path| {
            let below = self.folders.range(above.to_owned()..).next();
            below.is_some_and(|(folder, _)| folder.starts_with(above))
        };
        let mut own = path.ancestors().filter(is_own);
        self.are_any() && own.any(|above| !has_results(above))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::observation::Observation;

    /// The figures of a benchmark that takes ten samples of 1024 bytes, by `raw.csv`.
    fn read(benchmark: &str, figures: &str, raw: &str) -> Vec<String> {
        let benchmark: Benchmark = serde_json::from_str(benchmark).expect("a benchmark");
        let figures: Figures = serde_json::from_str(figures).expect("figures");
        let mut out = Collector::new(Path::new("estimates.json"));
        let added = benchmark.add(&figures, raw, &mut out);
        out.check(added);
        let show = |row: &Observation| match row.value {
            Value::Number(base) => {
                format!("{} = {} {}", row.scenario, row.unit.printed(base), row.unit)
            }
            _ => panic!("{row:?}"),
        };
        match out.finish() {
            Ok(parsed) => {
                let notes = parsed.notes.iter().map(|note| note.message.clone());
                parsed.observations.iter().map(show).chain(notes).collect()
            }
            Err(problems) => problems.into_iter().map(|one| one.message).collect(),
        }
    }

    #[test]
    fn figures_and_rates() {
        let of = |throughput: &str| {
            format!(r#"{{"full_id":"sum","directory_name":"sum","throughput":{throughput}}}"#)
        };
        let samples = r#"{"iters":[15634.0,31268.0,46902.0,62536.0,78170.0,93804.0,109438.0,125072.0,140706.0,156340.0],"times":[10471582.0,16479174.0,24906770.0,39461385.0,49772989.0,43948751.0,57332052.0,68869151.0,79748530.0,91649562.0]}"#;
        let estimates = r#"{"mean":{"point_estimate":17.2},"median":{"point_estimate":2.0}}"#;
        let raw = |unit: &str| format!("group,unit,iteration_count\nsum,{unit},100\n");
        for (throughput, figures, unit, expected) in [
            (
                r#"{"Bytes":1024}"#,
                samples,
                "ns",
                &["sum = 558.70511874049 ns", "sum = 1747.9032628187 MiB/s"][..],
            ),
            (
                r#"{"Bytes":1024}"#,
                samples,
                "cycles",
                &[
                    "sum = 558.70511874049 cycles",
                    "sum = 1.8328094117133 bytes/cycles",
                ],
            ),
            (
                r#"{"ElementsAndBytes":{"elements":3,"bytes":2097152}}"#,
                estimates,
                "us",
                &[
                    "sum = 2000 ns",
                    "sum = 1000000 MiB/s",
                    "sum = 1500000 ops/s",
                ],
            ),
            (
                r#"{"Bits":64}"#,
                estimates,
                "cycles",
                &["sum = 2 cycles", "sum = 4 bytes/cycles"],
            ),
            ("null", estimates, "", &["sum = 2 ns", NANOSECONDS]),
            (
                "null",
                r#"{"median":{"point_estimate":-250.0}}"#,
                "ns",
                &["a figure is out of range: -2.5e2 ns"],
            ),
            (
                "null",
                r#"{"iters":[100.0,400.0],"times":[33900.0,29400.0,1e5]}"#,
                "ns",
                &["neither estimates of times nor samples"],
            ),
        ] {
            assert_eq!(
                read(&of(throughput), figures, &raw(unit)),
                expected,
                "{figures} in {unit}"
            );
        }
    }
}
