//! Histories: the figures of each implementation in a scenario over the reports of one machine.
//!
//! A history has at most one figure per report, the one of the newest release. It never mixes
//! machines; a report without a machine or a day has a history of its own.

mod change_point;
mod metrics;

pub(crate) use change_point::{ChangePoint, OPEN_EXCHANGE};

use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use crate::report::address;
use crate::report::{Figure, Report, Row};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

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
    pub label: String,
    /// Folder of its page.
    pub address: String,
    /// The machine with the newest report first.
    pub machines: Vec<MachineHistory<'a>>,
}

/// A machine, or a single report without machine or day.
#[derive(Debug)]
pub(crate) struct MachineHistory<'a> {
    /// All reports of the machine with figures of the group, oldest first.
    pub reports: Vec<&'a Report>,
    /// In the order of scenarios and units.
    pub metrics: Vec<Metric<'a>>,
}

/// A scenario in a unit.
#[derive(Clone, Debug)]
pub(crate) struct Metric<'a> {
    pub scenario: &'a Scenario,
    /// Folder of the page of its group.
    pub address: String,
    pub unit: &'a Unit,
    /// In the order of names and variants.
    pub series: Vec<HistorySeries<'a>>,
}

/// One history: an implementation and variant over the reports.
#[derive(Clone, Debug)]
pub(crate) struct HistorySeries<'a> {
    /// Oldest first; never empty.
    pub points: Vec<HistoryPoint<'a>>,
    pub change_points: Vec<ChangePoint>,
}

/// A figure of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryPoint<'a> {
    pub report: &'a Report,
    pub row: &'a Row,
    pub build: usize,
    pub figure: &'a Figure,
    /// Whether it is too noisy to tell a change of level.
    pub is_unsteady: bool,
}

impl<'a> HistorySeries<'a> {
    /// Returns the newest figure.
    pub(crate) fn newest(&self) -> &HistoryPoint<'a> {
        &self.points[self.points.len() - 1]
    }

    /// `rustls (ring)`: the library, and the variant if it is not the usual one.
    pub(crate) fn name(&self) -> String {
        let newest = self.newest();
        newest.report.builds[newest.build].name.series()
    }
}

impl<'a> HistoryPoint<'a> {
    pub(crate) fn implementation(&self) -> &'a Implementation {
        self.report.build(self.build)
    }
}

impl<'a> MachineHistory<'a> {
    pub(crate) fn of(metrics: Vec<Metric<'a>>) -> Self {
        let series = metrics.iter().flat_map(|m| &m.series);
        let points = series.flat_map(|s| &s.points);
        let reports: BTreeMap<_, _> = points.map(|p| (p.report.when(), p.report)).collect();
        Self {
            reports: reports.into_values().collect(),
            metrics,
        }
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

    /// Whether this is a declared machine, not a single report.
    pub(crate) fn is_machine(&self) -> bool {
        self.reports[0].dated_machine().is_some()
    }
}

impl<'a> Histories<'a> {
    /// Returns the folder of the page of each scenario.
    pub(crate) fn addresses(&self) -> HashMap<&'a Scenario, &str> {
        let mut addresses = HashMap::new();
        for group in &self.groups {
            let metrics = group.machines.iter().flat_map(|machine| &machine.metrics);
            addresses.extend(metrics.map(|metric| (metric.scenario, &*group.address)));
        }
        addresses
    }

    /// Builds the histories of `reports`, which are in the order of their days.
    pub(crate) fn of(reports: &'a [Report]) -> Self {
        let points = metrics::groups(reports);
        let labels: Vec<String> = points.keys().map(Scenario::label).collect();
        let workloads = points.keys().map(|scenario| &scenario.workload);
        let addresses = address::scenarios(workloads.zip(labels.iter().map(String::as_str)));
        let groups = Vec::from_iter(points).into_par_iter();
        let group =
            |(((scenario, machines), label), address): (((_, BTreeMap<_, _>), _), String)| {
                let machines = machines.into_values();
                ScenarioGroup {
                    machines: machines.map(|m| metrics::machine(m, &address)).collect(),
                    scenario,
                    label,
                    address,
                }
            };
        let groups = groups.zip(labels).zip(addresses).map(group);
        let groups: Vec<ScenarioGroup<'_>> = groups.collect();
        let machines = groups.iter().flat_map(|group| &group.machines);
        let metrics = machines.flat_map(|machine| &machine.metrics);
        let series = metrics.flat_map(|metric| &metric.series);
        let names = series.map(|series| series.newest().implementation().name.as_str());
        Self {
            implementations: address::implementations(&names.collect()),
            groups,
        }
    }

    /// Iterates over all metrics with their machines.
    pub(crate) fn metrics(
        &'a self,
    ) -> impl Iterator<Item = (&'a MachineHistory<'a>, &'a Metric<'a>)> {
        let machines = self.groups.iter().flat_map(|g| &g.machines);
        machines.flat_map(|machine| machine.metrics.iter().map(move |metric| (machine, metric)))
    }
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
