//! A step of the plan becomes a file of results, or no file at all.

use super::build::Built;
use super::plan::{Step, whole};
use super::process::{self, Ended, Launcher};
use super::{folder, latency, tree};
use crate::failure;
use crate::observation::{Observation, Value};
use crate::parse::{self, tidy};
use crate::scenario::Scenario;
use anyhow::{Context, Result, anyhow};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What all steps of a measurement share.
#[derive(Clone, Debug)]
pub struct Bench {
    /// The report's folder.
    pub out: PathBuf,
    /// The chains that all programs use.
    pub certificates: PathBuf,
    /// How much more work than the usual.
    pub multiplier: f64,
    /// When a process counts as hung.
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

impl Bench {
    /// Removes what an interrupted measurement left.
    ///
    /// # Errors
    /// The system's.
    pub fn clean(&self) -> Result<()> {
        tree::remove(&self.out.join(SCRATCH))
    }

    /// Measures a step. The inner error says why it is no sample: nothing of it was kept.
    ///
    /// # Errors
    /// The system's, which the next step would meet as well.
    pub fn step(
        &self,
        built: &Built,
        step: &Step,
        tick: &mut dyn FnMut(),
    ) -> failure::Result<Result<(), String>> {
        let scratch = self.out.join(SCRATCH);
        tree::remove(&scratch)?;
        tree::create(&scratch)?;
        let mut results = Results::default();
        for (index, label) in step.labels.iter().enumerate() {
            let process = Process {
                bench: self,
                built,
                step,
                label,
                scratch: scratch.join(index.to_string()),
            };
            if let Err(why) = process.measure(&mut results, tick)? {
                return Ok(Err(why));
            }
        }
        self.keep(built, step, &results, &scratch)?;
        tree::remove(&scratch)?;
        Ok(Ok(()))
    }

    /// Writes what was measured under names that nothing has yet.
    fn keep(&self, built: &Built, step: &Step, results: &Results, scratch: &Path) -> Result<()> {
        let folder = self.out.join(&built.id);
        tree::create(&folder)?;
        let stem = (1..)
            .map(|again| match again {
                1 => format!("run-{:03}-{}", step.run, step.suite.word()),
                again => format!("run-{:03}-{}-{again}", step.run, step.suite.word()),
            })
            .find(|stem| {
                !["csv", "hlog"]
                    .iter()
                    .any(|e| folder.join(format!("{stem}.{e}")).exists())
            })
            .unwrap_or_default();
        if self.keep_latencies {
            let hidden = self.out.join(".latencies").join(&built.id);
            latency::keep(scratch, &hidden.join(&stem))?;
        }
        // What a kill leaves half written is removed with the scratch folder.
        let write = |name: String, text: String| {
            tree::write_by(&scratch.join(&name), &folder.join(&name), text.as_bytes())
        };
        if !results.histograms.is_empty() {
            let text = latency::log(&built.identity, &results.histograms);
            write(format!("{stem}.hlog"), text)?;
        }
        if !results.rows.is_empty() {
            write(format!("{stem}.csv"), tidy::write(&results.rows))?;
        }
        Ok(())
    }
}

/// What the processes of a step gave.
#[derive(Default)]
struct Results {
    rows: Vec<Observation>,
    histograms: Vec<latency::Captured>,
}

/// One process of a step. Each scenario has its own: what one leaves in the heap makes the next one
/// faster or slower, several times with glibc's malloc, and a peak of memory counts all before it.
struct Process<'a> {
    bench: &'a Bench,
    built: &'a Built,
    step: &'a Step,
    label: &'a String,
    scratch: PathBuf,
}

impl Process<'_> {
    fn measure(
        &self,
        results: &mut Results,
        tick: &mut dyn FnMut(),
    ) -> failure::Result<Result<(), String>> {
        tree::create(&self.scratch)?;
        let [output, errors, latencies] =
            ["output", "errors", "latencies"].map(|name| self.scratch.join(name));
        let mut command = self.bench.launcher.command(&self.built.program);
        command
            .arg("--certificates")
            .arg(&self.bench.certificates)
            .args(["--multiplier", &self.bench.multiplier.to_string()])
            .args(["--run", &self.step.run.to_string()])
            .stdout(create(&output)?)
            .stderr(create(&errors)?);
        if self.step.suite == super::suite::Suite::Latency {
            tree::create(&latencies)?;
            command.arg("--latencies").arg(&latencies);
        }
        command.arg(self.label);
        let status = match process::run(&mut command, self.bench.timeout, tick)? {
            Ended::Exited(status) => status,
            Ended::Hung => {
                let seconds = self.bench.timeout.as_secs_f64();
                return Ok(Err(format!("no end after {seconds} s (--timeout)")));
            }
        };
        let said = fs::read(&errors).unwrap_or_default();
        if !status.success() {
            // On a full disk nothing that it said was kept, and the next one would fail as well.
            folder::try_to_write(&self.scratch)?;
            // A usage or a backtrace may follow what is wrong.
            let said = String::from_utf8_lossy(&said).into_owned();
            let said: Vec<&str> = said.lines().take(SHOWN).collect();
            return Ok(Err(format!("{status}: {}", said.join("\n  "))));
        }
        let bytes =
            fs::read(&output).with_context(|| format!("cannot read {}", output.display()))?;
        let rows = match self.check(&bytes) {
            Ok(rows) => rows,
            Err(why) => return Ok(Err(why)),
        };
        match latency::read(&latencies, &rows, self.label) {
            Ok(captured) => {
                let has_histogram = |row: &Observation| {
                    captured
                        .iter()
                        .any(|c| whole(&c.scenario) == whole(&row.scenario))
                        && row.scenario.percentile.is_some()
                };
                let rows = rows.into_iter().filter(|row| !has_histogram(row));
                results.rows.extend(rows);
                results.histograms.extend(captured);
                Ok(Ok(()))
            }
            Err(why) => Ok(Err(why)),
        }
    }

    /// The rows that a program printed, if they are what it was asked for.
    fn check(&self, bytes: &[u8]) -> Result<Vec<Observation>, String> {
        let parsed = parse::parse("its output", bytes).map_err(|problems| {
            let first = problems.first();
            first.map_or_else(String::new, |p| {
                format!("its output, line {}: {}", p.line, p.message)
            })
        })?;
        let asked = Scenario::from_label(self.label)?;
        for row in &parsed.observations {
            let what = row.scenario.label();
            if row.implementation.as_ref() != Some(&self.built.identity) {
                return Err(format!(
                    "its row of `{what}` is not of {}",
                    self.built.identity
                ));
            }
            if row.run + 1 != self.step.run {
                return Err(format!("its row of `{what}` is of run {}", row.run + 1));
            }
            if whole(&row.scenario) != asked {
                return Err(format!("it printed `{what}`, which nobody asked for"));
            }
            if matches!(row.value, Value::Distribution(_)) {
                return Err(format!("its row of `{what}` is no figure"));
            }
        }
        if parsed.observations.is_empty() {
            return Err(format!("it printed no row of `{}`", self.label));
        }
        Ok(parsed.observations)
    }
}

fn create(path: &Path) -> Result<File> {
    File::create(path).map_err(|e| anyhow!("cannot write {}: {e}", path.display()))
}
