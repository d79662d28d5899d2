//! Graphs of the share of perfect scaling over numbers of threads.

use super::{Graph, short_series};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point};
use crate::model::scenario::Scenario;
use crate::model::unit::Better;
use crate::report::{Row, Table, titles};

/// Graphs on a page, of the first scenarios.
const MAX_GRAPHS: usize = 4;

/// Returns graphs of the share of perfect scaling: a flat line at 100% is perfect.
pub(in crate::site) fn shares(table: &Table<'_>) -> Vec<Graph> {
    // Without those that differ in more than their number of threads.
    let usual = table.with(|row| {
        let scenario = &row.scenario;
        !scenario.unbuffered && !scenario.mutual && scenario.group.is_none()
    });
    let mut graphs = Vec::new();
    for (base, one) in usual.by(without_threads) {
        // Two points are no line.
        if one.rows.len() > 2 && graphs.len() < MAX_GRAPHS {
            graphs.extend(graph(&one, format!("{}, by threads", titles::title(&base))));
        }
    }
    graphs
}

/// Returns a row's scenario without its number of threads.
pub(in crate::site) fn without_threads(row: &Row) -> Scenario {
    Scenario {
        threads: None,
        ..row.scenario.clone()
    }
}

fn graph(table: &Table<'_>, title: String) -> Option<Graph> {
    let builds = table.newest();
    let mut rows: Vec<(u32, &Row)> = Vec::new();
    for row in &table.rows {
        rows.extend(row.scenario.threads.map(|threads| (threads, *row)));
    }
    rows.sort_by_key(|(threads, _)| *threads);
    let [(fewest, first), .., (most, _)] = rows[..] else {
        return None;
    };
    let alt = format!(
        "Line chart: {title}, the share of perfect scaling with {fewest} to {most} threads, for {}.",
        join(&table.names(&builds))
    );
    let mut lines = Vec::new();
    let all = short_series(table.report, &builds);
    for (build, series) in builds.into_iter().zip(all) {
        let Some(alone) = first.estimate(build) else {
            continue;
        };
        let mut points = Vec::new();
        for (threads, row) in &rows {
            let Some(rate) = row.estimate(build) else {
                continue;
            };
            let each = rate / f64::from(*threads);
            let share = each / alone * f64::from(fewest) * 100.0;
            let (shown, symbol) = (row.scale.show(each), &row.scale.symbol);
            points.push(Point {
                x: f64::from(*threads),
                y: share,
                tooltip: format!(
                    "{}, {threads} threads: {shown} {symbol} a thread, {share:.0}% of perfect scaling",
                    series.label
                ),
                ..Point::default()
            });
        }
        lines.push(Line {
            series,
            points,
            ..Line::default()
        });
    }
    let chart = Lines {
        y: Axis {
            unit: "% of perfect scaling".to_owned(),
            better: Better::Higher,
            is_log: false,
        },
        lines,
        ..Lines::default()
    };
    // The id of a row names its scenario and is distinct.
    let file = format!("threads-{}", table.rows[0].id);
    Some(Graph::new(&file, title, alt, |title, alt| {
        Lines::render(&[chart], title, alt)
    }))
}
