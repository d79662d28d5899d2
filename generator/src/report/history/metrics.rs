//! The figures of all reports, by scenario and machine.

use super::{HistoryPoint, HistorySeries, MachineHistory, Metric};
use super::{change_point, group_of};
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use crate::report::Report;
use std::collections::BTreeMap;

/// The points of a metric by the name and variant of the implementation, oldest first.
type PointsByName<'a> = BTreeMap<(&'a str, &'a [String]), Vec<HistoryPoint<'a>>>;

/// The points of each metric of a machine, in the order of scenarios and units.
pub(super) type MachinePoints<'a> = BTreeMap<(&'a Scenario, &'a Unit), PointsByName<'a>>;

/// Returns the points of each group of scenarios, by the rank of their machine.
pub(super) fn groups(reports: &[Report]) -> BTreeMap<Scenario, BTreeMap<usize, MachinePoints<'_>>> {
    let mut groups: BTreeMap<Scenario, BTreeMap<usize, MachinePoints<'_>>> = BTreeMap::new();
    for (report, machine) in reports.iter().zip(machine_ranks(reports)) {
        for row in &report.rows {
            if row.figures().next().is_none() {
                continue;
            }
            let group = groups.entry(group_of(&row.scenario)).or_default();
            let metrics = group.entry(machine).or_default();
            let by_name = metrics.entry((&row.scenario, &row.unit)).or_default();
            for (build, figure) in row.figures() {
                let one = &report.builds[build];
                if !one.is_newest && !one.implementation.version.is_on_branch() {
                    continue;
                }
                let name = (&*one.implementation.name, &*one.implementation.variant);
                let series = by_name.entry(name).or_default();
                let point = HistoryPoint {
                    report,
                    row,
                    build,
                    figure,
                    is_unsteady: row.cells[build]
                        .as_ref()
                        .is_some_and(|cell| cell.is_unsteady),
                };
                // Of the commits of a branch, the last stands for the report.
                series.pop_if(|last: &mut HistoryPoint<'_>| last.report.name == report.name);
                series.push(point);
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

/// Builds a machine's history of one group.
pub(super) fn machine<'a>(points: MachinePoints<'a>, address: &str) -> MachineHistory<'a> {
    let mut metrics = Vec::new();
    for ((scenario, unit), by_name) in points {
        let series = by_name.into_values().map(|points| HistorySeries {
            change_points: change_point::find(scenario, unit, &points),
            points,
        });
        metrics.push(Metric {
            scenario,
            address: address.to_owned(),
            unit,
            series: series.collect(),
        });
    }
    MachineHistory::of(metrics)
}
