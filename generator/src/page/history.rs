//! The pages of scenarios and implementations, with their histories over all reports.

mod graph;
mod implementation;
mod scenario;
mod table;
mod versions;

pub(crate) use implementation::{implementation, implementations};
pub(crate) use scenario::{scenario, scenarios};

use super::releases::{by_release, graph as release_graph, ring};
use super::span::YearLink;
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
    /// The newest report that has several releases of one implementation.
    pub across: Option<AcrossView>,
    /// The machine with the newest report first.
    pub machines: Vec<MachineView>,
    /// Reports on separate pages by year, newest first.
    pub years: Vec<YearView>,
}

/// The reports of one year, on a separate page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct YearView {
    #[serde(flatten)]
    pub link: YearLink,
    /// Name and tables of each machine.
    pub machines: Vec<(String, Vec<Table>)>,
}

/// Returns how many table rows with `columns` figures fit on a page: on the main page, with graphs,
/// versions and intervals, and on a year's page without them. A figure takes about 45 or 22 bytes,
/// a row 80 more.
fn room(columns: usize) -> [usize; 2] {
    [1_200, 4_000].map(|cells| cells / (columns + 3))
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
    /// Number of graphs omitted for lack of room.
    pub left_out: usize,
    pub tables: Vec<Table>,
}

impl AcrossView {
    /// Shows rows over the releases of `series`, which are of one report.
    fn new(series: &[&ReleaseSeries<'_>], rows: &[&Row]) -> Option<Self> {
        let report: &Report = series.first()?.report;
        let graphs = rows.iter().filter_map(|row| release_graph(series, row));
        let data = format!("../../{}/data.csv", report.name);
        let with_data = |graph| Graph {
            data: data.clone(),
            ..graph
        };
        let graphs: Vec<Graph> = graphs.map(with_data).collect();
        (!graphs.is_empty()).then(|| Self {
            report: report.name.clone(),
            day: report.day_or_name(),
            machine: report.manifest.machine.clone(),
            ring: ring(series.iter().copied()),
            graphs,
            left_out: 0,
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
    /// The newest figures, and the address of a subpage for them if there is no room here.
    pub figures: Option<(String, Table)>,
    pub figures_are_here: bool,
}

/// Change points that a page lists per machine.
const MAX_CHANGE_POINTS: usize = 20;

/// A change point, formatted for the templates.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChangePointView {
    pub number: usize,
    /// Empty if the page has one scenario only.
    pub scenario: String,
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
    pub(crate) fn new(
        scenario: String,
        point: &HistoryPoint<'_>,
        change_point: &ChangePoint,
    ) -> Self {
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
        let mut change_points = Vec::new();
        for metric in &machine.metrics {
            for series in &metric.series {
                let of_series = series.change_points.iter();
                change_points
                    .extend(of_series.map(|c| (&metric.label, &series.points[c.index], c)));
            }
        }
        change_points.sort_by(|(.., a), (.., b)| b.change.size().total_cmp(&a.change.size()));
        let more = change_points.len().saturating_sub(MAX_CHANGE_POINTS);
        change_points.truncate(MAX_CHANGE_POINTS);
        change_points.sort_by_key(|(.., c)| c.number);
        let view = |(label, point, change_point): (&String, &HistoryPoint<'_>, &ChangePoint)| {
            let scenario = if several {
                label.clone()
            } else {
                String::new()
            };
            ChangePointView::new(scenario, point, change_point)
        };
        let change_points = change_points.into_iter().map(view);
        Self {
            name: machine.name().to_owned(),
            is_machine: machine.is_machine(),
            reports: machine.reports.len(),
            change_points: change_points.collect(),
            more,
            graphs,
            tables,
            figures: None,
            figures_are_here: true,
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
