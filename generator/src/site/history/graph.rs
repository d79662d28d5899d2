//! A history as a graph.

use super::scale;
use crate::chart::{Line, Ring, Series, Tick};
use crate::model::unit::Scale;
use crate::report::history::{HistorySeries, MachineHistory, Metric};
use crate::site::Graph;
use crate::site::lines::{MAX_LINES, over_time, point};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Returns the series to draw: those with more than one point, and the longest if there are many.
fn drawn<'a>(metric: &'a Metric<'a>) -> Vec<&'a HistorySeries<'a>> {
    let mut lines: Vec<_> = metric.series.iter().enumerate().collect();
    lines.retain(|(_, series)| series.points.len() > 1);
    lines.sort_by_key(|(_, series)| Reverse(series.points.len()));
    lines.truncate(MAX_LINES);
    lines.sort_by_key(|(index, _)| *index);
    lines.into_iter().map(|(_, series)| series).collect()
}

/// Draws a metric, with the reports one unit apart; `None` if no series has two points.
pub(super) fn graph(
    machine: &MachineHistory<'_>,
    metric: &Metric<'_>,
    file: &str,
) -> Option<Graph> {
    let drawn = drawn(metric);
    drawn.first()?;
    let points = drawn.iter().flat_map(|series| &series.points);
    let reports: BTreeMap<_, _> = points.map(|p| (p.report.when(), p.report)).collect();
    let mut x_of = HashMap::new();
    let mut ticks = Vec::new();
    for (place, report) in reports.into_values().enumerate() {
        x_of.insert(report.name.as_str(), place as f64);
        ticks.push(Tick::new(place as f64, report.day_or_name()));
    }
    let scale = scale(&[metric]);
    let lines = drawn.iter().map(|series| line(series, &x_of, &scale));
    let what = format!("{} over the reports of {}", metric.label, machine.name());
    let of = (metric.unit, &scale);
    Some(over_time(
        file,
        metric.label.clone(),
        &what,
        of,
        ticks,
        lines.collect(),
    ))
}

fn line(series: &HistorySeries<'_>, x_of: &HashMap<&str, f64>, scale: &Scale) -> Line {
    let mut points = Vec::new();
    for p in &series.points {
        let x = x_of[p.report.name.as_str()];
        points.push(point(x, p.figure, &p.implementation.version, scale));
    }
    for found in &series.change_points {
        let since = series.points[found.index].implementation;
        points[found.index].ring = Some(Ring {
            name: since.version.words(),
            tested: found.p.is_some(),
        });
    }
    let newest = series.newest();
    Line {
        series: Series {
            label: series.name(),
            look: newest.report.data.look_of(&newest.implementation.name),
        },
        points,
        fit: None,
    }
}
