//! `generator run`: builds programs, measures them in turns, and writes a report's folder.

mod command;
mod precision;
mod resolution;
mod session;
mod steps;

use super::{print, show};
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
use crate::measure::{record, sources, suite};
use crate::model::scenario::{Percentile, Scenario};
use crate::report::Dataset;
use crate::stats::Estimator;
use anyhow::Context;
use precision::Precision;
use resolution::Resolution;
use session::Session;
use std::path::PathBuf;
use steps::Collected;

/// Runs the command. Fails if something cannot be measured, a build or a program fails, or results
/// would not be comparable with those in the folder.
pub(super) fn run(arguments: &Run) -> Result<()> {
    if arguments.check {
        return check();
    }
    if let Some((line, out)) = arguments.command.as_ref().zip(arguments.out.as_ref()) {
        return command::run(arguments, line, out);
    }
    let runners = runners(arguments)?;
    let work = runners.with_file_name("target/run");
    let catalog = Catalog::read(&runners, &work)?;
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.list) else {
        return print(&catalog.list());
    };
    let targets = session::targets(arguments, &catalog)?;
    let cache = BuildCache::new(&runners, &work)?;
    if arguments.dry_run {
        return Session::new(arguments, out, cache)?.print(&targets);
    }
    record::check_folder(out)?;
    files::create_folder(&work)?;
    let busy = "another measurement is running, and two would disturb each other";
    let _lock = files::lock(&work, busy)?;
    files::create_folder(out)?;
    // Runners elsewhere have another work folder, but may measure into the same folder.
    let busy = format!("another measurement into {} is running", out.display());
    let _out_lock = files::lock(out, &busy)?;
    // It reads the record, which the other measurement may have written until now.
    let mut session = Session::new(arguments, out, cache)?;
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
    let mut collected = Collected::read(out, &ids)?;
    let mut steps = session.steps(&ids, runs, &collected.done)?;
    if !steps.is_empty() {
        session.warn();
    }
    steps::announce(out, &steps);
    let missing = loop {
        let missing = collected.measure(&measurement, &programs, &steps)?;
        let Some(limit) = arguments.until.filter(|_| missing == 0) else {
            break missing;
        };
        let data = collected.dataset()?;
        let precision = Precision::of(&data, limit, |s| is_wanted(arguments, s));
        crate::inform!("{}", precision.describe(runs, arguments.max_runs));
        if precision.wide == 0 || runs >= arguments.max_runs {
            break missing;
        }
        runs += 1;
        steps = session.steps(&ids, runs, &collected.done)?;
    };
    summary(arguments, collected.dataset()?)?;
    steps::finish(out, missing)
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
/// latency distribution; and which differences they show.
fn summary(arguments: &Run, data: Dataset) -> Result<()> {
    for warning in data.outlier_warnings() {
        crate::say!("warning: {warning}");
    }
    let rows = show::rows(&data, Estimator::default(), |s| is_wanted(arguments, s));
    if rows.is_empty() {
        return Ok(());
    }
    print(&grid::text(show::COLUMNS, &rows))?;
    let resolution = Resolution::of(data, |s| is_wanted(arguments, s));
    if let Some(text) = resolution.describe() {
        crate::inform!("{text}");
    }
    Ok(())
}

fn is_wanted(arguments: &Run, scenario: &Scenario) -> bool {
    matches!(scenario.percentile, None | Some(Percentile::P50))
        && suite::wanted(scenario, |label| arguments.filter.wants(label))
}
