//! Several releases of one library in one report, and what each of them changed.

use super::topics::is_only_in_section;
use crate::base::words::count;
use crate::report::{Report, Row, Series, shifts, titles};
use crate::site::graphs::releases::{graph, has_step};
use crate::site::links::Links;
use crate::site::section::Section;
use crate::site::tables::releases::{levels, steps};

/// Graphs over releases on a page.
const MAX_GRAPHS: usize = 4;

/// Returns the section of a report's page: graphs of its headline scenarios, and what each release changed.
pub(in crate::site) fn releases(report: &Report, links: &Links<'_>) -> Option<Section> {
    let mut series = report.series();
    series.retain(|one| {
        let mut rows = report.rows.iter();
        rows.any(|row| !is_only_in_section(row) && one.has(row))
    });
    let is_branch = series.first()?.is_of_branch();
    let (title, table, note) = match is_branch {
        true => {
            let levels = levels(&shifts(&report.rows));
            ("Commit by commit", levels, report.branch_note())
        }
        false => {
            let others = "Other releases were not measured.".to_owned();
            let steps = steps(report, &series);
            ("Release by release", steps, Some(others))
        }
    };
    let (drawn, flat): (Vec<&Row>, Vec<&Row>) = report
        .headlines()
        .into_iter()
        .filter(|row| series.iter().any(|one| one.has(row)))
        .partition(|row| has_step(&series, row));
    let graphs = drawn.into_iter().filter_map(|row| graph(&series, row));
    let flat = flat.iter().map(|row| titles::title(&row.scenario));
    let flat: Vec<String> = flat.collect();
    let flat =
        (!flat.is_empty()).then(|| format!("No step of 3% is shown in {}.", flat.join("; ")));
    let finding = [Some(measured(&series)), note, Some(circle(&series)), flat];
    Some(Section {
        title: title.to_owned(),
        id: "releases",
        finding: finding.into_iter().flatten().collect(),
        graphs: graphs.take(MAX_GRAPHS).collect(),
        tables: links.tables(&table),
        ..Section::default()
    })
}

/// `5 releases of rustls; 3 of OpenSSL.`
pub(super) fn measured(series: &[Series<'_>]) -> String {
    let what = match series[0].is_of_branch() {
        true => "commit",
        false => "release",
    };
    let number = |(index, s): (usize, &Series<'_>)| match index {
        0 => format!("{} of {}", count(s.builds.len(), what), s.name()),
        _ => format!("{} of {}", s.builds.len(), s.name()),
    };
    let numbers: Vec<String> = series.iter().enumerate().map(number).collect();
    format!("{}.", numbers.join("; "))
}

pub(super) fn circle(series: &[Series<'_>]) -> String {
    let what = match series[0].is_of_branch() {
        true => "commit since which the level is new",
        false => "change from the release before",
    };
    format!("A circle marks a {what}.")
}
