//! `generator run`: programs are built, measured in turns, and leave a report's folder.

mod bisect;
mod plan;
mod session;
mod turns;

pub(super) use bisect::bisect;

use super::{dataset, print, show};
use crate::cli::{Measuring, Run};
use crate::failure::{Failure, Result};
use crate::fs::cannot_read;
use crate::grid;
use crate::run::build::{BuildCache, Program};
use crate::run::catalog::Catalog;
use crate::run::suite;
use crate::run::times::Times;
use crate::scenario::{Percentile, Scenario};
use crate::stats::Estimator;
use anyhow::Context;
use plan::Plan;
use session::Session;
use std::path::{Path, PathBuf};

/// Runs the command. Fails if something cannot be measured, a build or a program fails, or results
/// would not be comparable with those that are there.
pub(super) fn run(arguments: &Run, quiet: bool) -> Result<()> {
    let how = &arguments.measuring;
    let runners = runners(how)?;
    let work = runners.with_file_name("target/run");
    let mut catalog = Catalog::read(&runners, &work)?;
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.list) else {
        return print(&catalog.list());
    };
    let targets = plan::targets(arguments, &mut catalog, quiet)?;
    let plan = Plan::new(how, out)?;
    let cache = BuildCache::new(&runners, &work)?;
    let times = Times::read(&work, how.multiplier)?;
    if how.dry_run {
        return plan.print(arguments, &targets, &cache, &times);
    }
    let mut session = Session::begin(plan, cache, times, &work, quiet)?;
    let mut programs = session.build_all(&targets)?;
    let ids: Vec<&str> = programs.iter().map(|p| p.id.as_str()).collect();
    let controlled = session.plan.controlled(arguments, &ids);
    let control = programs.iter().find(|p| Some(p.id.as_str()) == controlled);
    programs.extend(control.map(Program::control));
    let measurement = session.measurement(arguments.keep_latencies)?;
    session.add(&programs)?;
    let ids: Vec<&str> = programs.iter().map(|p| p.id.as_str()).collect();
    let steps = session.plan.steps(&ids, arguments.runs)?;
    if !steps.is_empty() {
        session.warn();
    }
    let missing = turns::measure(&measurement, &programs, &steps, &mut session.times, quiet)?;
    summary(arguments, out, &ids)?;
    turns::finish(out, &missing, quiet)
}

/// The runners' folder: the one that was named, the one of the repository that is the current
/// folder, or the one that this program was built beside.
fn runners(how: &Measuring) -> Result<PathBuf> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let beside = program.ancestors().nth(3).map(|g| g.join("runners"));
    let here = PathBuf::from("generator/runners");
    let mut found = [Some(here), beside].into_iter().flatten();
    let named = how.runners.clone();
    let runners = named.or_else(|| found.find(|p| p.is_dir())).ok_or_else(|| {
        let what = "there is no generator/runners here: run this in the repository, or name the folder with --runners";
        Failure::Usage(what.to_owned())
    })?;
    Ok(runners
        .canonicalize()
        .with_context(|| cannot_read(&runners))?)
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
            && suite::wanted(scenario, |label| arguments.measuring.filter.wants(label))
    };
    let rows = show::rows(&dataset(&paths, true)?, Estimator::default(), wanted);
    print(&grid::text(show::COLUMNS, rows))
}
