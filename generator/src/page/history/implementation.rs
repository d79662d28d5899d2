//! The pages of implementations, and the list of them.

use super::graph::graph;
use super::versions::{latest, versions};
use super::{AcrossView, HistoryView, MachineView, YearView, key, room};
use crate::fs::hex_digest;
use crate::history::{Histories, Located, Machine, Metric, Point};
use crate::page::headline::headlines;
use crate::page::releases::headline_rows;
use crate::page::{Graph, Head, Span, Table, TableCell, TableRow, count};
use crate::report::{ReleaseSeries, Report};
use crate::slug::slug;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Graphs of histories on a page, four for a machine; more make it heavy.
const MAX_GRAPHS: usize = 8;

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
    let mut machines: Vec<(Machine<'_>, Vec<Located<'_>>)> =
        machines.into_values().map(machine).collect();
    machines.sort_by_key(|(machine, _)| Reverse(machine.newest().when()));
    let (shown, years) = spans(&machines);
    let newest = newest(found);
    let day = newest.report.day_or_name();
    let reports: usize = machines.iter().map(|(m, _)| m.reports.len()).sum();
    let scenarios: BTreeSet<&str> = found.iter().map(|f| f.group.label.as_str()).collect();
    let cells = vec![
        TableCell::words(newest.implementation.version.as_str()),
        TableCell::text(&day),
        TableCell::text(reports.to_string()),
        TableCell::text(scenarios.len().to_string()),
    ];
    let row = TableRow::linked(format!("{address}/"), title.clone(), cells);
    let mut room = MAX_GRAPHS;
    let machine = |(index, (machine, found)): (usize, &(Machine<'_>, Vec<Located<'_>>))| {
        let chosen = chosen(machine);
        let graph = |(k, metric): (usize, &&Metric<'_>)| {
            let name = format!("headline-{}-{}", index + 1, k + 1);
            let of_metric = found
                .iter()
                .find(|f| f.metric.scenario == metric.scenario)?;
            Some(Graph {
                data: format!("../../scenarios/{}/data.csv", of_metric.group.address),
                ..graph(machine, metric, &name)?
            })
        };
        let graphs = chosen.iter().enumerate().filter_map(graph);
        let graphs: Vec<Graph> = graphs.take(room).collect();
        room -= graphs.len();
        let tables = vec![versions(machine, &chosen, &shown, true)];
        MachineView {
            figures: Some((own_address(machine, &machines), latest(found))),
            ..MachineView::new(machine, true, graphs, tables)
        }
    };
    let in_sight = machines.iter().enumerate();
    let in_sight = in_sight.filter(|(_, (m, _))| shown.has(m.newest()));
    let year = |span: &Span<'_>| {
        let tables = machines.iter().map(|(machine, _)| {
            let table = versions(machine, &chosen(machine), span, false);
            (machine.name().to_owned(), vec![table])
        });
        YearView {
            link: span.link(),
            machines: tables.filter(|(_, t)| !t[0].rows.is_empty()).collect(),
        }
    };
    let view = HistoryView {
        summary: format!(
            "{} and {}; the newest, of {day}, has {}.",
            count(reports, "report"),
            count(scenarios.len(), "scenario"),
            newest.implementation
        ),
        across: across
            .first()
            .and_then(|s| AcrossView::new(across, &headline_rows(s.report))),
        machines: in_sight.map(machine).collect(),
        years: years.iter().map(year).collect(),
        title,
        address,
    };
    (view, row)
}

/// What one machine has of an implementation.
fn machine(found: Vec<Located<'_>>) -> (Machine<'_>, Vec<Located<'_>>) {
    let metrics = found.chunk_by(|a, b| std::ptr::eq(a.metric, b.metric));
    let metrics = metrics.map(|of_metric| Metric {
        series: of_metric.iter().map(|f| f.series.clone()).collect(),
        label: of_metric[0].metric.label.clone(),
        ..*of_metric[0].metric
    });
    let points = found.iter().flat_map(|f| &f.series.points);
    let reports: BTreeMap<_, &Report> = points.map(|p| (p.report.when(), p.report)).collect();
    let machine = Machine::new(reports.into_values().collect(), metrics.collect());
    (machine, found)
}

/// The metrics of what the machine's newest report calls its headlines.
fn chosen<'a>(machine: &'a Machine<'a>) -> Vec<&'a Metric<'a>> {
    let headlines = headlines(machine.newest());
    let metric = |s| machine.metrics.iter().find(|m| m.scenario == s);
    headlines.iter().filter_map(metric).collect()
}

/// The reports that the page shows, and those of each year.
fn spans<'a>(machines: &[(Machine<'a>, Vec<Located<'a>>)]) -> (Span<'a>, Vec<Span<'a>>) {
    let of_machine = |(machine, found): &(Machine<'a>, Vec<Located<'a>>)| {
        let variants: BTreeSet<_> = found.iter().map(|f| key(f.series)).collect();
        let rows = variants.len();
        machine
            .reports
            .iter()
            .map(move |r| (*r, rows))
            .collect::<Vec<_>>()
    };
    let mut reports: Vec<(&Report, usize)> = machines.iter().flat_map(of_machine).collect();
    reports.sort_by_key(|(report, _)| Reverse(report.when()));
    // A row has the headline scenarios.
    Span::split(&reports, room(4))
}

/// The address of the page that a machine's figures have: no year, and that of no other machine.
fn own_address(machine: &Machine<'_>, all: &[(Machine<'_>, Vec<Located<'_>>)]) -> String {
    let name = slug(machine.name());
    match all.iter().filter(|(m, _)| slug(m.name()) == name).count() {
        1 => format!("on-{name}"),
        _ => format!("on-{name}-{}", &hex_digest(machine.name().as_bytes())[..12]),
    }
}
