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
use crate::parse::tables::record;
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

const BENCHMARK: &str = r#"{"group_id":"#;
const SAMPLES: &str = r#"{"sampling_mode":"#;
const ESTIMATES: &str = r#"{"mean":{"confidence_interval":"#;

/// What is assumed without a raw.csv.
pub(crate) const NANOSECONDS: &str = "the folder of criterion does not say its unit, which is taken to be ns; \
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

pub(in crate::parse) fn parse(text: &str, out: &mut Collector) {
    let read = match starts_with(text, BENCHMARK) {
        true => read(text).map_err(|error| error.to_string()),
        false => Err("there is no benchmark.json beside it, which names the benchmark".to_owned()),
    };
    let Some((benchmark, figures, symbol)) = out.check(read) else {
        return;
    };
    let symbol = symbol.filter(|symbol| !symbol.is_empty());
    if symbol.is_none() {
        out.note(NANOSECONDS);
    }
    // For criterion, less is better whatever is measured.
    let (unit, factor) = Unit::directed(symbol.as_deref().unwrap_or("ns"), Better::Lower);
    let Some(figure) = out.check(figures.median()) else {
        return;
    };
    let base = figure * factor;
    out.benchmark(&benchmark.full_id, unit.clone(), base);
    for (what, amount) in benchmark.throughput.iter().flatten() {
        // `{"ElementsAndBytes": {"elements": 3, "bytes": 1024}}`
        let both = amount.as_object().into_iter().flatten();
        let both = both.map(|(what, amount)| (what.as_str(), amount));
        for (what, amount) in both.chain([(what.as_str(), amount)]) {
            let (rate, what, factor) = match what {
                "Bytes" | "BytesDecimal" | "bytes" => (Unit::Throughput, "bytes", 1.0),
                "Bits" => (Unit::Throughput, "bytes", 0.125),
                "Elements" | "elements" => (Unit::Rate, "elements", 1.0),
                _ => continue,
            };
            let rate = match unit {
                Unit::Time => rate,
                _ => Unit::directed(&format!("{what}/{unit}"), Better::Higher).0,
            };
            let amount = finite(amount.as_f64().unwrap_or(f64::NAN), "throughput");
            if let Some(amount) = out.check(amount) {
                out.benchmark(&benchmark.full_id, rate, amount * factor / base);
            }
        }
    }
}

/// Reads both files and, after them, the unit in quotation marks.
fn read(text: &str) -> serde_json::Result<(Benchmark, Figures, Option<String>)> {
    let mut documents = serde_json::Deserializer::from_str(text);
    let benchmark = Benchmark::deserialize(&mut documents)?;
    let figures = Figures::deserialize(&mut documents)?;
    let unit = documents.into_iter().next().transpose()?;
    Ok((benchmark, figures, unit))
}

impl Figures {
    /// The median as estimated, or of the samples.
    fn median(&self) -> Result<f64, String> {
        if let (Some(median), Some(_)) = (&self.median, &self.std_dev) {
            return finite(median.point_estimate, "median");
        } else if self.iters.is_empty() || self.iters.len() != self.times.len() {
            return Err("neither estimates of times nor samples".to_owned());
        }
        let pairs = self.times.iter().zip(&self.iters);
        let each = pairs.map(|(time, n)| finite(time / n, "a sample"));
        let mut each: Vec<f64> = each.collect::<Result<_, _>>()?;
        each.sort_by(f64::total_cmp);
        let middle = each.len() / 2;
        Ok((each[(each.len() - 1) / 2] + each[middle]) / 2.0)
    }
}

/// Whether a file is called like those with figures.
pub(crate) fn has_figures(path: &Path) -> bool {
    FIGURES.iter().any(|name| path.ends_with(name))
}

