//! A step of the plan becomes a file of results, or no file at all.

use super::build::Program;
use super::plan::{Step, whole};
use super::process::{self, Ended, Launcher};
use super::suite::Suite;
use super::{folder, latency};
use crate::failure;
use crate::observation::{Observation, Value};
use crate::parse::{self, tidy};
use crate::scenario::Scenario;
use anyhow::{Context, Result, anyhow};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What all steps share.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The report's folder.
    pub out: PathBuf,
    /// The chains that all programs use.
    pub certificates: PathBuf,
    /// Scales the work of each scenario.
    pub multiplier: f64,
    /// A process that runs longer is killed.
    pub timeout: Duration,
    /// How programs are started.
    pub launcher: Launcher,
    /// Keep the time of each handshake besides the histograms.
    pub keep_latencies: bool,
}

/// For output of processes that still run; hidden, so that no reader takes it for results.
const SCRATCH: &str = ".running";

/// Lines of a failed process that are shown.
const SHOWN: usize = 5;

impl Measurement {
    /// Removes what an interrupted measurement left.
    ///
    /// # Errors
    /// The system's.
    pub fn clean(&self) -> Result<()> {
        crate::fs::remove(&self.out.join(SCRATCH))
    }

    /// Measures a step. The inner error says why it is no sample: nothing of it was kept.
    ///
    /// # Errors
    /// The system's, which the next step would meet as well.
    pub fn step(
        &self,
        program: &Program,
        step: &Step,
        tick: &mut dyn FnMut(),
    ) -> failure::Result<Result<(), String>> {
        let scratch = self.out.join(SCRATCH);
        crate::fs::remove(&scratch)?;
        crate::fs::create_folder(&scratch)?;
        let mut results = Results::default();
        for (index, scenario) in step.scenarios.iter().enumerate() {
            let process = Process {
                measurement: self,
                program,
                step,
                scenario,
                scratch: scratch.join(index.to_string()),
            };
            if let Err(why) = process.measure(&mut results, tick)? {
                return Ok(Err(why));
            }
        }
        self.keep(program, step, &results, &scratch)?;
        crate::fs::remove(&scratch)?;
        Ok(Ok(()))
    }

    /// Writes what was measured under names that nothing has yet.
    fn keep(
        &self,
        program: &Program,
        step: &Step,
        results: &Results,
        scratch: &Path,
    ) -> Result<()> {
        let folder = self.out.join(&program.id);
        crate::fs::create_folder(&folder)?;
        let stem = new_stem(&folder, step)?;
        if self.keep_latencies && step.suite == Suite::Latency {
            let hidden = self.out.join(".latencies").join(&program.id);
            latency::keep(scratch, &hidden.join(&stem))?;
        }
        // What a kill leaves half written is removed with the scratch folder.
        let write = |name: String, text: String| {
            crate::fs::write_via(scratch, &folder.join(&name), text.as_bytes())
        };
        if !results.histograms.is_empty() {
            let text = latency::log(&program.identity, &results.histograms);
            write(format!("{stem}.hlog"), text)?;
        }
        if !results.rows.is_empty() {
            write(format!("{stem}.csv"), tidy::write(&results.rows))?;
        }
        Ok(())
    }
}

/// The first name of this step that no file of results has.
fn new_stem(folder: &Path, step: &Step) -> Result<String> {
    let first = format!("run-{:03}-{}", step.run, step.suite.word());
    let mut stem = first.clone();
    for again in 2.. {
        let exists = |extension: &str| folder.join(format!("{stem}.{extension}")).try_exists();
        let cannot = || format!("cannot read {}", folder.display());
        if !exists("csv").with_context(cannot)? && !exists("hlog").with_context(cannot)? {
            break;
        }
        stem = format!("{first}-{again}");
    }
    Ok(stem)
}

/// What the processes of a step gave.
#[derive(Default)]
struct Results {
    rows: Vec<Observation>,
    histograms: Vec<latency::Captured>,
}

