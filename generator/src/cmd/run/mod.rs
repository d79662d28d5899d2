//! `generator run`: programs are built, measured in turns, and leave a report's folder.

mod plan;
mod turns;

use super::{dataset, print, show};
use crate::cli::Run;
use crate::failure::{Failure, Result};
use crate::fs::{cannot_read, create_folder};
use crate::grid;
use crate::run::build::{BuildCache, Program};
use crate::run::catalog::Catalog;
use crate::run::interrupt;
use crate::run::manifest;
use crate::run::measure::Measurement;
use crate::run::noise;
use crate::run::progress::duration;
use crate::run::suite;
use crate::run::target::Target;
use crate::run::times::Times;
use crate::scenario::{Percentile, Scenario};
use crate::stats::Estimator;
use anyhow::{Context, anyhow};
use plan::Plan;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs the command. Fails if something cannot be measured, a build or a program fails, or results
/// would not be comparable with those that are there.
pub(super) fn run(arguments: &Run, quiet: bool) -> Result<()> {
    let runners = runners(arguments)?;
    let work = runners.with_file_name("target/run");
    let mut catalog = Catalog::read(&runners, &work)?;
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.list) else {
        return print(&catalog.list());
    };
    let mut plan = Plan::new(arguments, &mut catalog, out, quiet)?;
    let cache = BuildCache::new(&runners, &work)?;
    if arguments.dry_run {
        return plan.print(&cache, &Times::read(&work, arguments.multiplier)?);
    }
    let _lock = lock(&work)?;
    interrupt::watch()?;
    let mut times = Times::read(&work, arguments.multiplier)?;
    let programs = build(&cache, &plan.targets, &mut times, quiet)?;
    let keys = plan.keys();
    let maker = Target::certificates(&keys);
    announce(&cache, &maker, quiet)?;
    let certificates = cache.certificates(&maker, &keys);
    let certificates = certificates.map_err(|failure| unbuilt(failure, &maker))?;
    for program in &programs {
        plan.record.add(program, out)?;
    }
    create_folder(out)?;
    plan.record.write(out)?;
    manifest::write(out, &plan.machine, &plan.record, &programs)?;
    let ids: Vec<&str> = programs.iter().map(|p| p.id.as_str()).collect();
    let steps = plan.steps(&ids)?;
    if !steps.is_empty() && !quiet {
        for noise in noise::found(&plan.machine) {
            crate::say!("warning: {}: {}", noise.what, noise.remedy);
        }
    }
    let measurement = Measurement {
        out: out.clone(),
        certificates,
        multiplier: arguments.multiplier,
        timeout: Duration::from_secs_f64(arguments.timeout),
        launcher: plan.machine.launcher,
        keep_latencies: arguments.keep_latencies,
    };
    let missing = turns::measure(&measurement, &programs, &steps, times, quiet)?;
    summary(arguments, out, &ids)?;
    turns::finish(out, &missing, quiet)
}

/// The runners' folder: the one that was named, the one of the repository that is the current
/// folder, or the one that this program was built beside.
fn runners(arguments: &Run) -> Result<PathBuf> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let beside = program.ancestors().nth(3).map(|g| g.join("runners"));
    let here = PathBuf::from("generator/runners");
    let mut found = [Some(here), beside].into_iter().flatten();
    let named = arguments.runners.clone();
    let runners = named.or_else(|| found.find(|p| p.is_dir())).ok_or_else(|| {
        let what = "there is no generator/runners here: run this in the repository, or name the folder with --runners";
        Failure::Usage(what.to_owned())
    })?;
    Ok(runners
        .canonicalize()
        .with_context(|| cannot_read(&runners))?)
}

/// Two measurements at once would measure each other.
fn lock(work: &Path) -> anyhow::Result<File> {
    create_folder(work)?;
    let lock = File::open(work).with_context(|| format!("cannot open {}", work.display()))?;
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(lock),
        Err(Errno::WOULDBLOCK) => Err(anyhow!(
            "another `generator run` is at work, and two would disturb each other; wait for it to end"
        )),
        Err(error) => Err(anyhow!("cannot lock {}: {error}", work.display())),
    }
}

fn build(
    cache: &BuildCache,
    targets: &[Target],
    times: &mut Times,
    quiet: bool,
) -> Result<Vec<Program>> {
    cache.check(targets)?;
    let mut programs: Vec<Program> = Vec::new();
    for target in targets {
        let is_new = !cache.has(target)?;
        let is_announced = announce(cache, target, quiet)?;
        let start = Instant::now();
        let program = cache.build(target).map_err(|f| unbuilt(f, target))?;
        if is_new {
            times.took_to_build(target, start.elapsed())?;
        }
        let identity = &program.identity;
        if is_announced {
            crate::say!("built {identity} in {}", duration(start.elapsed()));
        }
        if programs.iter().any(|p| p.id == program.id) {
            return Err(Failure::Usage(format!(
                "two of the implementations are {identity}: measure one of them, or give them different folders with --out"
            )));
        }
        programs.push(program);
    }
    Ok(programs)
}

/// Tells of a build that is to come, and whether there is one to tell of.
fn announce(cache: &BuildCache, target: &Target, quiet: bool) -> Result<bool> {
    let is_announced = !quiet && !cache.has(target)?;
    if is_announced {
        crate::say!("building {} …", target.name());
    }
    Ok(is_announced)
}

fn unbuilt(failure: Failure, target: &Target) -> Failure {
    let name = target.name();
    failure.interrupted(|message| {
        format!("{message} while {name} was built; the same command continues")
    })
}

/// What `show` prints of the results of these programs, as far as the filters leave it. Of a
/// distribution the median is enough here; `show` has the rest.
fn summary(arguments: &Run, out: &Path, ids: &[&str]) -> Result<()> {
    let mut paths: Vec<PathBuf> = ids.iter().map(|id| out.join(id)).collect();
    paths.retain(|folder| folder.is_dir());
    if paths.is_empty() {
        return Ok(());
    }
    let wanted = |scenario: &Scenario| {
        matches!(scenario.percentile, None | Some(Percentile::P50))
            && suite::wanted(scenario, |label| arguments.filter.wants(label))
    };
    let rows = show::rows(&dataset(&paths, true)?, Estimator::default(), wanted);
    print(&grid::text(show::COLUMNS, rows))
}
