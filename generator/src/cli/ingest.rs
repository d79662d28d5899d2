//! `generator ingest`: turns recorded data into the pages of a site.

mod links;
mod section;
mod zola;

use super::read::reports;
use super::{programs, start_threads};
use crate::base::failure::{Failure, Result, io_kind};
use crate::base::slug::is_portable;
use crate::base::words::count;
use crate::cli::arguments::Ingest;
use crate::files::{self, Plan, Site, Stamp};
use crate::parse::cite;
use crate::report::{OVERVIEWS, Report, below};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
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
    let site = Site::open(&arguments.site, &root, &OVERVIEWS)?;
    // A site may have its own list of reports, which is left alone.
    let lists = !site.is_foreign(&format!("{root}/_index.md"))?;
    let has_page = |name: &str| site.reports().any(|report| report == name);
    let reports = reports(&arguments.data, &arguments.declared.report(), has_page)?;
    zola::check(site.root(), &reports)?;
    let gone = gone(&site, &reports);
    if !arguments.prune && !arguments.check {
        refuse_to_prune(&gone)?;
    }
    for report in &reports {
        if let Some(note) = report.unsteady_note() {
            crate::inform!("warning: {}: {note}", report.name);
        }
        if let Some(note) = report.branch_note() {
            crate::inform!("note: {}: {note}", report.name);
        }
        for warning in programs::twice_in(report)? {
            crate::inform!("warning: {}: {warning}", report.name);
        }
        if let Some(file) = unportable(report) {
            let what = "this file cannot be checked out on every system, or looks like another; rename it:";
            crate::inform!("warning: {}: {}", report.name, cite(what, &file));
        }
    }
    let mut pages = BTreeMap::new();
    let there = site.root().join(&root);
    let section = &arguments.section;
    for (below, bytes) in section::pages(&reports, &there, section, lists, arguments.reports_only)?
    {
        pages.insert(format!("{root}/{below}"), bytes);
    }
    links::check(&site, &root, &reports, &pages)?;
    let plan = site.plan(pages)?;
    if arguments.check {
        return check(&plan, &gone);
    }
    site.write(&plan)?;
    if plan.is_empty() {
        crate::inform!("nothing has changed");
        return Ok(());
    }
    let [changed, removed] = plan.counts();
    let reports = count(reports.len(), "report");
    let removed = match removed {
        0 => String::new(),
        n => format!(", {n} removed"),
    };
    let changed = count(changed, "file");
    crate::inform!("{reports}: {changed} written{removed}");
    let has_overviews = !arguments.reports_only;
    note_missing_files(site.root(), &arguments.section, lists, has_overviews);
    Ok(())
}

/// Returns the first file of a report whose name other systems do not have, or take for that of
/// another.
fn unportable(report: &Report) -> Option<String> {
    let above = report.folder.parent().unwrap_or(&report.folder);
    let mut seen = BTreeSet::new();
    for source in &report.sources {
        let file = below(above, &source.path);
        let file = file.to_string_lossy();
        let mut names = file.split('/').filter(|name| ![".", ".."].contains(name));
        if !names.all(is_portable) || !seen.insert(file.to_lowercase()) {
            return Some(file.into_owned());
        }
    }
    None
}

/// Notes which files Zola needs and the site lacks. A site's own list of reports is trusted to name
/// the template of its pages.
fn note_missing_files(root: &Path, section: &str, lists: bool, has_overviews: bool) {
    let has = |path: &str| root.join(path).metadata().is_ok();
    let lacks = |template: &str| !has(&format!("templates/{template}")) && !has("themes");
    let site = root.display();
    if lists && lacks("page.html") {
        crate::inform!(
            "note: {site} has no templates/page.html and no theme, so Zola will show a placeholder for each page"
        );
    } else if has_overviews && lacks("section.html") {
        crate::inform!(
            "note: {site} has no templates/section.html and no theme, so Zola will show a placeholder for pages over all reports; --reports-only leaves them out"
        );
    }
    let above = section.match_indices('/');
    let mut above = above.map(|(end, _)| format!("content/{}/_index.md", &section[..end]));
    if let Some(missing) = above.find(|path| !has(path)) {
        crate::inform!(
            "note: {site} has no {missing}; without it, Zola counts the pages below as part of no section, and no menu leads there"
        );
    }
}

/// Fails if pages are stale, or `gone` names reports that have pages and no data.
fn check(plan: &Plan, gone: &[&str]) -> Result<()> {
    let stale = plan.differences();
    if stale.is_empty() {
        return Ok(());
    }
    let prune = match gone {
        [] => "",
        _ => " --prune",
    };
    Err(Failure::Difference(format!(
        "{} files differ from what `generator ingest{prune}` leaves; run it and commit:\n{}",
        stale.len(),
        stale.join("\n")
    )))
}

/// Returns the reports that the site has pages of, and that are not in the data.
fn gone<'a>(site: &'a Site, reports: &[Report]) -> Vec<&'a str> {
    let mut gone: Vec<&str> = site.reports().collect();
    gone.retain(|name| reports.iter().all(|report| report.name != *name));
    gone
}

/// Fails if the pages of reports that are not in the data would be removed: a folder may have been
/// lost, or not named.
fn refuse_to_prune(gone: &[&str]) -> Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    let (number, names) = (count(gone.len(), "report"), gone.join(", "));
    Err(Failure::Usage(format!(
        "the site has pages of {number} without data, {names}: give all data together (generator ingest data/), remove these pages with --prune, or name another site with --site"
    )))
}

fn watch(arguments: &Ingest) -> Result<()> {
    let mut last = None;
    loop {
        let stamp = stamp(&arguments.data)?;
        if last.is_none() || stamp.is_some() && stamp != last {
            let outcome = once(arguments);
            let is_stale = match &outcome {
                Err(Failure::Io(error)) => {
                    is_not_found(error) || self::stamp(&arguments.data)? != stamp
                }
                _ => false,
            };
            match outcome {
                // Once started, a renamed report or an edited page must not end it: the next
                // change may fix that. Neither must a file that came or went meanwhile.
                Err(failure)
                    if last.is_some() || is_stale || matches!(failure, Failure::BadInput(_)) =>
                {
                    crate::say!("error: {failure}");
                }
                outcome => outcome?,
            }
            if !is_stale {
                last = stamp;
            }
        }
        std::thread::sleep(POLL);
    }
}

/// Returns the stamp of the data; `None` if a folder is gone, as for a moment while an editor
/// replaces it.
fn stamp(data: &[PathBuf]) -> Result<Option<Stamp>> {
    match files::stamp(data) {
        Err(error) if is_not_found(&error) => Ok(None),
        stamp => Ok(Some(stamp?)),
    }
}

/// Whether a file or a folder vanished while it was read.
fn is_not_found(error: &anyhow::Error) -> bool {
    matches!(
        io_kind(error),
        Some(ErrorKind::NotFound | ErrorKind::NotADirectory)
    )
}
