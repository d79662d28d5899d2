//! Measures a step of the plan, and writes a results file for each program.

use super::build::BuildCache;
use super::contestant::{Facts, ScenarioProcess};
use super::estimate::per_operation;
use super::figures;
use super::footprint;
use super::machine::FIXED_ADDRESSES;
use super::plan::Step;
use super::process::Stop;
use super::program::Program;
use super::results::Results;
use super::suite::Suite;
use super::turns::{Contest, Limits, take_turns};
use crate::base::escape;
use crate::base::failure::Result;
use crate::base::random::Random;
use crate::files::{create_folder, remove};
use crate::model::observation::Observation;
use crate::model::scenario::Scenario;
use crate::parse::load::Loaded;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Settings that all steps share.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) out: PathBuf,
    pub(crate) cache: BuildCache,
    pub(crate) certificates: PathBuf,
    pub(crate) multiplier: f64,
    /// A process that takes longer for an answer is killed.
    pub(crate) timeout: Duration,
    /// Whether programs may be started without address-space randomisation.
    pub(crate) fixed_addresses: bool,
    /// The version of valgrind; `None` if instructions are not counted.
    pub(crate) valgrind: Option<String>,
    /// The processors that may be used.
    pub(crate) processors: Vec<usize>,
    /// By how many percent to slow controls down.
    pub(crate) slow_control: Option<u32>,
}

/// Folder for the output of running processes. Hidden, so that it is not read as results.
const SCRATCH: &str = ".running";

/// Caveat on rows whose sources are not public.
const DIRTY: &str = "built from uncommitted changes";

/// Processes alive at once: each has four open files, of 1,024 that most systems allow.
const MAX_PROCESSES: usize = 160;

/// Time of all slices of a program in a scenario, with a multiplier of 1.
const TIME: Duration = Duration::from_millis(400);

/// Time of a slice, for which the rate must be level, and of warming up at most: on one thread, and on
/// several, which take longer to start together. The table in docs/method.md compares lengths of slices.
const SLICE: Duration = Duration::from_micros(500);
const LEVEL: Duration = Duration::from_millis(20);
const WARM_UP: Duration = Duration::from_millis(100);
const SLICE_OF_THREADS: Duration = Duration::from_millis(100);

/// What a step gave.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Of each program, by its results folder.
    pub(crate) results: Vec<(String, Loaded)>,
    /// Scenarios that a program, by its index, failed to measure, and why.
    pub(crate) lost: Vec<(usize, Scenario, String)>,
}

/// What a program measured of a scenario.
type Measured = (usize, Scenario, Result<Results, Stop>);

impl Measurement {
    /// Measures a step. Fails if everything must end.
    pub(crate) fn step(&self, programs: &[Program], step: &Step) -> Result<Outcome> {
        self.clean()?;
        create_folder(&self.scratch())?;
        let outcome = self.measure(programs, step);
        let cleaned = self.clean();
        // The first failure counts.
        let outcome = outcome?;
        cleaned?;
        Ok(outcome)
    }

    fn measure(&self, programs: &[Program], step: &Step) -> Result<Outcome> {
        let pairs = || {
            let scenarios = step.scenarios.iter();
            scenarios.flat_map(|(scenario, programs)| programs.iter().map(move |p| (*p, scenario)))
        };
        // Other load disturbs times, but not counts and memory.
        let in_parallel = |work: fn(&Self, &Program, &Scenario, usize) -> Result<Results, Stop>| {
            let pairs: Vec<(usize, &Scenario)> = pairs().collect();
            let measured = pairs
                .into_par_iter()
                .enumerate()
                .map(|(index, (program, scenario))| {
                    let results = work(self, &programs[program], scenario, index);
                    (program, scenario.clone(), results)
                });
            measured.collect::<Vec<Measured>>()
        };
        let measured = match step.name.suite {
            Suite::Footprint => self.footprints(programs, step)?,
            Suite::Counts => in_parallel(Self::counts),
            Suite::Memory => in_parallel(Self::memory),
            _ => self.turns(programs, step)?,
        };
        self.write(programs, step, measured)
    }

    /// Removes the files of an interrupted measurement.
    pub(crate) fn clean(&self) -> Result<()> {
        Ok(remove(&self.scratch())?)
    }

    pub(super) fn scratch(&self) -> PathBuf {
        self.out.join(SCRATCH)
    }

