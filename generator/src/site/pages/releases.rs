//! Several releases of one library in one report, and what each of them changed.

use super::topics::{MAX_ROWS, is_only_in_section};
use crate::base::words::{count, join};
use crate::report::{Grid, Report, Row, Series, shifts, titles, words};
use crate::site::graphs::Graph;
use crate::site::graphs::releases::{graph, has_step};
use crate::site::tables::releases::{levels, steps};
use std::collections::BTreeSet;

/// The section on releases.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct Releases {
    pub title: &'static str,
    /// What was measured, and what changed nothing; empty if no row is shown.
    pub intro: String,
    pub graphs: Vec<Graph>,
    /// At most nine releases, or commits with new levels; `None` without any.
    pub table: Option<Grid>,
    /// All of them, for the page of all figures; `None` if the first table has all.
    pub all: Option<Grid>,
}

/// Graphs over releases on a page.
const MAX_GRAPHS: usize = 4;

/// Returns the section of a report's page: graphs of its headline scenarios, and what each release changed.
pub(in crate::site) fn releases(report: &Report) -> Releases {
    let series = report.series();
    let is_timed = |one: &&Series<'_>| {
        let mut rows = report.rows.iter();
        rows.any(|row| !is_only_in_section(row) && one.has(row))
    };
    let series: Vec<Series<'_>> = series.iter().filter(is_timed).cloned().collect();
    let Some(first) = series.first() else {
        return Releases::default();
    };
    let is_branch = first.is_of_branch();
    let (table, all, sentence) = match is_branch {
        true => {
            let all = shifts(&report.rows);
            let newest = levels(&all[..all.len().min(MAX_ROWS)]);
            (newest, levels(&all), String::new())
        }
        false => {
            let (all, unchanged) = steps(report, &series, usize::MAX);
            (steps(report, &series, MAX_ROWS).0, all, unchanged)
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
    let sentence = Some(sentence).filter(|sentence| !sentence.is_empty());
    Releases {
        title: match is_branch {
            true => "Commit by commit",
            false => "Release by release",
        },
        intro: words::sentences([Some(intro(&series)), sentence, flat]).unwrap_or_default(),
        graphs: graphs.take(MAX_GRAPHS).collect(),
        table,
        all: all.filter(|all| all.rows.len() > MAX_ROWS),
    }
}

/// `5 releases of rustls; 3 of OpenSSL.`, what has no line in the graphs, and what a circle is.
pub(super) fn intro(series: &[Series<'_>]) -> String {
    let is_branch = series[0].is_of_branch();
    let what = if is_branch { "commit" } else { "release" };
    let number = |(index, s): (usize, &Series<'_>)| match index {
        0 => format!("{} of {}", count(s.builds.len(), what), s.name()),
        _ => format!("{} of {}", s.builds.len(), s.name()),
    };
    let numbers: Vec<String> = series.iter().enumerate().map(number).collect();
    let measured = format!("{}.", numbers.join("; "));
    let report = series[0].report;
    if is_branch {
        let circle = "A circle marks a commit since which the level is new.".to_owned();
        return words::sentences([Some(measured), report.branch_note(), Some(circle)])
            .unwrap_or_default();
    }
    let others = "Other releases were not measured.".to_owned();
    let circle =
        "A circle marks a release whose change from the one before it is shown.".to_owned();
    let all = [Some(measured), Some(others), single(series), Some(circle)];
    let all = all.into_iter().chain(series.iter().map(providers));
    words::sentences(all).unwrap_or_default()
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
