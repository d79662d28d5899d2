//! Several releases of one library in one report, and what each of them changed.

use super::topics::{MAX_ROWS, is_only_in_section};
use crate::base::words::{count, join};
use crate::report::{ComparedRow, ReleaseSeries, shifts};
use crate::site::graphs::Graph;
use crate::site::graphs::releases::graph;
use crate::site::tables::html::HtmlTable;
use crate::site::tables::levels::levels;
use crate::site::tables::steps::{by_release, steps};
use serde::Serialize;
use std::collections::BTreeSet;

/// The section on releases.
#[derive(Clone, Debug, Default, Serialize)]
pub(in crate::site) struct Releases {
    pub title: &'static str,
    /// What was measured, and the largest step; empty if no row is shown.
    pub intro: String,
    pub graphs: Vec<Graph>,
    /// At most nine releases, or commits with new levels; `None` without any.
    pub table: Option<HtmlTable>,
    /// All steps that changed anything, for the page of all figures.
    #[serde(skip)]
    pub steps: Option<HtmlTable>,
    pub has_steps: bool,
}

/// Returns the section of a report's page: graphs of its headline scenarios, and what each of `series`,
/// which are of one report, changed.
pub(in crate::site) fn releases(series: &[ReleaseSeries<'_>]) -> Releases {
    let timed = series
        .iter()
        .map(|s| s.with(|row| !is_only_in_section(row)));
    let mut timed: Vec<ReleaseSeries<'_>> = timed.collect();
    timed.retain(|series| !series.rows.is_empty());
    let Some(first) = timed.first() else {
        return Releases::default();
    };
    let report = first.report;
    let rows = report.headlines();
    let (table, steps, sentence) = match first.is_of_branch() {
        true => {
            let all = shifts(&report.data.rows);
            let newest = levels(&all[..all.len().min(MAX_ROWS)]);
            let all = levels(&all).filter(|table| table.rows.len() > MAX_ROWS);
            (newest, all, String::new())
        }
        false => {
            let (all, unchanged) = steps(&timed);
            (by_release(&timed, &rows), all, unchanged)
        }
    };
    let graphs = rows.iter().filter_map(|row| graph(series, row, |_| true));
    Releases {
        title: match first.is_of_branch() {
            true => "Commit by commit",
            false => "Release by release",
        },
        intro: format!("{} {sentence}", intro(series))
            .trim_end()
            .to_owned(),
        graphs: graphs.take(MAX_GRAPHS).collect(),
        table,
        has_steps: steps.is_some(),
        steps,
    }
}

/// Graphs over releases on a page.
const MAX_GRAPHS: usize = 4;

/// `5 releases of rustls; 3 of OpenSSL.`, what has no line in the graphs, and what rings there are.
pub(super) fn intro(series: &[ReleaseSeries<'_>]) -> String {
    let what = match series[0].is_of_branch() {
        true => "commit",
        false => "release",
    };
    let number = |(index, s): (usize, &ReleaseSeries<'_>)| match index {
        0 => format!("{} of {}", count(s.columns.len(), what), s.name()),
        _ => format!("{} of {}", s.columns.len(), s.name()),
    };
    let numbers: Vec<String> = series.iter().enumerate().map(number).collect();
    if series[0].is_of_branch() {
        let report = series[0].report;
        let more = report
            .data
            .branch_note()
            .map(|note| format!(" {note}"))
            .unwrap_or_default();
        return format!(
            "{}.{more} A ring marks a commit since which the level is new.",
            numbers.join("; ")
        );
    }
    let rows = series.iter().flat_map(|s| &s.rows);
    let mut steps = rows.flat_map(|row| row.steps.iter().flatten());
    let ring = match steps.any(ComparedRow::is_change) {
        true => " A ring marks a release that changed significantly from the one before it.",
        false => "",
    };
    let providers: String = series.iter().filter_map(providers).collect();
    let single = single(series);
    format!(
        "{}. Other releases were not measured.{single}{ring}{providers}",
        numbers.join("; ")
    )
}

/// ` No line for AWS-LC and Go, of which one release was measured.`
fn single(series: &[ReleaseSeries<'_>]) -> String {
    let with_line: BTreeSet<&str> = series.iter().map(|s| &*s.newest().name).collect();
    let builds = series[0].report.data.implementations.iter();
    let names: BTreeSet<&str> = builds.map(|build| &*build.name).collect();
    let names: Vec<String> = names
        .difference(&with_line)
        .map(ToString::to_string)
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(
            " No line for {}, of which one release was measured.",
            join(&names)
        ),
    }
}

/// ` Releases of rustls are built with aws-lc-rs 1.19.0, the newest that each allows, not that of its day.`
fn providers(series: &ReleaseSeries<'_>) -> Option<String> {
    let report = series.report;
    let mut found = BTreeSet::new();
    for column in &series.columns {
        let build = &report.data.implementations[*column];
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
        " Releases of {name} are built with {found}, the newest that each allows, not that of its day."
    ))
}
