//! Measures a step of the plan and writes its results files, or no file at all.

use super::build::BuildCache;
use super::machine::FIXED_ADDRESSES;
use super::plan::{Step, whole};
use super::process::{self, Stop};
use super::program::Program;
use super::results::{FileName, Results};
use super::suite::Suite;
use super::{excerpt, footprint, latency};
use crate::base::escape;
use crate::base::failure::Failure;
use crate::files::{create_folder, remove};
use crate::model::observation::{Observation, Value};
use crate::model::scenario::Scenario;
use crate::parse;
use anyhow::Result;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Settings that all steps share.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) out: PathBuf,
    pub(crate) cache: BuildCache,
    pub(crate) certificates: PathBuf,
    pub(crate) multiplier: f64,
    /// Processes that run longer are killed.
    pub(crate) timeout: Duration,
    /// Whether address-space randomisation is off.
    pub(crate) fixed_addresses: bool,
    /// The version of valgrind; `None` if instructions are not counted.
    pub(crate) valgrind: Option<String>,
}

/// Folder for the output of running processes. Hidden, so that it is not read as results.
const SCRATCH: &str = ".running";

/// Caveat on rows whose sources are not public.
const DIRTY: &str = "built from uncommitted changes";

/// Lines of a failed process's standard error to show.
pub(super) const ERROR_LINES: usize = 5;

impl Measurement {
    /// Kills leftover processes, and removes the files of an interrupted measurement.
    pub(crate) fn clean(&self) -> Result<(), Failure> {
        process::kill_orphans()?;
        Ok(remove(&self.out.join(SCRATCH))?)
    }

    /// Returns a command that runs `program`.
    pub(super) fn command(&self, program: &Path) -> Command {
        if !self.fixed_addresses {
            return Command::new(program);
        }
        let [setarch, option] = FIXED_ADDRESSES;
        let mut command = Command::new(setarch);
        command.arg(option).arg(program);
        command
    }

    /// Measures a step.
    pub(crate) fn step(&self, program: &Program, step: &Step) -> Result<(), Stop> {
        self.clean()?;
        let attempt = Attempt {
            measurement: self,
            program,
            step,
            scratch: &self.out.join(SCRATCH),
        };
        let outcome = attempt.run();
        match self.clean() {
            Err(error) if matches!(outcome, Err(Stop::Fatal(_))) => {
                crate::say!("warning: {error}");
            }
            cleaned => cleaned?,
        }
        outcome
    }
}

/// The measurement of one step.
pub(super) struct Attempt<'a> {
    pub(super) measurement: &'a Measurement,
    pub(super) program: &'a Program,
    pub(super) step: &'a Step,
    /// Folder for everything that its processes write.
    pub(super) scratch: &'a Path,
}

