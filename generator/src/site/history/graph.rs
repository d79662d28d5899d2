//! A history as a graph.

use super::scale;
use crate::chart::{self, Tick};
use crate::history::{HistorySeries, MachineHistory, Metric};
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

/// Draws a metric; `None` if no series has two points.
pub(super) fn graph(
    machine: &MachineHistory<'_>,
    metric: &Metric<'_>,
    file: &str,
) -> Option<Graph> {
    let lines = drawn(metric);
    let x_of: HashMap<&str, f64> = positions(machine, &lines);
    if x_of.len() < 2 {
        return None;
    }
    let histories = lines.iter().map(|series| history(series, &x_of));
    let days = machine.reports.iter().filter_map(|r| {
        Some(Tick {
            at: *x_of.get(r.name.as_str())?,
            label: r.day_or_name(),
        })
    });
    Some(over_time(
        file,
        metric.label.clone(),
        &format!("{} over the reports of {}", metric.label, machine.name()),
        (metric.unit, &scale(&[metric])),
        days.collect(),
        &histories.collect::<Vec<_>>(),
    ))
}

fn history<'a>(series: &HistorySeries<'a>, x_of: &HashMap<&str, f64>) -> TimeLine<'a> {
    let points = series.points.iter().map(|point| TimePoint {
        x: x_of[point.report.name.as_str()],
        version: &point.implementation.version,
        day: None,
        rank: 0,
        figure: point.figure,
        ring: None,
    });
    let mut points: Vec<TimePoint<'_>> = points.collect();
    for change_point in &series.change_points {
        let ring = (change_point.number.to_string(), change_point.p.is_some());
        points[change_point.index].ring = Some(ring);
    }
    let newest = series.newest();
    TimeLine {
        series: chart::Series {
            label: series.name(),
            look: newest.report.data.look_of(&newest.implementation.name),
        },
        points,
    }
}

/// Returns the x positions of the reports that have points, one unit apart.
fn positions<'a>(
    machine: &MachineHistory<'a>,
    lines: &[&HistorySeries<'_>],
) -> HashMap<&'a str, f64> {
    let points = lines.iter().flat_map(|series| &series.points);
    let used: HashSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let names = machine.reports.iter().map(|r| r.name.as_str());
    let names = names.filter(|name| used.contains(name)).enumerate();
    names.map(|(at, name)| (name, at as f64)).collect()
}
