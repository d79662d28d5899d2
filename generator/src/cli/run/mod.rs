//! `generator run`: builds programs, measures them in turns, and writes a report's folder.

mod precision;
mod session;
mod turns;

use super::read::dataset;
use super::{print, show};
use crate::base::console::quietly;
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Run;
use crate::cli::grid;
use crate::files;
use crate::files::embedded;
use crate::measure::build::BuildCache;
use crate::measure::catalog::Catalog;
use crate::measure::interrupt;
use crate::measure::machine::Machine;
use crate::measure::noise;
use crate::measure::program::Program;
use crate::measure::{sources, suite};
use crate::model::scenario::{Percentile, Scenario};
use crate::report::Dataset;
use crate::stats::Estimator;
use anyhow::Context;
use precision::Precision;
use session::Session;
use std::path::{Path, PathBuf};

/// Runs the command. Fails if something cannot be measured, a build or a program fails, or results
/// would not be comparable with those in the folder.
pub(super) fn run(arguments: &Run) -> Result<()> {
    if arguments.check {
        return check();
    }
    let runners = runners(arguments)?;
    let work = runners.with_file_name("target/run");
    let catalog = Catalog::read(&runners, &work)?;
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.list) else {
        return print(&catalog.list());
    };
    let targets = session::targets(arguments, &catalog)?;
    let cache = BuildCache::new(&runners, &work)?;
    let mut session = Session::new(arguments, out, cache)?;
    if arguments.dry_run {
        return session.print(&targets);
    }
    files::create_folder(&work)?;
    let busy = "another measurement is running, and two would disturb each other";
    let _lock = files::lock(&work, busy)?;
    interrupt::watch()?;
    let mut programs = session.build_all(&targets)?;
    let ids: Vec<&str> = programs.iter().map(|p| p.id.as_str()).collect();
    let controlled = session.controlled(&ids);
    let control = programs.iter().find(|p| Some(p.id.as_str()) == controlled);
    programs.extend(control.map(Program::control));
    let measurement = session.measurement()?;
    session.add(&programs)?;
    let ids: Vec<&str> = programs.iter().map(|p| p.id.as_str()).collect();
    let mut runs = arguments.first_runs();
    let steps = session.steps(&ids, runs)?;
    if !steps.is_empty() {
        session.warn();
    }
    turns::announce(out, &steps);
    let missing = loop {
        let steps = session.steps(&ids, runs)?;
        let missing = turns::measure(&measurement, &programs, &steps)?;
        let Some(limit) = arguments.until.filter(|_| missing == 0) else {
            break missing;
        };
        let data = results(out, &ids)?;
        let precision = Precision::of(&data, limit, |s| is_wanted(arguments, s));
        crate::inform!("{}", precision.describe(runs, arguments.max_runs));
        if precision.wide == 0 || runs >= arguments.max_runs {
            break missing;
        }
        runs += 1;
    };
    summary(arguments, out, &ids)?;
    turns::finish(out, missing)
}

/// Fails if it finds something that makes figures noisy on this machine.
fn check() -> Result<()> {
    let found = noise::found(&Machine::look()?);
    let lines: Vec<String> = found
        .iter()
        .map(|noise| format!("  {}: {}", noise.what, noise.remedy))
        .collect();
    match lines.as_slice() {
        [] => print("nothing makes figures noisy here, as far as this system tells\n"),
        lines => Err(Failure::Difference(format!(
            "this machine makes figures noisy:\n{}",
            lines.join("\n")
        ))),
    }
}

/// Returns the runners' folder: the one that was named, the one below the current folder, or the one
/// that this program was built beside. If there is none, the program's own copy is written to the
/// user's cache folder, and builds go there too.
fn runners(arguments: &Run) -> Result<PathBuf> {
    let beside = files::own_crate()?.map(|folder| folder.join("runners"));
    let here = PathBuf::from("generator/runners");
    let mut found = arguments.runners.clone();
    for folder in [Some(here), beside].into_iter().flatten() {
        if found.is_none() && files::is_folder(&folder)? {
            found = Some(folder);
        }
    }
    let runners = match found {
        Some(runners) => runners,
        None => {
            let folder = files::cache_folder()?.join(env!("CARGO_PKG_VERSION"));
            sources::write(&embedded::sources(), &folder)?;
            folder.join("runners")
        }
    };
    Ok(runners
        .canonicalize()
        .with_context(|| files::cannot_read(&runners))?)
}

/// Prints the results of these programs as `show` does, filtered, with only the median of each
/// latency distribution.
fn summary(arguments: &Run, out: &Path, ids: &[&str]) -> Result<()> {
    let data = results(out, ids)?;
    for warning in data.outlier_warnings() {
        crate::say!("warning: {warning}");
    }
    let rows = show::rows(&data, Estimator::default(), |s| is_wanted(arguments, s));
    match rows.is_empty() {
        true => Ok(()),
        false => print(&grid::text(show::COLUMNS, &rows)),
    }
}

/// Reads all results of these programs so far.
fn results(out: &Path, ids: &[&str]) -> Result<Dataset> {
    let mut paths = Vec::new();
    for folder in ids.iter().map(|id| out.join(id)) {
        if files::is_folder(&folder)? {
            paths.push(folder);
        }
    }
    quietly(|| dataset(&paths, Estimator::default(), None, None))
}

fn is_wanted(arguments: &Run, scenario: &Scenario) -> bool {
    matches!(scenario.percentile, None | Some(Percentile::P50))
        && suite::wanted(scenario, |label| arguments.filter.wants(label))
}
