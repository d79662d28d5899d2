//! `generator run --command`: runs a command in several folders or revisions in turns.

use super::opened::{Opened, warn};
use super::steps::MAX_FAILURES;
use super::{finish, measure};
use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::base::random::Random;
use crate::base::words::count;
use crate::cli::arguments::Run;
use crate::cli::read;
use crate::files;
use crate::measure::command::{self, Benchmark};
use crate::measure::machine::Machine;
use crate::measure::process::Stop;
use crate::measure::progress::StepProgress;
use crate::measure::side::{self, Side};
use crate::measure::{interrupt, manifest, record};
use crate::parse::load::Loaded;
use crate::report::Dataset;
use crate::stats::Estimator;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::{Path, absolute};
use std::time::Duration;

/// One execution of the command: the index of a side, and the run.
type Turn = (usize, u32);

/// The measurement so far.
struct Session<'a> {
    out: &'a Path,
    sides: Vec<Side>,
    seed: u32,
    benchmark: Benchmark,
    results: BTreeMap<Turn, Loaded>,
    /// Which sides have run.
    warm: Vec<bool>,
    /// Failures of each side.
    failures: Vec<u32>,
}

/// Runs the command `line`, and writes a report's folder.
pub(super) fn run(arguments: &Run, line: &str, out: &Path) -> Result<()> {
    let sides = side::parse(&arguments.implementations)?;
    record::check_folder(out)?;
    let commands = files::cache_folder()?.join("commands");
    let place = absolute(out).context("cannot resolve --out")?;
    let place = files::hex_digest(place.to_string_lossy().as_bytes());
    let work = commands.join(&place[..12]);
    files::create_folder(&work)?;
    let busy = "another measurement is running, and two would disturb each other";
    let _lock = files::lock(&commands, busy)?;
    files::create_folder(out)?;
    let _out_lock = files::lock(out, busy)?;
    let mut opened = Opened::of(arguments, out)?;
    interrupt::watch()?;
    let sides = side::open(sides, &work)?;
    let mut session = Session {
        out,
        seed: opened.record.seed,
        benchmark: Benchmark {
            line: line.to_owned(),
            timeout: Duration::from_secs_f64(arguments.timeout),
            criterion: work.join("criterion"),
        },
        results: BTreeMap::new(),
        warm: vec![false; sides.len()],
        failures: vec![0; sides.len()],
        sides,
    };
    session.read()?;
    session.announce(arguments.first_runs(), &opened.machine);
    let missing = measure(arguments, |runs| {
        let turns = session.turns(runs);
        if session.warm_up(&turns)? {
            session.record(&mut opened)?;
        }
        Ok((session.measure(&turns)?, session.dataset()?))
    })?;
    if missing == 0 {
        // Builds take much room.
        files::remove(&work)?;
        session.suggest_comparison();
    }
    finish(out, missing)
}

