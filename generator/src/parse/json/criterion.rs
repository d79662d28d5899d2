//! criterion: `estimates.json`, or `sample.json` where it is alone, after the `benchmark.json` of
//! the same folder, which names the benchmark. The loader joins both files.
//!
//! ```text
//! target/criterion/encode_serde/1024/new/        benchmark.json, estimates.json, sample.json
//! target/criterion/encode_serde/1024/v1/         the same, after `--save-baseline v1`
//! ```
//!
//! A file is one run, one execution of `cargo bench`: criterion takes its samples within a few
//! seconds of one process, so they show less noise than there is between executions. The figure
//! is the median of the samples.
//!
//! Neither file says the unit, which is ns unless a program measures something of its own, such as
//! cycles. Then `raw.csv` beside them says it, which criterion 0.3 always writes and later versions with
//! the feature `csv_output`.

use super::prelude::*;
use crate::base::{failure, limits};
use crate::files::{self, file_name};
use anyhow::Context;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Files with figures, the best first.
const FIGURES: [&str; 2] = ["estimates.json", "sample.json"];

/// The baseline that each execution of `cargo bench` writes.
const LATEST: &str = "new";

#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
    directory_name: String,
    /// Bytes or elements of an iteration, or both.
    throughput: Option<BTreeMap<String, serde_json::Value>>,
}

/// Either of the files with figures.
#[derive(Deserialize)]
struct Figures {
    median: Option<Estimate>,
    /// Present among estimates of times, but not of changes.
    std_dev: Option<IgnoredAny>,
    /// Iterations of each sample, by `Linear` or `Flat` sampling alike.
    #[serde(default)]
    iters: Vec<f64>,
    /// Nanoseconds of each sample.
    #[serde(default)]
    times: Vec<f64>,
}

#[derive(Deserialize)]
struct Estimate {
    /// Nanoseconds.
    point_estimate: f64,
}

const BENCHMARK: &str = r#"{"group_id":"#;
const SAMPLES: &str = r#"{"sampling_mode":"#;
const ESTIMATES: &str = r#"{"mean":{"confidence_interval":"#;

/// What is assumed without a raw.csv.
const NANOSECONDS: &str = "the folder of criterion does not say its unit, which is taken to be ns; \
    with the feature `csv_output` it would";

pub(crate) fn recognise(text: &str) -> bool {
    let starts = [BENCHMARK, SAMPLES, ESTIMATES];
    starts.iter().any(|start| starts_with(text, start))
}

/// Whether JSON starts with `start`, ignoring whitespace.
fn starts_with(json: &str, start: &str) -> bool {
    let mut found = json.chars().filter(|c| !c.is_ascii_whitespace());
    start.chars().all(|c| found.next() == Some(c))
}

pub(in crate::parse) fn parse(text: &str, collector: &mut Collector) {
    let read = read(text, collector);
    collector.check(read);
}

