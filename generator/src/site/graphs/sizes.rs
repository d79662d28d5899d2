//! Transfers over the sizes of their writes: the ratio of each build to the subject, both axes logarithmic.

use super::{Graph, MAX_LINES, series_of, times_better};
use crate::chart::{Axis, Line, Lines, Point, Tick, XAxis};
use crate::model::scenario::{Scenario, Workload};
use crate::report::{Row, Table, titles, words};
use std::cmp::Reverse;

/// The size of a write that no label names.
pub(in crate::site) const USUAL: u64 = 1 << 20;

/// Sizes that make a line: bars show fewer as well.
const MIN_SIZES: usize = 4;

/// Graphs of one section.
const MAX_GRAPHS: usize = 4;

/// The end of the axis of ratios; what is further stands there.
const BEYOND: f64 = 4.0;

fn size(row: &Row) -> u64 {
    row.scenario.write_size.unwrap_or(USUAL)
}

/// Draws each transfer that was measured with several sizes of writes: how many times as good as the subject
/// the newest build of each library is.
pub(in crate::site) fn by_size(table: &Table<'_>) -> Vec<Graph> {
    let transfers = table.with(|row| row.scenario.workload == Workload::Transfer);
    let without_size = |row: &Row| Scenario {
        write_size: None,
        ..row.scenario.clone()
    };
    let mut groups = transfers.by(|row| (without_size(row), row.unit.clone()));
    groups.sort_by_key(|(_, own)| Reverse(own.rows.len()));
    groups.retain(|(_, own)| own.rows.len() >= MIN_SIZES);
    let graphs = groups
        .into_iter()
        .filter_map(|((base, _), own)| graph(&own, &base));
    graphs.take(MAX_GRAPHS).collect()
}

/// Draws a chart for each build, with the others in grey. The largest difference that is shown is named.
fn graph(table: &Table<'_>, base: &Scenario) -> Option<Graph> {
    let report = table.report;
    let mut rows = table.rows.clone();
    rows.sort_by_key(|row| size(row));
    let subject = report.roles().subject?;
    let (mut lines, mut largest) = (Vec::new(), Vec::new());
    for build in table.newest().into_iter().take(MAX_LINES) {
        let name = report.full_name(build);
        let mut points = Vec::new();
        let mut most: Option<(f64, usize, String)> = None;
        for row in &rows {
            let Some(known) = report.verdict(row, [subject, build]) else {
                continue;
            };
            let change = known.change;
            let shown = titles::bytes(size(row));
            let interval = words::interval(&known);
            let interval = interval.map_or_else(String::new, |interval| format!(", {interval}"));
            let words = words::verdict_in_words(&known);
            let before = most.as_ref().map_or(0.0, |(before, ..)| *before);
            if known.verdict.is_change() && change.size() > before {
                most = Some((change.size(), points.len(), format!("{change} at {shown}")));
            }
            points.push(Point {
                x: size(row) as f64,
                y: times_better(change.better, change.ratio).clamp(1.0 / BEYOND, BEYOND),
                tooltip: format!("{name}, {shown}: {words}{interval}"),
                ..Point::default()
            });
        }
        if points.len() < MIN_SIZES || build == subject {
            continue;
        }
        if let Some((_, place, words)) = most {
            points[place].is_marked = true;
            largest.push(format!("{name} {words}"));
            points[place].name = words;
        }
        lines.push(Line {
            series: series_of(report, build),
            points,
            is_faint: true,
        });
    }
    let ticks = rows.iter();
    let ticks = ticks.map(|row| Tick::new(size(row) as f64, titles::bytes(size(row))));
    let x = XAxis {
        ticks: ticks.collect(),
        is_log: true,
    };
    let mut charts = Vec::new();
    for own in 0..lines.len() {
        let mut lines = lines.clone();
        let mut line = lines.remove(own);
        line.is_faint = false;
        let heading = line.series.label.clone();
        lines.push(line);
        charts.push(Lines {
            x: x.clone(),
            y: Axis {
                is_log: true,
                ..Axis::default()
            },
            lines,
            of: String::new(),
            heading,
        });
    }
    let file = format!("sizes-{}", rows[rows.len() - 1].id);
    let what = format!("{}, by size of each write", titles::title(base));
    let than = report.full_name(subject);
    let title = format!("{what}: each against {than}, above the line is better");
    let alt = format!("Line charts: {title}. The largest: {}.", largest.join("; "));
    (!charts.is_empty()).then(|| {
        Graph::new(&file, title, alt, |title, alt| {
            Lines::render(&charts, title, alt)
        })
    })
}
