//! The pages of scenarios and implementations, with their histories over all reports.

mod graph;
mod implementation;
mod scenario;
mod table;

use super::front_matter::FrontMatter;
use super::renderer::{Pages, Renderer, put_graphs};
use super::{Graph, Table, common_scale};
use crate::model::unit::Scale;
use crate::report::Report;
use crate::report::history::{HistorySeries, MachineHistory, Metric};
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
    /// The answer in a sentence or two.
    answer: String,
    /// The report that the answer, the graphs and the tables are from.
    source: Json,
    graphs: Vec<Graph>,
    tables: Vec<Table>,
    /// The machine with the newest report first; without those that have nothing to add.
    machines: Vec<MachinePart>,
}

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
struct MachinePart {
    /// The machine, or the name of a report without machine or day.
    name: String,
    is_machine: bool,
    reports: usize,
    change_points: Vec<Json>,
    graphs: Vec<Graph>,
    tables: Vec<Table>,
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
        let head = FrontMatter::page(kind, &folder, &page.title, &page.answer);
        self.put(pages, head, "history.md.tera", page)?;
        let folder = format!("{folder}/");
        let of_machines = page.machines.iter().flat_map(|machine| &machine.graphs);
        put_graphs(pages, &folder, page.graphs.iter().chain(of_machines));
        Ok(())
    }
}

/// Returns the graphs with a link to the figures of `report`.
fn with_data(report: &Report, graphs: impl Iterator<Item = Graph>) -> Vec<Graph> {
    let data = format!("../../{}/data.csv", report.name);
    let graphs = graphs.map(|graph| Graph {
        data: Some(data.clone()),
        ..graph
    });
    graphs.collect()
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
