//! Several releases of one library in one report, and what each of them changed.

use super::figures::FOLDER;
use super::topics::{MAX_ROWS, is_only_in_section};
use crate::base::words::{count, join};
use crate::report::{Grid, Report, Row, Series, shifts, titles, words};
use crate::site::graphs::releases::{graph, has_step};
use crate::site::links::Links;
use crate::site::section::Section;
use crate::site::tables::releases::{levels, steps, steps_table};
use std::collections::BTreeSet;

/// Graphs over releases on a page.
const MAX_GRAPHS: usize = 4;

/// Returns the section of a report's page: graphs of its headline scenarios, and what each release changed, of at
/// most nine. With a table of all of them, if there are more.
pub(in crate::site) fn releases(
    report: &Report,
    links: &Links<'_>,
) -> Option<(Section, Option<Grid>)> {
    let mut series = report.series();
    series.retain(|one| {
        let mut rows = report.rows.iter();
        rows.any(|row| !is_only_in_section(row) && one.has(row))
    });
    let is_branch = series.first()?.is_of_branch();
    let (table, all, unchanged) = match is_branch {
        true => {
            let all = shifts(&report.rows);
            let newest = &all[..all.len().min(MAX_ROWS)];
            (levels(newest), levels(&all), None)
        }
        false => {
            let (rows, unchanged) = steps(report, &series);
            let all = steps_table(report, rows.clone(), usize::MAX);
            (steps_table(report, rows, MAX_ROWS), all, unchanged)
        }
    };
    let (drawn, flat): (Vec<&Row>, Vec<&Row>) = report
        .headlines()
        .into_iter()
        .filter(|row| series.iter().any(|one| one.has(row)))
        .partition(|row| has_step(&series, row));
    let graphs = drawn.into_iter().filter_map(|row| graph(&series, row));
    let flat: Vec<String> = flat
        .iter()
        .map(|row| titles::title(&row.scenario))
        .collect();
    let flat =
        (!flat.is_empty()).then(|| format!("No step of 3% is shown in {}.", flat.join("; ")));
    let all = all.filter(|all| all.rows.len() > MAX_ROWS);
    let link = [format!("{FOLDER}/#releases"), "All of them".to_owned()];
    let section = Section {
        title: match is_branch {
            true => "Commit by commit".to_owned(),
            false => "Release by release".to_owned(),
        },
        id: "releases",
        finding: [Some(intro(&series)), unchanged, flat]
            .into_iter()
            .flatten()
            .collect(),
        graphs: graphs.take(MAX_GRAPHS).collect(),
        tables: table.iter().map(|grid| links.table(grid)).collect(),
        links: all.iter().map(|_| link.clone()).collect(),
    };
    Some((section, all))
}

/// What was measured, what has no line in the graphs, and what a circle is.
fn intro(series: &[Series<'_>]) -> String {
    let mut all = vec![Some(measured(series))];
    match series[0].is_of_branch() {
        true => all.extend([series[0].report.branch_note(), Some(circle(series))]),
        false => {
            let others = "Other releases were not measured.".to_owned();
            all.extend([Some(others), single(series), Some(circle(series))]);
            all.extend(series.iter().map(providers));
        }
    }
    words::sentences(all).unwrap_or_default()
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

/// `No line for AWS-LC and Go, of which one release was measured.`
fn single(series: &[Series<'_>]) -> Option<String> {
    let with_line: BTreeSet<&str> = series.iter().map(|s| &*s.newest().name).collect();
    let report = series[0].report;
    let names: BTreeSet<&str> = (0..report.builds.len())
        .map(|b| report.library(b))
        .collect();
    let names: Vec<String> = names
        .difference(&with_line)
        .map(ToString::to_string)
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "No line for {}, of which one release was measured.",
            join(&names)
        )
    })
}

/// `Releases of rustls are built with aws-lc-rs 1.19.0, the newest that each allows, not that of its day.`
fn providers(series: &Series<'_>) -> Option<String> {
    let report = series.report;
    let mut found = BTreeSet::new();
    for build in &series.builds {
        let build = report.build(*build);
        let mut declared = report.manifest.declarations.iter();
        let declared = declared.find(|declared| declared.implementation == *build)?;
        let with = declared.with.as_deref()?;
        let is_provider = |part: &&str| {
            let name = part.split(' ').next();
            build.variant.iter().any(|part| Some(&**part) == name)
        };
        found.insert(with.split(" / ").find(is_provider)?.to_owned());
    }
    let name = series.name();
    let found = join(&Vec::from_iter(found));
    Some(format!(
        "Releases of {name} are built with {found}, the newest that each allows, not that of its day."
    ))
}
