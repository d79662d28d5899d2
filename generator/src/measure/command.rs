//! Runs any command in the folder of a side, and reads the figures that it prints or leaves.

use super::process::{self, Stop};
use super::side::Side;
use super::tail;
use crate::base::console::quietly;
use crate::base::failure::{self, Failure};
use crate::files::{create_folder, file_name, is_folder, remove, walk, write};
use crate::model::distribution::Distribution;
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::Unit;
use crate::parse::load::{self, Loaded};
use crate::parse::{Parsed, tidy};
use crate::stats::{Estimator, Sample};
use anyhow::{Context, Result};
use std::collections::HashMap;
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
        let last = indented(&tail(&String::from_utf8_lossy(&printed), SHOWN));
        if !ended.status.success() {
            return Err(format!("{}{last}", ended.status).into());
        }
        let read = self.criterion(&left, &before).and_then(|mut files| {
            if files.is_empty() && ended.output.iter().all(u8::is_ascii_whitespace) {
                let what = "it printed no figures, and left none in target/criterion";
                return Err(Failure::at(&side.name, 0, what));
            }
            if files.is_empty() {
                files.push(load::bytes("standard output", &ended.output)?);
            }
            Ok(files)
        });
        match read {
            Ok(files) => Ok(joined(files)?),
            Err(failure @ Failure::BadInput(_)) => Err(format!("{failure}{last}").into()),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Reads the results of criterion that are new.
    fn criterion(
        &self,
        left: &Path,
        before: &HashMap<PathBuf, SystemTime>,
    ) -> failure::Result<Vec<Loaded>> {
        for (root, before) in [(&*self.criterion, &HashMap::new()), (left, before)] {
            let now = times(root)?;
            let is_old = |path: &Path| now.get(path) == before.get(path);
            let has_figures = |path: &PathBuf| {
                !is_old(path) && ["estimates.json", "sample.json"].contains(&&*file_name(path))
            };
            if now.keys().any(has_figures) {
                let found = walk(root)?;
                return quietly(|| load::folder(root, &found, is_old, None));
            }
        }
        Ok(Vec::new())
    }
}

/// Returns when each file below a folder was modified.
fn times(folder: &Path) -> Result<HashMap<PathBuf, SystemTime>> {
    let files = match is_folder(folder)? {
        true => walk(folder)?,
        false => Vec::new(),
    };
    let timed = files.into_iter().map(|path| {
        let time = path.metadata().and_then(|metadata| metadata.modified());
        let time = time.with_context(|| format!("cannot look at {}", path.display()))?;
        Ok((path, time))
    });
    timed.collect()
}

fn indented(lines: &str) -> String {
    let lines = lines.lines().map(|line| format!("\n  {line}"));
    lines.collect()
}

/// The values of a scenario in one run.
#[derive(Default)]
struct Values {
    numbers: Vec<f64>,
    distribution: Option<Distribution>,
}

/// Makes one row of each scenario and unit: if a run has several values, their median is the figure
/// of the run. Fails if they are of several implementations.
fn joined(files: Vec<Loaded>) -> Result<Parsed, String> {
    let mut named: Vec<Arc<Implementation>> = Vec::new();
    let mut rows: Vec<(Observation, Values)> = Vec::new();
    let mut places: HashMap<(Arc<Scenario>, Unit), usize> = HashMap::new();
    let mut notes = Vec::new();
    for file in files {
        notes.extend(file.parsed.notes);
        for row in file.parsed.observations {
            named.extend(row.implementation.clone().filter(|i| !named.contains(i)));
            let key = (Arc::clone(&row.scenario), row.unit.clone());
            let place = *places.entry(key).or_insert(rows.len());
            if place == rows.len() {
                rows.push((row.clone(), Values::default()));
            }
            match row.value {
                Value::Number(value) => rows[place].1.numbers.push(value),
                Value::Distribution(more) => {
                    let all = &mut rows[place].1.distribution;
                    all.get_or_insert_default().merge(&more);
                }
                Value::Unsupported(_) => {}
            }
        }
    }
    if let [one, other, ..] = &named[..] {
        return Err(format!(
            "its figures are of several implementations, {one} and {other}: measure each with a command of its own"
        ));
    }
    Ok(Parsed {
        observations: rows
            .into_iter()
            .flat_map(|(row, v)| figures(row, v))
            .collect(),
        notes,
    })
}

fn figures(row: Observation, values: Values) -> Vec<Observation> {
    let mut figures = Vec::new();
    if let Some(distribution) = values.distribution {
        for percentile in Percentile::ALL {
            figures.extend(distribution.at(*percentile).map(|value| Observation {
                scenario: Arc::new(row.scenario.at(*percentile)),
                value: Value::Number(value),
                ..row.clone()
            }));
        }
        return figures;
    }
    let median = Sample::new(values.numbers).map(|sample| sample.estimate(Estimator::Median));
    figures.push(Observation {
        value: median.map_or(row.value.clone(), Value::Number),
        ..row
    });
    figures
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
pub(crate) fn saved(out: &Path, side: &Side) -> failure::Result<Vec<(u32, Loaded)>> {
    let folder = out.join(&side.name);
    let paths = match is_folder(&folder)? {
        true => walk(&folder)?,
        false => Vec::new(),
    };
    let mut runs = Vec::new();
    let mut files = Vec::new();
    for path in paths {
        let name = file_name(&path);
        let number = name
            .strip_prefix("run-")
            .and_then(|n| n.strip_suffix(".csv"));
        if let Some(Ok(run)) = number.map(str::parse) {
            runs.push(run);
            files.push(path);
        }
    }
    let loaded = quietly(|| load::files(&files))?;
    Ok(runs.into_iter().zip(loaded).collect())
}
