//! Bar charts of rates and other single figures, and who leads in them.

use super::{Graph, ends, series_of};
use crate::base::words::{count, join};
use crate::chart::{Bar, BarPanel, Bars};
use crate::model::scale::Scale;
use crate::report::{Cell, Report, Row, Table};
use crate::site::words::finding::wins;
use crate::site::words::phrases::{label_below, published};
use std::collections::BTreeSet;

/// Bars of one graph; the table below it has all figures.
pub(in crate::site) const MAX_BARS: usize = 32;

/// Draws a panel of bars for each row, which share one unit; `None` if there is nothing to
/// compare. Of many rows it shows the first. `file` is the graph's name without the extension.
pub(in crate::site) fn bars(table: &Table<'_>, file: &str, what: &str) -> Option<Graph> {
    let columns = table.shown();
    let measured = |row: &Row| {
        columns
            .iter()
            .filter(|c| row.estimate(**c).is_some())
            .count()
    };
    let mut drawn = table.with(|row| measured(row) > 1);
    drawn
        .rows
        .truncate((MAX_BARS / drawn.shown().len().max(1)).max(1));
    let scale = drawn.scale()?;
    let shown = drawn.shown();
    let alt = format!(
        "Bar chart: {what} of {}, in {}. {}",
        join(&drawn.names(&shown)),
        scale.symbol,
        leader(&drawn, &shown)
    );
    let mut panels = Vec::new();
    for row in &drawn.rows {
        panels.push(BarPanel {
            title: label_below(row, what),
            bars: bars_of(&drawn, row, &shown, &scale),
        });
    }
    let alt = alt.trim_end().to_owned();
    let draw = |title: &str, alt: &str| Bars { panels }.render(title, alt);
    Some(Graph::new(file, what.to_owned(), alt, draw).untitled())
}

/// Draws a row's bars, the best first.
fn bars_of(table: &Table<'_>, row: &Row, columns: &[usize], scale: &Scale) -> Vec<Bar> {
    let mut figures = row.estimates();
    figures.retain(|(column, _)| columns.contains(column));
    figures.sort_by(|a, b| row.unit.better().best_first(a.1, b.1));
    let mut bars = Vec::new();
    for (column, value) in figures {
        bars.extend(
            row.cell(column)
                .map(|cell| bar(table, column, value, cell, scale)),
        );
    }
    bars
}

/// Its tooltip is `rustls 0.23.37: 8,133 MiB/s, 95% interval 8,120 to 8,150, 30 runs`.
fn bar(table: &Table<'_>, column: usize, value: f64, cell: &Cell, scale: &Scale) -> Bar {
    let interval = cell.interval().map_or_else(String::new, |i| {
        let [low, high] = [i.low, i.high].map(|end| scale.show(end));
        format!(", 95% interval {low} to {high}")
    });
    let (series, mut text) = (series_of(table, column), scale.show(value));
    let (label, symbol) = (&series.label, &scale.symbol);
    let runs = runs_behind(table.report, cell.values.len());
    let mut tooltip = format!("{label}: {text} {symbol}{interval}{runs}");
    if cell.is_unsteady {
        text += " unsteady";
        tooltip += ", unsteady";
    }
    Bar {
        series,
        value: value / scale.factor,
        interval: ends(cell.interval(), scale),
        text,
        tooltip,
    }
}

/// `, 20 runs`; of a single figure, what its source says: `, published median of 30 runs`. Empty if it says
/// nothing.
pub(in crate::site) fn runs_behind(report: &Report, values: usize) -> String {
    match values {
        1 => published(report).map_or_else(String::new, |what| format!(", {what}")),
        several => format!(", {}", count(several, "run")),
    }
}

/// `rustls 0.23.37 leads in 13 of 16 scenarios.`
fn leader(table: &Table<'_>, columns: &[usize]) -> String {
    let Some((column, wins)) = wins(table, columns).first().copied() else {
        return String::new();
    };
    // Some scenarios may have several units.
    let scenarios: BTreeSet<_> = table.rows.iter().map(|row| &row.scenario).collect();
    let rows = table.rows.len();
    let of = match scenarios.len() == rows {
        true => count(rows, "scenario"),
        false => count(rows, "row"),
    };
    format!("{} leads in {wins} of {of}.", table.name(column))
}
