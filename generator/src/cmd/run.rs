//! `generator run`: programs are built, measured in turns, and leave a report's folder.

use super::{print, show};
use crate::cli::{Format, Output, Run, Show};
use crate::failure::{Failure, Outcome};
use crate::run::build::{Built, Workshop};
use crate::run::catalog::{Catalog, Target};
use crate::run::machine::Machine;
use crate::run::manifest::{self, Facts};
use crate::run::measure::Bench;
use crate::run::meter::{self, Meter};
use crate::run::noise;
use crate::run::plan::{self, Batch, Done, Step};
use crate::run::process::Launcher;
use crate::run::record::Record;
use crate::run::spec::Spec;
use crate::run::suite::{self, Suite};
use crate::run::times::Times;
use crate::stats::Estimator;
use anyhow::{Context, anyhow};
use std::collections::HashMap;
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// A step that failed so often in a row is not tried again in this measurement.
const PATIENCE: u32 = 3;

/// Runs the command.
///
/// # Errors
/// What cannot be measured, a build or a program that failed, or results that would not be
/// comparable with those that are there.
pub fn run(arguments: &Run, quiet: bool) -> Outcome<()> {
    let workshop = workshop(arguments)?;
    let catalog = Catalog::read(&workshop.runners)?;
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.list) else {
        return print(&catalog.list());
    };
    let job = Job::new(arguments, &catalog, out)?;
    if arguments.dry_run {
        return job.print_plan(&workshop);
    }
    let _lock = lock(&workshop.work)?;
    let programs = build(&workshop, &job.targets, quiet)?;
    let certificates = workshop.certificates()?;
    let record = job.record(&programs)?;
    let found = noise::found(&job.machine, &job.launcher);
    for noise in found.iter().filter(|_| !quiet) {
        anstream::eprintln!("warning: {}: {}", noise.what, noise.remedy);
    }
    let facts = Facts {
        machine: &job.machine,
        launcher: &job.launcher,
        noise: &found,
        seed: record.seed,
        multiplier: record.multiplier,
        today: manifest::day(seconds()),
    };
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    record.write(out)?;
    manifest::write(out, &facts, &programs)?;
    let bench = Bench {
        out: out.clone(),
        certificates,
        multiplier: arguments.multiplier,
        timeout: Duration::from_secs_f64(arguments.timeout),
        launcher: job.launcher.clone(),
        keep_latencies: arguments.keep_latencies,
    };
    let ids: Vec<&str> = programs.iter().map(|p| p.id.as_str()).collect();
    let steps = job.steps(&ids, record.seed)?;
    let missing = measure(
        &bench,
        &programs,
        &steps,
        Times::read(&workshop.work),
        quiet,
    )?;
    summary(out, &ids)?;
    finish(out, &missing, quiet)
}

