//! `generator ingest`: recorded data become the pages of a site.

mod unit;

use super::read::reports;
use crate::cli::Ingest;
use crate::failure::{Failure, Result};
use crate::fs::{self, Digests, Plan, Site};
use crate::history::Histories;
use crate::page::{self, CapacityView};
use crate::render::{MORE, Pages, Renderer, SUITES, sides_to_start_with};
use crate::report::{At, Overview, Report};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use unit::Workshop;

/// Short enough to seem at once, long enough to cost nothing.
const POLL: Duration = Duration::from_millis(250);

/// Runs the command. Fails for bad input, files in the way, or with `--check` a difference.
pub(super) fn ingest(arguments: &Ingest) -> Result<()> {
    match arguments.watch {
        true => watch(arguments),
        false => once(arguments),
    }
}

fn once(arguments: &Ingest) -> Result<()> {
    let mut site = Site::open(&arguments.site)?;
    let root = format!("content/{}", arguments.section);
    // The list of reports is the site's own where it has written one.
    let list = format!("{root}/_index.md");
    let lists = !site.is_foreign(&list)?;
    let digests = Digests::of(&arguments.data)?;
    let mut inputs = format!("{} {root}", digests.all());
    if !lists {
        inputs += " without a list";
    }
    if arguments.no_cards {
        inputs += " without cards";
    }
    if !arguments.check && site.is_current(&inputs) {
        crate::inform!("nothing has changed");
        return Ok(());
    }
    let reports = reports(&arguments.data)?;
    let earlier = (!arguments.check).then_some((&site, &digests));
    let Made { pages, kept, units } = made(
        &reports,
        &arguments.section,
        lists,
        !arguments.no_cards,
        earlier,
    )?;
    let pages = pages.into_iter();
    let pages: Pages = pages
        .map(|(below, bytes)| (format!("{root}/{below}"), bytes))
        .collect();
    if !arguments.prune && !arguments.check {
        refuse_to_prune(&site, &root, &reports)?;
    }
    let has_overviews = pages
        .keys()
        .any(|p| p.ends_with("/_index.md") && *p != list);
    let plan = site.plan(pages, kept)?;
    if arguments.check {
        return check(&plan);
    }
    let (changed, removed) = (plan.changed.len(), plan.removed.len());
    site.write(plan)?;
    site.remember(&inputs, units)?;
    let reports = page::count(reports.len(), "report");
    let removed = match removed {
        0 => String::new(),
        n => format!(", {n} removed"),
    };
    crate::inform!("{reports}: {changed} files written{removed}");
    say_missing(site.root(), &arguments.section, lists, has_overviews);
    Ok(())
}

/// Says what Zola needs of the site and does not find. A list of reports that the site has written
/// itself is trusted to name the template of its pages.
fn say_missing(root: &Path, section: &str, lists: bool, has_overviews: bool) {
    let has = |path: &str| root.join(path).metadata().is_ok();
    let lacks = |template: &str| !has(&format!("templates/{template}")) && !has("themes");
    let site = root.display();
    if lists && lacks("page.html") {
        crate::inform!(
            "note: {site} has no templates/page.html and no theme, so Zola will show a placeholder for each page"
        );
    } else if has_overviews && lacks("section.html") {
        crate::inform!(
            "note: {site} has no templates/section.html and no theme, so Zola will show a placeholder for pages over all reports; pages = [] in a report.toml leaves them out"
        );
    }
    let above = section.match_indices('/');
    let mut above = above.map(|(end, _)| format!("content/{}/_index.md", &section[..end]));
    if let Some(missing) = above.find(|path| !has(path)) {
        crate::inform!(
            "note: {site} has no {missing}, without which Zola counts what stands below it to no section: no menu leads there"
        );
    }
}

fn check(plan: &Plan) -> Result<()> {
    if plan.is_empty() {
        return Ok(());
    }
    let (changed, removed) = (plan.changed.keys(), plan.removed.iter());
    let changed = changed.map(|path| format!("  {path} is not what the data say"));
    let removed = removed.map(|path| format!("  {path} has no data any more"));
    let list: Vec<String> = changed.chain(removed).collect();
    Err(Failure::Difference(format!(
        "{} generated files are stale; run `generator ingest` and commit:\n{}",
        list.len(),
        list.join("\n")
    )))
}

/// What a section is made of.
pub(super) struct Made {
    /// Files to write, by their path below the section.
    pub(super) pages: Pages,
    /// Files that stay as they are, by their path in the site, with their digests.
    kept: BTreeMap<String, String>,
    /// The files of each report in the site, by the key of all that they are made of.
    units: Vec<(String, Vec<String>)>,
}

