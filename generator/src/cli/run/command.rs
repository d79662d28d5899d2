//! `generator run --command`: runs a command in several folders or revisions in turns.

use super::opened::Opened;
use super::{finish, measure, paired};
use crate::base::escape;
use crate::base::failure::Result;
use crate::base::random::Random;
use crate::base::words::count;
use crate::cli::arguments::Run;
use crate::files;
use crate::measure::command::{self, Benchmark};
use crate::measure::process::Stop;
use crate::measure::progress::StepProgress;
use crate::measure::side::{self, Side};
use crate::measure::{interrupt, manifest};
use crate::parse::load::Loaded;
use anyhow::Context;
use indicatif::HumanDuration;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, absolute};
use std::time::{Duration, Instant};

/// One execution of the command: the index of a side, and the run.
type Turn = (usize, u32);

/// The measurement so far.
struct Session<'a> {
    out: &'a Path,
    opened: Opened,
    sides: Vec<Side>,
    benchmark: Benchmark,
    results: BTreeMap<Turn, Loaded>,
    /// The sides that have run, and how long it took.
    warm: BTreeMap<usize, Duration>,
}

/// Runs the command `line`, and writes a report's folder.
pub(super) fn run(arguments: &Run, line: &str, out: &Path) -> Result<()> {
    let sides = side::parse(&arguments.implementations)?;
    let commands = files::cache_folder()?.join("commands");
    let place = absolute(out).context("cannot resolve --out")?;
    let place = files::hex_digest(place.to_string_lossy().as_bytes());
    let work = commands.join(&place[..12]);
    files::create_folder(&work)?;
    let busy = "another measurement is running, and two would disturb each other";
    let _lock = files::lock(&commands, busy)?;
    files::create_folder(out)?;
    let _out_lock = files::lock(out, busy)?;
    let opened = Opened::of(arguments, out)?;
    interrupt::watch()?;
    let mut session = Session {
        out,
        opened,
        sides: side::open(sides, &work)?,
        benchmark: Benchmark {
            line: line.to_owned(),
            timeout: Duration::from_secs_f64(arguments.timeout),
            criterion: work.join("criterion"),
        },
        results: BTreeMap::new(),
        warm: BTreeMap::new(),
    };
    for (index, side) in session.sides.iter().enumerate() {
        for (run, loaded) in command::saved(out, side)? {
            session.results.insert((index, run), loaded);
        }
    }
    let open = session.turns(arguments.first_runs()).len();
    session.opened.announce(out, &count(open, "run"), open == 0);
    let missing = measure(arguments, |runs| {
        let turns = session.turns(runs);
        session.warm_up(&turns)?;
        let missing = session.measure(&turns)?;
        Ok((missing, paired(session.results.values())?))
    })?;
    if missing == 0 {
        // Builds take much room.
        files::remove(&work)?;
        session.suggest_comparison();
    }
    finish(out, missing)
}

impl Session<'_> {
    /// Returns what is left of so many runs. The sides of each are in a random order, which depends
    /// on the seed and the run only.
    fn turns(&self, runs: u32) -> Vec<Turn> {
        let mut turns = Vec::new();
        for run in 1..=runs {
            let seed = (u64::from(self.opened.record.seed) << 32) | u64::from(run);
            for side in Random::new(seed).order(self.sides.len()) {
                turns.push((side, run));
            }
        }
        turns.retain(|turn| !self.results.contains_key(turn));
        turns
    }

    /// Runs each side that has turns once, unless it has run before, which compiles and fills caches.
    fn warm_up(&mut self, turns: &[Turn]) -> Result<()> {
        let mut cold: BTreeSet<usize> = turns.iter().map(|(side, _)| *side).collect();
        cold.retain(|side| !self.warm.contains_key(side));
        if cold.is_empty() {
            return Ok(());
        }
        for index in cold {
            let side = &self.sides[index];
            crate::inform!("warming up {} …", side.name);
            let start = Instant::now();
            let tried = self.benchmark.run(side).map_err(|stop| {
                let failure = stop.fatal(format!("the command fails in {}: ", side.name));
                failure.interrupted(|message| {
                    format!("{message} in the warm-up; the same command continues")
                })
            })?;
            for note in tried.notes {
                crate::inform!("{note}");
            }
            self.warm.insert(index, start.elapsed());
        }
        let time: Duration = turns.iter().map(|(side, _)| self.warm[side]).sum();
        let (runs, time) = (count(turns.len(), "run"), time.max(Duration::from_secs(1)));
        crate::inform!(
            "{runs} will take about {}, or less if the warm-up compiled",
            HumanDuration(time)
        );
        // Now, because it may have changed a lock file.
        self.record()
    }

    /// Records the sides. Fails if the sources of one are not those of its earlier runs.
    fn record(&mut self) -> Result<()> {
        let Opened { machine, record } = &mut self.opened;
        record.command = Some(self.benchmark.line.clone());
        for (index, side) in self.sides.iter().enumerate() {
            let (name, digest) = (side.name.clone(), side.digest()?);
            if self.results.keys().any(|(side, _)| *side == index) {
                side.check(record.programs.get(&name), digest.as_ref(), self.out)?;
            }
            record.sources.insert(name.clone(), side.sources.clone());
            record.programs.extend(digest.map(|digest| (name, digest)));
        }
        record.write(self.out)?;
        manifest::write_sides(self.out, machine, record, &self.sides)
    }

    /// Measures these turns. Returns how many are missing.
    fn measure(&mut self, turns: &[Turn]) -> Result<usize> {
        let mut progress = StepProgress::new(turns.len());
        let mut missing = 0;
        for (done, &(index, run)) in turns.iter().enumerate() {
            let side = &self.sides[index];
            progress.show(done, &format!("{}, run {run}", side.name));
            match self.benchmark.run(side) {
                Ok(rows) => {
                    let saved = command::save(self.out, side, run, rows)?;
                    self.results.insert((index, run), saved);
                }
                Err(Stop::Failed(why)) => {
                    missing += 1;
                    progress.say(&format!("failed: {}, run {run}: {why}", side.name));
                }
                Err(Stop::Fatal(failure)) => {
                    let (all, out) = (turns.len(), self.out.display());
                    return Err(failure.interrupted(|message| {
                        format!(
                            "{message}: {done} of {all} runs were measured into {out}; the same command continues"
                        )
                    }));
                }
            }
        }
        Ok(missing)
    }

    /// Says how to compare the first side with the others.
    fn suggest_comparison(&self) {
        if self.sides.len() > 1 {
            let mut command = "generator compare".to_owned();
            for side in &self.sides {
                let results = self.out.join(&side.name);
                command += &format!(" {}", escape::shell(&results.to_string_lossy()));
            }
            crate::inform!("compare them: {command}");
        }
    }
}
