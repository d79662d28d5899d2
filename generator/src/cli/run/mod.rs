//! `generator run`: builds programs, measures them in turns, and writes a report's folder.

mod command;
mod libraries;
mod quality;

use super::{print, show};
use crate::base::console::progress_bar;
use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Run;
use crate::cli::grid;
use crate::files::{self, Lock, embedded};
use crate::measure::build::BuildCache;
use crate::measure::libraries::catalog::Catalog;
use crate::measure::records::machine::Machine;
use crate::measure::records::record;
use crate::measure::records::results::Results;
use crate::measure::suite;
use crate::model::scenario::{Percentile, Scenario};
use crate::parse::Manifest;
use crate::report::{Report, Row};
use anyhow::{Context, anyhow};
use quality::resolution;
use std::path::{Path, PathBuf, absolute};
use std::time::{Duration, Instant};

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
    let runners = runners()?;
    let work = runners.with_file_name("target/run");
    let catalog = Catalog::read(&runners, &work)?;
    let Some(out) = out else {
        return print(&catalog.list());
    };
    libraries::run(arguments, &catalog, BuildCache { runners, work }, out)
}

/// In the folder of builds: the process that measures, and where its results go.
const MEASURING: &str = ".measuring";

/// Locks the folder of all builds, and the one to measure into.
fn lock(work: &Path, out: &Path) -> Result<[Lock; 2]> {
    files::create_folder(work)?;
    let path = work.join(MEASURING);
    let who = match files::read_optional(&path)? {
        Some(who) => format!(", by {}", String::from_utf8_lossy(&who).trim_end()),
        None => String::new(),
    };
    let busy = format!("another measurement is running{who}, and two would disturb each other");
    let locked = files::lock(work, &busy)?;
    files::create_folder(out)?;
    // That of runners elsewhere has other builds, but may be into the same folder.
    let busy = format!("another measurement into {} is running", out.display());
    let locks = [locked, files::lock(out, &busy)?];
    let place = absolute(out).context("cannot resolve --out")?;
    let who = format!("process {} into {}\n", std::process::id(), place.display());
    files::replace(&path, who.as_bytes(), false)?;
    Ok(locks)
}

/// What is measured: programs that take turns, or a command in several folders.
trait Work {
    /// What is measured at once. Its results are kept, whatever comes after it.
    type Step;

    /// So many results, in words.
    fn count(results: usize) -> String;

    /// Returns what is left to measure, in random order.
    fn left(&self) -> Vec<Self::Step>;

    /// Prepares to measure these steps.
    fn prepare(&mut self, steps: &[Self::Step]) -> Result<()>;

    /// Returns the name of a step, and how many results it has.
    fn describe(&self, step: &Self::Step) -> (String, usize);

    /// Measures a step. Returns what failed, for each result that is missing.
    fn measure(&mut self, step: &Self::Step) -> Result<Vec<String>>;

    /// All results so far.
    fn results(&self) -> &Results;
}

/// Measures what is left into `out`, then prints all results. Returns how many are missing at the end.
fn measure<W: Work>(arguments: &Run, out: &Path, machine: &Machine, work: &mut W) -> Result<usize> {
    let steps = work.left();
    let place = out.display();
    match results_of(work, &steps) {
        0 => crate::inform!("{place} has all of these results already"),
        open => {
            for (what, remedy) in machine.noise() {
                crate::inform!("warning: {what}: {remedy}");
            }
            let open = W::count(open);
            crate::inform!(
                "{open} to measure into {place}; interrupt at any time, the same command continues"
            );
        }
    }
    work.prepare(&steps)?;
    let missing = measure_steps(out, work, &steps)?;
    let is_paired = arguments.command.is_none();
    let report = Report::of_files(out, work.results().files(), is_paired)?;
    summary(arguments, &report)?;
    Ok(missing)
}

fn results_of<W: Work>(work: &W, steps: &[W::Step]) -> usize {
    steps.iter().map(|step| work.describe(step).1).sum()
}

/// Time between two lines of progress where standard error is not a terminal.
const PAUSE: Duration = Duration::from_secs(60);

