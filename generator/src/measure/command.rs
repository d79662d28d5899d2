//! Runs any command in the folder of a side, and reads the figures that it prints or leaves.

use super::process::{self, Stop};
use super::side::Side;
use super::tail;
use crate::base::console::quietly;
use crate::base::failure::{Failure, Result};
use crate::files::{create_folder, file_name, is_folder, remove, walk, write};
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::Percentile;
use crate::parse::load::{self, Loaded};
use crate::parse::{Parsed, tidy};
use crate::stats::{Estimator, Sample};
use anyhow::Context as _;
use std::collections::{BTreeMap, HashMap};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A command to measure.
#[derive(Clone, Debug)]
pub(crate) struct Benchmark {
    /// A line for bash.
    pub(crate) line: String,
    pub(crate) timeout: Duration,
    /// Where criterion writes, instead of into the user's `target` folder.
    pub(crate) criterion: PathBuf,
}

/// Lines of a failed command's output to show.
const SHOWN: usize = 10;

/// Name of what it prints, in messages.
const OUTPUT: &str = "standard output";

impl Benchmark {
    /// Runs the command once. Its figures are those of criterion, if it wrote any, else what it
    /// printed.
    pub(crate) fn run(&self, side: &Side) -> Result<Parsed, Stop> {
        remove(&self.criterion)?;
        let left = side.folder.join("target/criterion");
        let before = times(&left)?;
        let mut command = Command::new("bash");
        command
            .args(["-euo", "pipefail", "-c", &self.line])
            .current_dir(&side.folder)
            .env("CRITERION_HOME", &self.criterion)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // In a folder that sides share, cargo would take the build of one for that of another.
        if let Some(shared) = env::var_os("CARGO_TARGET_DIR") {
            command.env("CARGO_TARGET_DIR", Path::new(&shared).join(&side.name));
        }
        let ended = process::run(&mut command, self.timeout)?;
        let printed = [&ended.errors[..], &ended.output].concat();
        let mut last = String::new();
        for line in tail(&String::from_utf8_lossy(&printed), SHOWN).lines() {
            last += &format!("\n  {line}");
        }
        if !ended.status.success() {
            return Err(format!("{}{last}", ended.status).into());
        }
        let read = self.read(&left, &before, &ended.output);
        match read.and_then(one_row_each) {
            Err(failure @ Failure::BadInput(_)) => Err(format!("{failure}{last}").into()),
            rows => Ok(rows?),
        }
    }

    /// Reads the figures that criterion wrote, if any, else those that were printed. A script may have
    /// written criterion's into `left`, without those that were there `before`.
    fn read(&self, left: &Path, before: &Times, printed: &[u8]) -> Result<Vec<Loaded>> {
        for (folder, before) in [(&*self.criterion, &Times::new()), (left, before)] {
            let now = times(folder)?;
            let is_old = |path: &Path| now.get(path) == before.get(path);
            let has_figures = |path: &PathBuf| {
                !is_old(path) && ["estimates.json", "sample.json"].contains(&&*file_name(path))
            };
            if now.keys().any(has_figures) {
                let files: Vec<PathBuf> = now.keys().cloned().collect();
                return quietly(|| load::folder(folder, &files, is_old, None));
            }
        }
        if printed.trim_ascii().is_empty() {
            let what = "it printed no figures, and left none in target/criterion";
            return Err(Failure::at(OUTPUT, 0, what));
        }
        Ok(vec![load::bytes(OUTPUT, printed)?])
    }
}

/// When files were modified.
type Times = BTreeMap<PathBuf, SystemTime>;

/// Returns the times of all files below a folder; nothing without the folder.
fn times(folder: &Path) -> Result<Times> {
    let mut times = Times::new();
    if is_folder(folder)? {
        for path in walk(folder)? {
            let time = path.metadata().and_then(|metadata| metadata.modified());
            let time = time.with_context(|| format!("cannot look at {}", path.display()))?;
            times.insert(path, time);
        }
    }
    Ok(times)
}

/// Makes one row of each scenario and unit: if a run has several values, their median is the figure
/// of the run. Fails if they are of several implementations.
fn one_row_each(files: Vec<Loaded>) -> Result<Parsed> {
    let mut joined = Parsed::default();
    let mut values: Vec<Vec<f64>> = Vec::new();
    let mut places = HashMap::new();
    let mut named: Vec<Arc<Implementation>> = Vec::new();
    for file in files {
        joined.notes.extend(file.parsed.notes);
        for row in file.parsed.observations.into_iter().flat_map(numbers) {
            named.extend(row.implementation.clone().filter(|i| !named.contains(i)));
            let key = (Arc::clone(&row.scenario), row.unit.clone());
            let place = *places.entry(key).or_insert(values.len());
            if place == values.len() {
                values.push(Vec::new());
                joined.observations.push(row.clone());
            }
            if let Value::Number(value) = row.value {
                values[place].push(value);
            }
        }
    }
    if let [one, other, ..] = &named[..] {
        let message = format!(
            "its figures are of several implementations, {one} and {other}: measure each with a command of its own"
        );
        return Err(Failure::at(OUTPUT, 0, message));
    }
    for (row, values) in joined.observations.iter_mut().zip(values) {
        if let Some(sample) = Sample::new(values) {
            row.value = Value::Number(sample.estimate(Estimator::Median));
        }
    }
    Ok(joined)
}

/// Returns the percentiles of a histogram, and other rows as they are.
fn numbers(row: Observation) -> Vec<Observation> {
    let Value::Distribution(times) = &row.value else {
        return vec![row];
    };
    let at = |percentile: &Percentile| {
        let value = Value::Number(times.at(*percentile)?);
        let scenario = Arc::new(row.scenario.at(*percentile));
        Some(Observation {
            scenario,
            value,
            ..row.clone()
        })
    };
    Percentile::ALL.iter().filter_map(at).collect()
}

/// Writes the figures of a run, counted from 1, and returns them as if they had been read.
pub(crate) fn save(out: &Path, side: &Side, run: u32, mut rows: Parsed) -> Result<Loaded> {
    let named = Arc::new(Implementation::new(&side.name, "", &[]));
    for row in &mut rows.observations {
        row.implementation = Some(Arc::clone(&named));
        row.run = run - 1;
    }
    let folder = out.join(&side.name);
    create_folder(&folder)?;
    let path = folder.join(format!("run-{run:03}.csv"));
    write(&path, tidy::write(&rows.observations).as_bytes())?;
    Ok(Loaded {
        named_by: path.clone(),
        path,
        parsed: rows,
        digest: None,
    })
}

/// Returns the runs of a side so far, with their figures.
pub(crate) fn saved(out: &Path, side: &Side) -> Result<Vec<(u32, Loaded)>> {
    let folder = out.join(&side.name);
    let (mut runs, mut files) = (Vec::new(), Vec::new());
    if is_folder(&folder)? {
        for path in walk(&folder)? {
            let name = file_name(&path);
            let run = name.strip_prefix("run-");
            let run = run.and_then(|name| name.strip_suffix(".csv"));
            if let Some(Ok(run)) = run.map(str::parse) {
                runs.push(run);
                files.push(path);
            }
        }
    }
    let loaded = quietly(|| load::files(&files))?;
    Ok(runs.into_iter().zip(loaded).collect())
}