/// A file with figures as one text with those beside it that name the benchmark and the unit, and the
/// folder that criterion wrote to.
pub(crate) fn joined(path: &Path, figures: &[u8]) -> failure::Result<Option<(PathBuf, Vec<u8>)>> {
    let beside = |name: &str, limit| files::read_limited(&path.with_file_name(name), limit);
    let Some(benchmark) = beside("benchmark.json", limits::TEXT)?.filter(|_| has_figures(path))
    else {
        return Ok(None);
    };
    let raw = beside("raw.csv", limits::FILE)?.unwrap_or_default();
    let raw = String::from_utf8_lossy(&raw);
    let (heading, length) = record(&raw, b',');
    let (first, _) = record(&raw[length..], b',');
    let mut cells = heading.iter().zip(&first);
    let unit = cells.find(|(column, _)| *column == "unit");
    let unit = serde_json::Value::from(unit.map_or("", |(_, unit)| unit)).to_string();
    // It is above the folders of the benchmark and of the baseline. What is wrong with the benchmark is
    // reported when it is parsed.
    let read: Result<Benchmark, _> = serde_json::from_slice(&benchmark);
    let depth = read.map_or(0, |read| read.directory_name.split('/').count());
    let root = path.ancestors().nth(depth + 2).unwrap_or(path);
    let text = [&benchmark, figures, unit.as_bytes()].join(&b'\n');
    Ok(Some((root.to_owned(), text)))
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
pub(crate) struct Results {
    /// Each with the file to read.
    folders: HashMap<PathBuf, PathBuf>,
    /// The folders above them.
    above: HashSet<PathBuf>,
    /// The baselines to read.
    wanted: HashSet<String>,
}

impl Results {
    /// Finds the results among `all` files. `baseline` is read, or the executions `baseline-1`,
    /// `baseline-2` … if there is no such baseline; by default the latest execution.
    pub(crate) fn of(all: &[PathBuf], baseline: Option<&str>) -> Self {
        let known: HashSet<&Path> = all.iter().map(PathBuf::as_path).collect();
        let mut folders = HashMap::new();
        for path in all.iter().filter(|path| path.ends_with("benchmark.json")) {
            let mut figures = FIGURES.iter().map(|name| path.with_file_name(name));
            if let Some(figures) = figures.find(|path| known.contains(&**path)) {
                folders.insert(path.with_file_name(""), figures);
            }
        }
        let latest = baseline.unwrap_or(LATEST);
        let mut wanted = HashSet::from([latest.to_owned()]);
        let names: Vec<String> = folders.keys().map(|folder| file_name(folder)).collect();
        if baseline.is_some() && names.iter().all(|name| name != latest) {
            wanted = names.into_iter().collect();
            wanted.retain(|name| {
                let number = name
                    .strip_prefix(latest)
                    .and_then(|rest| rest.strip_prefix('-'));
                number.is_some_and(is_integer)
            });
        }
        let above = folders.keys().flat_map(|folder| folder.ancestors());
        Self {
            above: above.map(Path::to_owned).collect(),
            folders,
            wanted,
        }
    }

    pub(crate) fn are_any(&self) -> bool {
        !self.folders.is_empty()
    }

    /// The names of all baselines.
    pub(crate) fn baselines(&self) -> Vec<String> {
        let names = self.folders.keys().map(|folder| file_name(folder));
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Whether a wanted baseline is there.
    pub(crate) fn has_wanted(&self) -> bool {
        self.folders.keys().any(|folder| self.is_wanted(folder))
    }

    fn is_wanted(&self, folder: &Path) -> bool {
        self.wanted.contains(&file_name(folder))
    }

    /// Whether a file is left out: it is in the folder of another baseline, has no figures, or belongs
    /// to criterion's comparisons and pages.
    pub(crate) fn leaves_out(&self, path: &Path) -> bool {
        let folder = path.parent().unwrap_or(path);
        if let Some(read) = self.folders.get(folder) {
            return read != path || !self.is_wanted(folder);
        }
        let is_own = |above: &Path| above.ends_with("report") || above.ends_with("change");
        let mut others = path
            .ancestors()
            .filter(|above| !self.above.contains(*above));
        self.are_any() && others.any(is_own)
    }
}

/// A positive figure; `what` names it in messages.
fn finite(figure: f64, what: &str) -> Result<f64, String> {
    match figure > 0.0 && figure.is_finite() {
        true => Ok(figure),
        false => Err(format!(
            "{what}: a figure must be positive and finite, not {figure}"
        )),
    }
}