    /// Writes the results of each program.
    fn write(
        &self,
        programs: &[Program],
        step: &Step,
        mut measured: Vec<Measured>,
    ) -> Result<Outcome> {
        measured.sort_by(|a, b| a.1.cmp(&b.1));
        let mut outcome = Outcome::default();
        let mut all: Vec<Results> = programs.iter().map(|_| Results::default()).collect();
        for (program, scenario, results) in measured {
            match results {
                Ok(results) => all[program].extend(results),
                Err(Stop::Fatal(failure)) => return Err(failure),
                Err(Stop::Failed(why)) => {
                    let again = self.reproduce(&programs[program], &scenario, step.name.suite);
                    let why = format!("{why}\n  to reproduce: {again}");
                    outcome.lost.push((program, scenario, why));
                }
            }
        }
        for (program, mut results) in programs.iter().zip(all) {
            if results.rows.is_empty() && results.histograms.is_empty() {
                continue;
            }
            for row in &mut results.rows {
                name(row, program, step.name.run);
            }
            for (.., caveats) in results.histograms.iter_mut().filter(|_| is_dirty(program)) {
                caveats.push(DIRTY.to_owned());
            }
            let written = results.write(&self.out, program, step.name, &self.scratch())?;
            outcome.results.push((program.id.clone(), written));
        }
        Ok(outcome)
    }

    /// Returns a command that runs `program` without address-space randomisation, so that counts repeat.
    /// Times are taken with it: runs then average the luck of memory layouts.
    pub(super) fn counting(&self, program: &Path) -> Command {
        if !self.fixed_addresses {
            return Command::new(program);
        }
        let [setarch, option] = FIXED_ADDRESSES;
        let mut command = Command::new(setarch);
        command.arg(option).arg(program);
        command
    }

    /// Starts a process for a scenario. Scenarios do not share a process: with glibc's malloc, the heap
    /// of an earlier one can make the next several times faster or slower, and a memory peak covers
    /// the whole process.
    fn start(
        &self,
        program: &Program,
        scenario: &Scenario,
        option: Option<&str>,
    ) -> Result<ScenarioProcess, Stop> {
        let mut command = self.scenario_command(program, scenario, option);
        ScenarioProcess::start(&mut command, scenario, self.timeout)
    }

    fn scenario_command(
        &self,
        program: &Program,
        scenario: &Scenario,
        option: Option<&str>,
    ) -> Command {
        let mut command = match option {
            Some(_) => self.counting(&program.path),
            None => Command::new(&program.path),
        };
        command.arg("--certificates").arg(&self.certificates);
        if let Some(percent) = self.slow_control.filter(|_| program.is_control()) {
            command.args(["--slow", &percent.to_string()]);
        }
        command.args(option).arg(scenario.label());
        command
    }

    /// Sizes programs one after the other: builds are timed.
    fn footprints(&self, programs: &[Program], step: &Step) -> Result<Vec<Measured>> {
        let mut measured = Vec::new();
        for (index, program) in programs.iter().enumerate() {
            let is_of = |(_, programs): &&(_, Vec<usize>)| programs.contains(&index);
            let scenarios = step.scenarios.iter().filter(is_of);
            let scenarios: Vec<Scenario> = scenarios.map(|(of, _)| of.clone()).collect();
            let rows = footprint::rows(&self.cache, program, &scenarios, &self.scratch())?;
            for row in rows {
                measured.push((index, (*row.scenario).clone(), Ok(Results::of(vec![row]))));
            }
        }
        Ok(measured)
    }

    fn memory(&self, program: &Program, scenario: &Scenario, _: usize) -> Result<Results, Stop> {
        let (mut process, facts) = self.start(program, scenario, None)?.ready()?;
        let rows = match facts.unsupported {
            Some(why) => figures::unsupported(scenario, false, &why),
            None => vec![figures::memory(scenario, &process.ask("peak")?)?],
        };
        process.end()?;
        Ok(Results::of(rows))
    }

    fn counts(
        &self,
        program: &Program,
        scenario: &Scenario,
        index: usize,
    ) -> Result<Results, Stop> {
        let (mut process, facts) = self.start(program, scenario, Some("--counts"))?.ready()?;
        let rows = match &facts.unsupported {
            Some(why) => figures::unsupported(scenario, true, why),
            None => {
                let answer = process.ask("count")?;
                let mut rows = figures::counted(scenario, &facts, &answer)?;
                rows.extend(self.instructions(program, scenario, &rows, index)?);
                rows
            }
        };
        process.end()?;
        Ok(Results::of(rows))
    }

    /// Measures scenarios whose programs take turns.
    fn turns(&self, programs: &[Program], step: &Step) -> Result<Vec<Measured>> {
        let mut random = Random::new(step.seed);
        let mut measured = Vec::new();
        for batch in batches(&step.scenarios) {
            // All of them start at once, before anything is timed.
            let mut started = Vec::new();
            for (scenario, indices) in batch {
                let start = |index: &usize| self.start(&programs[*index], scenario, None);
                let processes: Vec<_> = indices.iter().map(start).collect();
                started.push((scenario, indices, processes));
            }
            let mut ready = Vec::new();
            let mut contests = Vec::new();
            for (scenario, indices, processes) in started {
                let mut contestants = Vec::new();
                let mut known = Vec::new();
                for (index, process) in indices.iter().zip(processes) {
                    match process.and_then(ScenarioProcess::ready) {
                        Ok((process, facts)) if facts.unsupported.is_none() => {
                            contestants.push(process);
                            known.push((*index, facts));
                        }
                        Ok((_, facts)) => {
                            let why = facts.unsupported.unwrap_or_default();
                            let rows = figures::unsupported(scenario, false, &why);
                            measured.push((*index, scenario.clone(), Ok(Results::of(rows))));
                        }
                        Err(Stop::Fatal(failure)) => return Err(failure),
                        Err(failed) => measured.push((*index, scenario.clone(), Err(failed))),
                    }
                }
                let is_parallel = scenario.threads > Some(1);
                let processors = if is_parallel {
                    &[]
                } else {
                    &self.processors[..]
                };
                contests.push(Contest::new(
                    contestants,
                    self.limits(is_parallel),
                    processors,
                ));
                ready.push((scenario, known));
            }
            take_turns(&mut contests, &mut random)?;
            for ((scenario, known), contest) in ready.into_iter().zip(contests) {
                measured.extend(figures_of(scenario, known, contest));
            }
        }
        Ok(measured)
    }

