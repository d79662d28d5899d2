//! Histories: the figures of each implementation in a scenario over the reports of one machine.
//!
//! A history has at most one figure per report, the one of the newest release. It never mixes
//! machines; a report without a machine or a day has a history of its own.

use super::{Figure, Key, NewLevel, Report, Row, address, leaves_key_exchange_open};
use crate::model::implementation::Implementation;
use crate::model::scenario::{Percentile, Scenario};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Said of what compares figures whose key exchange each release chose.
pub(crate) const OPEN_EXCHANGE: &str = "with the key exchange that each release has by default";

/// The histories of all reports.
#[derive(Debug)]
pub(crate) struct Histories<'a> {
    /// In the order of scenarios.
    pub groups: Vec<ScenarioGroup<'a>>,
    /// Addresses of implementations by name.
    pub implementations: BTreeMap<&'a str, String>,
}

/// Scenarios that share a page: those that differ in the number of threads or sessions, in a
/// percentile, or in the buffers of a write.
#[derive(Debug)]
pub(crate) struct ScenarioGroup<'a> {
    /// The parameters that they have in common.
    pub scenario: Scenario,
    /// Folder of its page.
    pub address: String,
    /// The machine with the newest report first.
    pub machines: Vec<MachineHistory<'a>>,
}

/// A machine, or a single report without machine or day.
#[derive(Debug)]
pub(crate) struct MachineHistory<'a> {
    /// All reports of the machine with figures of these series, oldest first.
    pub reports: Vec<&'a Report>,
    /// In the order of scenarios, units, names and variants.
    pub series: Vec<HistorySeries<'a>>,
}

/// One history: an implementation and variant in a scenario, over the reports.
#[derive(Clone, Debug)]
pub(crate) struct HistorySeries<'a> {
    /// Oldest first; never empty.
    pub points: Vec<HistoryPoint<'a>>,
    pub levels: Vec<NewLevel>,
}

/// A figure of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryPoint<'a> {
    pub report: &'a Report,
    pub row: &'a Row,
    pub build: usize,
    pub figure: &'a Figure,
}

/// What a series is of, on one page: the rank of its machine, the row, and the name and variant.
type SeriesKey<'a> = (usize, Key<'a>, &'a str, &'a [String]);

impl<'a> HistoryPoint<'a> {
    pub(crate) fn implementation(&self) -> &'a Implementation {
        self.report.build(self.build)
    }
}

impl<'a> HistorySeries<'a> {
    fn new(points: Vec<HistoryPoint<'a>>) -> Self {
        Self {
            levels: new_levels(&points),
            points,
        }
    }

    /// Returns the newest figure.
    pub(crate) fn newest(&self) -> &HistoryPoint<'a> {
        &self.points[self.points.len() - 1]
    }

    /// `rustls (ring)`: the library, and the variant if it is not the usual one.
    pub(crate) fn name(&self) -> String {
        let newest = self.newest();
        newest.report.builds[newest.build].name.series()
    }

    pub(crate) fn scenario(&self) -> &'a Scenario {
        &self.newest().row.scenario
    }

    /// Returns `p = 0.005`, and whether each release exchanged keys as it does by default, so that the
    /// work may have changed.
    pub(crate) fn evidence(&self, found: &NewLevel) -> String {
        let test = format!("p = {:.3}", found.p);
        match leaves_key_exchange_open(self.scenario()) {
            true => format!("{test}, {OPEN_EXCHANGE}"),
            false => test,
        }
    }
}

