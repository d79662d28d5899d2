//! `generator run`: builds programs, measures them in turns, and writes a report's folder.

mod command;
mod opened;
mod quality;
mod session;
mod steps;

use super::{print, show};
use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Run;
use crate::cli::{grid, read};
use crate::files::{self, embedded};
use crate::measure::build::BuildCache;
use crate::measure::catalog::Catalog;
use crate::measure::machine::Machine;
use crate::measure::{interrupt, noise, record, sources, suite};
use crate::model::scenario::{Percentile, Scenario};
use crate::parse::load::Loaded;
use crate::report::Dataset;
use crate::stats::Estimator;
use anyhow::{Context, anyhow};
use quality::Quality;
use session::Session;
use std::path::{Path, PathBuf};
use steps::Collected;

/// Runs the command. Fails if something cannot be measured, a build or a program fails, or results
/// would not be comparable with those in the folder.
pub(super) fn run(arguments: &Run) -> Result<()> {
    if arguments.check {
        return check();
    }
    let out = arguments.out.as_ref().filter(|_| !arguments.list);
    if let Some(out) = out {
        record::check_folder(out)?;
        if let Some(line) = &arguments.command {
            return command::run(arguments, line, out);
        }
    }
    let runners = runners(arguments)?;
    let work = runners.with_file_name("target/run");
    let catalog = Catalog::read(&runners, &work)?;
    let Some(out) = out else {
        return print(&catalog.list());
    };
    let targets = session::targets(arguments, &catalog)?;
    let cache = BuildCache::new(&runners, &work)?;
    if arguments.dry_run {
        return Session::new(arguments, out, cache)?.print(&targets);
    }
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
    let programs = session.programs(&targets)?;
    let ids: Vec<String> = programs.iter().map(|p| p.id.clone()).collect();
    let measurement = session.measurement()?;
    session.add(&programs)?;
    let mut collected = Collected::read(out, &ids)?;
    session.announce(&session.steps(&ids, arguments.first_runs(), &collected.done)?);
    let missing = measure(arguments, |runs| {
        let steps = session.steps(&ids, runs, &collected.done)?;
        let missing = collected.measure(&measurement, &programs, &steps)?;
        Ok((missing, paired(&collected.files)?))
    })?;
    finish(out, missing)
}

/// Measures so many runs, and as many more as `--until` asks for; then prints all results. `measure`
/// returns how many are missing, and the data so far. Returns how many are missing at the end.
fn measure(
    arguments: &Run,
    mut measure: impl FnMut(u32) -> Result<(usize, Dataset)>,
) -> Result<usize> {
    let mut runs = arguments.first_runs();
    loop {
        let (missing, data) = measure(runs)?;
        let quality = Quality::of(data.clone(), |s| is_wanted(arguments, s));
        let limit = arguments.until.filter(|_| missing == 0);
        if let Some(limit) = limit {
            crate::inform!("{}", quality.precision(limit, runs, arguments.max_runs));
        }
        let is_wide = limit.is_some_and(|limit| quality.wide(limit) > 0);
        if !is_wide || runs >= arguments.max_runs {
            summary(arguments, &data, &quality)?;
            return Ok(missing);
        }
        runs += 1;
    }
}

/// Groups the figures of a measurement, whose runs are pairs: one launch of each program.
fn paired<'a>(files: impl IntoIterator<Item = &'a Loaded>) -> Result<Dataset> {
    let files = files.into_iter().map(|file| (file, &[][..], &*file.path));
    let data = read::grouped(files, Estimator::default(), None)?;
    let is_paired = true;
    Ok(Dataset { is_paired, ..data })
}

/// Fails if it finds something that makes figures noisy on this machine.
fn check() -> Result<()> {
    let mut text = "this machine makes figures noisy:".to_owned();
    let found = noise::found(&Machine::look()?);
    for noise in &found {
        text += &format!("\n  {}: {}", noise.what, noise.remedy);
    }
    match found.is_empty() {
        true => print("nothing makes figures noisy here, as far as this system tells\n"),
        false => Err(Failure::Difference(text)),
    }
}

/// Returns the runners' folder: the one that was named, the one below the current folder, or the one
/// that this program was built beside. If there is none, the program's own copy is written to the
/// user's cache folder, and builds go there too.
fn runners(arguments: &Run) -> Result<PathBuf> {
    let mut found = arguments.runners.clone();
    let beside = files::own_crate()?.map(|folder| folder.join("runners"));
    for folder in [PathBuf::from("generator/runners")]
        .into_iter()
        .chain(beside)
    {
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
    let found = runners.canonicalize();
    Ok(found.with_context(|| files::cannot_read(&runners))?)
}

/// Prints the results of these programs as `show` does, filtered, with only the median of each
/// latency distribution; and which differences they show.
fn summary(arguments: &Run, data: &Dataset, quality: &Quality) -> Result<()> {
    for warning in data.outlier_warnings() {
        crate::say!("warning: {warning}");
    }
    let rows = show::rows(data, Estimator::default(), |s| is_wanted(arguments, s));
    if !rows.is_empty() {
        print(&grid::text(show::COLUMNS, &rows))?;
    }
    if let Some(text) = quality.resolution() {
        crate::inform!("{text}");
    }
    Ok(())
}

fn is_wanted(arguments: &Run, scenario: &Scenario) -> bool {
    matches!(scenario.percentile, None | Some(Percentile::P50))
        && suite::wanted(scenario, |label| arguments.filter.wants(label))
}

/// Fails if results are missing, else says what to do next.
fn finish(out: &Path, missing: usize) -> Result<()> {
    let what = match missing {
        0 => {
            let (next, out) = (ingest_command(out), out.display());
            crate::inform!("measured: {out}; next: {next}");
            return Ok(());
        }
        1 => "1 result is missing; the same command tries it again".to_owned(),
        n => format!("{n} results are missing; the same command tries them again"),
    };
    Err(Failure::Io(anyhow!(what)))
}

/// Returns the command that ingests a report together with its neighbours, which the pages across all
/// reports show too.
fn ingest_command(report: &Path) -> String {
    let all = report.parent().filter(|parent| *parent != Path::new(""));
    let all = all.unwrap_or(report).to_string_lossy();
    format!("generator ingest {}", escape::shell(&all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_the_folder_to_ingest() {
        let command = |report: &str| ingest_command(Path::new(report));
        assert_eq!(command("my data/2026-11-30"), "generator ingest 'my data'");
        assert_eq!(command("2026-11-30"), "generator ingest 2026-11-30");
    }
}
