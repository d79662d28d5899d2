//! `generator ingest`: turns recorded data into the pages of a site.

mod page_set;
mod pages;
mod scenarios;
mod searches;
mod section;

pub(super) use section::SectionFiles;

use super::read::reports;
use super::start_threads;
use crate::cli::Ingest;
use crate::failure::{Failure, Result};
use crate::fs::{self, Digests, Plan, Site};
use crate::page;
use crate::render::Pages;
use crate::report::{OVERVIEWS, Report};
use page_set::Earlier;
use std::path::Path;
use std::time::Duration;

/// Short enough to seem instant, long enough to cost next to nothing.
const POLL: Duration = Duration::from_millis(250);

/// Runs the command. Fails for bad input, for files in the way, or, with `--check`, for stale pages.
pub(super) fn ingest(arguments: &Ingest) -> Result<()> {
    start_threads()?;
    match arguments.watch {
        true => watch(arguments),
        false => once(arguments),
    }
}

fn once(arguments: &Ingest) -> Result<()> {
    let mut site = Site::open(&arguments.site)?;
    let root = format!("content/{}", arguments.section);
    // A site may have its own list of reports, which is left alone.
    let list = format!("{root}/_index.md");
    let lists = !site.is_foreign(&list)?;
    let digests = Digests::of(&arguments.data)?;
    let without_list = if lists { "" } else { " without a list" };
    let reports_only = if arguments.reports_only {
        " reports only"
    } else {
        ""
    };
    let inputs = format!("{} {root}{without_list}{reports_only}", digests.all());
    if !arguments.check && site.is_current(&inputs) {
        crate::inform!("nothing has changed");
        return Ok(());
    }
    let reports = reports(&arguments.data)?;
    let earlier = (!arguments.check).then_some(Earlier {
        site: &site,
        digests: &digests,
    });
    let section = SectionFiles::of(
        &reports,
        &arguments.section,
        lists,
        arguments.reports_only,
        earlier,
    )?;
    let pages = section.pages.into_iter();
    let pages: Pages = pages
        .map(|(below, bytes)| (format!("{root}/{below}"), bytes))
        .collect();
    if !arguments.prune && !arguments.check {
        refuse_to_prune(&site, &root, &reports)?;
    }
    let has_overviews = pages
        .keys()
        .any(|p| p.ends_with("/_index.md") && *p != list);
    let plan = site.plan(pages, section.kept)?;
    if arguments.check {
        return check(&plan);
    }
    let (changed, removed) = (plan.changed.len(), plan.removed.len());
    site.write(plan)?;
    site.remember(&inputs, section.sets, section.searched)?;
    let reports = page::count(reports.len(), "report");
    let removed = match removed {
        0 => String::new(),
        n => format!(", {n} removed"),
    };
    let changed = page::count(changed, "file");
    crate::inform!("{reports}: {changed} written{removed}");
    note_missing_files(site.root(), &arguments.section, lists, has_overviews);
    Ok(())
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

fn check(plan: &Plan) -> Result<()> {
    if plan.is_empty() {
        return Ok(());
    }
    let (changed, removed) = (plan.changed.keys(), plan.removed.iter());
    let changed = changed.map(|path| format!("  {path} does not match the data"));
    let removed = removed.map(|path| format!("  {path} has no data any more"));
    let list: Vec<String> = changed.chain(removed).collect();
    Err(Failure::Difference(format!(
        "{} generated files are stale; run `generator ingest` and commit:\n{}",
        list.len(),
        list.join("\n")
    )))
}

/// Fails if the pages of reports that are not in the data would be removed: a folder may have been
/// lost, or not named.
fn refuse_to_prune(site: &Site, root: &str, reports: &[Report]) -> Result<()> {
    let report_of = |page: &str| {
        let below = page.strip_prefix(root)?.strip_prefix('/')?;
        let name = below.strip_suffix("/index.md")?;
        let is_report = !name.contains('/') && !OVERVIEWS.contains(&name);
        is_report.then(|| name.to_owned())
    };
    let mut gone: Vec<String> = site.written().filter_map(report_of).collect();
    gone.retain(|name| reports.iter().all(|r| r.name != *name));
    if gone.is_empty() {
        return Ok(());
    }
    gone.sort();
    let (count, names) = (page::count(gone.len(), "report"), gone.join(", "));
    Err(Failure::Usage(format!(
        "the site has pages of {count} without data, {names}: give all data together (generator ingest data/), remove these pages with --prune, or name another site with --site"
    )))
}

fn watch(arguments: &Ingest) -> Result<()> {
    let mut last = None;
    loop {
        let stamp = match fs::stamp(&arguments.data) {
            // A folder may be gone for a moment while an editor replaces it.
            Err(error) if is_not_found(&error) => None,
            stamp => Some(stamp?),
        };
        if stamp.is_some() && stamp != last {
            match once(arguments) {
                // Once started, a renamed report or an edited page must not end it: the next
                // change may fix that.
                Err(failure) if last.is_some() || matches!(failure, Failure::BadInput(_)) => {
                    crate::say!("error: {failure}");
                }
                outcome => outcome?,
            }
            last = stamp;
        }
        std::thread::sleep(POLL);
    }
}

fn is_not_found(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<std::io::Error>();
    cause.is_some_and(|e| e.kind() == std::io::ErrorKind::NotFound)
}
