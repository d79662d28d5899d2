//! The sections of a report's page: each a finding, graphs, at most nine rows, and a line of links.

use super::figures::FOLDER;
use super::topics::{MAX_ROWS, Topic, main_rows, topics};
use crate::base::words::count;
use crate::report::{ReleaseSeries, Report, Table, unsteady};
use crate::site::graphs::Graph;
use crate::site::graphs::bars::bars;
use crate::site::graphs::releases::graph as release_graph;
use crate::site::graphs::sizes::by_size;
use crate::site::graphs::spans::{self, percentiles};
use crate::site::tables::counts::counts;
use crate::site::tables::footprint::sentence as footprint;
use crate::site::tables::html::HtmlTable;
use crate::site::tables::memory::{sessions, sizes};
use crate::site::tables::results::results_of;
use crate::site::tables::threads::shares;
use crate::site::words::sections::{against, cost_of_hybrids, exchanges, leaders};
use serde::Serialize;

/// A section of a report's page.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) id: &'static str,
    /// Sentences; none says anything that is not tested.
    pub(super) finding: Vec<String>,
    pub(super) graphs: Vec<Graph>,
    pub(super) table: Option<HtmlTable>,
    /// Address and text of each link.
    pub(super) links: Vec<[String; 2]>,
}

/// Topics of suites of their own, which a report can do without.
const OPTIONAL: [Topic; 5] = [
    Topic::PostQuantum,
    Topic::Threads,
    Topic::Latency,
    Topic::Memory,
    Topic::Writes,
];

/// Returns the sections of a report's page. An optional one whose figures are mostly unsteady, in a report
/// whose others are not, says only that, and has its graph with hollow marks.
pub(super) fn sections(report: &Report, series: &[ReleaseSeries<'_>]) -> Vec<Section> {
    let topics = topics(report);
    let is_only = topics.len() == 1;
    let mut sections: Vec<Section> = Vec::new();
    for (topic, own) in topics {
        let mut section = section(topic, &own, series);
        section.title = topic.title(is_only).to_owned();
        section.id = topic.id();
        let (noisy, all) = unsteady(own.rows.iter().copied());
        if OPTIONAL.contains(&topic) && 2 * noisy > all && !report.data.is_unsteady() {
            section.finding = vec![format!(
                "{noisy} of {all} figures are unsteady here: half of the interval is wider than 5%, so little can be compared."
            )];
            if topic == Topic::Threads {
                section.graphs.clear();
                section.table = None;
            }
        }
        let rows = count(own.rows.len(), "row");
        let builds = count(own.all_columns().len(), "build");
        let link = [
            format!("{FOLDER}/#{}", topic.id()),
            format!("All {rows} of {builds}"),
        ];
        section.links.push(link);
        // What offers post-quantum keys stands with their handshakes.
        match sections
            .iter_mut()
            .find(|s| s.id == Topic::PostQuantum.id())
        {
            Some(before) if topic == Topic::ClientHello => {
                before.graphs.append(&mut section.graphs);
                section.links[0][1] = format!("ClientHello: all {rows}");
                before.links.append(&mut section.links);
            }
            _ => sections.push(section),
        }
    }
    sections
}

fn section(topic: Topic, table: &Table<'_>, series: &[ReleaseSeries<'_>]) -> Section {
    let report = table.report;
    let mut section = Section::default();
    let title = topic.title(false);
    match topic {
        Topic::Transfer | Topic::FullHandshakes | Topic::ResumedHandshakes | Topic::Other => {
            let main = main_rows(table);
            section.finding.extend(against(&main));
            section
                .finding
                .extend(leaders(table).filter(|_| report.revisions().is_none()));
            let (by_size, others) = by_size(table);
            section.graphs = by_size;
            let is_branch = series.iter().any(ReleaseSeries::is_of_branch);
            // Benchmarks without a size are other work.
            if !is_branch && (section.graphs.is_empty() || topic == Topic::Other) {
                let others = main_rows(&others);
                section.graphs.extend(bars(&others, topic.id(), title));
            }
            if section.graphs.is_empty() {
                let mut shown = main.clone();
                shown.rows.truncate(MAX_ROWS);
                section.table = results_of(&shown, &main.split_columns().0, title);
            }
        }
        Topic::PostQuantum => {
            let found = exchanges(report);
            section.finding.extend(cost_of_hybrids(&found));
            section.graphs.extend(spans::exchanges(report, &found));
        }
        Topic::ClientHello => {
            let main = main_rows(table);
            section.finding.extend(against(&main));
            section.graphs.extend(bars(&main, topic.id(), title));
        }
        Topic::Threads => {
            let graphs = shares(table);
            section
                .finding
                .extend(against(&main_rows(table)).filter(|_| graphs.is_empty()));
            let processors = report.processors().filter(|_| !graphs.is_empty());
            section.finding.extend(processors.map(|all| {
                format!("The machine has {all} processors: more threads than these share them.")
            }));
            section.graphs = graphs;
        }
        Topic::Latency | Topic::Writes => section.graphs.extend(percentiles(table, topic.id())),
        Topic::Memory => {
            let shown = sizes(table);
            section.finding.extend(against(&shown));
            section.graphs.extend(bars(&shown, topic.id(), title));
            section.table = sessions(table);
        }
        Topic::Counts => {
            let found = counts(table);
            let of_releases = found.as_ref().and_then(|found| found.instructions);
            section
                .graphs
                .extend(of_releases.and_then(|row| release_graph(series, row, |_| true)));
            section.table = found.map(|found| found.table);
        }
        Topic::Footprint => section.finding.extend(footprint(table)),
    }
    section
}
