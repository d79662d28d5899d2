//! What was measured so far, and its files: of each program and suite one, in the program's folder,
//! such as `measure.csv`, with all runs; of a command `runs.csv`. Latencies have a file a run, such as
//! `run-007-latency.hlog`. The turns behind the rates are in hidden files, such as
//! `.measure-turns.csv`.

use crate::base::console::quietly;
use crate::base::failure::Result;
use crate::files::{self, create_folder, file_name, is_file, is_folder, read_optional, walk};
use crate::measure::suite::Suite;
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::Scenario;
use crate::parse::load::{self, Digests, Loaded};
use crate::parse::{histogram, tidy};
use clap::ValueEnum;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// After this many failures, a program is not tried again in a scenario.
pub(crate) const MAX_FAILURES: u32 = 3;

/// What was measured once: of a program, in a run, a scenario without side and percentile.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    program: usize,
    run: u32,
    /// A timed scenario may still have to be counted.
    is_counted: bool,
    /// `None` of a command, whose scenarios are not known before it runs.
    scenario: Option<Scenario>,
}

/// A suite in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// From 1.
    pub(crate) run: u32,
    /// `None` of a command.
    pub(crate) suite: Option<Suite>,
}

impl Part {
    fn key(self, program: usize, scenario: Option<&Scenario>) -> Key {
        let requested = |scenario: &Scenario| Scenario {
            side: None,
            percentile: None,
            ..scenario.clone()
        };
        Key {
            program,
            run: self.run,
            is_counted: self.suite.is_some_and(Suite::is_counted),
            scenario: scenario.filter(|_| self.suite.is_some()).map(requested),
        }
    }

    fn stem(self) -> String {
        self.suite.map_or("runs".to_owned(), Suite::word)
    }

    /// Path of the table with all runs.
    fn table(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.csv", self.stem()))
    }

    fn histograms(self, folder: &Path) -> PathBuf {
        folder.join(format!("run-{:03}-{}.hlog", self.run, self.stem()))
    }

    fn turns(self, folder: &Path) -> PathBuf {
        folder.join(format!(".{}-turns.csv", self.stem()))
    }

    /// Parses the name of a file; `None` for others. The run is 0 of a file with all of them.
    fn of_file(path: &Path) -> Option<Self> {
        let name = file_name(path);
        let (stem, extension) = name.split_once('.')?;
        let (run, word) = match extension {
            "csv" => ("0", stem),
            "hlog" => stem.strip_prefix("run-")?.split_once('-')?,
            _ => return None,
        };
        let Ok(run) = run.parse() else {
            return None;
        };
        let suite = Suite::value_variants()
            .iter()
            .find(|suite| suite.word() == word);
        (suite.is_some() || word == "runs").then_some(Self {
            run,
            suite: suite.copied(),
        })
    }
}

/// Everything that was measured into a report so far. Programs, or the sides of a command, are
/// numbers here.
#[derive(Debug, Default)]
pub(crate) struct Results {
    files: BTreeMap<(usize, PathBuf), Loaded>,
    done: HashSet<Key>,
    /// Failures by program and scenario.
    failures: HashMap<(usize, Scenario), u32>,
}

impl Results {
    /// Reads the results in the folders with these IDs.
    pub(crate) fn read(out: &Path, ids: &[String]) -> Result<Self> {
        let mut results = Self::default();
        for (program, id) in ids.iter().enumerate() {
            let folder = out.join(id);
            let mut paths = match is_folder(&folder)? {
                true => walk(&folder)?,
                false => Vec::new(),
            };
            paths.retain(|path| Part::of_file(path).is_some());
            results.load(program, &paths)?;
        }
        Ok(results)
    }

    fn load(&mut self, program: usize, paths: &[PathBuf]) -> Result<()> {
        for file in quietly(|| load::files(paths, Digests::Small))? {
            if let Some(part) = Part::of_file(&file.path) {
                for row in &file.parsed.observations {
                    let run = if part.run == 0 { row.run + 1 } else { part.run };
                    let key = Part { run, ..part }.key(program, Some(&row.scenario));
                    self.done.insert(key);
                }
            }
            self.files.insert((program, file.path.clone()), file);
        }
        Ok(())
    }

    /// Adds what `identity` measured to the files in its folder. `turns` are lines of the table of
    /// turns, each with its run and scenario first.
    pub(crate) fn write(
        &mut self,
        program: usize,
        part: Part,
        (identity, folder): (&Arc<Implementation>, &Path),
        mut rows: Vec<Observation>,
        turns: &str,
    ) -> Result<()> {
        for row in &mut rows {
            row.implementation = Some(Arc::clone(identity));
            row.run = part.run - 1;
        }
        create_folder(folder)?;
        if !turns.is_empty() {
            add_turns(&part.turns(folder), turns)?;
        }
        let mut written = Vec::new();
        let histograms = rows.iter().filter_map(|row| match &row.value {
            Value::Distribution(times) => Some((&*row.scenario, &**times, row.caveats.as_slice())),
            _ => None,
        });
        let histograms = Vec::from_iter(histograms);
        if !histograms.is_empty() {
            let path = part.histograms(folder);
            // Others of the run may be there: of scenarios that a filter left out, or that failed.
            let mut text = histogram::write(identity, histograms);
            if let Some(before) = read_optional(&path)? {
                text = String::from_utf8_lossy(&before).into_owned() + &text;
            }
            files::write(&path, text.as_bytes())?;
            written.push(path);
        }
        rows.retain(|row| !matches!(row.value, Value::Distribution(_)));
        if !rows.is_empty() {
            let path = part.table(folder);
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
        self.done.contains(&part.key(program, scenario))
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

const HEADING: &str = "run,scenario,operations,first,second,wall,cpu,probe,quiet operations,quiet first,quiet second,quiet wall,quiet cpu,quiet probe\n";

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

/// Whether a program was counted before.
pub(in crate::measure) fn has_counts(folder: &Path) -> Result<bool> {
    for suite in [Suite::Counts, Suite::Footprint] {
        let part = Part {
            run: 0,
            suite: Some(suite),
        };
        if is_file(&part.table(folder))? {
            return Ok(true);
        }
    }
    Ok(false)
}
