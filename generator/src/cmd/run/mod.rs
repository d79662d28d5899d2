//! `generator run`: programs are built, measured in turns, and leave a report's folder.

mod job;
mod turns;

use super::{print, show};
use crate::cli::{Format, Output, Run, Show};
use crate::failure::{Failure, Result};
use crate::run::build::{Built, Workshop};
use crate::run::catalog::{Catalog, Target};
use crate::run::interrupt;
use crate::run::manifest::{self, Facts};
use crate::run::measure::Bench;
use crate::run::meter;
use crate::run::noise;
use crate::run::times::Times;
use crate::stats::Estimator;
use anyhow::{Context, anyhow};
use job::Job;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Runs the command.
///
/// # Errors
/// What cannot be measured, a build or a program that failed, or results that would not be
/// comparable with those that are there.
pub fn run(arguments: &Run, quiet: bool) -> Result<()> {
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
    interrupt::watch()?;
    let programs = build(&workshop, &job.targets, quiet)?;
    let certificates = certificates(&workshop, quiet)?;
    let record = job.record(&programs)?;
    let found = noise::found(&job.machine, &job.launcher);
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
    let is_open = !steps.is_empty();
    for noise in found.iter().filter(|_| is_open && !quiet) {
        anstream::eprintln!("warning: {}: {}", noise.what, noise.remedy);
    }
    let times = Times::read(&workshop.work);
    let missing = turns::measure(&bench, &programs, &steps, times, quiet)?;
    summary(out, &ids)?;
    turns::finish(out, &missing, quiet)
}

fn seconds() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |d| d.as_secs())
}

/// The runners' folder: the one that was named, the one of the repository that is the current
/// folder, or the one that this program was built beside.
fn workshop(arguments: &Run) -> Result<Workshop> {
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
fn lock(work: &Path) -> Result<File> {
    std::fs::create_dir_all(work).with_context(|| format!("cannot make {}", work.display()))?;
    let lock = File::open(work).with_context(|| format!("cannot open {}", work.display()))?;
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive).map_err(
        |_| anyhow!("another `generator run` is at work, and two would disturb each other; wait for it to end"),
    )?;
    Ok(lock)
}

fn build(workshop: &Workshop, targets: &[Target], quiet: bool) -> Result<Vec<Built>> {
    workshop.check(targets)?;
    let mut programs: Vec<Built> = Vec::new();
    for target in targets {
        let is_new = !workshop.has(target);
        if is_new && !quiet {
            anstream::eprintln!("building {} …", target.name());
        }
        let start = Instant::now();
        let built = workshop
            .build(target)
            .map_err(|f| unbuilt(f, &target.name()))?;
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

fn certificates(workshop: &Workshop, quiet: bool) -> Result<PathBuf> {
    if !quiet && !workshop.has_certificates() {
        anstream::eprintln!("building the maker of certificates …");
    }
    let made = workshop.certificates();
    made.map_err(|f| unbuilt(f, "the maker of certificates"))
}

fn unbuilt(failure: Failure, name: &str) -> Failure {
    match failure {
        Failure::Interrupted { signal, message } => Failure::Interrupted {
            signal,
            message: format!("{message} while {name} was built; the same command continues"),
        },
        other => other,
    }
}

/// What `show` prints of the results of these programs.
fn summary(out: &Path, ids: &[&str]) -> Result<()> {
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
