//! The table of all figures of a history: one row per report and scenario, one column per
//! implementation.

use super::{key, scale};
use crate::model::unit::Scale;
use crate::report::history::{HistoryPoint, Metric};
use crate::site::phrases::plus_minus;
use crate::site::{Head, Table, TableCell, TableRow, joined};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Relative path from the page of a scenario or an implementation to the folder of the reports.
const UP: &str = "../../";

/// Returns the cell of a figure, with its version and interval.
pub(super) fn figure(point: &HistoryPoint<'_>, scale: &Scale) -> TableCell {
    let version = point.implementation.version.words();
    let spread = plus_minus(point.figure).unwrap_or_default();
    TableCell::text(scale.show(point.figure.estimate)).with_detail(joined([version, spread]))
}

/// Returns what stands beside a figure, in words.
pub(super) fn beside_figures(has_intervals: bool) -> &'static str {
    match has_intervals {
        true => ", with its version and half the width of its 95% interval",
        false => ", with its version",
    }
}

/// Returns the figures of metrics with the same unit, newest report first.
pub(super) fn table(metrics: &[&Metric<'_>]) -> Table {
    let scale = scale(metrics);
    let series = metrics.iter().flat_map(|m| &m.series);
    let columns = Vec::from_iter(series.map(key).collect::<BTreeSet<_>>());
    let several = metrics.len() > 1;
    let mut rows: BTreeMap<_, TableRow> = BTreeMap::new();
    let (mut fewest, mut most) = (usize::MAX, 0);
    let (mut has_intervals, mut has_change_points) = (false, false);
    for (place, metric) in metrics.iter().enumerate() {
        for series in &metric.series {
            let Ok(column) = columns.binary_search(&key(series)) else {
                continue;
            };
            for (index, point) in series.points.iter().enumerate() {
                let runs = point.figure.sample.len();
                (fewest, most) = (fewest.min(runs), most.max(runs));
                let row = rows.entry((Reverse(point.report.when()), place));
                let row = row.or_insert_with(|| {
                    let mut cells = vec![TableCell::missing(); columns.len()];
                    if several {
                        cells.insert(0, TableCell::words(&metric.label));
                    }
                    let href = format!("{UP}{}/", point.report.name);
                    TableRow::linked(href, point.report.day_or_name(), cells)
                });
                let begun = series.change_points.iter().filter(|c| c.index == index);
                let cell = TableCell {
                    footnotes: begun.map(|c| c.number).collect(),
                    ..figure(point, &scale)
                };
                has_change_points |= !cell.footnotes.is_empty();
                has_intervals |= point.figure.interval.is_some();
                row.cells[column + usize::from(several)] = cell;
            }
        }
    }
    let mut head: Vec<Head> = Vec::new();
    if several {
        head.push(Head::from("scenario"));
    }
    for (name, variant) in columns {
        head.push(Head::from(name).with_detail(joined([variant.join(", ")])));
    }
    let runs = match fewest == most {
        true => most.to_string(),
        false => format!("{fewest} to {most}"),
    };
    let numbers = match has_change_points {
        true => " A number beside a figure marks the change point that starts there.",
        false => "",
    };
    Table {
        class: "history",
        about: Some("../../method/#history"),
        caption: format!(
            "Every figure in {}{}, newest report first{}; n = {runs}.{numbers}",
            scale.symbol,
            metrics[0].unit.better().suffix(),
            beside_figures(has_intervals),
        ),
        corner: "report",
        head,
        rows: rows.into_values().collect(),
        ..Table::default()
    }
}
