//! Every figure of a history as a table.

use super::{figure, scale, version};
use crate::history::{Metric, Point};
use crate::page::{Head, Table, TableCell, TableRow};
use crate::stats::Change;
use crate::unit::Unit;
use std::cmp::Reverse;

/// From a page of a scenario or an implementation to the folder of the reports.
const UP: &str = "../../";

/// The change from one figure of a history to the next.
fn change(before: Option<&Point<'_>>, point: &Point<'_>, unit: &Unit) -> TableCell {
    let change = before.and_then(|b| Change::new(b.value, point.value, unit.better(), unit.kind()));
    change.map_or_else(TableCell::missing, |c| TableCell {
        change: c.word().word(),
        ..TableCell::text(c.to_string())
    })
}

/// Every figure of some metrics, which share a unit, newest report first.
pub(super) fn table(metrics: &[&Metric<'_>]) -> Table {
    let unit = metrics[0].unit;
    let scale = scale(metrics);
    // The scenario stands first where there are several.
    let skipped = if metrics.len() > 1 { 0 } else { 1 };
    let mut rows = Vec::new();
    for metric in metrics {
        for series in &metric.series {
            let name = &series.newest().implementation.name;
            for (index, point) in series.points.iter().enumerate() {
                let before = index.checked_sub(1).map(|i| &series.points[i]);
                let mut change = change(before, point, unit);
                let begun = series.change_points.iter().filter(|c| c.index == index);
                change.footnotes.extend(begun.map(|c| c.number));
                let cells = [
                    TableCell::words(&metric.label),
                    TableCell::words(name),
                    version(point),
                    figure(point, &scale),
                    TableCell::text(point.n.to_string()),
                    change,
                ];
                let cells = cells.into_iter().skip(skipped).collect();
                let href = format!("{UP}{}/", point.report.name);
                let row = TableRow::linked(href, point.report.day_or_name(), cells);
                rows.push((point.report.when(), row));
            }
        }
    }
    rows.sort_by_key(|(when, _)| Reverse(*when));
    let head = Head::of([
        "scenario",
        "implementation",
        "version",
        &scale.symbol,
        "n",
        "change",
    ]);
    Table {
        class: "history",
        about: "../../method/#history",
        caption: format!(
            "Every figure in {}{}, newest first. Changes are from the report before and are not tested individually; a number beside one is that of the change point that starts there.",
            scale.symbol,
            unit.better().suffix()
        ),
        corner: "report",
        head: head.into_iter().skip(skipped).collect(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        ..Table::default()
    }
}