    fn limits(&self, is_parallel: bool) -> Limits {
        let (slice, warm_up) = match is_parallel {
            true => (SLICE_OF_THREADS, SLICE_OF_THREADS),
            false => (SLICE, WARM_UP),
        };
        Limits {
            slice,
            total: TIME.mul_f64(self.multiplier),
            level: LEVEL,
            warm_up,
        }
    }

    /// Returns a shell command that repeats what failed.
    fn reproduce(&self, program: &Program, scenario: &Scenario, suite: Suite) -> String {
        let (request, option) = match suite {
            Suite::Memory => ("peak", None),
            Suite::Counts => ("count", Some("--counts")),
            _ => ("slice 1", None),
        };
        let command = self.scenario_command(program, scenario, option);
        let mut words = escape::shell(&command.get_program().to_string_lossy()).into_owned();
        for word in command.get_args() {
            words += &format!(" {}", escape::shell(&word.to_string_lossy()));
        }
        format!("echo {request} | {words}")
    }
}

/// Splits scenarios with their programs into batches of few enough processes.
fn batches(scenarios: &[(Scenario, Vec<usize>)]) -> Vec<Vec<(&Scenario, &[usize])>> {
    let mut batches = vec![Vec::new()];
    let mut processes = 0;
    for (scenario, programs) in scenarios {
        for programs in programs.chunks(MAX_PROCESSES) {
            processes += programs.len();
            if processes > MAX_PROCESSES {
                processes = programs.len();
                batches.push(Vec::new());
            }
            batches
                .last_mut()
                .expect("a batch")
                .push((scenario, programs));
        }
    }
    batches
}

/// Ends the processes of a scenario, and returns what each measured. `programs` are their indices, with
/// what they said of the scenario.
fn figures_of(
    scenario: &Scenario,
    programs: Vec<(usize, Facts)>,
    contest: Contest<ScenarioProcess>,
) -> Vec<Measured> {
    let times = [0, 1].map(|side| per_operation(&contest.blocks, side));
    let mut measured = Vec::new();
    let entrants = programs.into_iter().zip(contest.entrants);
    for (at, ((index, facts), entrant)) in entrants.enumerate() {
        let times = times
            .each_ref()
            .map(|times| times.get(at).copied().flatten());
        let ended = entrant.contestant.map_err(Stop::Failed);
        let ended = ended.and_then(ScenarioProcess::end);
        let results = ended.map(|()| {
            let mut results =
                Results::of(figures::timed(scenario, &facts, times, &entrant.singles));
            if figures::is_latency(scenario) {
                let caveats: Vec<String> = figures::caveat(scenario, &facts).into_iter().collect();
                for ((_, of), times) in figures::sides(scenario).into_iter().zip(entrant.singles) {
                    results.histograms.push((of, times, caveats.clone()));
                }
            }
            results
        });
        measured.push((index, scenario.clone(), results));
    }
    measured
}

/// Names the program of a row, and the run.
fn name(row: &mut Observation, program: &Program, run: u32) {
    row.implementation = Some(Arc::new(program.identity.clone()));
    row.run = run - 1;
    if is_dirty(program) {
        row.caveat = Some(match &row.caveat {
            Some(caveat) => format!("{caveat}; {DIRTY}"),
            None => DIRTY.to_owned(),
        });
    }
}

fn is_dirty(program: &Program) -> bool {
    let sources = program.target.sources();
    sources.is_some_and(|sources| sources.is_dirty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_have_few_processes() {
        let scenario = |label| Scenario::from_label(label).expect("a label");
        let of = |label, programs| (scenario(label), (0..programs).collect::<Vec<usize>>());
        let all = [of("a", 100), of("b", 60), of("c", 1), of("d", 400)];
        let batches = batches(&all);
        let counts: Vec<Vec<usize>> = batches
            .iter()
            .map(|batch| batch.iter().map(|(_, programs)| programs.len()).collect())
            .collect();
        assert_eq!(
            counts,
            [vec![100, 60], vec![1], vec![160], vec![160], vec![80]]
        );
    }
}
