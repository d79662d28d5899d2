//! What was measured so far, and its files: of each program and suite one, in the program's folder,
//! such as `measure.csv`, with all runs; of a command `runs.csv`. Latencies have a file a run, such as
//! `run-007-latency.hlog`. The turns behind the rates are in hidden files, such as
//! `.measure-turns.csv`.

use crate::base::console::quietly;
use crate::base::failure::Result;
use crate::files::{self, create_folder, file_name, is_folder, read_optional, walk};
use crate::measure::suite::Suite;
use crate::measure::turns::rate::HEADING;
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::Scenario;
use crate::parse::load::{self, Digests, Loaded};
use crate::parse::{histogram, tidy};
use clap::ValueEnum;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A run, from 1, and one of its suites; `None` of a command.
pub(crate) type Part = (u32, Option<Suite>);

/// What was measured once: of a program, in a run, a scenario without side and percentile; none of a
/// command, whose scenarios are not known before it runs. A timed scenario may still have to be
/// counted, which the bool tells.
type Key = (usize, u32, bool, Option<Scenario>);

fn key(program: usize, (run, suite): Part, scenario: Option<&Scenario>) -> Key {
    let is_counted = suite.is_some_and(Suite::is_counted);
    let scenario = scenario.filter(|_| suite.is_some());
    let whole = scenario.map(|scenario| Scenario {
        side: None,
        percentile: None,
        ..scenario.clone()
    });
    (program, run, is_counted, whole)
}

/// Parses the name of a file; `None` for others. The run is 0 of a file with all of them.
fn part(path: &Path) -> Option<Part> {
    let name = file_name(path);
    let (run, word) = match name.split_once('.')? {
        (stem, "csv") => ("0", stem),
        (stem, "hlog") => stem.strip_prefix("run-")?.split_once('-')?,
        _ => return None,
    };
    let run = run.parse().into_iter().next()?;
    match Suite::from_str(word, false) {
        Ok(suite) => Some((run, Some(suite))),
        Err(_) => (word == COMMAND).then_some((run, None)),
    }
}

/// Name of the file of a command, which has no suites.
const COMMAND: &str = "runs";

/// Everything that was measured into a report so far. Programs, or the sides of a command, are
/// numbers here.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// Of each program.
    folders: Vec<PathBuf>,
    files: BTreeMap<(usize, PathBuf), Loaded>,
    done: HashSet<Key>,
}

impl Results {
    /// Reads the results in the folders with these IDs.
    pub(crate) fn read(out: &Path, ids: &[String]) -> Result<Self> {
        let mut results = Self {
            folders: ids.iter().map(|id| out.join(id)).collect(),
            ..Self::default()
        };
        for program in 0..ids.len() {
            if is_folder(&results.folders[program])? {
                let mut paths = walk(&results.folders[program])?;
                paths.retain(|path| part(path).is_some());
                results.load(program, &paths)?;
            }
        }
        Ok(results)
    }

    fn load(&mut self, program: usize, paths: &[PathBuf]) -> Result<()> {
        for file in quietly(|| load::files(paths, Digests::Small))? {
            if let Some((run, suite)) = part(&file.path) {
                for row in &file.parsed.observations {
                    let run = if run == 0 { row.run + 1 } else { run };
                    let key = key(program, (run, suite), Some(&row.scenario));
                    self.done.insert(key);
                }
            }
            self.files.insert((program, file.path.clone()), file);
        }
        Ok(())
    }

    /// Adds what a program measured to the files in its folder. `turns` are lines of the table of
    /// turns, each with its run and scenario first.
    pub(crate) fn write(
        &mut self,
        program: usize,
        (run, suite): Part,
        identity: &Implementation,
        rows: Vec<Observation>,
        turns: &str,
    ) -> Result<()> {
        let (identity, folder) = (Arc::new(identity.clone()), self.folders[program].clone());
        let rows = rows.into_iter().map(|row| Observation {
            implementation: Some(Arc::clone(&identity)),
            run: run - 1,
            ..row
        });
        let (times, rows): (Vec<_>, Vec<_>) =
            rows.partition(|row| matches!(row.value, Value::Distribution(_)));
        create_folder(&folder)?;
        let stem = suite.map_or(COMMAND.to_owned(), Suite::word);
        if !turns.is_empty() {
            add_turns(&folder.join(format!(".{stem}-turns.csv")), turns)?;
        }
        let mut written = Vec::new();
        if !times.is_empty() {
            let path = folder.join(format!("run-{run:03}-{stem}.hlog"));
            let histograms = times.iter().filter_map(|row| match &row.value {
                Value::Distribution(of) => Some((&*row.scenario, &**of, &*row.caveats)),
                _ => None,
            });
            let mut text = histogram::write(&identity, histograms);
            // Others of the run may be there: of scenarios that a filter left out, or that failed.
            if let Some(before) = read_optional(&path)? {
                text = String::from_utf8_lossy(&before).into_owned() + &text;
            }
            files::write(&path, text.as_bytes())?;
            written.push(path);
        }
        if !rows.is_empty() {
            let path = folder.join(format!("{stem}.csv"));
            let before = self.files.get(&(program, path.clone()));
            let before = before.map_or(&[][..], |file| &file.parsed.observations);
            let text = tidy::write(before.iter().chain(&rows));
            files::write(&path, text.as_bytes())?;
            written.push(path);
        }
        self.load(program, &written)
    }

    /// The files, in the order of programs.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Loaded> {
        self.files.values()
    }

    /// Whether a program has measured a scenario, or a side has had its run.
    pub(crate) fn have(&self, program: usize, part: Part, scenario: Option<&Scenario>) -> bool {
        self.done.contains(&key(program, part, scenario))
    }
}

/// Adds lines to a table of turns, in the place of those of the same runs and scenarios, which a
/// measurement that was killed then may have left.
fn add_turns(path: &Path, turns: &str) -> Result<()> {
    // The label is in quotes.
    let of = |line: &str| line.rfind('"').map(|end| line[..end].to_owned());
    let new: HashSet<Option<String>> = turns.lines().map(of).collect();
    let mut text = HEADING.to_owned();
    if let Some(before) = read_optional(path)? {
        for line in String::from_utf8_lossy(&before).lines().skip(1) {
            if !new.contains(&of(line)) {
                text += &format!("{line}\n");
            }
        }
    }
    files::write(path, (text + turns).as_bytes())?;
    Ok(())
}
