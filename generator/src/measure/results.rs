//! Results files of a program in a step, in its folder, with names such as `run-007-measure.csv`.

use super::program::Program;
use super::suite::Suite;
use crate::base::console::quietly;
use crate::base::failure;
use crate::files::{create_folder, file_name, is_file, is_folder, walk, write_via};
use crate::model::observation::{Observation, Value};
use crate::parse::load::{self, Loaded};
use crate::parse::{histogram, tidy};
use anyhow::Result;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

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
    quietly(|| load::files(&paths))
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
    pub(crate) fn of(path: &Path) -> Option<Self> {
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

/// Reads the results files in a program's folder.
pub(crate) fn read(folder: &Path) -> failure::Result<Vec<Loaded>> {
    let paths = paths(folder)?;
    quietly(|| load::files(&paths))
}

/// Whether a program was counted before.
pub(super) fn has_counts(folder: &Path) -> Result<bool> {
    let paths = paths(folder)?;
    let mut names = paths.iter().filter_map(|path| FileName::of(path));
    Ok(names.any(|name| name.suite.is_counted()))
}

fn paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = match is_folder(folder)? {
        true => walk(folder)?,
        false => Vec::new(),
    };
    paths.retain(|path| FileName::of(path).is_some());
    Ok(paths)
}