impl Session<'_> {
    /// Reads the results of earlier runs.
    fn read(&mut self) -> Result<()> {
        for (index, side) in self.sides.iter().enumerate() {
            for (run, loaded) in command::saved(self.out, side)? {
                self.results.insert((index, run), loaded);
            }
        }
        Ok(())
    }

    /// Returns what is left of so many runs. The sides of each are in a random order, which depends
    /// on the seed and the run only.
    fn turns(&self, runs: u32) -> Vec<Turn> {
        let mut turns = Vec::new();
        for run in 1..=runs {
            let mut random = Random::new((u64::from(self.seed) << 32) | u64::from(run));
            let order = random.order(self.sides.len()).into_iter();
            turns.extend(order.map(|side| (side, run)));
        }
        turns.retain(|turn| !self.results.contains_key(turn));
        turns
    }

    fn announce(&self, runs: u32, machine: &Machine) {
        let out = self.out.display();
        let open = self.turns(runs).len();
        if open == 0 {
            crate::inform!("{out} has all of these results already");
            return;
        }
        warn(machine);
        crate::inform!(
            "{} to measure into {out}; interrupt at any time, the same command continues",
            count(open, "run")
        );
    }

    /// Runs each side that has turns once, unless it has run before, which compiles and fills caches.
    /// Returns whether any ran.
    fn warm_up(&mut self, turns: &[Turn]) -> Result<bool> {
        let mut any = false;
        for (index, side) in self.sides.iter().enumerate() {
            if self.warm[index] || !turns.iter().any(|(side, _)| *side == index) {
                continue;
            }
            crate::inform!("warming up {} …", side.name);
            let tried = self.benchmark.run(side).map_err(|stop| {
                let failure = stop.fatal(format!("the command fails in {}: ", side.name));
                failure.interrupted(|message| {
                    format!("{message} in the warm-up; the same command continues")
                })
            })?;
            for note in tried.notes {
                crate::inform!("{note}");
            }
            self.warm[index] = true;
            any = true;
        }
        Ok(any)
    }

    /// Records the sides, after the warm-up: it may have changed a lock file.
    fn record(&self, opened: &mut Opened) -> Result<()> {
        let record = &mut opened.record;
        record.command = Some(self.benchmark.line.clone());
        for (index, side) in self.sides.iter().enumerate() {
            let digest = side.digest()?;
            let before = record.programs.get(&side.name);
            if self.results.keys().any(|(side, _)| *side == index) {
                side.check(before.map(String::as_str), digest.as_deref(), self.out)?;
            }
            record
                .programs
                .extend(digest.map(|d| (side.name.clone(), d)));
            record
                .sources
                .insert(side.name.clone(), side.sources.clone());
        }
        record.write(self.out)?;
        manifest::write_sides(self.out, &opened.machine, record, &self.sides)
    }

    /// Measures these turns. Returns how many are missing.
    fn measure(&mut self, turns: &[Turn]) -> Result<usize> {
        let mut progress = StepProgress::new(turns.len());
        let mut missing = 0;
        for (done, &(index, run)) in turns.iter().enumerate() {
            let side = &self.sides[index];
            progress.show(done, &format!("{}, run {run}", side.name));
            if self.failures[index] >= MAX_FAILURES {
                missing += 1;
                continue;
            }
            match self.benchmark.run(side) {
                Ok(rows) => {
                    let saved = command::save(self.out, side, run, rows)?;
                    self.results.insert((index, run), saved);
                }
                Err(Stop::Failed(why)) => {
                    missing += 1;
                    self.failures[index] += 1;
                    let end = match self.failures[index] {
                        MAX_FAILURES => {
                            format!("\n  not tried again, after {MAX_FAILURES} failures")
                        }
                        _ => String::new(),
                    };
                    progress.say(&format!("failed: {}, run {run}: {why}{end}", side.name));
                }
                Err(Stop::Fatal(failure)) => return Err(self.interrupted(failure, done, turns)),
            }
        }
        Ok(missing)
    }

    fn interrupted(&self, failure: Failure, done: usize, turns: &[Turn]) -> Failure {
        let (all, out) = (turns.len(), self.out.display());
        failure.interrupted(|message| {
            format!(
                "{message}: {done} of {all} runs were measured into {out}; the same command continues"
            )
        })
    }

    /// Says how to compare the first side with the others.
    fn suggest_comparison(&self) {
        if self.sides.len() > 1 {
            let sides = self.sides.iter().map(|side| {
                let results = self.out.join(&side.name);
                format!(" {}", escape::shell(&results.to_string_lossy()))
            });
            crate::inform!(
                "compare them: generator compare{}",
                sides.collect::<String>()
            );
        }
    }

    fn dataset(&self) -> Result<Dataset> {
        let data = read::grouped(self.results.values(), Estimator::default(), None)?;
        let is_paired = true;
        Ok(Dataset { is_paired, ..data })
    }
}
