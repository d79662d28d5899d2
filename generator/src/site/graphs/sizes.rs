//! The rate of a transfer over the size of each write, both axes logarithmic.

use super::lines::MAX_LINES;
use super::{Graph, short_series};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point, Tick, XAxis};
use crate::model::scenario::Scenario;
use crate::report::{Row, Table, titles};

/// The size of a write that no label names.
const USUAL: u64 = 1 << 20;

/// Sizes that make a line.
const MIN_SIZES: usize = 4;

/// Draws each transfer that was measured with writes of several sizes: a line for each library's newest
/// build.
pub(in crate::site) fn by_size(table: &Table<'_>) -> Vec<Graph> {
    let without_size = |row: &Row| Scenario {
        write_size: None,
        ..row.scenario.clone()
    };
    let mut groups = table.by(without_size);
    groups.retain(|(_, own)| own.rows.len() >= MIN_SIZES);
    let graphs = groups.iter().map(|(base, own)| graph(own, base));
    graphs.take(2).collect()
}

fn graph(table: &Table<'_>, base: &Scenario) -> Graph {
    let size = |row: &Row| row.scenario.write_size.unwrap_or(USUAL);
    let mut rows = table.rows.clone();
    rows.sort_by_key(|row| size(row));
    let scale = rows[0].scale();
    let before = table.report.before_newest_of_subject();
    let mut columns = table.shown();
    columns.retain(|column| Some(*column) != before);
    columns.truncate(MAX_LINES);
    let mut lines = Vec::new();
    for (column, series) in columns.iter().zip(short_series(table, &columns)) {
        let mut points = Vec::new();
        for row in &rows {
            let figure = row.cell(*column).and_then(|cell| cell.figure.as_ref());
            points.extend(figure.map(|figure| Point::of(size(row) as f64, figure, &scale)));
        }
        lines.push(Line {
            series,
            points,
            fit: None,
        });
    }
    lines.retain(|line| !line.points.is_empty());
    let ticks = rows
        .iter()
        .map(|row| Tick::new(size(row) as f64, titles::bytes(size(row))));
    let title = format!("{}, by size of each write", titles::title(base));
    let alt = format!(
        "Line chart: {title}, in {}, for {}.",
        scale.symbol,
        join(&table.names(&columns))
    );
    let chart = Lines {
        x: XAxis {
            ticks: ticks.collect(),
            is_log: true,
            ..XAxis::default()
        },
        y: Axis {
            unit: scale.symbol.clone(),
            better: rows[0].unit.better(),
            decimals: scale.decimals,
            is_log: true,
        },
        lines,
        of: base.label(),
    };
    let file = format!("sizes-{}", rows[rows.len() - 1].id);
    Graph::new(&file, title, alt, |title, alt| chart.render(title, alt))
}
