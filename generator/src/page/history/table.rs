//! Every figure of a history as a table.

use super::{Numbers, day, figure, scale, when};
use crate::history::{Metric, Point};
use crate::page::{Head, Table, TableCell, TableRow};
use crate::stats::Change;
use crate::unit::Unit;

/// From a page of a scenario or an implementation to the folder of the reports.
const UP: &str = "../../";

/// The change from one figure of a history to the next.
fn change(before: Option<&Point<'_>>, point: &Point<'_>, unit: &Unit) -> TableCell {
    let change = before
        .and_then(|b| Change::new(b.value, point.value, unit.better(), *unit == Unit::Memory));
    change.map_or_else(TableCell::missing, |c| TableCell {
        change: c.word().word(),
        ..TableCell::text(c.to_string())
    })
}

/// Every figure of the metrics of one unit, newest report first.
pub(super) fn table(metrics: &[(usize, &Metric<'_>)], numbers: &Numbers) -> Option<Table> {
    let (_, first) = metrics.first()?;
    let unit = first.unit;
    let all: Vec<&Metric<'_>> = metrics.iter().map(|t| t.1).collect();
    let scale = scale(&all, unit);
    let several = metrics.len() > 1;
    let direction = unit.better().suffix();
    let mut head = vec![
        "implementation",
        "version",
        scale.symbol.as_str(),
        "n",
        "change",
    ];
    if several {
        head.insert(0, "scenario");
    }
    let mut table = Table {
        class: "history",
        about: "history",
        caption: format!(
            "Every figure in {}{direction}, newest first. A change is from the report before and is not tested by itself; a number beside it is that of the change point that it begins.",
            scale.symbol
        ),
        corner: "report",
        head: head.into_iter().map(Head::from).collect(),
        ..Table::default()
    };
    let mut rows: Vec<(&Point<'_>, usize, TableRow)> = Vec::new();
    for (t, metric) in metrics {
        for (s, series) in metric.series.iter().enumerate() {
            for (index, point) in series.points.iter().enumerate() {
                let before = index.checked_sub(1).map(|i| &series.points[i]);
                let mut change = change(before, point, unit);
                change.footnotes.extend(numbers.get(&(*t, s, index)));
                let variant = point.implementation.variant.join(", ");
                let mut cells = vec![
                    TableCell {
                        class: "words",
                        ..TableCell::text(series.newest().implementation.name.as_str())
                    },
                    TableCell {
                        class: "words",
                        detail: variant,
                        ..TableCell::text(point.implementation.version.as_str())
                    },
                    figure(point, &scale),
                    TableCell::text(point.n.to_string()),
                    change,
                ];
                if several {
                    let label = TableCell {
                        class: "words",
                        ..TableCell::text(metric.label.as_str())
                    };
                    cells.insert(0, label);
                }
                let row = TableRow {
                    label: day(point.report),
                    href: format!("{UP}{}/", point.report.name),
                    cells,
                    ..TableRow::default()
                };
                rows.push((point, rows.len(), row));
            }
        }
    }
    rows.sort_by(|(a, i, _), (b, j, _)| when(b.report).cmp(&when(a.report)).then(i.cmp(j)));
    table.rows = rows.into_iter().map(|r| r.2).collect();
    Some(table)
}
