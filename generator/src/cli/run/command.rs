//! `generator run --command`: runs a command in several folders or revisions in turns.

use super::Work;
use crate::base::escape;
use crate::base::failure::Result;
use crate::base::random::Random;
use crate::base::words::count;
use crate::cli::arguments::Run;
use crate::files;
use crate::measure::manifest;
use crate::measure::process::{self, Stop};
use crate::measure::records::machine::Machine;
use crate::measure::records::record::Record;
use crate::measure::records::results::Results;
use crate::measure::turns::command::{self, Benchmark, CommandSide, check_rows, row_name};
use crate::model::implementation::Implementation;
use anyhow::Context;
use indicatif::HumanDuration;
use std::collections::BTreeSet;
use std::path::{Path, absolute};
use std::time::{Duration, Instant};

/// One execution of the command: the index of a side, and the run, from 1.
type Turn = (usize, u32);

/// A command and its sides, with what was measured so far.
struct Command<'a> {
    out: &'a Path,
    runs: u32,
    machine: &'a Machine,
    record: Record,
    sides: Vec<CommandSide>,
    benchmark: Benchmark,
    results: Results,
}

/// Runs the command `line`, and writes a report's folder.
pub(super) fn run(arguments: &Run, line: &str, out: &Path) -> Result<()> {
    let sides = command::parse(&arguments.implementations)?;
    let commands = files::cache_folder()?.join("commands");
    let place = absolute(out).context("cannot resolve --out")?;
    let place = files::hex_digest(place.to_string_lossy().as_bytes());
    let work = commands.join(&place[..12]);
    let _locks = super::lock(&commands, out)?;
    files::create_folder(&work)?;
    let machine = &Machine::look()?;
    let (multiplier, seed) = (arguments.multiplier, arguments.seed);
    let record = Record::open(out, &machine.facts, Some(line), multiplier, seed)?;
    process::watch_signals()?;
    let sides = command::open(sides, &work)?;
    let names: Vec<String> = sides.iter().map(|side| side.name.clone()).collect();
    let mut command = Command {
        out,
        runs: arguments.runs_of(None),
        machine,
        record,
        sides,
        benchmark: Benchmark {
            line: line.to_owned(),
            timeout: Duration::from_secs_f64(arguments.timeout),
            criterion: work.join("criterion"),
        },
        results: Results::read(out, &names)?,
    };
    let missing = super::measure(arguments, out, machine, &mut command)?;
    if missing == 0 {
        // Builds take much room.
        files::remove(&work)?;
        command.suggest_comparison();
    }
    super::finish(out, missing)
}

impl Work for Command<'_> {
    type Step = Turn;

    fn count(results: usize) -> String {
        count(results, "run")
    }

    /// The sides of each run are in a random order, which depends on the seed and the run only.
    fn left(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        for run in 1..=self.runs {
            let seed = (u64::from(self.record.seed) << 32) | u64::from(run);
            for side in Random::new(seed).order(self.sides.len()) {
                turns.push((side, run));
            }
        }
        turns.retain(|(side, run)| !self.results.have(*side, (*run, None), None));
        turns
    }

    /// Runs each side once, which compiles and fills caches.
    fn prepare(&mut self, turns: &[Turn]) -> Result<()> {
        let cold: BTreeSet<usize> = turns.iter().map(|(side, _)| *side).collect();
        if cold.is_empty() {
            return Ok(());
        }
        let mut warm = Vec::new();
        for index in cold {
            let side = &self.sides[index];
            let start = Instant::now();
            let line = &self.benchmark.line;
            crate::inform!("warming up {}, which compiles: `{line}` …", side.name);
            let tried = self.benchmark.run(side).map_err(|stop| {
                let failure = stop.fatal(format!("the command fails in {}: ", side.name));
                failure.interrupted(" in the warm-up; the same command continues")
            })?;
            let time = HumanDuration(start.elapsed());
            crate::inform!("{} took {time} to compile and run", side.name);
            for note in tried.notes {
                crate::inform!("{note}");
            }
            let rows = tried.observations.iter().map(row_name);
            warm.push((&*side.name, rows.collect()));
        }
        check_rows(&warm)?;
        // Now, because it may have changed a lock file.
        self.record()
    }

    fn describe(&self, (side, run): &Turn) -> (String, usize) {
        (format!("{}, run {run}", self.sides[*side].name), 1)
    }

    fn measure(&mut self, turn: &Turn) -> Result<Vec<String>> {
        let (index, run) = *turn;
        let side = &self.sides[index];
        match self.benchmark.run(side) {
            Ok(rows) => {
                let identity = Implementation::new(&side.name, "", &[]);
                let rows = rows.observations;
                self.results
                    .write(index, (run, None), &identity, rows, "")?;
                Ok(Vec::new())
            }
            Err(Stop::Failed(why) | Stop::Unsupported(why)) => {
                Ok(vec![format!("{}: {why}", self.describe(turn).0)])
            }
            Err(Stop::Fatal(failure)) => Err(failure),
        }
    }

    fn results(&self) -> &Results {
        &self.results
    }
}

impl Command<'_> {
    /// Records the sides. Fails if the sources of one are not those of its earlier runs.
    fn record(&mut self) -> Result<()> {
        for side in &self.sides {
            side.add_to(&mut self.record, self.out)?;
        }
        self.record.write(self.out)?;
        let line = &self.benchmark.line;
        let entries = self.sides.iter().map(|side| manifest::side(side, line));
        let entries = Vec::from_iter(entries);
        manifest::write(self.out, self.machine, &self.record, &entries)
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