/// Finds where the level changes, over the steady figures. Extreme percentiles are not searched,
/// because they vary too much by nature.
fn new_levels(points: &[HistoryPoint<'_>]) -> Vec<NewLevel> {
    let row = points[points.len() - 1].row;
    let extreme = [Percentile::Min, Percentile::P999, Percentile::Max].map(Some);
    if extreme.contains(&row.scenario.percentile) {
        return Vec::new();
    }
    let steady = points.iter().enumerate().filter(|(_, point)| {
        let cell = point.row.cell(point.build);
        cell.is_some_and(|cell| !cell.is_unsteady)
    });
    row.new_levels(steady.map(|(place, point)| (place, point.figure.estimate)))
}

impl<'a> MachineHistory<'a> {
    pub(crate) fn of(series: Vec<HistorySeries<'a>>) -> Self {
        let points = series.iter().flat_map(|series| &series.points);
        let reports: BTreeMap<_, _> = points.map(|p| (p.report.when(), p.report)).collect();
        Self {
            reports: reports.into_values().collect(),
            series,
        }
    }

    /// Returns the series of each scenario and unit.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = &[HistorySeries<'a>]> {
        let key = |series: &HistorySeries<'a>| series.newest().row.key();
        self.series.chunk_by(move |a, b| key(a) == key(b))
    }

    /// Returns the newest report.
    pub(crate) fn newest(&self) -> &'a Report {
        self.reports[self.reports.len() - 1]
    }

    /// Returns the machine, or the name of a single report.
    pub(crate) fn name(&self) -> &str {
        let report = self.reports[0];
        report.dated_machine().unwrap_or(&report.name)
    }
}

impl<'a> ScenarioGroup<'a> {
    /// Returns all series of all machines.
    pub(crate) fn series(&self) -> impl Iterator<Item = &HistorySeries<'a>> {
        self.machines.iter().flat_map(|machine| &machine.series)
    }
}

impl<'a> Histories<'a> {
    /// Builds the histories of `reports`, which are in the order of their days.
    pub(crate) fn of(reports: &'a [Report]) -> Self {
        let points = points(reports);
        let addresses = address::scenarios(points.keys());
        let groups = Vec::from_iter(points.into_iter().zip(addresses)).into_par_iter();
        let groups = groups.map(|((scenario, points), address)| {
            let mut machines: BTreeMap<usize, Vec<HistorySeries<'_>>> = BTreeMap::new();
            for ((machine, ..), points) in points {
                let series = machines.entry(machine).or_default();
                series.push(HistorySeries::new(points));
            }
            ScenarioGroup {
                scenario,
                address,
                machines: machines.into_values().map(MachineHistory::of).collect(),
            }
        });
        let mut histories = Self {
            groups: groups.collect(),
            implementations: BTreeMap::new(),
        };
        let names = histories
            .series()
            .map(|s| &*s.newest().implementation().name);
        histories.implementations = address::implementations(&names.collect());
        histories
    }

    /// Returns all series of all machines.
    pub(crate) fn series(&self) -> impl Iterator<Item = &HistorySeries<'a>> {
        self.groups.iter().flat_map(ScenarioGroup::series)
    }
}

/// Returns the points of each group of scenarios.
fn points(
    reports: &[Report],
) -> BTreeMap<Scenario, BTreeMap<SeriesKey<'_>, Vec<HistoryPoint<'_>>>> {
    let mut groups: BTreeMap<_, BTreeMap<_, Vec<HistoryPoint<'_>>>> = BTreeMap::new();
    for (report, machine) in reports.iter().zip(machine_ranks(reports)) {
        for row in &report.rows {
            if row.figures().next().is_none() {
                continue;
            }
            let group = groups.entry(group_of(&row.scenario)).or_default();
            for (build, figure) in row.figures() {
                let one = &report.builds[build];
                let Implementation {
                    name,
                    version,
                    variant,
                } = &one.implementation;
                if !one.is_newest && !version.is_on_branch() {
                    continue;
                }
                let series = group
                    .entry((machine, row.key(), &**name, &**variant))
                    .or_default();
                // Of the commits of a branch, the last stands for the report.
                series.pop_if(|last| last.report.name == report.name);
                series.push(HistoryPoint {
                    report,
                    row,
                    build,
                    figure,
                });
            }
        }
    }
    groups
}

/// Returns the rank of each report's machine; the one with the newest report has rank 0.
fn machine_ranks(reports: &[Report]) -> Vec<usize> {
    let mut known = BTreeMap::new();
    let newest_first = reports.iter().rev().map(|report| {
        let next = known.len();
        let machine = report.dated_machine().ok_or(&report.name);
        *known.entry(machine).or_insert(next)
    });
    let mut ranks: Vec<usize> = newest_first.collect();
    ranks.reverse();
    ranks
}

/// Returns the scenario without the parameters that may differ within a page.
fn group_of(scenario: &Scenario) -> Scenario {
    Scenario {
        threads: None,
        sessions: None,
        percentile: None,
        buffers: None,
        method: None,
        ..scenario.clone()
    }
}

#[cfg(test)]
mod tests;
