//! Results files of a program in a step, in its folder, with names such as `run-007-measure.csv`.

use super::program::Program;
use super::suite::Suite;
use crate::base::console::quietly;
use crate::base::failure;
use crate::files::{create_folder, file_name, is_file, is_folder, walk, write_via};
use crate::model::observation::{Observation, Value};
use crate::parse::load::{self, Loaded};
use crate::parse::{Parsed, histogram, tidy};
use anyhow::Result;
use clap::ValueEnum;
use std::path::Path;

/// Writes what a program measured to new files, and returns it as if it had been read.
pub(super) fn write(
    rows: Vec<Observation>,
    out: &Path,
    program: &Program,
    name: FileName,
    scratch: &Path,
) -> Result<Loaded> {
    let folder = out.join(&program.id);
    create_folder(&folder)?;
    let stem = name.new_stem(&folder)?;
    // Via the scratch folder, whose removal also cleans up after a kill.
    let path = |extension: &str| folder.join(format!("{stem}.{extension}"));
    let (mut histograms, mut figures) = (Vec::new(), Vec::new());
    for row in rows.iter() {
        match &row.value {
            Value::Distribution(times) => {
                histograms.push((&*row.scenario, &**times, row.caveat.as_slice()));
            }
            _ => figures.push(row.clone()),
        }
    }
    if !histograms.is_empty() {
        let text = histogram::write(&program.identity, histograms);
        write_via(scratch, &path("hlog"), text.as_bytes())?;
    }
    if !figures.is_empty() {
        write_via(scratch, &path("csv"), tidy::write(&figures).as_bytes())?;
    }
    Ok(Loaded {
        path: path("csv"),
        named_by: path("csv"),
        parsed: Parsed {
            observations: rows,
            notes: Vec::new(),
        },
        digest: None,
    })
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
    let mut paths = match is_folder(folder)? {
        true => walk(folder)?,
        false => Vec::new(),
    };
    paths.retain(|path| FileName::of(path).is_some());
    quietly(|| load::files(&paths))
}
