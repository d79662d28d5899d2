//! Histories: what each implementation did in a scenario over the reports of one machine.
//!
//! A history has one figure for each report, at most: of several versions in one report it has
//! the newest. Figures of two machines are never in one history, and a report that declares no
//! machine or no day stands alone.

mod address;
mod change_point;

pub use change_point::{ChangePoint, Finding, USUAL_SPREAD};

use crate::implementation::Implementation;
use crate::report::Report;
use crate::scenario::Scenario;
use crate::stats::{Interval, MEDIAN_CONFIDENCE};
use crate::unit::Unit;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that several reports say of the same thing.
#[derive(Debug)]
pub struct Histories<'a> {
    /// In the order of scenarios.
    pub groups: Vec<Group<'a>>,
    /// Addresses of the implementations, by their names.
    pub implementations: BTreeMap<&'a str, String>,
}

/// Scenarios that share a page: those that differ in the number of threads or sessions, in a
/// percentile, or in the buffers of a write.
#[derive(Debug)]
pub struct Group<'a> {
    /// What they have in common.
    pub scenario: Scenario,
    /// Its label.
    pub label: String,
    /// Folder of its page.
    pub address: String,
    /// The machine with the newest report first.
    pub machines: Vec<Machine<'a>>,
}

/// A machine, or a report that stands alone.
#[derive(Debug)]
pub struct Machine<'a> {
    /// Every report of it that has figures of the group, oldest first.
    pub reports: Vec<&'a Report>,
    /// In the order of scenarios and units.
    pub metrics: Vec<Metric<'a>>,
}

/// A scenario in a unit.
#[derive(Debug)]
pub struct Metric<'a> {
    /// What was measured.
    pub scenario: &'a Scenario,
    /// Its label.
    pub label: String,
    /// In what.
    pub unit: &'a Unit,
    /// In the order of names and variants.
    pub series: Vec<Series<'a>>,
}

/// One history: an implementation and variant over the reports.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// Oldest first; never empty.
    pub points: Vec<Point<'a>>,
    /// Where the level changes.
    pub change_points: Vec<ChangePoint>,
}

/// A figure of a report.
#[derive(Clone, Debug)]
pub struct Point<'a> {
    /// Where it is from.
    pub report: &'a Report,
    /// Of what.
    pub implementation: &'a Implementation,
    /// The report's estimate, base units.
    pub value: f64,
    /// The interval of the median, where there are enough runs.
    pub interval: Option<Interval>,
    /// Runs.
    pub n: usize,
}

/// A history with all that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    /// What shares its page.
    pub group: &'a Group<'a>,
    /// Where it was measured.
    pub machine: &'a Machine<'a>,
    /// What was measured.
    pub metric: &'a Metric<'a>,
    /// The history.
    pub series: &'a Series<'a>,
}

impl<'a> Series<'a> {
    /// The implementation as it is now.
    pub fn newest(&self) -> &Point<'a> {
        &self.points[self.points.len() - 1]
    }

    /// Its name and variant, without a version.
    pub fn name(&self) -> String {
        let Implementation { name, variant, .. } = self.newest().implementation;
        std::iter::once(name)
            .chain(variant)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl<'a> Machine<'a> {
    /// A machine whose change points are numbered in the order of its metrics.
    pub fn new(reports: Vec<&'a Report>, mut metrics: Vec<Metric<'a>>) -> Self {
        let series = metrics.iter_mut().flat_map(|m| &mut m.series);
        let change_points = series.flat_map(|s| &mut s.change_points);
        for (index, change_point) in change_points.enumerate() {
            change_point.number = index + 1;
        }
        Self { reports, metrics }
    }

    /// The machine, or the name of the report that stands alone.
    pub fn name(&self) -> &str {
        let report = self.reports[0];
        machine_name(report).unwrap_or(&report.name)
    }

    /// True if its reports are known to be of one machine.
    pub fn is_machine(&self) -> bool {
        machine_name(self.reports[0]).is_some()
    }
}

/// The machine of a report, unless the report stands alone.
fn machine_name(report: &Report) -> Option<&str> {
    let declared = report.manifest.machine.as_deref();
    declared.filter(|_| report.day.is_some())
}

/// One cell of one report, with what it is sorted by.
struct Entry<'a> {
    group: Scenario,
    /// Rank of its machine; the one with the newest report is 0.
    machine: usize,
    scenario: &'a Scenario,
    unit: &'a Unit,
    report: usize,
    point: Point<'a>,
}

impl Entry<'_> {
    fn metric(&self) -> (&Scenario, &Unit) {
        (self.scenario, self.unit)
    }

    fn series(&self) -> (&str, &[String]) {
        let i = self.point.implementation;
        (&i.name, &i.variant)
    }
}