fn read(text: &str, collector: &mut Collector) -> Result<(), String> {
    if !starts_with(text, BENCHMARK) {
        let message = "there is no benchmark.json beside it, which names the benchmark";
        return Err(message.to_owned());
    }
    let mut documents = serde_json::Deserializer::from_str(text);
    let invalid = |error: serde_json::Error| error.to_string();
    let benchmark = Benchmark::deserialize(&mut documents).map_err(invalid)?;
    let figures = Figures::deserialize(&mut documents).map_err(invalid)?;
    // After both, the unit in quotation marks.
    let unit = documents
        .into_iter::<String>()
        .next()
        .transpose()
        .map_err(invalid)?;
    let name = &benchmark.full_id;
    let figure = figures.figure()?;
    // For criterion, less is better whatever is measured.
    let symbol = unit.as_deref().filter(|symbol| !symbol.is_empty());
    if symbol.is_none() {
        collector.note(NANOSECONDS);
    }
    let (unit, factor) = Unit::directed(symbol.unwrap_or("ns"), Better::Lower);
    let base = finite(figure, "median")? * factor;
    collector.benchmark(name, unit.clone(), base);
    for (what, amount) in benchmark.throughput.iter().flatten() {
        // `{"ElementsAndBytes": {"elements": 3, "bytes": 1024}}`
        let both = amount.as_object().into_iter().flatten();
        let both = both.map(|(what, amount)| (what.as_str(), amount));
        for (what, amount) in both.chain([(what.as_str(), amount)]) {
            let (rate, factor) = match what {
                "Bytes" | "BytesDecimal" | "bytes" => (Unit::Throughput, 1.0),
                "Bits" => (Unit::Throughput, 0.125),
                "Elements" | "elements" => (Unit::Rate, 1.0),
                _ => continue,
            };
            let what = match rate {
                Unit::Rate => "elements",
                _ => "bytes",
            };
            let rate = match unit {
                Unit::Time => rate,
                _ => Unit::directed(&format!("{what}/{unit}"), Better::Higher).0,
            };
            let amount = finite(amount.as_f64().unwrap_or(f64::NAN), "throughput")?;
            collector.benchmark(name, rate, amount * factor / base);
        }
    }
    Ok(())
}

impl Figures {
    /// The median as estimated, or of the samples.
    fn figure(&self) -> Result<f64, String> {
        match (&self.median, &self.std_dev) {
            (Some(median), Some(_)) => Ok(median.point_estimate),
            (Some(_), None) if self.times.is_empty() => {
                Err("relative changes, not times".to_owned())
            }
            _ => median(&self.iters, &self.times),
        }
    }
}

/// The median time of an iteration.
fn median(iters: &[f64], times: &[f64]) -> Result<f64, String> {
    if iters.len() != times.len() {
        return Err(format!("{} iters and {} times", iters.len(), times.len()));
    } else if iters.is_empty() {
        return Err("neither estimates of times nor samples".to_owned());
    }
    let pairs = times.iter().zip(iters);
    let each = pairs.map(|(time, n)| finite(time / n, &format!("a sample of {time} ns / {n}")));
    let mut each: Vec<f64> = each.collect::<Result<_, _>>()?;
    each.sort_by(f64::total_cmp);
    let middle = each.len() / 2;
    Ok((each[(each.len() - 1) / 2] + each[middle]) / 2.0)
}

/// Whether a file is called like those with figures.
pub(crate) fn has_figures(path: &Path) -> bool {
    FIGURES.contains(&&*file_name(path))
}

/// Returns the file that names the benchmark of a file with figures.
pub(crate) fn benchmark(path: &Path) -> failure::Result<Option<Vec<u8>>> {
    match has_figures(path) {
        true => files::read_limited(&path.with_file_name("benchmark.json"), limits::TEXT),
        false => Ok(None),
    }
}

/// The unit of a file with figures, in JSON; empty if nothing says it.
pub(crate) fn unit(path: &Path) -> failure::Result<String> {
    let raw = path.with_file_name("raw.csv");
    let Some(bytes) = files::read_limited(&raw, limits::FILE)? else {
        return Ok("\"\"".to_owned());
    };
    let mut rows = csv::Reader::from_reader(&bytes[..]);
    let invalid = || files::cannot_read(&raw);
    let mut heading = rows.headers().with_context(invalid)?.iter();
    let column = heading.position(|name| name == "unit");
    let first = rows.records().next().transpose().with_context(invalid)?;
    let unit = first.as_ref().and_then(|first| first.get(column?));
    Ok(serde_json::Value::from(unit.unwrap_or_default()).to_string())
}

/// Keeps the first note that a unit is assumed: it is that of all benchmarks.
pub(crate) fn note_once<'a>(parsed: impl Iterator<Item = &'a mut super::Parsed>) {
    let mut is_first = true;
    for parsed in parsed {
        let is_known = |note: &failure::Diagnostic| note.message != NANOSECONDS;
        parsed
            .notes
            .retain(|note| is_known(note) || std::mem::take(&mut is_first));
    }
}