/// Measures these steps. Returns how many results are missing.
fn measure_steps<W: Work>(out: &Path, work: &mut W, steps: &[W::Step]) -> Result<usize> {
    let all = results_of(work, steps);
    let bar = progress_bar(all as u64, "{bar:24} {pos}/{len}, {eta} left: {msg}");
    let (mut done, mut missing, mut shown) = (0, 0, Instant::now());
    for step in steps {
        let (name, results) = work.describe(step);
        bar.set_position(done as u64);
        if bar.is_hidden() && shown.elapsed() > PAUSE {
            shown = Instant::now();
            crate::inform!("{done} of {all} done; {name}");
        }
        bar.set_message(name);
        let failures = work.measure(step).map_err(|failure| {
            let (all, out) = (W::count(all), out.display());
            failure.interrupted(&format!(
                ": {done} of {all} were measured into {out}; the same command continues"
            ))
        })?;
        done += results;
        missing += failures.len();
        for failure in failures {
            bar.suspend(|| crate::say!("failed: {failure}"));
        }
    }
    Ok(missing)
}

/// Fails if it finds something that makes figures noisy on this machine.
fn check() -> Result<()> {
    let noise = Machine::look()?.noise();
    if noise.is_empty() {
        return print("nothing makes figures noisy here, as far as this system tells\n");
    }
    let mut text = "this machine makes figures noisy:".to_owned();
    for (what, remedy) in noise {
        text += &format!("\n  {what}: {remedy}");
    }
    Err(Failure::Difference(text))
}

/// Returns the runners' folder: the one below the current folder, or the one that this program was
/// built beside. If there is none, the program's own copy is written to the user's cache folder, and
/// builds go there too.
fn runners() -> Result<PathBuf> {
    let here = Some(PathBuf::from("generator/runners"));
    let beside = files::own_crate()?.map(|folder| folder.join("runners"));
    for folder in [here, beside].into_iter().flatten() {
        if files::is_folder(&folder)? {
            let found = folder.canonicalize();
            return Ok(found.with_context(|| files::cannot_read(&folder))?);
        }
    }
    let folder = files::cache_folder()?.join(env!("CARGO_PKG_VERSION"));
    for (path, bytes) in embedded::sources() {
        files::update(&folder.join(path), &bytes, false)?;
    }
    Ok(folder.join("runners"))
}

/// Prints the results of these programs as `show` does, filtered, with only the median of each
/// latency distribution; and which differences they show.
fn summary(arguments: &Run, report: &Report) -> Result<()> {
    let rows = report.rows.iter();
    let rows: Vec<&Row> = rows
        .filter(|row| is_wanted(arguments, &row.scenario))
        .collect();
    let results = show::results(report, &rows);
    if results.clone().next().is_some() {
        print(&grid::text(
            &show::COLUMNS,
            results.map(|result| result.shown()),
        ))?;
    }
    if let Some(text) = resolution(&rows) {
        crate::inform!("{text}");
    }
    Ok(())
}

fn is_wanted(arguments: &Run, scenario: &Scenario) -> bool {
    matches!(scenario.percentile, None | Some(Percentile::P50))
        && suite::wanted(scenario, |label| arguments.filter.wants(label))
}

/// Fails if results are missing, else says what to do next: to ingest a report in a folder of
/// reports together with its neighbours, which the pages across all reports show too.
fn finish(out: &Path, missing: usize) -> Result<()> {
    let what = match missing {
        0 => {
            let name = files::file_name(out);
            let is_dated = Manifest::default().day(&name).is_some();
            let parent = out.parent().filter(|parent| *parent != Path::new(""));
            let all = parent.filter(|parent| is_dated || parent.ends_with("data"));
            let all = all.unwrap_or(out).to_string_lossy();
            let all = escape::shell(&all);
            let out = out.display();
            crate::inform!("measured: {out}; next: generator ingest {all}");
            return Ok(());
        }
        1 => "1 result is missing; the same command tries it again".to_owned(),
        n => format!("{n} results are missing; the same command tries them again"),
    };
    Err(Failure::Io(anyhow!(what)))
}
