//! The figures of all reports, sorted for building histories.

use super::{ChangePointSearch, HistoryPoint, HistorySeries, MachineHistory, Metric};
use super::{change_point, group_of};
use crate::implementation::Implementation;
use crate::report::{Cell, Report, Row, common_scale};
use crate::scenario::Scenario;
use crate::stats::Interval;
use crate::unit::Unit;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A row of one report with its sort key.
pub(super) struct Entry<'a> {
    pub(super) group: Scenario,
    /// Rank of its machine; the one with the newest report is 0.
    pub(super) machine: usize,
    row: &'a Row,
    /// Never empty.
    points: Vec<HistoryPoint<'a>>,
}

impl Entry<'_> {
    /// Returns the sort key; entries of one metric stay in the order of reports.
    fn key(&self) -> impl Ord {
        (&self.group, self.machine, self.metric())
    }

    fn metric(&self) -> (&Scenario, &Unit) {
        (&self.row.scenario, &self.row.unit)
    }
}

/// Returns all entries, sorted.
pub(super) fn entries(reports: &[Report]) -> Vec<Entry<'_>> {
    let with_ranks = reports.par_iter().zip(machine_ranks(reports));
    let mut entries: Vec<Entry<'_>> = with_ranks
        .flat_map_iter(|(report, machine)| entries_of(report, machine))
        .collect();
    entries.par_sort_by(|a, b| a.key().cmp(&b.key()));
    entries
}

/// Returns the rank of each report's machine.
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

fn entries_of(report: &Report, machine: usize) -> impl Iterator<Item = Entry<'_>> {
    report.data.rows.iter().filter_map(move |row| {
        let points = points_of(report, row);
        (!points.is_empty()).then(|| Entry {
            group: group_of(&row.scenario),
            machine,
            row,
            points,
        })
    })
}

fn points_of<'a>(report: &'a Report, row: &'a Row) -> Vec<HistoryPoint<'a>> {
    let cells = row.cells.iter().zip(&report.data.implementations);
    let point = |(cell, implementation): (&'a Option<Cell>, &'a Implementation)| {
        let sample = cell.as_ref()?.sample()?;
        Some(HistoryPoint {
            report,
            implementation,
            value: sample.estimate(report.manifest.estimator),
            interval: Interval::of_median(&sample),
            n: sample.len(),
        })
    };
    cells.filter_map(point).collect()
}

/// Builds a machine's history from all its entries of one group.
pub(super) fn machine<'a>(
    entries: &[Entry<'a>],
    address: &str,
    search: ChangePointSearch<'_>,
) -> MachineHistory<'a> {
    let metrics = entries.chunk_by(|a, b| a.metric() == b.metric());
    let metrics = metrics.map(|entries| metric(entries, address, search));
    MachineHistory::of(metrics.collect())
}

fn metric<'a>(entries: &[Entry<'a>], address: &str, search: ChangePointSearch<'_>) -> Metric<'a> {
    let Row { scenario, unit, .. } = entries[0].row;
    let mut points: BTreeMap<_, Vec<HistoryPoint<'a>>> = BTreeMap::new();
    for point in entries.iter().flat_map(|e| &e.points) {
        let of_series = points.entry(series_of(point)).or_default();
        match of_series.last_mut() {
            // Of several versions in one report, the newest counts.
            Some(last) if last.report.name == point.report.name => {
                if last.implementation.version <= point.implementation.version {
                    *last = point.clone();
                }
            }
            _ => of_series.push(point.clone()),
        }
    }
    let mut series = Vec::new();
    for points in points.into_values() {
        series.push(HistorySeries {
            change_points: change_point::find(scenario, unit, &points, search),
            points,
        });
    }
    let points = series.iter().flat_map(|s| &s.points);
    let figures: Vec<_> = points.map(|p| (p.value, p.interval)).collect();
    Metric {
        scale: common_scale(unit, &figures),
        scenario,
        label: scenario.label(),
        address: address.to_owned(),
        unit,
        series,
    }
}

/// Returns the key of a series: name and variant.
fn series_of<'a>(point: &HistoryPoint<'a>) -> (&'a str, &'a [String]) {
    (&point.implementation.name, &point.implementation.variant)
}
