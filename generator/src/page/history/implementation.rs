//! The pages of implementations, and the list of them.

use super::graph::graph;
use super::versions::{latest, versions};
use super::{AcrossView, HistoryView, MachineView};
use crate::history::{Histories, Located, Machine, Metric, Point};
use crate::page::headline::headlines;
use crate::page::releases::headline_rows;
use crate::page::{Head, Table, TableCell, TableRow, count};
use crate::report::{ReleaseSeries, Report};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The list of all implementations, a row each.
pub(crate) fn implementations(rows: Vec<TableRow>) -> Table {
    Table {
        class: "history",
        about: "../method/#history",
        caption: "Everything that was measured".to_owned(),
        corner: "implementation",
        head: Head::of(["newest version", "newest report", "reports", "scenarios"]),
        rows,
        ..Table::default()
    }
}

/// The pages of all implementations, by their names, with their rows in the list.
pub(crate) fn implementation(histories: &Histories<'_>) -> Vec<(HistoryView, TableRow)> {
    let mut found: BTreeMap<&str, Vec<Located<'_>>> = BTreeMap::new();
    for one in histories.all() {
        let name = one.series.newest().implementation.name.as_str();
        found.entry(name).or_default().push(one);
    }
    let views = found.iter().map(|(name, found)| {
        let address = histories.implementations[name].clone();
        let across = histories.newest_releases(|s| s.newest().name == *name);
        view((*name).to_owned(), address, found, &across)
    });
    views.collect()
}

/// Of several in one report, the first.
fn newest<'a>(found: &[Located<'a>]) -> &'a Point<'a> {
    let points = found.iter().rev().map(|f| f.series.newest());
    let newest = points.max_by_key(|p| p.report.when());
    newest.unwrap_or_else(|| found[0].series.newest())
}

fn view(
    title: String,
    address: String,
    found: &[Located<'_>],
    across: &[&ReleaseSeries<'_>],
) -> (HistoryView, TableRow) {
    let mut machines: BTreeMap<_, Vec<Located<'_>>> = BTreeMap::new();
    for one in found {
        let key = (one.machine.is_machine(), one.machine.name());
        machines.entry(key).or_default().push(*one);
    }
    let mut machines: Vec<Vec<Located<'_>>> = machines.into_values().collect();
    machines.sort_by_key(|found| Reverse(newest(found).report.when()));
    let machines = machines.iter().enumerate();
    let newest = newest(found);
    let day = newest.report.day_or_name();
    let points = found.iter().flat_map(|f| &f.series.points);
    let reports: BTreeSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let scenarios: BTreeSet<&str> = found.iter().map(|f| f.group.label.as_str()).collect();
    let cells = vec![
        TableCell::words(newest.implementation.version.as_str()),
        TableCell::text(&day),
        TableCell::text(reports.len().to_string()),
        TableCell::text(scenarios.len().to_string()),
    ];
    let row = TableRow::linked(format!("{address}/"), title.clone(), cells);
    let view = HistoryView {
        summary: format!(
            "{} and {}; the newest, of {day}, has {}.",
            count(reports.len(), "report"),
            count(scenarios.len(), "scenario"),
            newest.implementation
        ),
        title,
        address,
        across: across
            .first()
            .and_then(|s| AcrossView::new(across, &headline_rows(s.report))),
        machines: machines
            .map(|(index, found)| machine(index, found))
            .collect(),
    };
    (view, row)
}

/// What one machine has of an implementation.
fn machine(index: usize, found: &[Located<'_>]) -> MachineView {
    let metrics = found.chunk_by(|a, b| std::ptr::eq(a.metric, b.metric));
    let metrics = metrics.map(|of_metric| Metric {
        series: of_metric.iter().map(|f| f.series.clone()).collect(),
        label: of_metric[0].metric.label.clone(),
        ..*of_metric[0].metric
    });
    let points = found.iter().flat_map(|f| &f.series.points);
    let reports: BTreeMap<_, &Report> = points.map(|p| (p.report.when(), p.report)).collect();
    let machine = Machine::new(reports.into_values().collect(), metrics.collect());
    // What the newest report calls its headlines.
    let headlines = headlines(machine.newest());
    let metric = |s| machine.metrics.iter().find(|m| m.scenario == s);
    let chosen: Vec<&Metric<'_>> = headlines.iter().filter_map(metric).collect();
    let graph = |(k, metric): (usize, &&Metric<'_>)| {
        let file = format!("headline-{}-{}", index + 1, k + 1);
        graph(&machine, metric, &file)
    };
    let graphs = chosen.iter().enumerate().filter_map(graph).collect();
    let tables = vec![versions(&machine, &chosen), latest(found)];
    MachineView::new(&machine, true, graphs, tables)
}
