//! A history as a graph.

use super::scale;
use crate::chart::{self, Annotation, Axis, Lines, Tick, XAxis};
use crate::history::{Machine, Metric, Point, Series};
use crate::page::{Graph, ends, join};
use crate::unit::Scale;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Readers cannot tell more lines apart.
const MAX_LINES: usize = 8;

/// The lines of a graph: those with more than one point, the longest where they are many.
fn drawn<'a>(metric: &'a Metric<'a>) -> Vec<&'a Series<'a>> {
    let mut lines: Vec<_> = metric.series.iter().enumerate().collect();
    lines.retain(|(_, series)| series.points.len() > 1);
    lines.sort_by_key(|(_, series)| Reverse(series.points.len()));
    lines.truncate(MAX_LINES);
    lines.sort_by_key(|(index, _)| *index);
    lines.into_iter().map(|(_, series)| series).collect()
}

/// The graph of a metric; `None` where no line has two points.
pub(super) fn graph(machine: &Machine<'_>, metric: &Metric<'_>, file: &str) -> Option<Graph> {
    let lines = drawn(metric);
    let x_of: HashMap<&str, f64> = positions(machine, &lines);
    if x_of.len() < 2 {
        return None;
    }
    let scale = scale(&[metric]);
    let x = |p: &Point<'_>| x_of[p.report.name.as_str()];
    let point = |p: &Point<'_>| chart::Point {
        x: x(p),
        y: p.value / scale.factor,
        interval: ends(p.interval, &scale),
    };
    let chart_lines = lines.iter().map(|series| chart::Line {
        series: chart::Series {
            label: series.name(),
            implementation: series.newest().implementation.name.clone(),
        },
        points: series.points.iter().map(point).collect(),
        fit: None,
    });
    let annotations = lines.iter().enumerate().flat_map(|(line, series)| {
        series.change_points.iter().map(move |change_point| {
            let p = &series.points[change_point.index];
            Annotation {
                line,
                at: (x(p), p.value / scale.factor),
                name: change_point.number.to_string(),
                tested: change_point.p.is_some(),
            }
        })
    });
    let versions = lines.iter().map(|series| {
        let tick = |p: &Point<'_>| Tick {
            at: x(p),
            label: p.implementation.version.to_string(),
        };
        series.points.iter().map(tick).collect()
    });
    let days = machine.reports.iter().filter_map(|r| {
        Some(Tick {
            at: *x_of.get(r.name.as_str())?,
            label: r.day_or_name(),
        })
    });
    let alt = alt(machine, metric, &lines, &scale);
    Some(Graph::new(file, metric.label.clone(), alt, |caption| {
        let chart = Lines {
            caption,
            x: XAxis {
                title: String::new(),
                ticks: days.collect(),
                rows: versions.collect(),
            },
            y: Axis {
                unit: scale.symbol.clone(),
                better: metric.unit.better(),
            },
            lines: chart_lines.collect(),
            y_end: None,
            annotations: annotations.collect(),
        };
        chart.render()
    }))
}

/// The reports that the lines have points of, one step apart.
fn positions<'a>(machine: &Machine<'a>, lines: &[&Series<'_>]) -> HashMap<&'a str, f64> {
    let points = lines.iter().flat_map(|series| &series.points);
    let used: HashSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let names = machine.reports.iter().map(|r| r.name.as_str());
    let names = names.filter(|name| used.contains(name)).enumerate();
    names.map(|(at, name)| (name, at as f64)).collect()
}

/// What a history shows, with its first and last figures.
fn alt(machine: &Machine<'_>, metric: &Metric<'_>, lines: &[&Series<'_>], scale: &Scale) -> String {
    let end = |p: &Point<'_>| format!("{} ({})", scale.show(p.value), p.implementation.version);
    let figures = lines.iter().map(|series| {
        let (first, last) = (end(&series.points[0]), end(series.newest()));
        format!("{} from {first} to {last}", series.name())
    });
    format!(
        "Line chart: {} over the reports of {}, in {}. {}.",
        metric.label,
        machine.name(),
        scale.symbol,
        join(&figures.collect::<Vec<_>>())
    )
}
