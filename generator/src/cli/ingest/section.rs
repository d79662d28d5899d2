//! A section of the site: the pages of each report, and the overviews of all reports.

use crate::base::failure::{self, Failure, Result};
use crate::cli::programs;
use crate::files;
use crate::files::inputs::{ARCHIVE, Inputs};
use crate::parse::Located;
use crate::report::history::Histories;
use crate::report::{ComparedMachine, MAX_EARLIER, OVERVIEWS, Report, compared_machines};
use crate::site::{self, Offered, Origin, Pages, Renderer, TABLE};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Makes all pages below the section `path`: with the list of reports if it `lists` them, and without
/// the pages over all reports if it has `reports_only`. Those of the last time are `there`.
pub(super) fn pages(
    reports: &[Report],
    there: &Path,
    path: &str,
    lists: bool,
    reports_only: bool,
) -> Result<Pages> {
    let neighbours = neighbours(reports)?;
    // Reports without a day sort first, so here they come last.
    let newest_first: Vec<&Report> = reports.iter().rev().collect();
    let histories = Histories::of(reports);
    let compared = compared_machines(&newest_first);
    let mut overviews = OVERVIEWS.to_vec();
    overviews.retain(|page| match *page {
        _ if reports_only => false,
        "home" | "compare" => !compared.is_empty(),
        _ => true,
    });
    let offered = match overviews.is_empty() {
        true => Offered::default(),
        false => Offered::of(&histories, &compared),
    };
    let renderer = Renderer::new(path, overviews, offered)?;
    let of_reports = (0..reports.len()).into_par_iter().map(|index| {
        let earlier = earlier(reports, &neighbours, index);
        let next = neighbours[index][1].map(|next| &reports[next]);
        of_report(&reports[index], there, &earlier, next, &renderer)
    });
    let of_reports = of_reports.collect::<Vec<_>>();
    let mut files = Pages::new();
    for pages in failure::all(of_reports)? {
        files.extend(pages);
    }
    let (of_scenarios, rest) = rayon::join(
        || of_scenarios(&histories, &renderer),
        || over_all(&renderer, &newest_first, &compared, &histories, lists),
    );
    for pages in of_scenarios? {
        files.extend(pages);
    }
    files.extend(rest?);
    Ok(files)
}

fn of_report(
    report: &Report,
    there: &Path,
    earlier: &[&Report],
    next: Option<&Report>,
    renderer: &Renderer<'_>,
) -> Result<Pages> {
    let there = there.join(&report.name);
    // The largest report takes as long as all others together.
    let (inputs, downloads) = rayon::join(
        || {
            let packed = files::read_optional(&there.join(ARCHIVE))?;
            Inputs::read(&report.folder, &report.sources, packed)
        },
        || site::downloads(report, files::read_optional(&there.join(TABLE))?),
    );
    let origin = Origin {
        inputs: inputs?,
        commands: programs::record(report)?.map_or_else(Vec::new, |record| record.commands),
    };
    let mut pages = renderer.report(report, earlier, next, origin)?;
    pages.extend(downloads?);
    Ok(pages)
}

/// Makes the pages of each scenario, or none if the site does without them.
fn of_scenarios(histories: &Histories<'_>, renderer: &Renderer<'_>) -> Result<Vec<Pages>> {
    if !renderer.has_overviews() {
        return Ok(Vec::new());
    }
    let groups = histories.groups.par_iter();
    let pages = groups.map(|group| renderer.scenario(group));
    Ok(pages.collect::<anyhow::Result<Vec<_>>>()?)
}

/// Makes all overviews except the pages of scenarios.
fn over_all(
    renderer: &Renderer<'_>,
    newest_first: &[&Report],
    compared: &[ComparedMachine<'_>],
    histories: &Histories<'_>,
    lists: bool,
) -> Result<Pages> {
    let mut pages = Pages::new();
    if renderer.has_overviews() {
        pages.extend(renderer.scenarios(histories)?);
        pages.extend(renderer.libraries(histories)?);
        pages.extend(renderer.method(histories)?);
        if !compared.is_empty() {
            pages.extend(renderer.compare(compared)?);
            pages.extend(renderer.home(compared, newest_first)?);
        }
    }
    if lists {
        pages.extend(renderer.index(newest_first)?);
    }
    Ok(pages)
}

/// Returns the indices of the reports before and after each report.
fn neighbours(reports: &[Report]) -> Result<Vec<[Option<usize>; 2]>> {
    let mut last_of_machine: BTreeMap<&str, usize> = BTreeMap::new();
    let mut neighbours = vec![[None, None]; reports.len()];
    for (index, report) in reports.iter().enumerate() {
        let machine = report.dated_machine();
        let earlier = machine.and_then(|m| last_of_machine.insert(m, index));
        let previous = match &report.manifest.previous {
            None => earlier,
            Some(Located { value, .. }) if value.is_empty() => None,
            Some(Located { line, value }) => {
                let named = reports.iter().position(|r| r.name == *value);
                Some(named.filter(|named| *named != index).ok_or_else(|| {
                    let message =
                        format!("previous = \"{value}\" is not another report in the data");
                    Failure::at(report.folder.join("report.toml"), *line, message)
                })?)
            }
        };
        if let Some(previous) = previous {
            neighbours[index][0] = Some(previous);
            neighbours[previous][1] = Some(index);
        }
    }
    Ok(neighbours)
}

/// Returns the report before one, and those of the same machine before that, the newest first.
fn earlier<'a>(
    reports: &'a [Report],
    neighbours: &[[Option<usize>; 2]],
    index: usize,
) -> Vec<&'a Report> {
    let report = &reports[index];
    let mut earlier: Vec<&Report> = Vec::new();
    let mut at = index;
    // Reports may name each other as the one before.
    while let Some(previous) = neighbours[at][0]
        && earlier.len() < MAX_EARLIER
        && (earlier.is_empty() || previous < at && report.shares_machine(&reports[previous]))
    {
        earlier.push(&reports[previous]);
        at = previous;
    }
    earlier
}
