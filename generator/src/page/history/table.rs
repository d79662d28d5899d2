//! The table of all figures of a history: one row per report and scenario, one column per
//! implementation.

use super::{key, scale};
use crate::history::{HistoryPoint, HistorySeries, Metric};
use crate::page::phrases::plus_minus;
use crate::page::span::Span;
use crate::page::{Head, Table, TableCell, TableRow, joined};
use crate::unit::Scale;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Relative path from the page of a scenario or an implementation to the folder of the reports.
const UP: &str = "../../";

/// Returns the cell of a figure, with its version and interval if `full`.
pub(super) fn figure(point: &HistoryPoint<'_>, scale: &Scale, full: bool) -> TableCell {
    let figure = TableCell::text(scale.show(point.figure.estimate));
    if !full {
        return figure;
    }
    let version = point.implementation.version.to_string();
    figure.with_detail(joined([version, plus_minus(point.figure)]))
}

/// Returns what stands beside a figure, in words.
pub(super) fn beside_figures(has_intervals: bool) -> &'static str {
    match has_intervals {
        true => ", with its version and half the width of its 95% interval",
        false => ", with its version",
    }
}

/// Returns the figures of metrics with the same unit in the reports of a span, newest first; `None`
/// if there are none.
pub(super) fn table(metrics: &[&Metric<'_>], span: &Span<'_>, full: bool) -> Option<Table> {
    let scale = scale(metrics);
    let series = || metrics.iter().flat_map(|m| &m.series);
    let is_shown = |s: &&HistorySeries<'_>| s.points.iter().any(|p| span.has(p.report));
    let columns: BTreeSet<_> = series().filter(is_shown).map(key).collect();
    let columns = Vec::from_iter(columns);
    let mut rows: BTreeMap<_, (&HistoryPoint<'_>, Vec<TableCell>)> = BTreeMap::new();
    let (mut fewest, mut most) = (usize::MAX, 0);
    let (mut has_intervals, mut has_change_points) = (false, false);
    for (place, metric) in metrics.iter().enumerate() {
        for series in &metric.series {
            let Some(column) = columns.iter().position(|c| *c == key(series)) else {
                continue;
            };
            for (index, point) in series.points.iter().enumerate() {
                if !span.has(point.report) {
                    continue;
                }
                let runs = point.figure.sample.len();
                (fewest, most) = (fewest.min(runs), most.max(runs));
                let empty = || (point, vec![TableCell::missing(); columns.len()]);
                let row = rows.entry((Reverse(point.report.when()), place));
                let (_, cells) = row.or_insert_with(empty);
                let begun = series.change_points.iter().filter(|c| c.index == index);
                cells[column] = TableCell {
                    footnotes: begun.map(|c| c.number).collect(),
                    ..figure(point, &scale, full)
                };
                has_change_points |= !cells[column].footnotes.is_empty();
                has_intervals |= point.figure.interval.is_some();
            }
        }
    }
    let several = metrics.len() > 1;
    let row = |((_, place), (point, cells)): ((_, usize), (&HistoryPoint<'_>, Vec<TableCell>))| {
        let label = several.then(|| TableCell::words(&metrics[place].label));
        let href = format!("{UP}{}/", point.report.name);
        let cells = label.into_iter().chain(cells).collect();
        TableRow::linked(href, point.report.day_or_name(), cells)
    };
    let rows: Vec<TableRow> = rows.into_iter().map(row).collect();
    let head = columns.iter().map(|(name, variant)| Head {
        text: (*name).to_owned(),
        detail: variant.join(", "),
        ..Head::default()
    });
    let runs = match fewest == most {
        true => most.to_string(),
        false => format!("{fewest} to {most}"),
    };
    let beside = if full {
        beside_figures(has_intervals)
    } else {
        ""
    };
    let numbers = match has_change_points {
        true => " A number beside a figure marks the change point that starts there.",
        false => "",
    };
    (!rows.is_empty()).then(|| Table {
        class: "history",
        about: "../../method/#history",
        caption: format!(
            "Every figure in {}{}, newest report first{beside}; n = {runs}.{numbers}",
            scale.symbol,
            metrics[0].unit.better().suffix()
        ),
        corner: "report",
        head: several
            .then(|| Head::from("scenario"))
            .into_iter()
            .chain(head)
            .collect(),
        rows,
        ..Table::default()
    })
}
