//! The pages of scenarios and implementations, with their histories over all reports.

mod graph;
mod implementation;
mod scenario;
mod table;
mod versions;

pub(crate) use implementation::{implementation, implementations};
pub(crate) use scenario::{scenario, scenarios};

use super::releases::{by_release, graph as release_graph, ring};
use super::{Graph, Table, common_scale};
use crate::history::{ChangePoint, HistoryPoint, HistorySeries, MachineHistory, Metric};
use crate::report::{ReleaseSeries, Report, Row};
use crate::unit::Scale;
use serde::Serialize;

/// The page of a scenario or an implementation.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HistoryView {
    /// `rustls`
    pub title: String,
    /// Folder of its page.
    pub address: String,
    /// One sentence with its newest figures, or with its reports and newest version.
    pub summary: String,
    /// The newest report that has several releases of the implementation.
    pub across: Option<AcrossView>,
    /// The machine with the newest report first.
    pub machines: Vec<MachineView>,
}

/// Several releases in one report.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AcrossView {
    /// Folder of the report's page.
    pub report: String,
    /// `2026-03-07`
    pub day: String,
    pub machine: Option<String>,
    /// Explains the rings in graphs; empty without rings.
    pub ring: &'static str,
    pub graphs: Vec<Graph>,
    pub tables: Vec<Table>,
}

impl AcrossView {
    /// Shows rows over the releases of `series`, which are of one report.
    fn new(series: &[&ReleaseSeries<'_>], rows: &[&Row]) -> Option<Self> {
        let report: &Report = series.first()?.report;
        let graphs = rows.iter().filter_map(|row| release_graph(series, row));
        let data = format!("../../{}/data.csv", report.name);
        let with_data = |graph| Graph {
            data: Some(data.clone()),
            ..graph
        };
        let graphs: Vec<Graph> = graphs.map(with_data).collect();
        (!graphs.is_empty()).then(|| Self {
            report: report.name.clone(),
            day: report.day_or_name(),
            machine: report.manifest.machine.clone(),
            ring: ring(series.iter().copied()),
            graphs,
            tables: series
                .iter()
                .map(|series| by_release(series, rows))
                .collect(),
        })
    }
}

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MachineView {
    /// The machine, or the name of a report without machine or day.
    pub name: String,
    pub is_machine: bool,
    pub reports: usize,
    /// The largest ones, in the order of their numbers in the graphs.
    pub change_points: Vec<ChangePointView>,
    /// Number of change points that are not listed.
    pub more: usize,
    pub graphs: Vec<Graph>,
    pub tables: Vec<Table>,
}

/// Change points that a page lists per machine.
const MAX_CHANGE_POINTS: usize = 20;

/// A change point, formatted for the templates.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChangePointView {
    pub number: usize,
    /// `None` if the page has one scenario only.
    pub scenario: Option<String>,
    /// `1.62x slower`
    pub change: String,
    pub class: &'static str,
    /// `rustls 0.23.31`
    pub since: String,
    /// `untested`, `p = 0.005`
    pub evidence: String,
}

impl ChangePointView {
    /// Formats the change point whose new level starts with `point`.
    fn new(scenario: Option<String>, point: &HistoryPoint<'_>, change_point: &ChangePoint) -> Self {
        Self {
            number: change_point.number,
            scenario,
            change: change_point.change.to_string(),
            class: change_point.change.word().word(),
            since: point.implementation.to_string(),
            evidence: change_point.evidence(),
        }
    }
}

impl MachineView {
    /// Creates the view; if the page has `several` scenarios, change points name theirs.
    fn new(
        machine: &MachineHistory<'_>,
        several: bool,
        graphs: Vec<Graph>,
        tables: Vec<Table>,
    ) -> Self {
        let mut found: Vec<(&Metric<'_>, &HistoryPoint<'_>, &ChangePoint)> = Vec::new();
        for metric in &machine.metrics {
            for series in &metric.series {
                for change_point in &series.change_points {
                    found.push((metric, &series.points[change_point.index], change_point));
                }
            }
        }
        found.sort_by(|(.., a), (.., b)| b.change.size().total_cmp(&a.change.size()));
        let more = found.len().saturating_sub(MAX_CHANGE_POINTS);
        found.truncate(MAX_CHANGE_POINTS);
        found.sort_by_key(|(.., c)| c.number);
        let change_points = found.into_iter().map(|(metric, point, change_point)| {
            let scenario = several.then(|| metric.label.clone());
            ChangePointView::new(scenario, point, change_point)
        });
        Self {
            name: machine.name().to_owned(),
            is_machine: machine.is_machine(),
            reports: machine.reports.len(),
            change_points: change_points.collect(),
            more,
            graphs,
            tables,
        }
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
