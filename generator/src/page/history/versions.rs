//! The tables of an implementation: its versions, and its newest figures.

use super::implementation::Found;
use super::{day, figure, scale};
use crate::history::{Machine, Metric, Point};
use crate::page::{Head, Table, TableCell, TableRow};
use crate::scenario::Percentile;
use crate::unit::Unit;
use std::collections::BTreeMap;

/// Every version, newest report first, with its headline figures.
pub(super) fn versions(
    machine: &Machine<'_>,
    metrics: &[Metric<'_>],
    chosen: &[&Metric<'_>],
) -> Table {
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "Versions and their headline figures, newest first.".to_owned(),
        corner: "report",
        head: vec![Head::from("version")],
        ..Table::default()
    };
    let scales: Vec<_> = chosen.iter().map(|t| scale(&[t], t.unit)).collect();
    table
        .head
        .extend(chosen.iter().zip(&scales).map(|(metric, scale)| Head {
            text: metric.label.clone(),
            detail: scale.symbol.clone(),
        }));
    // All figures of a version by its report.
    let mut rows: BTreeMap<(usize, _), Vec<Option<&Point<'_>>>> = BTreeMap::new();
    let order: BTreeMap<&str, usize> = machine
        .reports
        .iter()
        .rev()
        .enumerate()
        .map(|(at, r)| (r.name.as_str(), at))
        .collect();
    let key = |p: &Point<'_>| {
        (
            order[p.report.name.as_str()],
            (p.implementation.clone(), p.report.name.clone()),
        )
    };
    for metric in metrics {
        for point in metric.series.iter().flat_map(|l| &l.points) {
            let row = rows
                .entry(key(point))
                .or_insert_with(|| vec![None; chosen.len()]);
            let column = chosen.iter().position(|c| std::ptr::eq(*c, metric));
            if let Some(column) = column {
                row[column] = Some(point);
            }
        }
    }
    for ((at, (implementation, name)), figures) in rows {
        let mut cells = vec![TableCell {
            class: "words",
            detail: implementation.variant.join(", "),
            ..TableCell::text(implementation.version.as_str())
        }];
        cells.extend(
            figures
                .iter()
                .zip(&scales)
                .map(|(point, scale)| point.map_or_else(TableCell::missing, |p| figure(p, scale))),
        );
        let report = machine.reports[machine.reports.len() - 1 - at];
        table.rows.push(TableRow {
            label: day(report),
            href: format!("../../{name}/"),
            cells,
            ..TableRow::default()
        });
    }
    table
}

/// The newest figure of every scenario; of a distribution the median, for the others are on the
/// scenario's page.
pub(super) fn latest(found: &[Found<'_>]) -> Table {
    let is_shown = |f: &&Found<'_>| {
        let percentile = f.metric.scenario.percentile;
        percentile.is_none_or(|p| p == Percentile::P50) && *f.metric.unit != Unit::Traffic
    };
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "The newest figure of every scenario; each leads to its history.".to_owned(),
        corner: "scenario",
        head: ["version", "unit", "figure", "n", "report"]
            .map(Head::from)
            .to_vec(),
        ..Table::default()
    };
    for Found {
        group,
        metric,
        series,
        ..
    } in found.iter().filter(is_shown)
    {
        let point = series.newest();
        let scale = scale(&[metric], metric.unit);
        let words = |text: &str, detail: String| TableCell {
            class: "words",
            detail,
            ..TableCell::text(text)
        };
        table.rows.push(TableRow {
            label: metric.label.clone(),
            href: format!("../../scenarios/{}/", group.address),
            cells: vec![
                words(
                    point.implementation.version.as_str(),
                    point.implementation.variant.join(", "),
                ),
                words(&scale.symbol, String::new()),
                figure(point, &scale),
                TableCell::text(point.n.to_string()),
                TableCell {
                    href: format!("../../{}/", point.report.name),
                    ..TableCell::text(day(point.report))
                },
            ],
            ..TableRow::default()
        });
    }
    table
}
