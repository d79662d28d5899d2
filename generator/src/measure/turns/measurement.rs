//! Measures a suite in a run: its scenarios, of which each is a process of each program.

use crate::base::failure::Result;
use crate::base::random::Random;
use crate::files::{create_folder, read_whole, remove, replace};
use crate::measure::build::BuildCache;
use crate::measure::build::program::Program;
use crate::measure::process::{Process, Stop};
use crate::measure::suite::Suite;
use crate::measure::turns::figures;
use crate::measure::turns::plan::SuiteRun;
use crate::measure::turns::rate::Rate;
use crate::measure::turns::runner::ScenarioProcess;
use crate::measure::turns::turn::{Players, take_turns};
use crate::model::observation::Observation;
use crate::model::scenario::{Buffers, Scenario};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Settings that all runs share.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) out: PathBuf,
    pub(crate) cache: BuildCache,
    pub(crate) multiplier: f64,
    /// A process that takes longer for an answer is killed.
    pub(crate) timeout: Duration,
    /// The version of valgrind; `None` if instructions are not counted.
    pub(crate) valgrind: Option<String>,
    /// The processors that may be used.
    pub(crate) processors: Vec<usize>,
}

/// Folder for the output of running processes. Hidden, so that it is not read as results.
const SCRATCH: &str = ".running";

/// Caveat on rows whose sources are not public.
const DIRTY: &str = "built from uncommitted changes";

/// Processes alive at once: each has four open files, of 1,024 that most systems allow.
const MAX_PROCESSES: usize = 160;

/// Time of a program in a scenario, with a multiplier of 1.
const TIME: Duration = Duration::from_millis(420);

/// The rows of a program, and its turns as lines of a table.
type Rows = (Vec<Observation>, String);

/// What a program, of which this is the index, measured of a scenario.
type Outcome<'a> = (usize, &'a Scenario, Result<Rows, Stop>);

/// The rows of each program in a run of a suite, and what failed.
pub(crate) type Measured = (BTreeMap<usize, Rows>, Vec<String>);

impl Measurement {
    /// Measures a suite in a run, in the order of scenarios. Fails if everything must end.
    pub(crate) fn run(&self, programs: &[Program], run: &SuiteRun) -> Result<Measured> {
        create_folder(&self.scratch())?;
        let outcomes = match run.suite {
            Suite::Footprint => Ok(self.each(programs, run, Self::footprint)),
            Suite::Counts => Ok(self.each(programs, run, Self::counts)),
            Suite::Memory => Ok(self.each(programs, run, Self::memory)),
            _ => self.turns(programs, run),
        };
        // The first failure counts.
        let cleaned = self.clean();
        let mut outcomes = outcomes?;
        cleaned?;
        outcomes.sort_by_key(|(_, scenario, _)| *scenario);
        let (mut all, mut failures) = (BTreeMap::new(), Vec::new());
        for (index, scenario, outcome) in outcomes {
            let program = &programs[index];
            let (mut rows, turns) = match outcome {
                Ok(measured) => measured,
                Err(Stop::Fatal(failure)) => return Err(failure),
                Err(Stop::Failed(why)) => {
                    let (program, run) = (program.identity(), run.name());
                    failures.push(format!("{program}, {run}: `{scenario}`: {why}"));
                    continue;
                }
                Err(Stop::Unsupported(why)) => {
                    let is_counted = run.suite.is_counted();
                    let rows = figures::unsupported(scenario, is_counted, &why);
                    (rows, String::new())
                }
            };
            let sources = program.target.sources.as_ref();
            if sources.is_some_and(|sources| sources.is_dirty) {
                for row in &mut rows {
                    row.caveats = [&row.caveats[..], &[DIRTY.to_owned()]].concat().into();
                }
            }
            let (all_rows, all_turns): &mut Rows = all.entry(index).or_default();
            all_rows.append(&mut rows);
            *all_turns += &turns;
        }
        Ok((all, failures))
    }

    /// Removes the files of a run, also those that a killed measurement left.
    pub(crate) fn clean(&self) -> Result<()> {
        Ok(remove(&self.scratch())?)
    }

