//! The pages of implementations, and the list of them.

use super::graph::graph;
use super::versions::{latest, versions};
use super::{AcrossView, HistoryView, MachineView, key};
use crate::history::{Histories, HistoryPoint, HistorySeries, MachineHistory, Metric};
use crate::report::ReleaseSeries;
use crate::site::headline::headlines;
use crate::site::releases::headline_rows;
use crate::site::{Graph, Head, Table, TableCell, TableRow, count};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Graphs of histories on a page, to limit its size; a machine has up to four.
const MAX_GRAPHS: usize = 8;

/// Returns the table of all implementations from their rows.
pub(crate) fn implementations(rows: Vec<TableRow>) -> Table {
    Table {
        class: "history",
        about: Some("../method/#history"),
        caption: "All implementations that were measured".to_owned(),
        corner: "implementation",
        head: Head::of(["newest version", "newest report", "reports", "scenarios"]),
        rows,
        ..Table::default()
    }
}

/// Returns the pages of all implementations, sorted by name, with their rows in the table.
pub(crate) fn implementation(histories: &Histories<'_>) -> Vec<(HistoryView, TableRow)> {
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
    let views = found.into_iter().map(|(name, machines)| {
        let address = histories.implementations[name].clone();
        let across = histories.newest_releases(|s| s.newest().name == name);
        let machines = machines.into_values().map(MachineHistory::of);
        view(name.to_owned(), address, machines.collect(), &across)
    });
    views.collect()
}

/// Returns the figure of the newest report; of several in that report, the first.
fn newest<'a>(machines: &'a [MachineHistory<'a>]) -> &'a HistoryPoint<'a> {
    let series = machines[0].metrics.iter().flat_map(|m| &m.series).rev();
    let newest = series
        .map(HistorySeries::newest)
        .max_by_key(|p| p.report.when());
    newest.unwrap_or_else(|| machines[0].metrics[0].series[0].newest())
}

fn view(
    title: String,
    address: String,
    mut machines: Vec<MachineHistory<'_>>,
    across: &[&ReleaseSeries<'_>],
) -> (HistoryView, TableRow) {
    machines.sort_by_key(|machine| Reverse(machine.newest().when()));
    let newest = newest(&machines);
    let day = newest.report.day_or_name();
    let reports: usize = machines.iter().map(|m| m.reports.len()).sum();
    let metrics = machines.iter().flat_map(|m| &m.metrics);
    let scenarios: BTreeSet<&str> = metrics.map(|m| m.address.as_str()).collect();
    let cells = vec![
        TableCell::words(newest.implementation.version.as_str()),
        TableCell::text(&day),
        TableCell::text(reports.to_string()),
        TableCell::text(scenarios.len().to_string()),
    ];
    let row = TableRow::linked(format!("{address}/"), title.clone(), cells);
    let mut room = MAX_GRAPHS;
    let mut views = Vec::new();
    for (machine, number) in machines.iter().zip(1..) {
        let chosen = headline_metrics(machine);
        let mut graphs = Vec::new();
        for (metric, metric_number) in chosen.iter().zip(1..) {
            let file = format!("headline-{number}-{metric_number}");
            if let Some(graph) = graph(machine, metric, &file).filter(|_| room > 0) {
                room -= 1;
                graphs.push(Graph {
                    data: Some(format!("../../scenarios/{}/data.csv", metric.address)),
                    ..graph
                });
            }
        }
        let tables = vec![versions(machine, &chosen), latest(machine)];
        views.push(MachineView::new(machine, true, graphs, tables));
    }
    let view = HistoryView {
        summary: format!(
            "{} and {}; the newest report, of {day}, has {}.",
            count(reports, "report"),
            count(scenarios.len(), "scenario"),
            newest.implementation
        ),
        across: across
            .first()
            .and_then(|s| AcrossView::new(across, &headline_rows(s.report))),
        machines: views,
        title,
        address,
    };
    (view, row)
}

/// Returns the metrics of the headline scenarios of the machine's newest report.
fn headline_metrics<'a>(machine: &'a MachineHistory<'a>) -> Vec<&'a Metric<'a>> {
    let headlines = headlines(machine.newest());
    let metric = |s| machine.metrics.iter().find(|m| m.scenario == s);
    headlines.iter().filter_map(metric).collect()
}
