//! A section of the site: the pages of all reports, and those over all of them.

use super::pages::Builder;
use crate::failure::{Failure, Result};
use crate::fs::{Digests, Site};
use crate::history::Histories;
use crate::page::{self, CapacityView};
use crate::render::{MORE, Pages, Renderer, SUITES, sides_to_start_with};
use crate::report::{At, Overview, Report};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The files of a section.
pub(in crate::cmd) struct SectionFiles {
    /// Those to write, by their path below the section.
    pub(in crate::cmd) pages: Pages,
    /// Those that stay as they are, by their path in the site, with their digests.
    pub(super) kept: BTreeMap<String, String>,
    /// Those of each report in the site, by the key of all that they are made of.
    pub(super) of_reports: Vec<(String, Vec<String>)>,
}

impl SectionFiles {
    /// Makes a section, with the list of reports if it `lists` them itself; without what an `earlier`
    /// run has made of the same for its site.
    pub(in crate::cmd) fn of(
        reports: &[Report],
        path: &str,
        lists: bool,
        with_cards: bool,
        earlier: Option<(&Site, &Digests)>,
    ) -> Result<Self> {
        let neighbours = neighbours(reports)?;
        // Newest first; the ones without a day, which sort first, come last.
        let newest_first: Vec<&Report> = reports.iter().rev().collect();
        let previous = neighbours.iter().rev().map(|[previous, _]| *previous);
        let with_previous: Vec<_> = newest_first.iter().copied().zip(previous).collect();
        let capacity = page::capacity(&newest_first);
        let overviews = overviews(&with_previous, capacity.as_ref());
        let renderer = Renderer::new(path, &overviews)?;
        let histories = Histories::of(reports);
        let builder = Builder {
            section: path,
            with_cards,
            renderer: &renderer,
            histories: &histories,
            earlier,
        };
        let all_built = builder.build_all(reports, &neighbours)?;
        let capacity = capacity.as_ref();
        let mut pages = over_all(&renderer, &with_previous, capacity, &histories, lists)?;
        let mut kept = BTreeMap::new();
        let mut of_reports: Vec<(String, Vec<String>)> = Vec::new();
        for built in all_built {
            let made = built.pages.keys();
            let made = made.map(|below| format!("content/{path}/{below}"));
            let files = made.chain(built.kept.keys().cloned()).collect();
            of_reports.push((built.key, files));
            pages.extend(built.pages);
            kept.extend(built.kept);
        }
        let suites = format!("content/{path}/{SUITES}/");
        let mut paths = of_reports.iter().flat_map(|(_, paths)| paths);
        if paths.any(|path| path.starts_with(&suites)) {
            pages.extend(renderer.section_of_suites()?);
        }
        Ok(Self {
            pages,
            kept,
            of_reports,
        })
    }
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
                    let message =
                        format!("previous = \"{value}\" is not another report in the data");
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
