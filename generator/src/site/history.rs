//! The pages of scenarios and implementations, with their histories over all reports.

mod graph;
mod implementation;
mod scenario;
mod table;

use super::front_matter::FrontMatter;
use super::releases::{by_release, graph as release_graph, ring};
use super::renderer::{Pages, Renderer, put_graphs};
use super::{Graph, Table, common_scale};
use crate::model::unit::Scale;
use crate::report::history::{HistorySeries, MachineHistory, Metric};
use crate::report::{ReleaseSeries, Row};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// The page of a scenario or an implementation.
#[derive(Clone, Debug, Serialize)]
struct HistoryPage {
    /// `rustls`
    title: String,
    /// Folder of its page.
    address: String,
    /// One sentence with its newest figures, or with its reports and newest version.
    summary: String,
    /// The newest report that has several releases of the implementation.
    across: Option<AcrossReleases>,
    /// The machine with the newest report first.
    machines: Vec<MachinePart>,
}

/// Several releases in one report.
#[derive(Clone, Debug, Serialize)]
struct AcrossReleases {
    /// Folder of the report's page.
    report: String,
    /// `2026-03-07`
    day: String,
    machine: Option<String>,
    /// Explains the rings in graphs; empty without rings.
    ring: &'static str,
    graphs: Vec<Graph>,
    tables: Vec<Table>,
}

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
struct MachinePart {
    /// The machine, or the name of a report without machine or day.
    name: String,
    is_machine: bool,
    reports: usize,
    /// In the order of their numbers in the graphs.
    change_points: Vec<Json>,
    graphs: Vec<Graph>,
    tables: Vec<Table>,
}

impl AcrossReleases {
    /// Shows rows over the releases of `series`, which are of one report; `None` without a graph.
    fn new(series: &[&ReleaseSeries<'_>], rows: &[&Row]) -> Option<Self> {
        let report = series.first()?.report;
        let mut graphs = Vec::new();
        for row in rows {
            graphs.extend(release_graph(series, row).map(|graph| Graph {
                data: Some(format!("../../{}/data.csv", report.name)),
                ..graph
            }));
        }
        graphs.first()?;
        Some(Self {
            report: report.name.clone(),
            day: report.day_or_name(),
            machine: report.manifest.machine.clone(),
            ring: ring(series.iter().copied()),
            graphs,
            tables: series.iter().map(|one| by_release(one, rows)).collect(),
        })
    }
}

impl MachinePart {
    /// Creates the part; if the page has `several` scenarios, change points name theirs.
    fn new(
        machine: &MachineHistory<'_>,
        several: bool,
        graphs: Vec<Graph>,
        tables: Vec<Table>,
    ) -> Self {
        let mut change_points = Vec::new();
        for metric in &machine.metrics {
            for series in &metric.series {
                for found in &series.change_points {
                    let change = &found.change;
                    change_points.push(json!({
                        "number": found.number,
                        "scenario": several.then_some(&metric.label),
                        "change": change.to_string(),
                        "class": change.word().word(),
                        "since": series.points[found.index].implementation.to_string(),
                        "evidence": found.evidence(),
                    }));
                }
            }
        }
        Self {
            name: machine.name().to_owned(),
            is_machine: machine.is_machine(),
            reports: machine.reports.len(),
            change_points,
            graphs,
            tables,
        }
    }
}

impl Renderer<'_> {
    /// Adds the page of a history, with its graphs.
    fn history(&self, pages: &mut Pages, kind: &str, page: &HistoryPage) -> Result<()> {
        let folder = format!("{kind}s/{}", page.address);
        let head = FrontMatter::page(kind, &folder, &page.title, &page.summary);
        self.put(pages, head, "history.md.tera", page)?;
        let folder = format!("{folder}/");
        let across = page.across.iter().flat_map(|across| &across.graphs);
        let of_machines = page.machines.iter().flat_map(|machine| &machine.graphs);
        put_graphs(pages, &folder, across.chain(of_machines));
        Ok(())
    }
}

/// Returns one scale for all figures of metrics with the same unit.
fn scale(metrics: &[&Metric<'_>]) -> Scale {
    let series = metrics.iter().flat_map(|m| &m.series);
    let points = series.flat_map(|s| &s.points);
    common_scale(metrics[0].unit, points.map(|p| p.figure))
}

/// Returns the key of a series within its metric: name and variant.
fn key<'a>(series: &'a HistorySeries<'_>) -> (&'a str, &'a [String]) {
    let newest = series.newest().implementation;
    (&newest.name, &newest.variant)
}