impl Results {
    /// Percentiles that a histogram holds as well are left out.
    fn add(&mut self, rows: Vec<Observation>, captured: Vec<latency::Captured>) {
        let has_histogram = |row: &Observation| {
            let is_of = |c: &latency::Captured| whole(&c.scenario) == whole(&row.scenario);
            row.scenario.percentile.is_some() && captured.iter().any(is_of)
        };
        let rows = rows.into_iter().filter(|row| !has_histogram(row));
        self.rows.extend(rows);
        self.histograms.extend(captured);
    }
}

/// One process of a step. Each scenario has its own: what one leaves in the heap makes the next one
/// faster or slower, several times with glibc's malloc, and a peak of memory counts all before it.
struct Process<'a> {
    measurement: &'a Measurement,
    program: &'a Program,
    step: &'a Step,
    scenario: &'a Scenario,
    scratch: PathBuf,
}

impl Process<'_> {
    fn measure(
        &self,
        results: &mut Results,
        tick: &mut dyn FnMut(),
    ) -> failure::Result<Result<(), String>> {
        crate::fs::create_folder(&self.scratch)?;
        let [output, errors, latencies] =
            ["output", "errors", latency::FOLDER].map(|name| self.scratch.join(name));
        let mut command = self.measurement.launcher.command(&self.program.path);
        command
            .arg("--certificates")
            .arg(&self.measurement.certificates)
            .args(["--multiplier", &self.measurement.multiplier.to_string()])
            .args(["--run", &self.step.run.to_string()])
            .stdout(create(&output)?)
            .stderr(create(&errors)?);
        let is_latency = self.step.suite == Suite::Latency;
        if is_latency {
            crate::fs::create_folder(&latencies)?;
            command.arg("--latencies").arg(&latencies);
        }
        command.arg(self.scenario.label());
        let status = match process::run(&mut command, self.measurement.timeout, tick)? {
            Ended::Exited(status) => status,
            Ended::Hung => {
                let seconds = self.measurement.timeout.as_secs_f64();
                return Ok(Err(format!("no end after {seconds} s (--timeout)")));
            }
        };
        if !status.success() {
            // On a full disk nothing that it said was kept, and the next one would fail as well.
            folder::try_to_write(&self.scratch)?;
            // A usage or a backtrace may follow what is wrong.
            let said = read(&errors)?;
            let said = String::from_utf8_lossy(&said).into_owned();
            let said: Vec<&str> = said.lines().take(SHOWN).collect();
            return Ok(Err(format!("{status}: {}", said.join("\n  "))));
        }
        let rows = self.check(&read(&output)?);
        let added = rows.and_then(|rows| {
            let captured = match is_latency {
                true => latency::read(&latencies, &rows, self.scenario)?,
                false => Vec::new(),
            };
            results.add(rows, captured);
            Ok(())
        });
        Ok(added)
    }

    /// The rows that a program printed, if they are what it was asked for.
    fn check(&self, bytes: &[u8]) -> Result<Vec<Observation>, String> {
        let parsed = parse::parse("its output", bytes).map_err(|problems| {
            let first = problems.first();
            first.map_or_else(String::new, |p| {
                format!("its output, line {}: {}", p.line, p.message)
            })
        })?;
        for row in &parsed.observations {
            let what = row.scenario.label();
            if row.implementation.as_ref() != Some(&self.program.identity) {
                return Err(format!(
                    "its row of `{what}` is not of {}",
                    self.program.identity
                ));
            }
            if row.run + 1 != self.step.run {
                return Err(format!("its row of `{what}` is of run {}", row.run + 1));
            }
            if whole(&row.scenario) != *self.scenario {
                return Err(format!("it printed `{what}`, which nobody asked for"));
            }
            if matches!(row.value, Value::Distribution(_)) {
                return Err(format!("its row of `{what}` is no figure"));
            }
        }
        if parsed.observations.is_empty() {
            return Err(format!("it printed no row of `{}`", self.scenario));
        }
        Ok(parsed.observations)
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).map_err(|e| anyhow!("cannot write {}: {e}", path.display()))
}