/// Returns the folder that criterion wrote to: above that of the benchmark and the baseline.
pub(crate) fn root<'a>(path: &'a Path, benchmark: &[u8]) -> &'a Path {
    let benchmark: Result<Benchmark, _> = serde_json::from_slice(benchmark);
    // What is wrong with the file is reported when it is parsed.
    let depth = benchmark.map_or(0, |b| b.directory_name.split('/').count());
    path.ancestors().nth(depth + 2).unwrap_or(path)
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

/// The folders of criterion's results among files: those of a benchmark and a baseline.
pub(crate) struct Results<'a> {
    /// Each with the file to read.
    folders: HashMap<&'a Path, &'a Path>,
    /// The folders with criterion's comparisons and pages.
    others: HashSet<PathBuf>,
    /// The baselines to read.
    wanted: HashSet<String>,
}

impl<'a> Results<'a> {
    pub(crate) fn are_any(&self) -> bool {
        !self.folders.is_empty()
    }

    /// Finds the results among `all` files. `baseline` is read, or the executions `baseline-1`,
    /// `baseline-2` … if there is no such baseline; by default the latest execution.
    pub(crate) fn of(all: &'a [PathBuf], baseline: Option<&str>) -> Self {
        let all: HashSet<&Path> = all.iter().map(PathBuf::as_path).collect();
        let result = |benchmark: &&'a Path| {
            let folder = benchmark.parent()?;
            let mut figures = FIGURES.iter().map(|name| folder.join(name));
            Some((folder, figures.find_map(|path| all.get(&*path).copied())?))
        };
        let named = all.iter().filter(|path| path.ends_with("benchmark.json"));
        let folders: HashMap<&Path, &Path> = named.filter_map(result).collect();
        let latest = baseline.unwrap_or(LATEST);
        let is_execution = |name: &String| {
            let number = name.strip_prefix(latest).and_then(|n| n.strip_prefix('-'));
            number.is_some_and(|n| n.parse::<u32>().is_ok())
        };
        let names = || folders.keys().map(|folder| file_name(folder));
        let wanted = match baseline.is_some() && names().all(|name| name != latest) {
            true => names().filter(is_execution).collect(),
            false => HashSet::from([latest.to_owned()]),
        };
        let mut others = HashSet::new();
        for folder in folders.keys() {
            others.extend(folder.ancestors().map(|above| above.join("report")));
            let Some(benchmark) = folder.parent() else {
                continue;
            };
            others.insert(benchmark.join("change"));
            // Above `GROUP/FUNCTION/VALUE`, the pages on the value of all functions.
            let group = benchmark.parent().and_then(Path::parent);
            if let (Some(group), Some(value)) = (group, benchmark.file_name()) {
                others.insert(group.join(value).join("report"));
            }
        }
        Self {
            others,
            folders,
            wanted,
        }
    }

    /// The names of all baselines.
    pub(crate) fn baselines(&self) -> Vec<String> {
        let names = self.folders.keys().map(|folder| file_name(folder));
        let names: BTreeSet<String> = names.collect();
        names.into_iter().collect()
    }

    /// Whether a wanted baseline is there.
    pub(crate) fn has_wanted(&self) -> bool {
        self.folders.keys().any(|folder| self.is_wanted(folder))
    }

    fn is_wanted(&self, folder: &Path) -> bool {
        self.wanted.contains(&file_name(folder))
    }

    /// Whether a file is left out: it is in the folder of another baseline, holds no figures or
    /// those of the file beside it, or belongs to criterion's comparisons and pages.
    pub(crate) fn leaves_out(&self, path: &Path) -> bool {
        let folder = path.parent().unwrap_or(path);
        if let Some(read) = self.folders.get(folder) {
            return *read != path || !self.is_wanted(folder);
        }
        path.ancestors().any(|above| self.others.contains(above))
    }
}
