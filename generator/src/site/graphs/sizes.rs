//! Transfers over the sizes of their writes: the ratio of each build to the subject, both axes logarithmic.

use super::{Graph, MAX_LINES, series_of, times_better};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point, Tick, XAxis};
use crate::model::scenario::{Scenario, Workload};
use crate::report::{Row, Table, titles, words};
use crate::stats::Comparison;
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
    let mut lines = Vec::new();
    for build in table.newest().into_iter().take(MAX_LINES) {
        let series = series_of(report, build);
        let compared = rows.iter().filter_map(|row| {
            let known = report.verdict(row, [subject, build])?;
            Some((size(row), known))
        });
        let compared: Vec<(u64, Comparison)> = compared.collect();
        if compared.len() < MIN_SIZES || build == subject {
            continue;
        }
        let shown = compared.iter();
        let shown = shown.filter(|(_, known)| known.verdict.is_change());
        let largest = shown.fold(1.0, |most, (_, known)| known.change.size().max(most));
        let points = compared.iter().map(|(size, known)| {
            let change = known.change;
            let at = titles::bytes(*size);
            let words = words::verdict_in_words(known);
            let interval = words::interval(known).map(|interval| format!(", {interval}"));
            let interval = interval.unwrap_or_default();
            let is_marked = known.verdict.is_change() && change.size() >= largest;
            Point {
                x: *size as f64,
                y: times_better(change.better, change.ratio).clamp(1.0 / BEYOND, BEYOND),
                tooltip: format!("{}, {at}: {words}{interval}", series.label),
                name: match is_marked {
                    true => format!("{change} at {at}"),
                    false => String::new(),
                },
                is_marked,
                ..Point::default()
            }
        });
        lines.push(Line {
            points: points.collect(),
            series,
            is_faint: true,
        });
    }
    let ticks = rows.iter();
    let ticks = ticks.map(|row| Tick::new(size(row) as f64, titles::bytes(size(row))));
    let x = XAxis {
        ticks: ticks.collect(),
        is_log: true,
    };
    let charts = (0..lines.len()).map(|own| {
        let mut lines = lines.clone();
        lines[own].is_faint = false;
        // It is drawn over the others.
        lines[own..].rotate_left(1);
        Lines {
            x: x.clone(),
            y: Axis {
                is_log: true,
                ..Axis::default()
            },
            heading: lines[lines.len() - 1].series.label.clone(),
            lines,
            of: String::new(),
        }
    });
    let charts: Vec<Lines> = charts.collect();
    let file = format!("sizes-{}", rows[rows.len() - 1].id);
    let what = format!("{}, by size of each write", titles::title(base));
    let than = report.full_name(subject);
    let title = format!("{what}: each against {than}, above the line is better");
    let names = lines.iter().map(|line| line.series.label.clone());
    let alt = format!("Line charts: {title}, of {}.", join(&Vec::from_iter(names)));
    let drawing = Lines::render(&charts, &title, &alt);
    (!charts.is_empty()).then(|| Graph::new(&file, title, alt, drawing))
}