/// What was asked for, looked up.
struct Job<'a> {
    arguments: &'a Run,
    out: &'a Path,
    targets: Vec<Target>,
    machine: Machine,
    launcher: Launcher,
    before: Option<Record>,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a Run, catalog: &Catalog, out: &'a Path) -> Outcome<Self> {
        let mut targets: Vec<Target> = Vec::new();
        for text in &arguments.implementations {
            let target = catalog.find(&Spec::parse(text)?)?;
            if targets.iter().any(|t| t.id == target.id) {
                return Err(Failure::Usage(format!(
                    "`{text}` is named twice: it is {}",
                    target.name()
                )));
            }
            targets.push(target);
        }
        let machine = Machine::look();
        let before = Record::read(out)?;
        if let Some(before) = &before {
            before.agree(&machine.facts(), arguments.multiplier, out)?;
            if let Some(seed) = arguments.seed.filter(|s| *s != before.seed) {
                return Err(Failure::Usage(format!(
                    "{} was begun with --seed {}, not {seed}: leave it out to continue",
                    out.display(),
                    before.seed
                )));
            }
        }
        Ok(Self {
            arguments,
            out,
            targets,
            machine,
            launcher: Launcher::probe(),
            before,
        })
    }

    fn seed(&self) -> u32 {
        let before = self.before.as_ref().map(|b| b.seed);
        // Seconds tell measurements apart, and are short enough to type.
        before
            .or(self.arguments.seed)
            .unwrap_or_else(|| seconds() as u32)
    }

    fn record(&self, programs: &[Built]) -> Outcome<Record> {
        let mut record = self.before.clone().unwrap_or_else(|| Record {
            seed: self.seed(),
            multiplier: self.arguments.multiplier,
            machine: self.machine.facts(),
            programs: Default::default(),
        });
        for built in programs {
            record.add(built, self.out)?;
        }
        Ok(record)
    }

    fn batches(&self) -> Vec<Batch> {
        let arguments = self.arguments;
        let wanted = |label: &String| {
            suite::wanted(
                label,
                arguments.filter.as_ref(),
                arguments.filter_not.as_ref(),
            )
        };
        let batch = |suite: Suite| Batch {
            suite,
            labels: suite
                .labels(self.machine.processors)
                .into_iter()
                .filter(wanted)
                .collect(),
        };
        let batches = Suite::each(&arguments.suite).into_iter().map(batch);
        batches.filter(|b| !b.labels.is_empty()).collect()
    }

    fn steps(&self, ids: &[&str], seed: u32) -> Outcome<Vec<Step>> {
        let done = Done::read(self.out, ids.iter().copied())?;
        plan::steps(ids, &self.batches(), self.arguments.runs, seed, &done)
    }

    fn print_plan(&self, workshop: &Workshop) -> Outcome<()> {
        let ids: Vec<String> = self.targets.iter().map(|t| workshop.results(t)).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let steps = self.steps(&ids, self.seed())?;
        let mut text = String::new();
        for target in &self.targets {
            let state = if workshop.has(target) {
                "built"
            } else {
                "to be built"
            };
            let _ = writeln!(text, "{:<32} {state}", target.name());
        }
        for batch in self.batches() {
            let _ = writeln!(text, "\n{}:", batch.suite.word());
            batch.labels.iter().for_each(|label| {
                let _ = writeln!(text, "  {label}");
            });
        }
        let processes: usize = steps
            .iter()
            .map(|s| {
                if s.suite.one_by_one() {
                    s.labels.len()
                } else {
                    1
                }
            })
            .sum();
        let seed = match (&self.before, self.arguments.seed) {
            (None, None) => "a new seed".to_owned(),
            _ => format!("seed {}", self.seed()),
        };
        let times = Times::read(&workshop.work);
        let all = steps.iter().map(|step| (ids[step.program], step));
        let time = times.of_all(all, self.arguments.multiplier);
        let time = time.map_or("not known yet".to_owned(), |t| {
            format!("about {}", meter::duration(t))
        });
        let _ = writeln!(
            text,
            "\n{} runs in random order ({seed}); {processes} processes to go; time: {time}",
            self.arguments.runs
        );
        print(&text)
    }
}

fn seconds() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |d| d.as_secs())
}

/// The runners' folder: the one that was named, the one of the repository that is the current
/// folder, or the one that this program was built beside.
fn workshop(arguments: &Run) -> Outcome<Workshop> {
    let beside = std::env::current_exe().ok().and_then(|program| {
        let generator = program.ancestors().nth(3)?;
        Some(generator.join("runners"))
    });
    let named = arguments.runners.clone();
    let runners = named
        .or_else(|| Some(PathBuf::from("generator/runners")).filter(|p| p.is_dir()))
        .or(beside.filter(|p| p.is_dir()))
        .ok_or_else(|| {
            Failure::Usage(
                "there is no generator/runners here: run this in the repository, or name the folder with --runners"
                    .to_owned(),
            )
        })?;
    let runners = runners
        .canonicalize()
        .with_context(|| format!("cannot read {}", runners.display()))?;
    let work = runners.parent().unwrap_or(&runners).join("target/run");
    Ok(Workshop { runners, work })
}

/// Two measurements at once would measure each other.
fn lock(work: &Path) -> Outcome<File> {
    std::fs::create_dir_all(work).with_context(|| format!("cannot make {}", work.display()))?;
    let lock = File::open(work).with_context(|| format!("cannot open {}", work.display()))?;
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive).map_err(
        |_| anyhow!("another `generator run` is at work, and two would disturb each other; wait for it to end"),
    )?;
    Ok(lock)
}

