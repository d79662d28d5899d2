//! The sections of a report's page: each a finding, graphs, at most nine rows, and a line of links.

use super::figures::FOLDER;
use super::topics::{MAX_ROWS, Topic, main_rows, topics};
use crate::base::words::count;
use crate::model::unit::Unit;
use crate::report::{Report, Row, Table};
use crate::site::graphs::bars::bars;
use crate::site::graphs::releases::graph as release_graph;
use crate::site::graphs::sizes::by_size;
use crate::site::graphs::spans::{self, percentiles};
use crate::site::graphs::threads::shares;
use crate::site::links::Links;
use crate::site::section::Section;
use crate::site::tables::results::results_of;
use crate::site::tables::topics::{counts, sessions};
use crate::site::words::sections::{against, cost_of_hybrids, leaders, size_of_hello};

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
    let title = topic.title(false);
    match topic {
        Topic::Transfer | Topic::FullHandshakes | Topic::ResumedHandshakes | Topic::Other => {
            let main = main_rows(table);
            section.finding.extend(against(&main, table));
            let led = leaders(table).filter(|_| report.roles().ranked.len() > 2);
            section.finding.extend(led);
            section.graphs = by_size(table);
            if section.graphs.is_empty() && !report.is_of_branch() {
                section.graphs.extend(bars(&main, topic.id(), title));
            }
            if section.graphs.is_empty() && !main.rows.is_empty() {
                let mut shown = main.clone();
                shown.rows.truncate(MAX_ROWS);
                let shown = results_of(&shown, &shown.shown(), title);
                section.tables.push(links.table(&shown));
            }
        }
        Topic::PostQuantum => {
            let found = report.exchanges();
            section.finding.extend(cost_of_hybrids(&found));
            section.graphs.extend(spans::exchanges(report, &found));
        }
        Topic::ClientHello | Topic::Memory | Topic::Footprint => {
            let main = match topic {
                Topic::Memory => {
                    let of = |row: &Row| (row.scenario.version, row.scenario.sessions);
                    let most = table.rows.iter().map(|row| of(row)).max();
                    table.with(|row| Some(of(row)) == most)
                }
                Topic::Footprint => table.with(|row| row.unit == Unit::SIZE),
                _ => main_rows(table),
            };
            section.finding.extend(against(&main, &main));
            section.finding.extend(size_of_hello(table));
            section.graphs.extend(bars(&main, topic.id(), title));
            if let Some(row) = main.rows.first() {
                let version = row.scenario.version;
                let own = table.with(|row| row.scenario.version == version);
                let costs = sessions(&own, &own.shown());
                section.tables.extend(links.tables(&costs));
            }
        }
        Topic::Threads => {
            section.graphs = shares(table);
            let processors = report.processors();
            section.finding.extend(match section.graphs.is_empty() {
                true => against(&main_rows(table), table),
                false => processors.map(|all| {
                    format!("The machine has {all} processors: more threads than these share them.")
                }),
            });
        }
        Topic::Latency | Topic::Writes => section.graphs.extend(percentiles(table, topic.id())),
        Topic::Counts => {
            let grid = counts(table);
            section.tables = links.tables(&grid);
            let headlines = report.headlines();
            let of_headline = |row: &&&Row| {
                let is_it = |headline: &&Row| headline.scenario == row.scenario;
                row.unit == Unit::INSTRUCTIONS && headlines.iter().any(is_it)
            };
            let instructions = table.rows.iter().find(of_headline);
            let graph = instructions.and_then(|row| release_graph(&report.series(), row));
            section.graphs.extend(graph);
        }
    }
    section
}
