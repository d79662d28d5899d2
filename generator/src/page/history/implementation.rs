//! The pages of implementations, and the list of them.

use super::versions::{latest, versions};
use super::{MachineView, change_points, day, graph, numbers, when};
use crate::history::{Group, Histories, Machine, Metric, Point, Series};
use crate::page::headline::{self, usual_headlines};
use crate::page::{Head, Table, TableCell, TableRow};
use crate::report::Report;
use crate::scenario::Scenario;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The page of an implementation.
#[derive(Clone, Debug, Serialize)]
pub struct ImplementationView {
    /// `rustls`
    pub name: String,
    /// Folder of its page.
    pub address: String,
    /// Its versions in a sentence.
    pub summary: String,
    /// The machine with the newest report first.
    pub machines: Vec<MachineView>,
    /// The newest version.
    #[serde(skip)]
    newest: String,
    /// The newest report.
    #[serde(skip)]
    day: String,
    /// Numbers of reports and of scenarios.
    #[serde(skip)]
    counts: [usize; 2],
}

/// A history with all that it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) group: &'a Group<'a>,
    pub(super) machine: &'a Machine<'a>,
    pub(super) metric: &'a Metric<'a>,
    pub(super) series: &'a Series<'a>,
}

/// The list of all implementations.
pub fn implementations(views: &[ImplementationView]) -> Table {
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "Everything that was measured".to_owned(),
        corner: "implementation",
        head: ["newest version", "newest report", "reports", "scenarios"]
            .map(Head::from)
            .to_vec(),
        ..Table::default()
    };
    table.rows = views
        .iter()
        .map(|view| TableRow {
            label: view.name.clone(),
            href: format!("{}/", view.address),
            cells: vec![
                TableCell {
                    class: "words",
                    ..TableCell::text(view.newest.as_str())
                },
                TableCell::text(view.day.as_str()),
                TableCell::text(view.counts[0].to_string()),
                TableCell::text(view.counts[1].to_string()),
            ],
            ..TableRow::default()
        })
        .collect();
    table
}

/// The pages of all implementations, by their names.
pub fn implementation(histories: &Histories<'_>) -> Vec<ImplementationView> {
    let mut found: BTreeMap<&str, Vec<Found<'_>>> = BTreeMap::new();
    for group in &histories.groups {
        for machine in &group.machines {
            for metric in &machine.metrics {
                for series in &metric.series {
                    let name = series.newest().implementation.name.as_str();
                    found.entry(name).or_default().push(Found {
                        group,
                        machine,
                        metric,
                        series,
                    });
                }
            }
        }
    }
    let views = found.iter().map(|(name, found)| {
        let address = histories.implementations[name].clone();
        view(name, address, found)
    });
    views.collect()
}

fn newest_of<'a>(found: &[Found<'a>]) -> &'a Point<'a> {
    let points = found.iter().map(|f| f.series.newest());
    points
        .reduce(|a, b| {
            if when(b.report) > when(a.report) {
                b
            } else {
                a
            }
        })
        .unwrap_or_else(|| found[0].series.newest())
}

fn view(name: &str, address: String, found: &[Found<'_>]) -> ImplementationView {
    let mut machines: Vec<Vec<Found<'_>>> = Vec::new();
    let mut known: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    for one in found {
        let key = (one.machine.is_machine(), one.machine.name());
        let at = *known.entry(key).or_insert(machines.len());
        if at == machines.len() {
            machines.push(Vec::new());
        }
        machines[at].push(*one);
    }
    machines.sort_by_key(|p| Reverse(when(newest_of(p).report)));
    let newest = newest_of(found);
    let points = found.iter().flat_map(|f| &f.series.points);
    let reports: BTreeSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let scenarios: BTreeSet<&str> = found.iter().map(|f| f.group.label.as_str()).collect();
    let counts = [reports.len(), scenarios.len()];
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    ImplementationView {
        summary: format!(
            "{} and {}, the newest of {} with {}.",
            plural(counts[0], "report"),
            plural(counts[1], "scenario"),
            day(newest.report),
            newest.implementation
        ),
        newest: newest.implementation.version.to_string(),
        day: day(newest.report),
        counts,
        name: name.to_owned(),
        address,
        machines: machines
            .iter()
            .enumerate()
            .map(|(index, found)| machine_of(index, found))
            .collect(),
    }
}

/// What one machine has of an implementation.
fn machine_of(index: usize, found: &[Found<'_>]) -> MachineView {
    let metrics: Vec<Metric<'_>> = found
        .chunk_by(|a, b| std::ptr::eq(a.metric, b.metric))
        .map(|of_metric| Metric {
            series: of_metric.iter().map(|f| f.series.clone()).collect(),
            label: of_metric[0].metric.label.clone(),
            ..*of_metric[0].metric
        })
        .collect();
    let reports: BTreeMap<_, &Report> = found
        .iter()
        .flat_map(|f| &f.series.points)
        .map(|p| (when(p.report), p.report))
        .collect();
    let machine = Machine {
        reports: reports.into_values().collect(),
        metrics: Vec::new(),
    };
    let all: Vec<&Metric<'_>> = metrics.iter().collect();
    let numbers = numbers(&all);
    let headlines = headlines(&machine, &metrics);
    let graph = |(k, t): (usize, &usize)| {
        let file = format!("headline-{}-{}", index + 1, k + 1);
        graph::graph(&machine, (*t, &metrics[*t]), &numbers, &file)
    };
    let chosen: Vec<&Metric<'_>> = headlines.iter().map(|t| &metrics[*t]).collect();
    MachineView {
        name: machine.name().to_owned(),
        is_machine: machine.is_machine(),
        reports: machine.reports.len(),
        change_points: change_points(&all, true),
        graphs: headlines.iter().enumerate().filter_map(graph).collect(),
        tables: vec![versions(&machine, &metrics, &chosen), latest(found)],
    }
}

/// The metrics of the scenarios that the newest report calls its headlines.
fn headlines(machine: &Machine<'_>, metrics: &[Metric<'_>]) -> Vec<usize> {
    let newest = machine.reports.last();
    let wanted = newest.map_or_else(usual_headlines, |r| headline::headlines(r));
    let at = |s: &Scenario| metrics.iter().position(|t| t.scenario == s);
    wanted.iter().filter_map(at).collect()
}
