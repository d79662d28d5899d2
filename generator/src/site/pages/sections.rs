//! The sections of a report's page: each a finding, graphs, at most nine rows, and a line of links.

use super::figures::FOLDER;
use super::topics::{MAX_ROWS, Topic, main_rows, topics};
use crate::base::words::count;
use crate::report::{Report, Table};
use crate::site::graphs::bars::bars;
use crate::site::graphs::releases::graph as release_graph;
use crate::site::graphs::sizes::by_size;
use crate::site::graphs::spans::{self, percentiles};
use crate::site::graphs::threads::shares;
use crate::site::links::Links;
use crate::site::section::Section;
use crate::site::tables::counts::counts;
use crate::site::tables::footprint::sentence as footprint;
use crate::site::tables::memory::{sessions, sizes};
use crate::site::tables::results::results_of;
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
        // What offers post-quantum keys stands with their handshakes.
        let post_quantum = |s: &&mut Section| s.id == Topic::PostQuantum.id();
        match sections.iter_mut().find(post_quantum) {
            Some(before) if topic == Topic::ClientHello => {
                before.finding.extend(size_of_hello(&own));
                before.graphs.append(&mut section.graphs);
                section.links[0][1] = format!("ClientHello: all {rows}");
                before.links.append(&mut section.links);
            }
            _ => sections.push(section),
        }
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
        Topic::ClientHello => {
            let main = main_rows(table);
            section.finding.extend(against(&main, table));
            section.graphs.extend(bars(&main, topic.id(), title));
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
        Topic::Memory => {
            let shown = sizes(table);
            section.finding.extend(against(&shown, table));
            section.graphs.extend(bars(&shown, topic.id(), title));
            let newest = table.with(|row| row.scenario.version == shown.rows[0].scenario.version);
            let mut of_session = sessions(&newest, &newest.shown());
            of_session
                .iter_mut()
                .for_each(|grid| grid.rows.truncate(MAX_ROWS));
            section.tables.extend(links.tables(&of_session));
        }
        Topic::Counts => {
            if let Some((grid, instructions)) = counts(table) {
                let graph = instructions.and_then(|row| release_graph(&report.series(), row));
                section.graphs.extend(graph);
                section.tables.push(links.table(&grid));
            }
        }
        Topic::Footprint => section.finding.extend(footprint(table)),
    }
    section
}
