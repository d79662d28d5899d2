//! A step of the plan becomes a file of results, or no file at all.

use super::build::{BuildCache, Program};
use super::instructions::Counting;
use super::plan::{Step, whole};
use super::process::{self, Launcher, Tick};
use super::processors::Processors;
use super::suite::Suite;
use super::watch::Watch;
use super::{excerpt, footprint, latency};
use crate::conditions::{self, Conditions, STOLEN};
use crate::failure;
use crate::fs::{create_folder, is_file, remove, write_via};
use crate::observation::{Observation, Value};
use crate::parse::{self, tidy};
use crate::profile::{self, FunctionRow};
use crate::scenario::Scenario;
use crate::unit::Unit;
use anyhow::Result;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What all steps share.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) out: PathBuf,
    pub(crate) cache: BuildCache,
    pub(crate) certificates: PathBuf,
    pub(crate) multiplier: f64,
    /// A process that runs longer is killed.
    pub(crate) timeout: Duration,
    pub(crate) launcher: Launcher,
    pub(crate) processors: Processors,
    /// Keep the time of each handshake besides the histograms.
    pub(crate) keep_latencies: bool,
    /// The version of valgrind, which counts instructions.
    pub(crate) valgrind: Option<String>,
    /// Keep instructions by function.
    pub(crate) profile: bool,
}

/// For output of processes that still run; hidden, so that no reader takes it for results.
const SCRATCH: &str = ".running";

/// What a reader has to know of rows whose sources nobody else can get.
const DIRTY: &str = "built of uncommitted changes";

/// Lines of a failed process that are shown.
pub(super) const SHOWN: usize = 5;

impl Measurement {
    /// Ends and removes what measured processes or an interrupted measurement left.
    pub(crate) fn clean(&self) -> failure::Result<()> {
        process::end_orphans()?;
        Ok(remove(&self.out.join(SCRATCH))?)
    }

    /// Measures a step. The inner error says why it is no sample: nothing of it was kept.
    pub(crate) fn step(
        &self,
        program: &Program,
        step: &Step,
        tick: Tick,
    ) -> failure::Result<Result<(), String>> {
        self.clean()?;
        let attempt = Attempt {
            measurement: self,
            program,
            step,
            scratch: &self.out.join(SCRATCH),
        };
        let outcome = attempt.run(tick);
        match self.clean() {
            Err(error) if outcome.is_err() => crate::say!("warning: {error}"),
            cleaned => cleaned?,
        }
        outcome
    }
}

/// What the processes of a step gave.
#[derive(Default)]
struct Results {
    rows: Vec<Observation>,
    histograms: Vec<latency::Captured>,
    functions: Vec<FunctionRow>,
    conditions: Vec<Conditions>,
}

impl Results {
    fn with(mut self, more: Self) -> Self {
        self.rows.extend(more.rows);
        self.histograms.extend(more.histograms);
        self.functions.extend(more.functions);
        self.conditions.extend(more.conditions);
        self
    }
}

/// A step that is measured.
struct Attempt<'a> {
    measurement: &'a Measurement,
    program: &'a Program,
    step: &'a Step,
    scratch: &'a Path,
}

