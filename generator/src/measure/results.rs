//! What was measured so far, and its files: of each program in a step one or two, in the program's
//! folder, with names such as `run-007-measure.csv`.

use super::program::Program;
use super::suite::Suite;
use crate::base::console::quietly;
use crate::base::failure;
use crate::files::{create_folder, file_name, is_file, is_folder, walk, write_via};
use crate::model::observation::{Observation, Value};
use crate::model::scenario::Scenario;
use crate::parse::load::{self, Digests, Loaded};
use crate::parse::{histogram, tidy};
use anyhow::Result;
use clap::ValueEnum;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// After this many failures, a program is not tried again in a scenario.
pub(crate) const MAX_FAILURES: u32 = 3;

/// Everything that was measured into a report so far.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) files: Vec<Loaded>,
    /// Scenarios by results folder, run and whether they were counted or timed: a timed scenario may
    /// still have to be counted.
    done: HashSet<(String, u32, bool, Scenario)>,
    /// Failures by program and scenario.
    failures: HashMap<(usize, Scenario), u32>,
}

impl Results {
    /// Reads the results of the programs with these IDs.
    pub(crate) fn read(out: &Path, ids: &[String]) -> failure::Result<Self> {
        let mut results = Self::default();
        for id in ids {
            let paths = paths(&out.join(id))?;
            for file in quietly(|| load::files(&paths, Digests::Small))? {
                results.add(id, file);
            }
        }
        Ok(results)
    }

    pub(crate) fn add(&mut self, id: &str, file: Loaded) {
        if let Some(name) = FileName::of(&file.path) {
            for row in &file.parsed.observations {
                self.done.insert(key(id, name, &row.scenario));
            }
        }
        self.files.push(file);
    }

    /// Whether a program has measured a scenario.
    pub(super) fn have(&self, id: &str, name: FileName, scenario: &Scenario) -> bool {
        self.done.contains(&key(id, name, scenario))
    }

    /// Notes that a program failed in a scenario. Returns how often it has.
    pub(crate) fn fail(&mut self, program: usize, scenario: Scenario) -> u32 {
        let failures = self.failures.entry((program, scenario)).or_default();
        *failures += 1;
        *failures
    }

    /// Whether a program has failed too often in a scenario.
    pub(crate) fn is_given_up(&self, program: usize, scenario: &Scenario) -> bool {
        self.failures.get(&(program, scenario.clone())) >= Some(&MAX_FAILURES)
    }
}

/// The key of a scenario as it is requested: without side and percentile.
fn key(id: &str, name: FileName, scenario: &Scenario) -> (String, u32, bool, Scenario) {
    let requested = Scenario {
        side: None,
        percentile: None,
        ..scenario.clone()
    };
    (id.to_owned(), name.run, name.suite.is_counted(), requested)
}

/// Writes what a program measured to new files, and reads them.
pub(super) fn write(
    mut rows: Vec<Observation>,
    out: &Path,
    program: &Program,
    name: FileName,
    scratch: &Path,
) -> failure::Result<Vec<Loaded>> {
    let folder = out.join(&program.id);
    create_folder(&folder)?;
    let stem = name.new_stem(&folder)?;
    let mut paths = Vec::new();
    let mut write = |extension: &str, text: String| {
        let path = folder.join(format!("{stem}.{extension}"));
        // Via the scratch folder, whose removal also cleans up after a kill.
        let written = write_via(scratch, &path, text.as_bytes());
        paths.push(path);
        written
    };
    let mut histograms = Vec::new();
    for row in &rows {
        if let Value::Distribution(times) = &row.value {
            histograms.push((&*row.scenario, &**times, row.caveat.as_slice()));
        }
    }
    if !histograms.is_empty() {
        let parts = histograms.into_iter();
        write("hlog", histogram::write(&program.identity, parts))?;
    }
    rows.retain(|row| !matches!(row.value, Value::Distribution(_)));
    if !rows.is_empty() {
        write("csv", tidy::write(&rows))?;
    }
    quietly(|| load::files(&paths, Digests::Small))
}

/// Name of a results file: `run-007-measure.csv`, `run-007-pq-2.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileName {
    /// From 1.
    pub(crate) run: u32,
    pub(crate) suite: Suite,
}

impl FileName {
    /// Parses the name of a path; `None` for other files.
    fn of(path: &Path) -> Option<Self> {
        let name = file_name(path);
        let mut words = name.strip_prefix("run-")?.split(['-', '.']);
        let (run, suite) = (words.next()?, words.next()?);
        match (run.parse(), Suite::from_str(suite, false)) {
            (Ok(run), Ok(suite)) => Some(Self { run, suite }),
            _ => None,
        }
    }

    /// Returns the first unused name in the folder, without extension.
    fn new_stem(self, folder: &Path) -> Result<String> {
        let first = format!("run-{:03}-{}", self.run, self.suite.word());
        let mut stem = first.clone();
        let mut again = 2;
        while is_file(&folder.join(format!("{stem}.csv")))?
            || is_file(&folder.join(format!("{stem}.hlog")))?
        {
            stem = format!("{first}-{again}");
            again += 1;
        }
        Ok(stem)
    }
}

/// Whether a program was counted before.
pub(super) fn has_counts(folder: &Path) -> Result<bool> {
    let paths = paths(folder)?;
    let mut names = paths.iter().filter_map(|path| FileName::of(path));
    Ok(names.any(|name| name.suite.is_counted()))
}

/// Lists the results files in a program's folder.
fn paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = match is_folder(folder)? {
        true => walk(folder)?,
        false => Vec::new(),
    };
    paths.retain(|path| FileName::of(path).is_some());
    Ok(paths)
}
