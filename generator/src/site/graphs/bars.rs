//! Bar charts of rates and other single figures, and who leads in them.

use super::{Graph, ends, series_of};
use crate::base::words::{count, join};
use crate::chart::{Bar, BarPanel, Bars};
use crate::model::scale::Scale;
use crate::report::{Report, Row, Table, titles};
use crate::site::words::finding::wins;
use crate::site::words::phrases::published;
use std::collections::BTreeSet;

/// Panels of one graph, and bars of a panel; the page of all figures has the others.
pub(in crate::site) const MAX_PANELS: usize = 4;

/// Draws a panel of bars for each row, which share one unit; `None` if there is nothing to
/// compare. Of many rows it shows the first. `file` is the graph's name without the extension.
pub(in crate::site) fn bars(table: &Table<'_>, file: &str, what: &str) -> Option<Graph> {
    let mut columns = table.shown();
    let is_shown = |column: &usize| columns.contains(column);
    let subject = table.report.newest_of_subject().filter(is_shown);
    let before = table.report.before_newest_of_subject().filter(is_shown);
    // The release before is a stroke on the bar of the newest, unless nothing else is there.
    let others = columns.iter().filter(|c| Some(**c) != before).count();
    let stroke = before.filter(|_| subject.is_some() && others > 1);
    columns.retain(|column| Some(*column) != stroke);
    let measured = |row: &Row| {
        columns
            .iter()
            .filter(|c| row.estimate(**c).is_some())
            .count()
    };
    let mut drawn = table.with(|row| measured(row) > 1);
    drawn.rows.truncate(MAX_PANELS);
    let scale = drawn.scale()?;
    columns.retain(|c| drawn.rows.iter().any(|row| row.estimate(*c).is_some()));
    let stroked = stroke.map_or_else(String::new, |column| {
        format!(" A stroke is {}.", table.name(column))
    });
    let alt = format!(
        "Bar chart: {what} of {}, in {}. {}{stroked}",
        join(&drawn.names(&columns)),
        scale.symbol,
        leader(&drawn, &columns)
    );
    let (shared, own) = titles::shared(&drawn.rows);
    let mut panels = Vec::new();
    for (row, title) in drawn.rows.iter().zip(own) {
        panels.push(BarPanel {
            // Of one row, the graph's title says it.
            title: if drawn.rows.len() > 1 {
                title
            } else {
                String::new()
            },
            of: row.scenario.label(),
            bars: bars_of(&drawn, row, &columns, stroke, &scale),
        });
    }
    let better = drawn.rows[0].unit.better().suffix();
    let stroked = stroke.map_or_else(String::new, |column| {
        format!("; the stroke is {}", table.name(column))
    });
    let of = match shared.is_empty() {
        true => what.to_owned(),
        false => shared.join(", "),
    };
    let title = format!("{of}: {}{better}{stroked}", scale.symbol);
    let alt = alt.trim_end().to_owned();
    let draw = |title: &str, alt: &str| Bars { panels }.render(title, alt);
    Some(Graph::new(file, title, alt, draw))
}

/// Draws a row's bars, the best first. The tooltip of one is `rustls 0.23.37: 8,133 MiB/s, 95% interval
/// 8,120 to 8,150, 30 runs`.
fn bars_of(
    table: &Table<'_>,
    row: &Row,
    columns: &[usize],
    stroke: Option<usize>,
    scale: &Scale,
) -> Vec<Bar> {
    let subject = table.report.newest_of_subject();
    let mut figures = row.estimates();
    figures.retain(|(column, _)| columns.contains(column));
    figures.sort_by(|a, b| row.unit.better().best_first(a.1, b.1));
    let before = stroke.and_then(|column| row.estimate(column));
    let mut bars = Vec::new();
    for (column, value) in figures {
        let Some(cell) = row.cell(column) else {
            continue;
        };
        let interval = cell.interval().map_or_else(String::new, |i| {
            let [low, high] = [i.low, i.high].map(|end| scale.show(end));
            format!(", 95% interval {low} to {high}")
        });
        let shown = cell.figure.as_ref().map(|figure| figure.shown(scale));
        let (series, mut text) = (series_of(table, column), shown.unwrap_or_default());
        let (label, symbol) = (&series.label, &scale.symbol);
        let runs = runs_behind(table.report, cell.values.len());
        let mut tooltip = format!("{label}: {text} {symbol}{interval}{runs}");
        if cell.is_unsteady {
            text += " unsteady";
            tooltip += ", unsteady";
        }
        let is_subject = Some(column) == subject;
        bars.push(Bar {
            series,
            value: value / scale.factor,
            interval: ends(cell.interval(), scale),
            before: before.filter(|_| is_subject).map(|v| v / scale.factor),
            is_subject,
            text,
            tooltip,
        });
    }
    bars
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
