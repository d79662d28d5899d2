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
    let mut graphs = Vec::new();
    for (base, one) in table.by(without_threads) {
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
    let mut rows = table.rows.clone();
    rows.sort_by_key(|row| row.scenario.threads);
    let fewest = f64::from(rows[0].scenario.threads?);
    let mut lines = Vec::new();
    let all = short_series(table.report, &builds);
    for (build, series) in builds.iter().zip(all) {
        let point = |row: &&Row| {
            let alone = rows[0].estimate(*build)? / fewest;
            let threads = row.scenario.threads?;
            let each = row.estimate(*build)? / f64::from(threads);
            let share = each / alone * 100.0;
            let (name, shown, symbol) = (&series.label, row.scale.show(each), &row.scale.symbol);
            Some(Point {
                x: f64::from(threads),
                y: share,
                tooltip: format!(
                    "{name}, {threads} threads: {shown} {symbol} a thread, {share:.0}% of perfect scaling"
                ),
                ..Point::default()
            })
        };
        let points = rows.iter().filter_map(point).collect();
        lines.push(Line {
            series,
            points,
            ..Line::default()
        });
    }
    lines.retain(|line| !line.points.is_empty());
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
    let names = join(&table.report.full_names(&builds));
    let alt = format!("Line chart: {title}, the share of perfect scaling, for {names}.");
    let drawing = Lines::render(&[chart], &title, &alt);
    Some(Graph::new(&file, title, alt, drawing))
}
