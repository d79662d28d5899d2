//! Histories: the pages of scenarios and of implementations over all reports.

mod graph;
mod implementation;
mod scenario;
mod table;
mod versions;

pub use implementation::{ImplementationView, implementation, implementations};
pub use scenario::{ScenarioView, scenario, scenarios};

use super::phrases::plus_minus;
use super::{Graph, Table, TableCell};
use crate::history::{Metric, Point, evidence};
use crate::report::Report;
use crate::unit::{Scale, Unit};
use jiff::civil::Date;
use serde::Serialize;
use std::collections::HashMap;

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
pub struct MachineView {
    /// The machine, or the report that stands alone.
    pub name: String,
    /// Whether it is a machine.
    pub is_machine: bool,
    /// How many reports of it there are.
    pub reports: usize,
    /// Numbered from 1, as in the graphs.
    pub change_points: Vec<ChangePointView>,
    /// Trends.
    pub graphs: Vec<Graph>,
    /// Figures.
    #[serde(skip)]
    pub tables: Vec<Table>,
}

/// A change point as the templates take it.
#[derive(Clone, Debug, Serialize)]
pub struct ChangePointView {
    /// Empty where the page has one scenario only.
    pub scenario: String,
    /// `1.62x slower`
    pub change: String,
    /// The word alone.
    pub class: &'static str,
    /// `rustls 0.23.31`
    pub since: String,
    /// `untested`, `p = 0.005`
    pub evidence: String,
}

/// The number of each change point of a machine, by its metric, its series and its index there.
type Numbers = HashMap<(usize, usize, usize), usize>;

/// Change points are numbered from 1, in the order of metrics.
fn numbers(metrics: &[&Metric<'_>]) -> Numbers {
    let mut numbers = Numbers::new();
    for (t, metric) in metrics.iter().enumerate() {
        for (s, series) in metric.series.iter().enumerate() {
            for change_point in &series.change_points {
                let next = numbers.len() + 1;
                numbers.insert((t, s, change_point.index), next);
            }
        }
    }
    numbers
}

/// One scale for all figures of some metrics, with no more decimals than the tightest interval
/// supports.
fn scale(metrics: &[&Metric<'_>], unit: &Unit) -> Scale {
    let points = || {
        let series = metrics.iter().flat_map(|m| &m.series);
        series.flat_map(|s| &s.points)
    };
    let scale = Scale::of(unit, points().map(|p| p.value));
    let widths = points().filter_map(|p| p.interval.map(|i| (i.high - i.low) / 2.0));
    match widths.filter(|w| *w > 0.0).min_by(f64::total_cmp) {
        Some(half_width) => scale.limited_by(half_width),
        None => scale,
    }
}

/// `2026-03-07`, or the name of a report without a day.
fn day(report: &Report) -> String {
    report
        .day
        .map_or_else(|| report.name.clone(), |day| day.to_string())
}

/// What reports are sorted by.
fn when(report: &Report) -> (Option<Date>, &str) {
    (report.day, &report.name)
}

/// `3,186.87` with its interval beside it.
fn figure(point: &Point<'_>, scale: &Scale) -> TableCell {
    TableCell {
        detail: plus_minus(point.interval, point.value),
        ..TableCell::text(scale.show(point.value))
    }
}

/// The change points of some metrics in words, in the order of their numbers.
fn change_points(metrics: &[&Metric<'_>], several: bool) -> Vec<ChangePointView> {
    let mut views = Vec::new();
    for metric in metrics {
        for series in &metric.series {
            for change_point in &series.change_points {
                let since = series.points[change_point.index].implementation;
                views.push(ChangePointView {
                    scenario: if several {
                        metric.label.clone()
                    } else {
                        String::new()
                    },
                    change: change_point.change.to_string(),
                    class: change_point.change.word().word(),
                    since: since.to_string(),
                    evidence: evidence(change_point.p),
                });
            }
        }
    }
    views
}
