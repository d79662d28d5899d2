//! A section of the site: the pages of each report, and the overviews of all reports.

use super::page_set::{Earlier, PageSet};
use super::pages::Builder;
use super::searches::Searches;
use crate::failure::{Failure, Result};
use crate::fs::Searched;
use crate::history::Histories;
use crate::page::{self, CapacityView};
use crate::render::{Pages, Renderer, sides_to_start_with};
use crate::report::{At, OVERVIEWS, Report};
use std::collections::BTreeMap;

/// The files of a section.
pub(in crate::cmd) struct SectionFiles {
    /// Files to write, by path below the section.
    pub(in crate::cmd) pages: Pages,
    /// Unchanged files: digests by path in the site.
    pub(super) kept: BTreeMap<String, String>,
    /// The digest of the inputs of each report and scenario, with the paths of its files.
    pub(super) sets: Vec<(String, Vec<String>)>,
    /// The change points of all histories.
    pub(super) searched: Searched,
}

impl SectionFiles {
    /// Makes a section, with the list of reports if it `lists` them, and without the pages over all
    /// reports if it has `reports_only`. Files that an `earlier` run made from the same inputs are kept.
    pub(in crate::cmd) fn of(
        reports: &[Report],
        path: &str,
        lists: bool,
        reports_only: bool,
        earlier: Option<Earlier<'_>>,
    ) -> Result<Self> {
        let neighbours = neighbours(reports)?;
        // Reports without a day sort first, so here they come last.
        let newest_first: Vec<&Report> = reports.iter().rev().collect();
        let previous = neighbours.iter().rev().map(|[previous, _]| *previous);
        let with_previous: Vec<_> = newest_first.iter().copied().zip(previous).collect();
        let capacity = page::capacity(&newest_first);
        let mut overviews = OVERVIEWS.to_vec();
        overviews.retain(|page| match *page {
            _ if reports_only => false,
            "capacity" => capacity.is_some(),
            "compare" => sides_to_start_with(&with_previous).is_some(),
            _ => true,
        });
        let renderer = Renderer::new(path, overviews)?;
        let searches = Searches::new(earlier);
        let histories = Histories::of(reports, &|history, threshold| {
            searches.search(history, threshold)
        });
        let builder = Builder {
            section: path,
            renderer: &renderer,
            histories: &histories,
            earlier,
        };
        let of_reports = builder.reports(reports, &neighbours)?;
        let (of_scenarios, rest) = rayon::join(
            || builder.scenarios(reports),
            || {
                over_all(
                    &renderer,
                    &with_previous,
                    capacity.as_ref(),
                    &histories,
                    lists,
                )
            },
        );
        let mut files = Self {
            pages: rest?,
            kept: BTreeMap::new(),
            sets: Vec::new(),
            searched: searches.into_searched(),
        };
        for set in of_reports.into_iter().chain(of_scenarios?) {
            files.add(path, set);
        }
        Ok(files)
    }

    fn add(&mut self, section: &str, set: PageSet) {
        let made = set.pages.keys();
        let made = made.map(|below| format!("content/{section}/{below}"));
        let files = made.chain(set.kept.keys().cloned()).collect();
        self.sets.push((set.key, files));
        self.pages.extend(set.pages);
        self.kept.extend(set.kept);
    }
}

/// Makes all overviews except the pages of scenarios. The reports come newest first, each with the
/// one before it.
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
    let mut pages = Pages::new();
    if renderer.has_overviews() {
        pages.extend(renderer.over_all(histories)?);
        pages.extend(renderer.machines(&newest_first)?);
        pages.extend(renderer.compare(with_previous, histories)?);
        if let Some(view) = capacity {
            pages.extend(renderer.capacity(view)?);
        }
    }
    if lists {
        pages.extend(renderer.index(&newest_first, latest, histories)?);
    }
    Ok(pages)
}

/// Returns the reports before and after each report.
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
