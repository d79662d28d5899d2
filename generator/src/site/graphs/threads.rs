//! Graphs of the share of perfect scaling over numbers of threads.

use super::{Graph, short_series};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point, XAxis};
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
            graphs.extend(graph(&one, titles::title(&base)));
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
    let number = |row: &Row| row.scenario.threads;
    let fewest = table.rows.iter().min_by_key(|row| number(row))?;
    let most = table.rows.iter().filter_map(|row| number(row)).max()?;
    let base = number(fewest)?;
    let alt = format!(
        "Line chart: {title}, the share of perfect scaling with {base} to {most} threads, for {}.",
        join(&table.names(&builds))
    );
    let mut lines = Vec::new();
    let all = short_series(table.report, &builds);
    for (build, series) in builds.into_iter().zip(all) {
        let Some(first) = fewest.estimate(build) else {
            continue;
        };
        let mut points = Vec::new();
        for row in &table.rows {
            if let (Some(rate), Some(threads)) = (row.estimate(build), number(row)) {
                let perfect = first / f64::from(base) * f64::from(threads);
                let share = rate / perfect * 100.0;
                points.push(Point {
                    x: threads.into(),
                    y: share,
                    tooltip: format!(
                        "{}, {threads} threads: {} {} a thread, {share:.0}% of perfect scaling",
                        series.label,
                        row.scale.show(rate / f64::from(threads)),
                        row.scale.symbol
                    ),
                    ..Point::default()
                });
            }
        }
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        lines.push(Line {
            series,
            points,
            ..Line::default()
        });
    }
    let chart = Lines {
        x: XAxis {
            note: "threads".to_owned(),
            ..XAxis::default()
        },
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
        chart.render(title, alt)
    }))
}
