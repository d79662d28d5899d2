//! The sections of a report's page: each a finding, graphs, at most nine rows, and a line of links.

use super::figures::FOLDER;
use super::topics::{MAX_ROWS, Topic, is_only_in_section, topics};
use crate::base::words::count;
use crate::model::unit::Unit;
use crate::report::{Report, Row, Series, Table, titles};
use crate::site::graphs::bars::bars;
use crate::site::graphs::releases::{graph as release_graph, has_step};
use crate::site::graphs::sizes::by_size;
use crate::site::graphs::spans::{self, percentiles};
use crate::site::graphs::threads::shares;
use crate::site::links::Links;
use crate::site::section::Section;
use crate::site::tables::releases::{levels, steps};
use crate::site::tables::results::results_of;
use crate::site::tables::topics::{counts, sessions};
use crate::site::words::finding::{against, cost_of_hybrids, leaders, size_of_hello};

/// Returns the sections of a report's page.
pub(super) fn sections(report: &Report, links: &Links<'_>) -> Vec<Section> {
    let topics = topics(report);
    let is_only = topics.len() == 1;
    let mut sections: Vec<Section> = Vec::new();
    for (topic, own) in topics {
        // What older builds alone have stands on the page of all figures.
        let mut section = match own.shown().is_empty() {
            true => Section::default(),
            false => section(topic, &own, links),
        };
        section.title = topic.title(is_only).to_owned();
        section.id = topic.id();
        let rows = count(own.rows.len(), "row");
        let builds = count(own.shown().len() + own.others().len(), "build");
        let link = [
            format!("{FOLDER}/#{}", topic.id()),
            format!("All {rows} of {builds}"),
        ];
        section.links.push(link);
        sections.push(section);
    }
    sections
}

fn section(topic: Topic, table: &Table<'_>, links: &Links<'_>) -> Section {
    let report = table.report;
    let mut section = Section::default();
    match topic {
        Topic::PostQuantum => {
            let found = report.exchanges();
            section.finding.extend(cost_of_hybrids(&found));
            section.graphs.extend(spans::exchanges(report, &found));
        }
        Topic::Latency | Topic::Writes => section.graphs.extend(percentiles(table, topic.id())),
        Topic::Counts => {
            section.tables = links.tables(&counts(table));
            let headlines = report.headlines();
            let is_headline = |row: &Row| headlines.iter().any(|own| own.scenario == row.scenario);
            let own = table.with(|row| row.unit == Unit::INSTRUCTIONS && is_headline(row));
            let row = own.rows.first();
            let graph = row.and_then(|row| release_graph(&report.series(), row));
            section.graphs.extend(graph);
        }
        Topic::Threads if !shares(table).is_empty() => section.graphs = shares(table),
        _ => {
            let main = topic.main_rows(table);
            section.finding.extend(against(&main, table));
            section.finding.extend(size_of_hello(table));
            let led = leaders(table).filter(|_| report.roles().ranked.len() > 2);
            section.finding.extend(led);
            section.graphs = by_size(table);
            let title = topic.title(false);
            if section.graphs.is_empty() && !report.is_of_branch() {
                section.graphs.extend(bars(&main, topic.id(), title));
            }
            let newest = main.rows.first().and_then(|row| row.scenario.version);
            let own = table.with(|row| row.scenario.version == newest);
            section.tables = links.tables(&sessions(&own, &own.shown()));
            if section.graphs.is_empty() && section.tables.is_empty() && !main.rows.is_empty() {
                let mut shown = main.clone();
                shown.rows.truncate(MAX_ROWS);
                let shown = results_of(&shown, &shown.shown(), title);
                section.tables.push(links.table(&shown));
            }
        }
    }
    section
}

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
            let levels = levels(report);
            ("Commit by commit", levels, report.branch_note())
        }
        false => {
            let others = "Other releases were not measured.".to_owned();
            let steps = steps(report, &series);
            ("Release by release", steps, Some(others))
        }
    };
    let mut rows = report.headlines();
    rows.retain(|row| series.iter().any(|one| one.has(row)));
    let (drawn, flat): (Vec<&Row>, Vec<&Row>) =
        rows.into_iter().partition(|row| has_step(&series, row));
    let graphs = drawn.iter().filter_map(|row| release_graph(&series, row));
    let flat = flat.iter().map(|row| titles::title(&row.scenario));
    let flat = flat.reduce(|all, one| format!("{all}; {one}"));
    let flat = flat.map(|flat| format!("No step of 3% is shown in {flat}."));
    let finding = [Some(measured(&series)), note, Some(CIRCLE.to_owned()), flat];
    Some(Section {
        title: title.to_owned(),
        id: "releases",
        finding: finding.into_iter().flatten().collect(),
        graphs: graphs.take(MAX_GRAPHS).collect(),
        tables: links.tables(&table),
        ..Section::default()
    })
}

/// `Releases measured: 5 of rustls; 3 of OpenSSL.`
pub(super) fn measured(series: &[Series<'_>]) -> String {
    let what = match series[0].is_of_branch() {
        true => "Commits",
        false => "Releases",
    };
    let number = |s: &Series<'_>| format!("{} of {}", s.builds.len(), s.name());
    let numbers: Vec<String> = series.iter().map(number).collect();
    format!("{what} measured: {}.", numbers.join("; "))
}

/// What a circle marks: of releases a step, of commits a level.
pub(super) const CIRCLE: &str = "A circle marks a change that is shown.";
