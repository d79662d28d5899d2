//! The tables of an implementation: its versions, and its newest figures.

use super::table::{beside_figures, figure};
use super::{key, scale};
use crate::history::{HistoryPoint, HistorySeries, MachineHistory, Metric};
use crate::scenario::Percentile;
use crate::site::phrases::{joined, plus_minus};
use crate::site::{Head, Table, TableCell, TableRow};
use crate::unit::Unit;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the table of all versions, newest first, with their figures of the `chosen` metrics.
pub(super) fn versions(machine: &MachineHistory<'_>, chosen: &[&Metric<'_>]) -> Table {
    let scales: Vec<_> = chosen.iter().map(|metric| scale(&[metric])).collect();
    let mut head = vec![Head::from("version")];
    for (metric, scale) in chosen.iter().zip(&scales) {
        head.push(Head::from(&*metric.label).with_detail(scale.symbol.clone()));
    }
    // The figures of each version in each report.
    let mut rows: BTreeMap<_, TableRow> = BTreeMap::new();
    for metric in &machine.metrics {
        let column = chosen.iter().position(|c| std::ptr::eq(*c, metric));
        for point in metric.series.iter().flat_map(|s| &s.points) {
            let row = rows.entry((Reverse(point.report.when()), point.implementation));
            let row = row.or_insert_with(|| {
                let mut cells = vec![TableCell::missing(); head.len()];
                cells[0] = version(point);
                let href = format!("../../{}/", point.report.name);
                TableRow::linked(href, point.report.day_or_name(), cells)
            });
            if let Some(column) = column {
                let figure = TableCell::text(scales[column].show(point.figure.estimate));
                let detail = plus_minus(point.figure);
                row.cells[column + 1] = figure.with_detail(detail);
            }
        }
    }
    Table {
        class: "history",
        about: Some("../../method/#history"),
        caption: "Versions and their headline figures, newest first.".to_owned(),
        corner: "report",
        head,
        rows: rows.into_values().collect(),
        ..Table::default()
    }
}

/// `0.23.31`, with the variant as detail.
fn version(point: &HistoryPoint<'_>) -> TableCell {
    let version = match point.implementation.version.as_str() {
        "" => "–",
        known => known,
    };
    let variant = point.implementation.variant.join(", ");
    TableCell::words(version).with_detail(joined([variant]))
}

/// Returns the table of the newest figure of every scenario. For a distribution that is the median;
/// the scenario's page has the other percentiles.
pub(super) fn latest(machine: &MachineHistory<'_>) -> Table {
    let is_shown = |m: &&Metric<'_>| {
        let percentile = m.scenario.percentile;
        percentile.is_none_or(|p| p == Percentile::P50) && *m.unit != Unit::TRAFFIC
    };
    let metrics: Vec<&Metric<'_>> = machine.metrics.iter().filter(is_shown).collect();
    let columns: BTreeSet<_> = metrics.iter().flat_map(|m| &m.series).map(key).collect();
    let columns = Vec::from_iter(columns);
    let row = |metric: &&Metric<'_>| {
        let scale = &metric.scale;
        let mut cells = vec![TableCell::missing(); columns.len() + 1];
        cells[0] = TableCell::words(&scale.symbol);
        for series in &metric.series {
            if let Some(column) = columns.iter().position(|c| *c == key(series)) {
                cells[column + 1] = figure(series.newest(), scale);
            }
        }
        let href = format!("../../scenarios/{}/", metric.address);
        TableRow::linked(href, metric.label.clone(), cells)
    };
    let head = columns.iter().map(|(name, variant)| match variant {
        [] => Head::from(*name),
        variant => Head::from(&*variant.join(", ")),
    });
    let series = metrics.iter().flat_map(|m| &m.series);
    let mut newest = series.map(HistorySeries::newest);
    Table {
        class: "history",
        about: Some("../../method/#history"),
        caption: format!(
            "The newest figure of every scenario{}, and a link to its history.",
            beside_figures(newest.any(|p| p.figure.interval.is_some()))
        ),
        corner: "scenario",
        head: [Head::from("unit")].into_iter().chain(head).collect(),
        rows: metrics.iter().map(row).collect(),
        ..Table::default()
    }
}