    /// Measures each program by itself: at the same time what other load does not disturb, which are
    /// counts and memory, and not builds.
    fn each<'a>(
        &self,
        programs: &[Program],
        run: &'a SuiteRun,
        work: impl Fn(&Self, &Program, &Scenario) -> Result<Vec<Observation>, Stop> + Sync,
    ) -> Vec<Outcome<'a>> {
        let mut pairs = Vec::new();
        for (scenario, indices) in &run.scenarios {
            pairs.extend(indices.iter().map(|index| (*index, scenario)));
        }
        let measure = |(index, scenario)| {
            let rows = work(self, &programs[index], scenario);
            (index, scenario, rows.map(|rows| (rows, String::new())))
        };
        match run.suite {
            Suite::Footprint => pairs.into_iter().map(measure).collect(),
            _ => pairs.into_par_iter().map(measure).collect(),
        }
    }

    pub(crate) fn scratch(&self) -> PathBuf {
        self.out.join(SCRATCH)
    }

    /// Starts a process for a scenario. Scenarios do not share a process: with glibc's malloc, the heap
    /// of an earlier one can make the next several times faster or slower, and a memory peak covers
    /// the whole process.
    fn start(&self, program: &Program, scenario: &Scenario, suite: Suite) -> Result<Process, Stop> {
        let mut command = Command::new(&program.path);
        command.arg("--certificates").arg(self.cache.certificates());
        if program.target.library.is_go() {
            command.args(fields(scenario));
        }
        command
            .args((suite == Suite::Counts).then_some("--counts"))
            .arg(scenario.label());
        // Without waiting until it is ready.
        Process::start(command.stdin(Stdio::piped()), self.timeout)
    }

    fn memory(&self, program: &Program, scenario: &Scenario) -> Result<Vec<Observation>, Stop> {
        let process = self.start(program, scenario, Suite::Memory)?;
        let mut process = ScenarioProcess::ready(process, scenario)?;
        let row = figures::memory(scenario, &process.ask("peak")?)?;
        process.end()?;
        Ok(vec![row])
    }

    fn counts(&self, program: &Program, scenario: &Scenario) -> Result<Vec<Observation>, Stop> {
        let process = self.start(program, scenario, Suite::Counts)?;
        let mut process = ScenarioProcess::ready(process, scenario)?;
        let answer = process.ask("count")?;
        let mut rows = figures::counted(scenario, &process.end()?, &answer)?;
        rows.extend(self.instructions(program, scenario, &rows)?);
        Ok(rows)
    }

    /// Measures scenarios whose programs take turns.
    fn turns<'a>(&self, programs: &[Program], run: &'a SuiteRun) -> Result<Vec<Outcome<'a>>> {
        let at_once = (MAX_PROCESSES / programs.len()).max(1);
        let programs = copies(programs, &self.scratch())?;
        let mut random = Random::new(run.seed);
        let mut outcomes = Vec::new();
        for some in run.scenarios.chunks(at_once) {
            // All of them start at once, before anything is timed.
            let mut started = Vec::new();
            for (scenario, indices) in some {
                let start = |i: &usize| self.start(&programs[*i], scenario, run.suite);
                started.push(Vec::from_iter(indices.iter().map(start)));
            }
            let mut scenarios = Vec::new();
            for ((scenario, _), processes) in some.iter().zip(started) {
                let ready = |started: Result<_, Stop>| ScenarioProcess::ready(started?, scenario);
                let threads = scenario.threads.unwrap_or(1) as usize;
                scenarios.push(Players::new(processes.into_iter().map(ready), threads)?);
            }
            let total = TIME.mul_f64(self.multiplier);
            take_turns(&mut scenarios, total, &self.processors, &mut random)?;
            for ((scenario, indices), players) in some.iter().zip(scenarios) {
                for (index, player) in indices.iter().zip(players.players) {
                    let outcome = player.and_then(|player| {
                        let facts = player.runner.end()?;
                        let rate = Rate::of(&player.turns);
                        let rows = figures::timed(scenario, &facts, rate.as_ref(), player.singles);
                        let turns = rate.map(|rate| rate.lines(run.run, scenario));
                        Ok((rows, turns.unwrap_or_default()))
                    });
                    outcomes.push((*index, scenario, outcome));
                }
            }
        }
        Ok(outcomes)
    }
}

/// Returns the fields of a scenario as arguments, for a program without the grammar of labels.
fn fields(scenario: &Scenario) -> Vec<String> {
    let mut fields = vec![
        format!("version={}", scenario.version_or_default()),
        format!("suite={}", scenario.suite_or_default().iana_name()),
        format!("key={}", scenario.key_or_default()),
        format!("mutual={}", scenario.mutual),
        format!("bytes={}", scenario.write_size_or_default()),
        format!("threads={}", scenario.threads.unwrap_or(1)),
    ];
    fields.extend(scenario.sessions.map(|n| format!("sessions={n}")));
    fields.extend(scenario.group.map(|group| format!("group={group}")));
    fields.extend(scenario.resumption.map(|how| format!("resumption={how}")));
    fields.extend(scenario.method.map(|how| format!("method={how}")));
    let buffers = scenario.buffers.as_ref().map_or(&[][..], Buffers::sizes);
    let buffers: Vec<String> = buffers.iter().map(u32::to_string).collect();
    fields.push(format!("buffers={}", buffers.join(",")));
    fields
}

/// Returns the programs, each with a copy of its file in `folder`. Where a file's pages lie in memory can
/// make its code several times slower, for as long as the system caches them: each run has other pages.
fn copies(programs: &[Program], folder: &Path) -> Result<Vec<Program>> {
    let mut copies = programs.to_vec();
    for program in &mut copies {
        let bytes = read_whole(&program.path)?;
        program.path = folder.join(&program.id);
        replace(&program.path, &bytes, true)?;
    }
    Ok(copies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_program_and_its_control_are_two_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runner");
        fs::write(&path, "program").expect("written");
        let named = |id: &str| Program {
            id: id.to_owned(),
            path: path.clone(),
            ..Program::default()
        };
        // Left by whoever could write here before.
        symlink("outside", folder.path().join("a")).expect("a link");
        let copies = copies(&[named("a"), named("a_control")], folder.path()).expect("copied");
        let outside = folder.path().join("outside").symlink_metadata();
        outside.expect_err("nothing is written through the link");
        assert_ne!(copies[0].path, copies[1].path);
        for copy in copies {
            assert_ne!(copy.path, path);
            assert_eq!(fs::read(copy.path).expect("read"), b"program");
        }
    }
}