/// A section, of which the list of reports is a part if it `lists` them itself; without what an
/// `earlier` run has made of the same for its site.
pub(super) fn made(
    reports: &[Report],
    section: &str,
    lists: bool,
    with_cards: bool,
    earlier: Option<(&Site, &Digests)>,
) -> Result<Made> {
    let neighbours = neighbours(reports)?;
    // Newest first; the ones without a day, which sort first, come last.
    let newest_first: Vec<&Report> = reports.iter().rev().collect();
    let previous = neighbours.iter().rev().map(|[previous, _]| *previous);
    let with_previous: Vec<_> = newest_first.iter().copied().zip(previous).collect();
    let capacity = page::capacity(&newest_first);
    let overviews = overviews(&with_previous, capacity.as_ref());
    let renderer = Renderer::new(section, &overviews)?;
    let histories = Histories::of(reports);
    let workshop = Workshop {
        section,
        with_cards,
        renderer: &renderer,
        histories: &histories,
        earlier,
    };
    let of_reports = workshop.units(reports, &neighbours)?;
    let capacity = capacity.as_ref();
    let mut pages = over_all(&renderer, &with_previous, capacity, &histories, lists)?;
    let mut kept = BTreeMap::new();
    let mut units: Vec<(String, Vec<String>)> = Vec::new();
    for unit in of_reports {
        let made = unit
            .pages
            .keys()
            .map(|path| format!("content/{section}/{path}"));
        units.push((unit.key, made.chain(unit.kept.keys().cloned()).collect()));
        pages.extend(unit.pages);
        kept.extend(unit.kept);
    }
    let suites = format!("content/{section}/{SUITES}/");
    let mut paths = units.iter().flat_map(|(_, paths)| paths);
    if paths.any(|path| path.starts_with(&suites)) {
        pages.extend(renderer.section_of_suites()?);
    }
    Ok(Made { pages, kept, units })
}

/// The pages over all reports that the site has: of those that there are figures for, the ones that
/// the newest report that says so wants.
fn overviews(
    with_previous: &[(&Report, Option<&Report>)],
    capacity: Option<&CapacityView>,
) -> Vec<Overview> {
    let mut reports = with_previous.iter();
    let said = reports.find_map(|(report, _)| report.manifest.pages.as_deref());
    let mut wanted = said.unwrap_or(&Overview::ALL).to_vec();
    wanted.retain(|page| match page {
        Overview::Capacity => capacity.is_some(),
        Overview::Compare => sides_to_start_with(with_previous).is_some(),
        _ => true,
    });
    wanted
}

/// All pages but those of the reports, which come newest first with those before them, below the
/// section.
fn over_all(
    renderer: &Renderer<'_>,
    with_previous: &[(&Report, Option<&Report>)],
    capacity: Option<&CapacityView>,
    histories: &Histories<'_>,
    lists: bool,
) -> Result<Pages> {
    let newest_first: Vec<&Report> = with_previous.iter().map(|(report, _)| *report).collect();
    let latest = with_previous.iter();
    let latest = latest
        .filter_map(|(report, previous)| Some((*report, (*previous)?)))
        .find(|(report, previous)| report.shares_machine(previous));
    let (scenarios, rest) = rayon::join(
        || -> Result<Vec<Pages>, _> {
            let groups = histories.groups.par_iter();
            groups.map(|s| renderer.scenario(s, histories)).collect()
        },
        || {
            Ok::<_, anyhow::Error>([
                renderer.over_all(histories)?,
                renderer.machines(&newest_first)?,
                renderer.capacity(capacity)?,
                renderer.compare(with_previous, histories)?,
                match lists {
                    true => renderer.index(&newest_first, latest, histories)?,
                    false => Pages::new(),
                },
            ])
        },
    );
    let mut pages: Pages = scenarios?.into_iter().flatten().collect();
    pages.extend(rest?.into_iter().flatten());
    let has_more = pages.keys().any(|path| path.starts_with(MORE));
    pages.extend(renderer.more(&newest_first, has_more)?);
    Ok(pages)
}

/// For each report the one before and the one after it.
fn neighbours(reports: &[Report]) -> Result<Vec<[Option<&Report>; 2]>> {
    let mut last_of_machine: BTreeMap<&str, usize> = BTreeMap::new();
    let mut neighbours = vec![[None, None]; reports.len()];
    for (index, report) in reports.iter().enumerate() {
        let machine = report.dated_machine();
        let earlier = machine.and_then(|m| last_of_machine.insert(m, index));
        let previous = match &report.manifest.previous {
            None => earlier,
            Some(At { value, .. }) if value.is_empty() => None,
            Some(At { line, value }) => {
                let named = reports.iter().position(|r| r.name == *value);
                Some(named.filter(|named| *named != index).ok_or_else(|| {
                    let message = format!("previous = \"{value}\" is no other report in the data");
                    Failure::at(report.folder.join("report.toml"), *line, message)
                })?)
            }
        };
        if let Some(previous) = previous {
            neighbours[index][0] = Some(&reports[previous]);
            neighbours[previous][1] = Some(report);
        }
    }
    Ok(neighbours)
}

/// Pages of reports that are not in the data any more would go: a folder was lost, or not named.
fn refuse_to_prune(site: &Site, root: &str, reports: &[Report]) -> Result<()> {
    let report_of = |page: &str| {
        let below = page.strip_prefix(root)?.strip_prefix('/')?;
        let name = below.strip_suffix("/index.md")?;
        let is_report = !name.contains('/') && Overview::ALL.iter().all(|page| page.name() != name);
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
                Err(failure @ Failure::BadInput(_)) => crate::say!("error: {failure}"),
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
