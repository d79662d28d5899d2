//! Results files of a step, in its program's folder, with names such as `run-007-measure.csv`.

use super::latency::{self, Captured};
use super::program::Program;
use super::suite::Suite;
use crate::base::console::quietly;
use crate::base::failure;
use crate::files::{create_folder, file_name, is_file, is_folder, walk, write_via};
use crate::model::observation::Observation;
use crate::parse::load::{self, Loaded};
use crate::parse::tidy;
use anyhow::Result;
use clap::ValueEnum;
use std::path::Path;

/// Output of a step's processes.
#[derive(Default)]
pub(super) struct Results {
    pub(super) rows: Vec<Observation>,
    pub(super) histograms: Vec<Captured>,
}

impl Results {
    pub(super) fn with(mut self, more: Self) -> Self {
        self.rows.extend(more.rows);
        self.histograms.extend(more.histograms);
        self
    }

    /// Writes the results to new files.
    pub(super) fn write(
        &self,
        out: &Path,
        program: &Program,
        name: FileName,
        scratch: &Path,
    ) -> Result<()> {
        let folder = out.join(&program.id);
        create_folder(&folder)?;
        let stem = name.new_stem(&folder)?;
        // Via the scratch folder, whose removal also cleans up after a kill.
        let write = |extension: &str, text: String| {
            let path = folder.join(format!("{stem}.{extension}"));
            write_via(scratch, &path, text.as_bytes())
        };
        if !self.histograms.is_empty() {
            write("hlog", latency::log(&program.identity, &self.histograms))?;
        }
        if !self.rows.is_empty() {
            write("csv", tidy::write(&self.rows))?;
        }
        Ok(())
    }
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
pub(crate) fn read(folder: &Path) -> failure::Result<Vec<(FileName, Loaded)>> {
    let mut paths = match is_folder(folder)? {
        true => walk(folder)?,
        false => Vec::new(),
    };
    paths.retain(|path| FileName::of(path).is_some());
    let files = quietly(|| load::files(&paths))?.into_iter();
    Ok(files
        .filter_map(|file| Some((FileName::of(&file.path)?, file)))
        .collect())
}
