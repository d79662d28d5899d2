//! The tables of an implementation: its versions, and its newest figures.

use super::{figure, scale, version};
use crate::history::{Located, Machine, Metric, Point};
use crate::page::{Head, Table, TableCell, TableRow};
use crate::scenario::Percentile;
use crate::unit::Unit;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Every version, newest report first, with its figures of the `chosen` metrics.
pub(super) fn versions(machine: &Machine<'_>, chosen: &[&Metric<'_>]) -> Table {
    let scales: Vec<_> = chosen.iter().map(|metric| scale(&[metric])).collect();
    let columns = chosen.iter().zip(&scales).map(|(metric, scale)| Head {
        text: metric.label.clone(),
        detail: scale.symbol.clone(),
        ..Head::default()
    });
    // All figures of a version by its report.
    let mut rows: BTreeMap<_, (&Point<'_>, Vec<TableCell>)> = BTreeMap::new();
    for metric in &machine.metrics {
        let column = chosen.iter().position(|c| std::ptr::eq(*c, metric));
        for point in metric.series.iter().flat_map(|s| &s.points) {
            let key = (Reverse(point.report.when()), point.implementation);
            let empty = || (point, vec![TableCell::missing(); chosen.len()]);
            let (_, cells) = rows.entry(key).or_insert_with(empty);
            if let Some(column) = column {
                cells[column] = figure(point, &scales[column]);
            }
        }
    }
    let row = |(point, figures): (&Point<'_>, Vec<TableCell>)| {
        let cells = [version(point)].into_iter().chain(figures).collect();
        let href = format!("../../{}/", point.report.name);
        TableRow::linked(href, point.report.day_or_name(), cells)
    };
    Table {
        class: "history",
        about: "../../method/#history",
        caption: "Versions and their headline figures, newest first.".to_owned(),
        corner: "report",
        head: [Head::from("version")].into_iter().chain(columns).collect(),
        rows: rows.into_values().map(row).collect(),
        ..Table::default()
    }
}

/// The newest figure of every scenario; of a distribution the median, for the others are on the
/// scenario's page.
pub(super) fn latest(found: &[Located<'_>]) -> Table {
    let is_shown = |f: &&Located<'_>| {
        let percentile = f.metric.scenario.percentile;
        percentile.is_none_or(|p| p == Percentile::P50) && *f.metric.unit != Unit::TRAFFIC
    };
    let row = |f: &Located<'_>| {
        let point = f.series.newest();
        let scale = scale(&[f.metric]);
        let cells = vec![
            version(point),
            TableCell::words(&scale.symbol),
            figure(point, &scale),
            TableCell::text(point.n.to_string()),
            TableCell::text(point.report.day_or_name()),
        ];
        let href = format!("../../scenarios/{}/", f.group.address);
        TableRow::linked(href, f.metric.label.clone(), cells)
    };
    Table {
        class: "history",
        about: "../../method/#history",
        caption: "The newest figure of every scenario, with a link to its history.".to_owned(),
        corner: "scenario",
        head: Head::of(["version", "unit", "figure", "n", "report"]),
        rows: found.iter().filter(is_shown).map(row).collect(),
        ..Table::default()
    }
}
