//! The pages of implementations with their versions and newest figures, and the list of them.

use super::graph::graph;
use super::table::{beside_figures, figure};
use super::{AcrossReleases, HistoryPage, MachinePart, key, scale};
use crate::model::scenario::Percentile;
use crate::model::unit::Unit;
use crate::report::ReleaseSeries;
use crate::report::history::{Histories, HistoryPoint, HistorySeries, MachineHistory, Metric};
use crate::site::front_matter::FrontMatter;
use crate::site::headline::headlines;
use crate::site::phrases::{joined, plus_minus};
use crate::site::releases::headline_rows;
use crate::site::{Graph, Head, Pages, Renderer, Table, TableCell, TableRow, count};
use anyhow::Result;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

impl Renderer<'_> {
    /// Renders the list of implementations and the page of each.
    pub(crate) fn implementations(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let mut rows = Vec::new();
        for (name, machines) in by_name(histories) {
            let across = histories.newest_releases(|s| s.newest().name == name);
            let address = histories.implementations[name].clone();
            let (page, row) = page(name, address, machines, &across);
            self.history(&mut pages, "implementation", &page)?;
            rows.push(row);
        }
        let table = Table {
            class: "history",
            about: Some("../method/#history"),
            caption: "All implementations that were measured".to_owned(),
            corner: "implementation",
            head: Head::of(["newest version", "newest report", "reports", "scenarios"]),
            rows,
            ..Table::default()
        };
        let head = FrontMatter::section(
            "implementations",
            "Implementations",
            "Everything that was measured, with every version.",
        );
        let view = json!({"kind": "implementations", "tables": [table]});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        Ok(pages)
    }
}

/// Returns the histories of each implementation, the machine with the newest report first.
fn by_name<'a>(histories: &'a Histories<'a>) -> BTreeMap<&'a str, Vec<MachineHistory<'a>>> {
    let mut found: BTreeMap<&str, BTreeMap<_, Vec<Metric<'_>>>> = BTreeMap::new();
    for (machine, metric) in histories.metrics() {
        for series in metric.series.chunk_by(|a, b| key(a).0 == key(b).0) {
            let machines = found.entry(key(&series[0]).0).or_default();
            let metrics = machines.entry((machine.is_machine(), machine.name()));
            metrics.or_default().push(Metric {
                series: series.to_vec(),
                label: metric.label.clone(),
                address: metric.address.clone(),
                scale: metric.scale.clone(),
                ..*metric
            });
        }
    }
    let mut by_name = BTreeMap::new();
    for (name, machines) in found {
        let machines = machines.into_values().map(MachineHistory::of);
        let mut machines: Vec<MachineHistory<'_>> = machines.collect();
        machines.sort_by_key(|machine| Reverse(machine.newest().when()));
        by_name.insert(name, machines);
    }
    by_name
}

/// Returns the figure of the newest report that has a release; of several in that report, the first.
fn newest<'a>(machines: &'a [MachineHistory<'a>]) -> &'a HistoryPoint<'a> {
    let series = machines[0].metrics.iter().flat_map(|m| &m.series).rev();
    let newest = series
        .map(HistorySeries::newest)
        .max_by_key(|p| (!p.implementation.version.is_pre_release(), p.report.when()));
    newest.unwrap_or_else(|| machines[0].metrics[0].series[0].newest())
}

/// Returns the page of an implementation, with its row in the list.
fn page(
    name: &str,
    address: String,
    machines: Vec<MachineHistory<'_>>,
    across: &[&ReleaseSeries<'_>],
) -> (HistoryPage, TableRow) {
    let newest = newest(&machines);
    let day = newest.report.day_or_name();
    let mut reports = 0;
    let mut scenarios = BTreeSet::new();
    let mut parts = Vec::new();
    for (machine, number) in machines.iter().zip(1..) {
        reports += machine.reports.len();
        scenarios.extend(machine.metrics.iter().map(|m| m.address.as_str()));
        let headlines = headlines(machine.newest());
        let metric = |s| machine.metrics.iter().find(|m| m.scenario == s);
        let chosen: Vec<_> = headlines.iter().filter_map(metric).collect();
        let mut graphs = Vec::new();
        for (metric, metric_number) in chosen.iter().zip(1..) {
            let file = format!("headline-{number}-{metric_number}");
            if let Some(graph) = graph(machine, metric, &file) {
                graphs.push(Graph {
                    data: Some(format!("../../scenarios/{}/data.csv", metric.address)),
                    ..graph
                });
            }
        }
        let tables = vec![versions(machine, &chosen), latest(machine)];
        parts.push(MachinePart::new(machine, true, graphs, tables));
    }
    let cells = vec![
        TableCell::words(newest.implementation.version.as_str()),
        TableCell::text(&day),
        TableCell::text(reports.to_string()),
        TableCell::text(scenarios.len().to_string()),
    ];
    let row = TableRow::linked(format!("{address}/"), name.to_owned(), cells);
    let headlines = across.first().map(|series| headline_rows(series.report));
    let page = HistoryPage {
        title: name.to_owned(),
        address,
        summary: format!(
            "{} and {}; the newest report, of {day}, has {}.",
            count(reports, "report"),
            count(scenarios.len(), "scenario"),
            newest.implementation
        ),
        across: headlines.and_then(|rows| AcrossReleases::new(across, &rows)),
        machines: parts,
    };
    (page, row)
}

/// Returns the table of all versions, newest first, with their figures of the `chosen` metrics.
fn versions(machine: &MachineHistory<'_>, chosen: &[&Metric<'_>]) -> Table {
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
                let one = point.implementation;
                let version = if one.version.is_empty() {
                    "–"
                } else {
                    one.version.as_str()
                };
                let variant = joined([one.variant.join(", ")]);
                cells[0] = TableCell::words(version).with_detail(variant);
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

/// Returns the table of the newest figure of every scenario. For a distribution that is the median;
/// the scenario's page has the other percentiles.
fn latest(machine: &MachineHistory<'_>) -> Table {
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
