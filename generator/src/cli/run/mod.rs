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
use crate::measure::suite;
use crate::model::scenario::{Percentile, Scenario};
use crate::parse::Manifest;
use crate::parse::load::Loaded;
use crate::report::{Report, Row};
use anyhow::{Context, anyhow};
use quality::Quality;
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
    let cache = BuildCache::new(&runners, &work);
    libraries::run(arguments, &catalog, cache, &work, out)
}

/// Maximum number of runs that `--until` adds up to.
const MAX_RUNS: u32 = 200;

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

    fn machine(&self) -> &Machine;

    /// Returns what is left of so many runs, in random order.
    fn left(&self, runs: u32) -> Vec<Self::Step>;

    /// Prepares to measure these steps.
    fn prepare(&mut self, _: &[Self::Step]) -> Result<()> {
        Ok(())
    }

    /// Returns the name of a step, and how many results it has.
    fn describe(&self, step: &Self::Step) -> (String, usize);

    /// Measures a step. Returns how many results are missing, and what failed.
    fn measure(&mut self, step: &Self::Step) -> Result<(usize, Vec<String>)>;

    /// All results so far.
    fn results(&self) -> impl Iterator<Item = &Loaded>;
}

/// Measures what is left into `out`, and as many more runs as `--until` asks for; then prints all
/// results. Returns how many are missing at the end.
fn measure(arguments: &Run, out: &Path, work: &mut impl Work) -> Result<usize> {
    let mut runs = arguments.first_runs();
    let mut steps = work.left(runs);
    announce(out, work, &steps);
    loop {
        work.prepare(&steps)?;
        let missing = measure_steps(out, work, &steps)?;
        let is_paired = arguments.command.is_none();
        let report = Report::of_files(out, work.results(), is_paired)?;
        let quality = Quality::new(&report, |s| is_wanted(arguments, s));
        let limit = arguments.until.filter(|_| missing == 0);
        if let Some(limit) = limit {
            crate::inform!("{}", quality.precision(limit, runs, MAX_RUNS));
        }
        let is_wide = limit.is_some_and(|limit| quality.wide(limit) > 0);
        if !is_wide || runs >= MAX_RUNS {
            check_files(out, work)?;
            summary(arguments, &report, &quality)?;
            return Ok(missing);
        }
        runs += 1;
        steps = work.left(runs);
    }
}

/// Fails if files of the report are gone: what was measured may have removed them.
fn check_files(out: &Path, work: &impl Work) -> Result<()> {
    let mut paths = vec![out.join("report.toml"), out.join(record::NAME)];
    paths.extend(work.results().map(|file| file.path.clone()));
    let mut gone = Vec::new();
    for path in &paths {
        if !files::is_file(path)? {
            gone.push(path);
        }
    }
    let Some(first) = gone.first() else {
        return Ok(());
    };
    Err(Failure::Io(anyhow!(
        "{} of {} files of the report were removed while it was measured, such as {}: let what is measured leave {} alone, and give another --out",
        gone.len(),
        paths.len(),
        first.display(),
        out.display()
    )))
}

/// Says what there is to measure, and warns of what makes figures noisy on this machine.
fn announce<W: Work>(out: &Path, work: &W, steps: &[W::Step]) {
    let out = out.display();
    if steps.is_empty() {
        crate::inform!("{out} has all of these results already");
        return;
    }
    for (what, remedy) in work.machine().noise() {
        crate::inform!("warning: {what}: {remedy}");
    }
    let open = W::count(results_of(work, steps));
    crate::inform!(
        "{open} to measure into {out}; interrupt at any time, the same command continues"
    );
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
        let (lost, failures) = work.measure(step).map_err(|failure| {
            let (all, out) = (W::count(all), out.display());
            failure.interrupted(&format!(
                ": {done} of {all} were measured into {out}; the same command continues"
            ))
        })?;
        done += results;
        missing += lost;
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
    let mut found = None;
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
            for (path, bytes) in embedded::sources() {
                let path = folder.join(path);
                // Cargo compiles again what has changed.
                if files::read_optional(&path)?.as_ref() != Some(&bytes) {
                    files::create_folder(&path.with_file_name(""))?;
                    files::write(&path, &bytes)?;
                }
            }
            folder.join("runners")
        }
    };
    let found = runners.canonicalize();
    Ok(found.with_context(|| files::cannot_read(&runners))?)
}

/// Prints the results of these programs as `show` does, filtered, with only the median of each
/// latency distribution; and which differences they show.
fn summary(arguments: &Run, report: &Report, quality: &Quality) -> Result<()> {
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

/// Returns the command that ingests a report, of a folder of reports together with its neighbours,
/// which the pages across all reports show too.
fn ingest_command(report: &Path) -> String {
    let is_dated = Manifest::default().day(&files::file_name(report)).is_some();
    let all = match report.parent() {
        Some(parent) if parent == Path::new("") => report,
        Some(parent) if parent.ends_with("data") || is_dated => parent,
        _ => report,
    };
    let all = all.to_string_lossy();
    format!("generator ingest {}", escape::shell(&all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_the_folder_to_ingest() {
        let command = |report: &str| ingest_command(Path::new(report));
        assert_eq!(command("my data/2026-11-30"), "generator ingest 'my data'");
        assert_eq!(command("data/new"), "generator ingest data");
        assert_eq!(command("2026-11-30"), "generator ingest 2026-11-30");
        assert_eq!(command("/tmp/bench"), "generator ingest /tmp/bench");
    }
}
