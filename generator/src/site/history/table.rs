//! The table of all figures of a history: one row per report and scenario, one column per
//! implementation.

use super::{key, scale};
use crate::model::unit::Scale;
use crate::report::history::{HistoryPoint, Metric};
use crate::site::phrases::plus_minus;
use crate::site::{Head, Table, TableCell, TableRow, joined};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the figures of metrics with the same unit, newest report first.
pub(super) fn table(metrics: &[&Metric<'_>]) -> Table {
    let scale = scale(metrics);
    let series = metrics.iter().flat_map(|m| &m.series);
    let columns = Vec::from_iter(series.map(key).collect::<BTreeSet<_>>());
    let several = metrics.len() > 1;
    let mut rows: BTreeMap<_, TableRow> = BTreeMap::new();
    for (place, metric) in metrics.iter().enumerate() {
        for series in &metric.series {
            let Ok(column) = columns.binary_search(&key(series)) else {
                continue;
            };
            for point in &series.points {
                let row = rows.entry((Reverse(point.report.when()), place));
                let row = row.or_insert_with(|| {
                    let mut cells = vec![TableCell::missing(); columns.len()];
                    if several {
                        cells.insert(0, TableCell::words(&metric.label));
                    }
                    let href = format!("../../{}/", point.report.name);
                    TableRow::linked(href, point.report.day_or_name(), cells)
                });
                row.cells[column + usize::from(several)] = figure(point, &scale);
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
    Table {
        class: "history",
        about: Some("../../method/#history"),
        caption: format!(
            "Every figure in {}{}, newest report first, with its version",
            scale.symbol,
            metrics[0].unit.better().suffix(),
        ),
        corner: "report",
        head,
        rows: rows.into_values().collect(),
        ..Table::default()
    }
}

/// Returns the cell of a figure, with its version and interval.
fn figure(point: &HistoryPoint<'_>, scale: &Scale) -> TableCell {
    let version = point.implementation.version.words();
    let spread = plus_minus(point.figure).unwrap_or_default();
    TableCell::text(scale.show(point.figure.estimate)).with_detail(joined([version, spread]))
}