impl<'a> Histories<'a> {
    /// The histories in `reports`, which are in the order of their days.
    pub fn of(reports: &'a [Report]) -> Self {
        let ranks = machine_ranks(reports);
        let entries = reports.par_iter().enumerate();
        let mut entries: Vec<Entry<'_>> = entries
            .flat_map_iter(|(index, report)| entries_of(index, report, ranks[index]))
            .collect();
        entries.par_sort_by(|a, b| {
            let age = |e: &Entry<'a>| (e.report, &e.point.implementation.version);
            (&a.group, a.machine)
                .cmp(&(&b.group, b.machine))
                .then_with(|| a.metric().cmp(&b.metric()))
                .then_with(|| a.series().cmp(&b.series()))
                .then_with(|| age(a).cmp(&age(b)))
        });
        let groups: Vec<&[Entry<'a>]> = entries.chunk_by(|a, b| a.group == b.group).collect();
        let labels: Vec<String> = groups.iter().map(|g| g[0].group.label()).collect();
        let addresses = address::scenarios(
            groups
                .iter()
                .zip(&labels)
                .map(|(g, label)| (&g[0].group.workload, label.as_str())),
        );
        let groups = groups.par_iter().zip(labels).zip(addresses);
        let groups = groups.map(|((group, label), address)| Group {
            scenario: group[0].group.clone(),
            label,
            address,
            machines: group
                .chunk_by(|a, b| a.machine == b.machine)
                .map(machine)
                .collect(),
        });
        let names: BTreeSet<&str> = entries
            .iter()
            .map(|e| e.point.implementation.name.as_str())
            .collect();
        Self {
            groups: groups.collect(),
            implementations: address::implementations(&names),
        }
    }

    /// Every history.
    pub fn all(&'a self) -> impl Iterator<Item = Located<'a>> {
        let machines = |group: &'a Group<'a>| group.machines.iter().map(move |m| (group, m));
        let machines = self.groups.iter().flat_map(machines);
        machines.flat_map(|(group, machine)| {
            machine.metrics.iter().flat_map(move |metric| {
                metric.series.iter().map(move |series| Located {
                    group,
                    machine,
                    metric,
                    series,
                })
            })
        })
    }
}

/// The rank of each report's machine.
fn machine_ranks(reports: &[Report]) -> Vec<usize> {
    let mut ranks: BTreeMap<&str, usize> = BTreeMap::new();
    let mut of_reports = vec![0; reports.len()];
    let mut next = 0;
    for (index, report) in reports.iter().enumerate().rev() {
        let mut new = || {
            next += 1;
            next - 1
        };
        of_reports[index] = match machine_name(report) {
            Some(name) => *ranks.entry(name).or_insert_with(new),
            None => new(),
        };
    }
    of_reports
}

fn entries_of(index: usize, report: &Report, machine: usize) -> impl Iterator<Item = Entry<'_>> {
    let estimator = report.manifest.estimator;
    report.data.rows.iter().flat_map(move |row| {
        let cells = row.cells.iter().zip(&report.data.implementations);
        cells.filter_map(move |(cell, implementation)| {
            let sample = cell.as_ref()?.sample()?;
            let point = Point {
                report,
                implementation,
                value: sample.estimate(estimator),
                interval: Interval::of_median(&sample, MEDIAN_CONFIDENCE),
                n: sample.len(),
            };
            Some(Entry {
                group: group_of(&row.scenario),
                machine,
                scenario: &row.scenario,
                unit: &row.unit,
                report: index,
                point,
            })
        })
    })
}

/// What the page of a scenario is about.
pub fn group_of(scenario: &Scenario) -> Scenario {
    Scenario {
        threads: None,
        sessions: None,
        percentile: None,
        buffers: None,
        method: None,
        ..scenario.clone()
    }
}

fn machine<'a>(entries: &[Entry<'a>]) -> Machine<'a> {
    let reports: BTreeMap<usize, &Report> =
        entries.iter().map(|e| (e.report, e.point.report)).collect();
    let metrics = entries.chunk_by(|a, b| a.metric() == b.metric());
    Machine::new(
        reports.into_values().collect(),
        metrics.map(metric).collect(),
    )
}

fn metric<'a>(entries: &[Entry<'a>]) -> Metric<'a> {
    let Entry { scenario, unit, .. } = entries[0];
    let series = entries
        .chunk_by(|a, b| a.series() == b.series())
        .map(|series| {
            // The last of a report is its newest version.
            let of_reports = series.chunk_by(|a, b| a.report == b.report);
            let points: Vec<Point<'_>> = of_reports
                .filter_map(|versions| Some(versions.last()?.point.clone()))
                .collect();
            Series {
                change_points: change_point::find(scenario, unit, &points),
                points,
            }
        });
    Metric {
        scenario,
        label: scenario.label(),
        unit,
        series: series.collect(),
    }
}

#[cfg(test)]
mod tests;
