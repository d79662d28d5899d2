//! Pages of scenarios and of implementations over all reports.

use super::headline::{self, usual_headlines};
use super::join;
use super::trend::{self, ChangePointView, when};
use super::{Graph, Head, Table, TableCell, TableRow};
use crate::history::{Group, Histories, Machine, Metric, Point, Series};
use crate::report::Report;
use crate::scenario::{Percentile, Scenario, Workload};
use crate::unit::{Better, Unit};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

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

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
pub struct MachineView {
    /// The machine, or the report that stands alone.
    pub name: String,
    /// Whether it is a machine.
    pub is_machine: bool,
    /// How many reports of it there are.
    pub reports: usize,
    /// Numbered from 1, as in the graphs.
    pub change_points: Vec<ChangePointView>,
    /// Trends.
    pub graphs: Vec<Graph>,
    /// Figures.
    #[serde(skip)]
    pub tables: Vec<Table>,
}

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

/// The page of a scenario.
pub fn scenario(group: &Group<'_>) -> ScenarioView {
    let several = group.machines.iter().any(|p| p.metrics.len() > 1);
    let machine = |(index, machine): (usize, &Machine<'_>)| {
        let metrics: Vec<&Metric<'_>> = machine.metrics.iter().collect();
        let numbers = trend::numbers(&metrics);
        let graph = |(t, metric): (usize, &&Metric<'_>)| {
            let file = format!("history-{}-{}", index + 1, t + 1);
            trend::graph(machine, (t, metric), &numbers, &file)
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
            trend::table(&of_unit, &numbers)
        };
        MachineView {
            name: machine.name().to_owned(),
            is_machine: machine.is_machine(),
            reports: machine.reports.len(),
            change_points: trend::change_points(&metrics, several),
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
    let scale = trend::scale(&[metric], metric.unit);
    let figure = |p: &&Point<'_>| {
        let value = scale.show(p.value);
        format!("{} with {value}", p.implementation)
    };
    let figures: Vec<String> = newest(machine, metric)
        .iter()
        .take(MAX)
        .map(figure)
        .collect();
    let day = machine
        .reports
        .last()
        .map_or_else(String::new, |r| trend::day(r));
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
            let caption = match kind(&group[0]) {
                Workload::Other(_) => "other benchmarks".to_owned(),
                known => known.word().to_owned(),
            };
            let mut table = Table {
                class: "history",
                about: "history",
                caption,
                corner: "scenario",
                head: ["reports", "newest", "best then", "shifts"]
                    .map(Head::new)
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
                let scale = trend::scale(&[metric], metric.unit);
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
    let newest = machine
        .reports
        .last()
        .map_or_else(String::new, |r| trend::day(r));
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

/// A history with all that it belongs to.
#[derive(Clone, Copy)]
struct Found<'a> {
    group: &'a Group<'a>,
    machine: &'a Machine<'a>,
    metric: &'a Metric<'a>,
    series: &'a Series<'a>,
}

/// The list of all implementations.
pub fn implementations(views: &[ImplementationView]) -> Table {
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "Everything that was measured".to_owned(),
        corner: "implementation",
        head: ["newest version", "newest report", "reports", "scenarios"]
            .map(Head::new)
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
            trend::day(newest.report),
            newest.implementation
        ),
        newest: newest.implementation.version.to_string(),
        day: trend::day(newest.report),
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
    let numbers = trend::numbers(&all);
    let headlines = headlines(&machine, &metrics);
    let graph = |(k, t): (usize, &usize)| {
        let file = format!("headline-{}-{}", index + 1, k + 1);
        trend::graph(&machine, (*t, &metrics[*t]), &numbers, &file)
    };
    let chosen: Vec<&Metric<'_>> = headlines.iter().map(|t| &metrics[*t]).collect();
    MachineView {
        name: machine.name().to_owned(),
        is_machine: machine.is_machine(),
        reports: machine.reports.len(),
        change_points: trend::change_points(&all, true),
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

/// Every version, newest report first, with its headline figures.
fn versions(machine: &Machine<'_>, metrics: &[Metric<'_>], chosen: &[&Metric<'_>]) -> Table {
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "Versions and their headline figures, newest first.".to_owned(),
        corner: "report",
        head: vec![Head::new("version")],
        ..Table::default()
    };
    let scales: Vec<_> = chosen.iter().map(|t| trend::scale(&[t], t.unit)).collect();
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
        cells.extend(figures.iter().zip(&scales).map(|(point, scale)| {
            point.map_or_else(TableCell::missing, |p| trend::figure(p, scale))
        }));
        let report = machine.reports[machine.reports.len() - 1 - at];
        table.rows.push(TableRow {
            label: trend::day(report),
            href: format!("../../{name}/"),
            cells,
            ..TableRow::default()
        });
    }
    table
}

/// The newest figure of every scenario; of a distribution the median, for the others are on the
/// scenario's page.
fn latest(found: &[Found<'_>]) -> Table {
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
            .map(Head::new)
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
        let scale = trend::scale(&[metric], metric.unit);
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
                trend::figure(point, &scale),
                TableCell::text(point.n.to_string()),
                TableCell {
                    href: format!("../../{}/", point.report.name),
                    ..TableCell::text(trend::day(point.report))
                },
            ],
            ..TableRow::default()
        });
    }
    table
}