impl Attempt<'_> {
    fn run(&self, tick: Tick) -> failure::Result<Result<(), String>> {
        create_folder(self.scratch)?;
        let Step { suite, run, .. } = self.step;
        let scenarios: Vec<_> = self.step.scenarios.iter().enumerate().collect();
        if *suite == Suite::Footprint {
            let cache = &self.measurement.cache;
            let scenarios = &self.step.scenarios;
            let mut rows = footprint::rows(cache, self.program, scenarios, self.scratch)?;
            rows.iter_mut().for_each(|row| row.run = run - 1);
            self.keep(&Results {
                rows,
                ..Results::default()
            })?;
            return Ok(Ok(()));
        }
        // A count is none the worse for what runs beside it, a time is.
        let in_turn = match suite.is_counted() {
            true => 1,
            false => scenarios.len(),
        };
        let measured = scenarios.par_chunks(in_turn.max(1));
        let measured = measured.map(|scenarios| self.measure_all(scenarios, tick));
        let measured = measured.collect::<failure::Result<Vec<_>>>()?;
        let measured: Result<Vec<Results>, String> = measured.into_iter().collect();
        let mut results = match measured {
            Ok(measured) => measured.into_iter().fold(Results::default(), Results::with),
            Err(why) => return Ok(Err(why)),
        };
        if let Err(why) = self.count_instructions(&mut results, tick)? {
            return Ok(Err(why));
        }
        self.keep(&results)?;
        Ok(Ok(()))
    }

    /// Measures one scenario after the other.
    fn measure_all(
        &self,
        scenarios: &[(usize, &Scenario)],
        tick: Tick,
    ) -> failure::Result<Result<Results, String>> {
        let mut results = Results::default();
        for (index, scenario) in scenarios {
            let latencies = self.scratch.join(index.to_string()).join(latency::FOLDER);
            let mut command = self.command(scenario, &latencies)?;
            match self.measure(&mut command, scenario, &latencies, tick)? {
                Ok(measured) => results = results.with(measured),
                Err(why) => {
                    let alone = in_shell(&command);
                    return Ok(Err(format!("`{scenario}`: {why}\n  by itself: {alone}")));
                }
            }
        }
        Ok(Ok(results))
    }

    /// A process for one scenario. What an earlier one leaves in the heap would make the next one
    /// faster or slower, several times with glibc's malloc, and a peak of memory counts all before
    /// it.
    fn command(&self, scenario: &Scenario, latencies: &Path) -> failure::Result<Command> {
        create_folder(latencies)?;
        let threads = scenario.threads.unwrap_or(1);
        let processors = self.measurement.processors.of_threads(threads)?;
        let words = self.measurement.processors.launcher(processors);
        let launcher = &self.measurement.launcher;
        let mut command = launcher.command(&words, &self.program.path);
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
        if threads > 1 && !words.is_empty() {
            command.arg("--bind");
        }
        if self.step.suite == Suite::Latency {
            command.arg("--latencies").arg(latencies);
        }
        command.arg(scenario.label());
        Ok(command)
    }

    /// Runs it, and keeps what it gave if that is what it was asked for.
    fn measure(
        &self,
        command: &mut Command,
        scenario: &Scenario,
        latencies: &Path,
        tick: Tick,
    ) -> failure::Result<Result<Results, String>> {
        let Measurement {
            processors,
            timeout,
            ..
        } = self.measurement;
        let watch = Watch::start(processors.of_threads(scenario.threads.unwrap_or(1))?);
        let is_counted = self.step.suite.is_counted();
        let ended = process::run(command, *timeout, tick)?;
        if !is_counted {
            // They would take time of the next one.
            process::end_orphans()?;
        }
        let ended = match ended {
            Ok(ended) => ended,
            Err(why) => return Ok(Err(why)),
        };
        if !ended.status.success() {
            // A usage or a backtrace may follow what is wrong.
            let said = String::from_utf8_lossy(&ended.errors);
            let said: Vec<String> = said.lines().take(SHOWN).map(excerpt).collect();
            return Ok(Err(format!("{}: {}", ended.status, said.join("\n  "))));
        }
        let conditions = Conditions {
            program: self.program.id.clone(),
            run: self.step.run,
            scenario: scenario.label(),
            ..watch.end(ended.switches)
        };
        let rows = self.check(&ended.output, scenario);
        Ok(rows.and_then(|mut rows| {
            // No count is the worse for a machine that is shared.
            if conditions.is_stolen() && !is_counted {
                rows.iter_mut().for_each(|row| add_caveat(row, STOLEN));
            }
            let histograms = latency::read(latencies, &rows, scenario)?;
            // Percentiles that a histogram holds as well are left out.
            rows.retain(|row| {
                let is_of = |c: &latency::Captured| whole(&c.scenario) == whole(&row.scenario);
                row.scenario.percentile.is_none() || !histograms.iter().any(is_of)
            });
            Ok(Results {
                rows,
                histograms,
                conditions: (!is_counted).then_some(conditions).into_iter().collect(),
                ..Results::default()
            })
        }))
    }

    /// Adds what valgrind counts of scenarios whose other counts the program has printed.
    fn count_instructions(
        &self,
        results: &mut Results,
        tick: Tick,
    ) -> failure::Result<Result<(), String>> {
        let Measurement {
            valgrind: Some(valgrind),
            launcher,
            certificates,
            timeout,
            ..
        } = self.measurement
        else {
            return Ok(Ok(()));
        };
        // A row for each side that has done something.
        let calls = results.rows.iter().filter(|row| {
            row.unit == Unit::Count("calls") && matches!(row.value, Value::Number(_))
        });
        let calls: Vec<Observation> = calls.cloned().collect();
        let counting = Counting {
            valgrind,
            launcher,
            program: &self.program.path,
            certificates,
            timeout: *timeout,
            scratch: self.scratch,
            profile: self.measurement.profile,
        };
        let counted = counting.count(&calls, tick)?;
        Ok(counted.map(|(rows, functions)| {
            results.rows.extend(rows);
            results.functions.extend(functions);
        }))
    }

    /// The rows that a program printed, if they are what it was asked for.
    fn check(&self, bytes: &[u8], scenario: &Scenario) -> Result<Vec<Observation>, String> {
        if bytes.trim_ascii().is_empty() {
            return Err("it printed nothing".to_owned());
        }
        let said = &self.program.said;
        let mut parsed = parse::parse("its output", bytes).map_err(|problems| {
            let first = problems.first();
            let first = first.map(|p| format!("its output, line {}: {}", p.line, p.message));
            first.unwrap_or_default()
        })?;
        for row in &parsed.observations {
            let what = row.scenario.label();
            if row.implementation.as_ref() != Some(said) {
                return Err(format!("its row of `{what}` is not of {said}"));
            }
            if row.run + 1 != self.step.run {
                return Err(format!("its row of `{what}` is of run {}", row.run + 1));
            }
            if whole(&row.scenario) != *scenario {
                return Err(format!("it printed `{what}`, which nobody asked for"));
            }
            if matches!(row.value, Value::Distribution(_)) {
                return Err(format!("its row of `{what}` is no figure"));
            }
        }
        if parsed.observations.is_empty() {
            return Err(format!("it printed no row of `{scenario}`"));
        }
        for row in &mut parsed.observations {
            row.implementation = Some(self.program.identity.clone());
            if self
                .program
                .target
                .sources
                .as_ref()
                .is_some_and(|s| s.checkout.is_dirty)
            {
                add_caveat(row, DIRTY);
            }
        }
        Ok(parsed.observations)
    }

    /// Writes what was measured under names that nothing has yet.
    fn keep(&self, results: &Results) -> Result<()> {
        let (id, identity) = (&self.program.id, &self.program.identity);
        let out = &self.measurement.out;
        let folder = out.join(id);
        create_folder(&folder)?;
        let stem = self.new_stem(&folder)?;
        if self.measurement.keep_latencies {
            latency::keep(self.scratch, &out.join(".latencies").join(id).join(&stem))?;
        }
        // What a kill leaves half written is removed with the scratch folder.
        let write = |extension: &str, text: String| {
            let path = folder.join(format!("{stem}.{extension}"));
            write_via(self.scratch, &path, text.as_bytes())
        };
        if !results.histograms.is_empty() {
            write("hlog", latency::log(identity, &results.histograms))?;
        }
        if !results.functions.is_empty() {
            write(profile::EXTENSION, profile::text(&results.functions)?)?;
        }
        if !results.rows.is_empty() {
            write("csv", tidy::write(&results.rows))?;
        }
        conditions::append(out, &results.conditions)
    }

    /// The first name of this step that no file of results has.
    fn new_stem(&self, folder: &Path) -> Result<String> {
        let first = format!("run-{:03}-{}", self.step.run, self.step.suite.word());
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

/// As a shell takes it.
fn in_shell(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=".contains(c);
        match word.chars().all(is_plain) {
            true => word.into_owned(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn add_caveat(row: &mut Observation, caveat: &str) {
    let told = row.caveat.iter().map(String::as_str);
    row.caveat = Some(told.chain([caveat]).collect::<Vec<_>>().join("; "));
}