impl Attempt<'_> {
    fn run(&self) -> Result<(), Stop> {
        create_folder(self.scratch)?;
        let Step {
            suite,
            run,
            scenarios,
            ..
        } = self.step;
        let one = |(index, scenario): (usize, &Scenario)| self.measure(index, scenario);
        let measured: Vec<Results> = match suite {
            Suite::Footprint => {
                let cache = &self.measurement.cache;
                let mut rows = footprint::rows(cache, self.program, scenarios, self.scratch)?;
                rows.iter_mut().for_each(|row| row.run = run - 1);
                vec![Results {
                    rows,
                    ..Results::default()
                }]
            }
            // Other load disturbs times, but not counts.
            Suite::Counts => {
                let counted = scenarios.par_iter().enumerate().map(one);
                counted.collect::<Result<_, Stop>>()?
            }
            _ => {
                let timed = scenarios.iter().enumerate().map(one);
                timed.collect::<Result<_, Stop>>()?
            }
        };
        let mut results = measured.into_iter().fold(Results::default(), Results::with);
        self.count_instructions(&mut results)?;
        let (out, run, suite) = (&self.measurement.out, *run, *suite);
        Ok(results.write(out, self.program, FileName { run, suite }, self.scratch)?)
    }

    fn measure(&self, index: usize, scenario: &Scenario) -> Result<Results, Stop> {
        let latencies = self.scratch.join(index.to_string()).join(latency::FOLDER);
        let mut command = self.command(scenario, &latencies)?;
        let measured = self.results(&mut command, scenario, &latencies);
        measured.map_err(|stop| match stop {
            Stop::Failed(why) => {
                let alone = in_shell(&command);
                format!("`{scenario}`: {why}\n  to reproduce: {alone}").into()
            }
            fatal => fatal,
        })
    }

    /// Returns the command for one scenario. Scenarios do not share a process: with glibc's malloc,
    /// the heap of an earlier one can make the next several times faster or slower, and a memory
    /// peak covers the whole process.
    fn command(&self, scenario: &Scenario, latencies: &Path) -> Result<Command, Failure> {
        create_folder(latencies)?;
        let mut command = self.measurement.command(&self.program.path);
        command
            .arg("--certificates")
            .arg(&self.measurement.certificates)
            .args(["--multiplier", &self.measurement.multiplier.to_string()])
            .args(["--run", &self.step.run.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if self.step.suite == Suite::Counts {
            command.arg("--counts");
        }
        if self.step.suite == Suite::Latency {
            command.arg("--latencies").arg(latencies);
        }
        command.arg(scenario.label());
        Ok(command)
    }

    /// Runs the process, checks its output, and returns its results.
    fn results(
        &self,
        command: &mut Command,
        scenario: &Scenario,
        latencies: &Path,
    ) -> Result<Results, Stop> {
        let ended = process::run(command, self.measurement.timeout);
        if !self.step.suite.is_counted() {
            // They would take CPU time from the next process.
            process::kill_orphans()?;
        }
        let ended = ended?;
        if !ended.status.success() {
            // The first lines: a usage text or a backtrace may follow the error.
            let stderr = String::from_utf8_lossy(&ended.errors);
            let lines: Vec<String> = stderr.lines().take(ERROR_LINES).map(excerpt).collect();
            return Err(format!("{}: {}", ended.status, lines.join("\n  ")).into());
        }
        let mut rows = self.check(&ended.output, scenario)?;
        let histograms = latency::read(latencies, &rows, scenario)?;
        // Drop percentiles that a histogram provides as well.
        rows.retain(|row| {
            let is_of = |c: &latency::Captured| whole(&c.scenario) == whole(&row.scenario);
            row.scenario.percentile.is_none() || !histograms.iter().any(is_of)
        });
        Ok(Results { rows, histograms })
    }

    /// Parses the rows that a program printed. Fails unless they are those of the command.
    fn check(&self, bytes: &[u8], scenario: &Scenario) -> Result<Vec<Observation>, String> {
        if bytes.trim_ascii().is_empty() {
            return Err("it printed nothing".to_owned());
        }
        let reported = &self.program.reported;
        let mut parsed = parse::parse("its output", bytes).map_err(|problems| {
            let first = problems.first();
            let first = first.map(|p| format!("its output, line {}: {}", p.line, p.message));
            first.unwrap_or_default()
        })?;
        for row in &parsed.observations {
            let what = row.scenario.label();
            if row.implementation.as_deref() != Some(reported) {
                return Err(format!("its row of `{what}` is not for {reported}"));
            }
            if row.run + 1 != self.step.run {
                return Err(format!("its row of `{what}` is for run {}", row.run + 1));
            }
            if whole(&row.scenario) != *scenario {
                return Err(format!("it printed `{what}`, which was not requested"));
            }
            if matches!(row.value, Value::Distribution(_)) {
                return Err(format!("its row of `{what}` has no figure"));
            }
        }
        if parsed.observations.is_empty() {
            return Err(format!("it printed no row of `{scenario}`"));
        }
        let sources = self.program.target.sources.as_ref();
        let is_dirty = sources.is_some_and(|sources| sources.is_dirty);
        let identity = Arc::new(self.program.identity.clone());
        for row in &mut parsed.observations {
            row.implementation = Some(Arc::clone(&identity));
            if is_dirty {
                row.caveat = Some(match &row.caveat {
                    Some(caveat) => format!("{caveat}; {DIRTY}"),
                    None => DIRTY.to_owned(),
                });
            }
        }
        Ok(parsed.observations)
    }
}

/// Formats a command for a shell.
fn in_shell(command: &Command) -> String {
    let mut words = escape::shell(&command.get_program().to_string_lossy()).into_owned();
    for word in command.get_args() {
        words += &format!(" {}", escape::shell(&word.to_string_lossy()));
    }
    words
}
