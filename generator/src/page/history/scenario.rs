//! The pages of scenarios, and the list of them.

use super::{MachineView, change_points, day, graph, numbers, scale, table};
use crate::history::{Group, Histories, Machine, Metric, Point};
use crate::page::{Graph, Head, Table, TableCell, TableRow, join};
use crate::scenario::Workload;
use crate::unit::{Better, Unit};
use serde::Serialize;
use std::collections::BTreeSet;

/// Graphs of one machine on a page; more make it heavy.
const MAX_GRAPHS: usize = 8;

/// The page of a scenario.
#[derive(Clone, Debug, Serialize)]
pub struct ScenarioView {
    /// Its newest figures in a sentence.
    pub summary: String,
    /// The machine with the newest report first.
    pub machines: Vec<MachineView>,
}

/// The page of a scenario.
pub fn scenario(group: &Group<'_>) -> ScenarioView {
    let several = group.machines.iter().any(|p| p.metrics.len() > 1);
    let machine = |(index, machine): (usize, &Machine<'_>)| {
        let metrics: Vec<&Metric<'_>> = machine.metrics.iter().collect();
        let numbers = numbers(&metrics);
        let graph = |(t, metric): (usize, &&Metric<'_>)| {
            let file = format!("history-{}-{}", index + 1, t + 1);
            graph::graph(machine, (t, metric), &numbers, &file)
        };
        let graphs = metrics.iter().enumerate().filter_map(graph);
        let graphs = graphs.take(MAX_GRAPHS).map(|g| Graph {
            title: if several { g.title } else { String::new() },
            ..g
        });
        let units: BTreeSet<&Unit> = metrics.iter().map(|t| t.unit).collect();
        let table = |unit: &Unit| {
            let of_unit = metrics.iter().copied().enumerate();
            let of_unit: Vec<_> = of_unit.filter(|(_, t)| t.unit == unit).collect();
            table::table(&of_unit, &numbers)
        };
        MachineView {
            name: machine.name().to_owned(),
            is_machine: machine.is_machine(),
            reports: machine.reports.len(),
            change_points: change_points(&metrics, several),
            graphs: graphs.collect(),
            tables: units.into_iter().filter_map(table).collect(),
        }
    };
    ScenarioView {
        summary: summary(group),
        machines: group.machines.iter().enumerate().map(machine).collect(),
    }
}

/// The figures of a metric's newest report, the best first.
fn newest<'a>(machine: &'a Machine<'a>, metric: &'a Metric<'a>) -> Vec<&'a Point<'a>> {
    let points = metric.series.iter().filter_map(|l| l.points.last());
    let newest = |p: &&Point<'_>| Some(&p.report.name) == machine.reports.last().map(|r| &r.name);
    let mut points: Vec<&Point<'_>> = points.filter(newest).collect();
    points.sort_by(|a, b| match metric.unit.better() {
        Better::Higher => b.value.total_cmp(&a.value),
        Better::Lower => a.value.total_cmp(&b.value),
        Better::Unknown => std::cmp::Ordering::Equal,
    });
    points
}

/// `On Xeon E-2386G, 2026-03-07: rustls 0.23.37 with 4,766.63 hs/s, OpenSSL …`
fn summary(group: &Group<'_>) -> String {
    /// Enough to see who is ahead.
    const MAX: usize = 4;
    let machine = &group.machines[0];
    let [metric] = machine.metrics.as_slice() else {
        let reports = machine.reports.len();
        let s = if reports == 1 { "" } else { "s" };
        return format!(
            "{} series of figures from {reports} report{s} of {}.",
            machine.metrics.len(),
            machine.name()
        );
    };
    let scale = scale(&[metric], metric.unit);
    let figure = |p: &&Point<'_>| {
        let value = scale.show(p.value);
        format!("{} with {value}", p.implementation)
    };
    let figures: Vec<String> = newest(machine, metric)
        .iter()
        .take(MAX)
        .map(figure)
        .collect();
    let day = machine.reports.last().map_or_else(String::new, |r| day(r));
    let where_and_when = if machine.is_machine() {
        format!("On {}, {day}", machine.name())
    } else {
        day
    };
    format!("{where_and_when}: {} {}.", join(&figures), scale.symbol)
}

/// The list of all scenarios, a table for each kind of work.
pub fn scenarios(histories: &Histories<'_>) -> Vec<Table> {
    let kind = |s: &Group<'_>| match s.scenario.workload {
        Workload::Other(_) => Workload::Other("".into()),
        ref known => known.clone(),
    };
    let groups = histories.groups.chunk_by(|a, b| kind(a) == kind(b));
    groups
        .map(|group| {
            let (caption, best) = match kind(&group[0]) {
                Workload::Other(_) => ("other benchmarks".to_owned(), "best"),
                Workload::Memory => (Workload::Memory.word().to_owned(), "least"),
                known => (known.word().to_owned(), "fastest"),
            };
            let mut table = Table {
                class: "history",
                about: "history",
                caption,
                corner: "scenario",
                head: ["reports", "newest", best, "change points"]
                    .map(Head::from)
                    .to_vec(),
                ..Table::default()
            };
            table.rows = group.iter().map(scenario_row).collect();
            table
        })
        .collect()
}

fn scenario_row(group: &Group<'_>) -> TableRow {
    let machine = &group.machines[0];
    let best = match machine.metrics.as_slice() {
        [metric] => newest(machine, metric)
            .first()
            .filter(|_| metric.unit.better() != Better::Unknown)
            .map(|p| {
                let scale = scale(&[metric], metric.unit);
                let detail = format!("{} {}", scale.show(p.value), scale.symbol);
                (p.implementation.release(), detail)
            }),
        _ => None,
    };
    let (best, detail) = best.unwrap_or_else(|| ("–".to_owned(), String::new()));
    let reports: usize = group.machines.iter().map(|p| p.reports.len()).sum();
    let series = group
        .machines
        .iter()
        .flat_map(|p| &p.metrics)
        .flat_map(|t| &t.series);
    let change_points: usize = series.map(|s| s.change_points.len()).sum();
    let newest = machine.reports.last().map_or_else(String::new, |r| day(r));
    TableRow {
        label: group.label.clone(),
        href: format!("{}/", group.address),
        cells: vec![
            TableCell::text(reports.to_string()),
            TableCell::text(newest),
            TableCell {
                class: "words",
                detail,
                ..TableCell::text(best)
            },
            TableCell::text(change_points.to_string()),
        ],
        ..TableRow::default()
    }
}
