//! A section of the site: the pages of each report, and the overviews of all reports.

use crate::base::failure::{self, Failure, Result};
use crate::files;
use crate::files::inputs::{ARCHIVE, Inputs};
use crate::measure::records::record::Record;
use crate::parse::Located;
use crate::report::history::Histories;
use crate::report::{ComparedMachine, OVERVIEWS, Report, compared_machines};
use crate::site::{self, Offered, Origin, Pages, Renderer, TABLE};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Makes all pages below the section `path`, and adds them as soon as each is made: with the list of
/// reports if it `lists` them, and without the pages over all reports if it has `reports_only`. Those
/// of the last time are `there`.
pub(super) fn pages(
    reports: &[Report],
    there: &Path,
    path: &str,
    [lists, reports_only]: [bool; 2],
    add: impl Fn(Pages) -> Result<()> + Sync,
) -> Result<()> {
    let previous = previous(reports)?;
    // Reports without a day sort first, so here they come last.
    let newest_first: Vec<&Report> = reports.iter().rev().collect();
    let histories = Histories::of(reports);
    let compared = compared_machines(&newest_first);
    let (mut overviews, mut offered) = (Vec::new(), Offered::default());
    if !reports_only {
        overviews.extend(OVERVIEWS);
        overviews.retain(|page| match *page {
            "compare" => !compared.is_empty(),
            // A list of one says no more than the page that it leads to.
            "implementations" => histories.implementations.len() > 1,
            "scenarios" => histories.groups.len() > 1,
            _ => true,
        });
        offered = Offered::of(&histories, &compared);
    }
    let renderer = Renderer::new(path, overviews, offered)?;
    let of_reports = (0..reports.len()).into_par_iter().map(|index| {
        let before = previous[index].map(|before| &reports[before]);
        let next = previous.iter().rposition(|before| *before == Some(index));
        let next = next.map(|next| &reports[next]);
        add(of_report(&reports[index], there, before, next, &renderer)?)
    });
    failure::all(of_reports.collect::<Vec<_>>())?;
    if !reports_only {
        let groups = histories.groups.par_iter();
        let (of_scenarios, rest) = rayon::join(
            || groups.map(|group| add(renderer.scenario(group)?)).collect(),
            || add(over_all(&renderer, &newest_first, &compared, &histories)?),
        );
        let of_scenarios: Result<()> = of_scenarios;
        of_scenarios.and(rest)?;
    }
    match lists {
        true => add(renderer.index(&newest_first)?),
        false => Ok(()),
    }
}

fn of_report(
    report: &Report,
    there: &Path,
    previous: Option<&Report>,
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
    let record = match &report.record {
        Some(bytes) => Record::parse_own(&Record::path(&report.folder), bytes)?,
        None => None,
    };
    let origin = Origin {
        inputs: inputs?,
        commands: record.map_or_else(Vec::new, |record| record.commands),
    };
    let mut pages = renderer.report(report, previous, next, origin)?;
    pages.extend(downloads?);
    Ok(pages)
}

/// Makes all overviews except the pages of scenarios and the list of reports.
fn over_all(
    renderer: &Renderer<'_>,
    newest_first: &[&Report],
    compared: &[ComparedMachine<'_>],
    histories: &Histories<'_>,
) -> Result<Pages> {
    let mut pages = renderer.scenarios(histories)?;
    pages.extend(renderer.libraries(histories, newest_first)?);
    pages.extend(renderer.method(histories)?);
    pages.extend(renderer.home(compared, newest_first)?);
    if !compared.is_empty() {
        pages.extend(renderer.compare(compared)?);
    }
    Ok(pages)
}

/// Returns the index of the report before each report.
fn previous(reports: &[Report]) -> Result<Vec<Option<usize>>> {
    let mut last_of_machine: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (index, report) in reports.iter().enumerate() {
        let machine = report.dated_machine();
        let mut previous = machine.and_then(|m| last_of_machine.insert(m, index));
        if let Some(Located { line, value }) = &report.manifest.previous {
            previous = reports.iter().position(|r| r.name == *value);
            if !value.is_empty() && previous.is_none_or(|named| named == index) {
                let message = format!("previous = \"{value}\" is not another report in the data");
                return Err(Failure::at(
                    report.folder.join("report.toml"),
                    *line,
                    message,
                ));
            }
        }
        all.push(previous);
    }
    Ok(all)
}