fn build(workshop: &Workshop, targets: &[Target], quiet: bool) -> Outcome<Vec<Built>> {
    workshop.check(targets)?;
    let mut programs: Vec<Built> = Vec::new();
    for target in targets {
        let is_new = !workshop.has(target);
        if is_new && !quiet {
            anstream::eprintln!("building {} …", target.name());
        }
        let start = Instant::now();
        let built = workshop.build(target)?;
        if is_new && !quiet {
            let time = meter::duration(start.elapsed());
            anstream::eprintln!("built {} in {time}", built.identity);
        }
        if programs.iter().any(|p| p.id == built.id) {
            return Err(Failure::Usage(format!(
                "two of the implementations are {}: measure one of them, or give them different folders with --out",
                built.identity
            )));
        }
        programs.push(built);
    }
    Ok(programs)
}

/// Carries out the plan. Returns why files are missing, by implementation and suite.
fn measure(
    bench: &Bench,
    programs: &[Built],
    steps: &[Step],
    mut times: Times,
    quiet: bool,
) -> Outcome<Vec<String>> {
    bench.clean()?;
    if !quiet {
        say_start(bench, steps);
    }
    let mut meter = Meter::new(steps.len(), quiet);
    let mut failed: HashMap<(usize, Suite), u32> = HashMap::new();
    let mut missing = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let built = &programs[step.program];
        let what = format!(
            "{}, {}, run {}",
            built.identity,
            step.suite.word(),
            step.run
        );
        let failures = failed.entry((step.program, step.suite)).or_default();
        if *failures >= PATIENCE {
            missing.push(format!("{what}: not tried, after {PATIENCE} failures"));
            meter.end();
            continue;
        }
        let all = steps[index..].iter();
        let left = times.of_all(
            all.map(|s| (programs[s.program].id.as_str(), s)),
            bench.multiplier,
        );
        let start = Instant::now();
        meter.begin(what.clone());
        meter.tick(left);
        let outcome = bench.step(built, step, &mut || {
            meter.tick(left.map(|l| l.saturating_sub(start.elapsed())));
        })?;
        match outcome {
            Ok(()) => {
                *failures = 0;
                times.took(&built.id, step, bench.multiplier, start.elapsed());
                times.save();
            }
            Err(why) => {
                *failures += 1;
                meter.say(&format!("failed: {what}: {why}"));
                missing.push(what);
            }
        }
        meter.end();
    }
    bench.clean()?;
    Ok(missing)
}

fn say_start(bench: &Bench, steps: &[Step]) {
    let out = bench.out.display();
    if steps.is_empty() {
        anstream::eprintln!("all of this is measured in {out} already");
    } else {
        anstream::eprintln!(
            "{} files of results to measure into {out}; interrupt at any time, the same command continues",
            steps.len()
        );
    }
}

/// What `show` prints of the results of these programs.
fn summary(out: &Path, ids: &[&str]) -> Outcome<()> {
    let folders = ids.iter().map(|id| out.join(id));
    let paths: Vec<PathBuf> = folders.filter(|folder| folder.is_dir()).collect();
    if paths.is_empty() {
        return Ok(());
    }
    let output = Output {
        format: Format::Text,
        filter: None,
        // Of a distribution the median is enough here; `show` has the rest.
        filter_not: regex::Regex::new(", (min|P90|P99|P99.9|max)$").ok(),
        estimator: Estimator::default(),
    };
    show(&Show { paths, output }, true)
}

fn finish(out: &Path, missing: &[String], quiet: bool) -> Outcome<()> {
    if missing.is_empty() {
        if !quiet {
            anstream::eprintln!("measured: {}; next: generator ingest data/", out.display());
        }
        return Ok(());
    }
    let shown: Vec<&str> = missing.iter().take(20).map(String::as_str).collect();
    let more = missing.len() - shown.len();
    let more = if more > 0 {
        format!("\n  and {more} more")
    } else {
        String::new()
    };
    Err(Failure::Io(anyhow!(
        "{} of the files of results are missing; the same command tries them again:\n  {}{more}",
        missing.len(),
        shown.join("\n  ")
    )))
}
