//! A history as a graph.

use super::scale;
use crate::chart::{Series, Tick};
use crate::report::history::{HistorySeries, MachineHistory, Metric};
use crate::site::Graph;
use crate::site::lines::{MAX_LINES, TimeLine, TimePoint, over_time};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

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
    let used: HashSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let mut reports = machine.reports.clone();
    reports.retain(|r| used.contains(r.name.as_str()));
    let mut x_of = HashMap::new();
    let mut ticks = Vec::new();
    for (place, report) in reports.into_iter().enumerate() {
        let at = place as f64;
        x_of.insert(report.name.as_str(), at);
        ticks.push(Tick {
            at,
            label: report.day_or_name(),
        });
    }
    let lines: Vec<TimeLine<'_>> = drawn.iter().map(|series| line(series, &x_of)).collect();
    let label = metric.label.clone();
    let what = format!("{label} over the reports of {}", machine.name());
    let of = (metric.unit, &scale(&[metric]));
    Some(over_time(file, label, &what, of, ticks, &lines))
}

fn line<'a>(series: &HistorySeries<'a>, x_of: &HashMap<&str, f64>) -> TimeLine<'a> {
    let mut points = Vec::new();
    for point in &series.points {
        points.push(TimePoint {
            x: x_of[point.report.name.as_str()],
            version: &point.implementation.version,
            day: None,
            rank: 0,
            figure: point.figure,
            ring: None,
        });
    }
    for change_point in &series.change_points {
        let ring = (change_point.number.to_string(), change_point.p.is_some());
        points[change_point.index].ring = Some(ring);
    }
    let newest = series.newest();
    TimeLine {
        series: Series {
            label: series.name(),
            look: newest.report.data.look_of(&newest.implementation.name),
        },
        points,
    }
}
