//! `generator ingest`: turns recorded data into the pages of a site.

mod section;
mod zola;

use super::read::reports;
use super::start_threads;
use crate::base::failure::{Failure, Result, io_kind};
use crate::base::slug::is_portable;
use crate::base::words::count;
use crate::cli::arguments::Ingest;
use crate::files::{self, Changes, Site};
use crate::parse::cite;
use crate::report::{OVERVIEWS, Report, below};
use crate::site::Pages;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::time::Duration;

/// Short enough to seem instant, long enough to cost next to nothing.
const POLL: Duration = Duration::from_millis(250);

/// Runs the command. Fails for bad input, for files in the way, or, with `--check`, for stale
/// pages.
pub(super) fn ingest(arguments: &Ingest) -> Result<()> {
    start_threads()?;
    files::follow_no_links_below(&arguments.data);
    match arguments.watch {
        true => watch(arguments),
        false => once(arguments),
    }
}

fn once(arguments: &Ingest) -> Result<()> {
    let root = format!("content/{}", arguments.section);
    let site = Site::open(&arguments.site, &root, &OVERVIEWS, arguments.check)?;
    // A site may have its own list of reports, which is left alone.
    let lists = !site.is_foreign(&format!("{root}/_index.md"))?;
    let has_page = |name: &str| site.reports().any(|report| report == name);
    let reports = reports(&arguments.data, &arguments.declared, has_page)?;
    zola::check(site.root(), &reports)?;
    let mut gone: Vec<&str> = site.reports().collect();
    gone.retain(|name| reports.iter().all(|report| report.name != *name));
    // A folder may have been lost, or not named.
    if !gone.is_empty() && !arguments.prune && !arguments.check {
        let (number, names) = (count(gone.len(), "report"), gone.join(", "));
        return Err(Failure::Usage(format!(
            "the site has pages of {number} without data, {names}: give all data together (generator ingest data/), remove these pages with --prune, or name another site with --site"
        )));
    }
    for report in &reports {
        for warning in report.unsteady_note().into_iter().chain(unportable(report)) {
            crate::inform!("warning: {}: {warning}", report.name);
        }
        if let Some(note) = report.branch_note() {
            crate::inform!("note: {}: {note}", report.name);
        }
    }
    let plan = site.plan(arguments.check)?;
    let add = |pages: Pages| {
        let place = |(below, bytes)| (format!("{root}/{below}"), bytes);
        plan.add(pages.into_iter().map(place).collect())
    };
    let there = site.root().join(&root);
    let what = [lists, arguments.reports_only];
    section::pages(&reports, &there, &arguments.section, what, add)?;
    let changes = plan.done()?;
    if arguments.check {
        return check(&changes);
    }
    match changes.counts() {
        None => crate::inform!("nothing has changed"),
        Some([changed, removed]) => {
            let (reports, changed) = (count(reports.len(), "report"), count(changed, "file"));
            crate::inform!("{reports}: {changed} written, {removed} removed");
        }
    }
    Ok(())
}

/// Names the first file of a report whose name other systems do not have, or take for that of
/// another.
fn unportable(report: &Report) -> Option<String> {
    let above = report.folder.parent().unwrap_or(&report.folder);
    let mut seen = BTreeSet::new();
    let mut files = report
        .sources
        .iter()
        .map(|source| below(above, &source.path));
    let wrong = files.find(|file| {
        let file = file.to_string_lossy();
        let mut names = file.split('/').filter(|name| ![".", ".."].contains(name));
        !names.all(is_portable) || !seen.insert(file.to_lowercase())
    });
    let what = "this file cannot be checked out on every system, or looks like another; rename it:";
    Some(cite(what, &wrong?.to_string_lossy()))
}

/// Fails if pages are stale.
fn check(changes: &Changes) -> Result<()> {
    let stale = changes.differences();
    match stale.is_empty() {
        true => Ok(()),
        false => Err(Failure::Difference(format!(
            "{} files differ from what `generator ingest` leaves; run it and commit:\n{}",
            stale.len(),
            stale.join("\n")
        ))),
    }
}

/// Makes the pages whenever the data change. Once started, no failure ends it: the next change may
/// mend a renamed report or an edited page.
fn watch(arguments: &Ingest) -> Result<()> {
    let mut last = None;
    let mut is_started = false;
    loop {
        let stamp = Some(files::stamp(&arguments.data)?);
        if stamp != last {
            last = stamp;
            match once(arguments) {
                // A file came or went meanwhile, as while an editor replaces it.
                Err(Failure::Io(error)) if io_kind(&error) == Some(ErrorKind::NotFound) => {
                    crate::say!("error: {error:#}");
                    last = None;
                }
                Err(failure) if is_started || matches!(failure, Failure::BadInput(_)) => {
                    crate::say!("error: {failure}");
                }
                outcome => outcome?,
            }
            is_started = true;
        }
        std::thread::sleep(POLL);
    }
}
