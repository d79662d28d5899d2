//! The figures of all reports, in the order in which histories are made of them.

use super::{HistoryPoint, HistorySeries, MachineHistory, Metric, change_point, group_of};
use crate::report::{Report, common_scale};
use crate::scenario::Scenario;
use crate::stats::Interval;
use crate::unit::Unit;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// One cell of one report, with what it is sorted by.
pub(super) struct Entry<'a> {
    pub(super) group: Scenario,
    /// Rank of its machine; the one with the newest report is 0.
    pub(super) machine: usize,
    scenario: &'a Scenario,
    unit: &'a Unit,
    report: usize,
    pub(super) point: HistoryPoint<'a>,
}

impl Entry<'_> {
    /// What entries are sorted by.
    fn key(&self) -> impl Ord {
        let age = (self.report, &self.point.implementation.version);
        let group = (&self.group, self.machine);
        (group, self.metric(), self.series(), age)
    }

    fn metric(&self) -> (&Scenario, &Unit) {
        (self.scenario, self.unit)
    }

    fn series(&self) -> (&str, &[String]) {
        let i = self.point.implementation;
        (&i.name, &i.variant)
    }
}

/// All of them, sorted.
pub(super) fn entries(reports: &[Report]) -> Vec<Entry<'_>> {
    let ranks = machine_ranks(reports);
    let entries = reports.par_iter().enumerate();
    let mut entries: Vec<Entry<'_>> = entries
        .flat_map_iter(|(index, report)| entries_of(index, report, ranks[index]))
        .collect();
    entries.par_sort_by(|a, b| a.key().cmp(&b.key()));
    entries
}

/// The rank of each report's machine.
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

fn entries_of(index: usize, report: &Report, machine: usize) -> impl Iterator<Item = Entry<'_>> {
    let estimator = report.manifest.estimator;
    report.data.rows.iter().flat_map(move |row| {
        let cells = row.cells.iter().zip(&report.data.implementations);
        cells.filter_map(move |(cell, implementation)| {
            let sample = cell.as_ref()?.sample()?;
            let point = HistoryPoint {
                report,
                implementation,
                value: sample.estimate(estimator),
                interval: Interval::of_median(&sample),
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

/// A machine, of all its entries of one group.
pub(super) fn machine<'a>(entries: &[Entry<'a>], address: &str) -> MachineHistory<'a> {
    let metrics = entries.chunk_by(|a, b| a.metric() == b.metric());
    MachineHistory::of(metrics.map(|entries| metric(entries, address)).collect())
}

fn metric<'a>(entries: &[Entry<'a>], address: &str) -> Metric<'a> {
    let Entry { scenario, unit, .. } = entries[0];
    let series = entries
        .chunk_by(|a, b| a.series() == b.series())
        .map(|series| {
            // The last of a report is its newest version.
            let of_reports = series.chunk_by(|a, b| a.report == b.report);
            let points: Vec<HistoryPoint<'_>> = of_reports
                .filter_map(|versions| Some(versions.last()?.point.clone()))
                .collect();
            HistorySeries {
                change_points: change_point::find(scenario, unit, &points),
                points,
            }
        });
    let series: Vec<HistorySeries<'_>> = series.collect();
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
