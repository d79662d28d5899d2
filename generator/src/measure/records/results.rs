//! What was measured so far, and its files: of each program in a step one or two, in the program's
//! folder, with names such as `run-007-measure.csv`; of a command one a run, as in `run-007.csv`.

use crate::base::console::quietly;
use crate::base::failure;
use crate::files::{self, create_folder, file_name, is_file, is_folder, walk};
use crate::measure::suite::Suite;
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::Scenario;
use crate::parse::load::{self, Digests, Loaded};
use crate::parse::{histogram, tidy};
use anyhow::Result;
use clap::ValueEnum;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// After this many failures, a program is not tried again in a scenario.
pub(crate) const MAX_FAILURES: u32 = 3;

type Key = (usize, u32, bool, Option<Scenario>);

/// Everything that was measured into a report so far. Programs, or the sides of a command, are
/// numbers here.
#[derive(Debug, Default)]
pub(crate) struct Results {
    files: BTreeMap<(usize, PathBuf), Loaded>,
    /// Scenarios by program, run and whether they were counted or timed: a timed scenario may still
    /// have to be counted. None of a command, whose scenarios are not known before it runs.
    done: HashSet<Key>,
    /// Failures by program and scenario.
    failures: HashMap<(usize, Scenario), u32>,
}

impl Results {
    /// Reads the results in the folders with these IDs.
    pub(crate) fn read(out: &Path, ids: &[String]) -> failure::Result<Self> {
        let mut results = Self::default();
        for (program, id) in ids.iter().enumerate() {
            results.add(program, load(&paths(&out.join(id))?)?);
        }
        Ok(results)
    }

    pub(crate) fn add(&mut self, program: usize, files: Vec<Loaded>) {
        for file in files {
            if let Some(name) = FileName::parse(&file.path) {
                for row in &file.parsed.observations {
                    self.done.insert(name.key(program, Some(&row.scenario)));
                }
            }
            self.files.insert((program, file.path.clone()), file);
        }
    }

    /// The files, in the order of programs and runs.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Loaded> {
        self.files.values()
    }

    /// Whether a program has measured a scenario, or a side has had its run.
    pub(crate) fn have(&self, program: usize, name: FileName, scenario: Option<&Scenario>) -> bool {
        self.done.contains(&name.key(program, scenario))
    }

    /// Whether a program has any results.
    pub(crate) fn have_any(&self, program: usize) -> bool {
        self.files.keys().any(|(of, _)| *of == program)
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

fn load(paths: &[PathBuf]) -> failure::Result<Vec<Loaded>> {
    quietly(|| load::files(paths, Digests::Small))
}

/// Writes what `identity` measured to new files in its folder, and reads them.
pub(crate) fn write(
    mut rows: Vec<Observation>,
    folder: &Path,
    identity: &Arc<Implementation>,
    name: FileName,
) -> failure::Result<Vec<Loaded>> {
    for row in &mut rows {
        row.implementation = Some(Arc::clone(identity));
        row.run = name.run - 1;
    }
    create_folder(folder)?;
    let stem = name.new_stem(folder)?;
    let mut written = Vec::new();
    let mut write = |extension: &str, text: String| {
        written.push(folder.join(format!("{stem}.{extension}")));
        files::write(&written[written.len() - 1], text.as_bytes())
    };
    let mut histograms = Vec::new();
    for row in &rows {
        if let Value::Distribution(times) = &row.value {
            histograms.push((&*row.scenario, &**times, row.caveat.as_slice()));
        }
    }
    if !histograms.is_empty() {
        write("hlog", histogram::write(identity, histograms))?;
    }
    rows.retain(|row| !matches!(row.value, Value::Distribution(_)));
    if !rows.is_empty() {
        write("csv", tidy::write(&rows))?;
    }
    load(&written)
}

/// Name of a results file: `run-007-measure.csv`, `run-007-pq-2.csv`, `run-007.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileName {
    /// From 1.
    pub(crate) run: u32,
    /// `None` of a command.
    pub(crate) suite: Option<Suite>,
}

impl FileName {
    /// Parses the name of a path; `None` for other files.
    fn parse(path: &Path) -> Option<Self> {
        let name = file_name(path);
        let (stem, _) = name.strip_prefix("run-")?.split_once('.')?;
        let mut words = stem.split('-');
        let run = words.next()?.parse();
        let suite = words.next().map(|word| Suite::from_str(word, false));
        match (run, suite.transpose()) {
            (Ok(run), Ok(suite)) => Some(Self { run, suite }),
            _ => None,
        }
    }

    /// The key of a scenario as it is requested: without side and percentile.
    fn key(self, program: usize, scenario: Option<&Scenario>) -> Key {
        let scenario = scenario.filter(|_| self.suite.is_some());
        let requested = scenario.map(|scenario| Scenario {
            side: None,
            percentile: None,
            ..scenario.clone()
        });
        (program, self.run, self.is_counted(), requested)
    }

    fn is_counted(self) -> bool {
        self.suite.is_some_and(Suite::is_counted)
    }

    /// Returns the first unused name in the folder, without extension.
    fn new_stem(self, folder: &Path) -> Result<String> {
        let mut first = format!("run-{:03}", self.run);
        first.extend(self.suite.map(|suite| format!("-{}", suite.word())));
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
pub(in crate::measure) fn has_counts(folder: &Path) -> Result<bool> {
    let paths = paths(folder)?;
    let mut names = paths.iter().filter_map(|path| FileName::parse(path));
    Ok(names.any(FileName::is_counted))
}

/// Lists the results files in a folder.
fn paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = match is_folder(folder)? {
        true => walk(folder)?,
        false => Vec::new(),
    };
    paths.retain(|path| FileName::parse(path).is_some());
    Ok(paths)
}
