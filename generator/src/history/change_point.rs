//! Where the level of a history changes, and the words for it.

use super::{Histories, Point};
use crate::report::Report;
use crate::scenario::{Percentile, Scenario};
use crate::stats::{self, Change, MIN_HISTORY, Rules};
use crate::unit::Unit;
use jiff::civil::Date;
use std::collections::BTreeMap;

/// What a single figure may be off by, as a part of it, where no spread was recorded. In the 30
/// runs of December 2023, the 5th to the 95th percentile of a scenario reach from 3.6 % below
/// its median to 1.2 % above; this is the whole of that range.
pub const USUAL_SPREAD: f64 = 0.05;

/// A change point of a history.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangePoint {
    /// The first figure of the new level.
    pub index: usize,
    /// The new level against the old one.
    pub change: Change,
    /// How likely so clear a change point is by chance; none where the history is too short to test.
    pub p: Option<f64>,
}

/// A change point, with what it belongs to.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The report that the new level starts with.
    pub report: &'a Report,
    /// Folder of the scenario's page.
    pub address: &'a str,
    /// The scenario's label.
    pub label: &'a str,
    /// `1.62x slower`
    pub change: Change,
    /// `rustls 0.23.31`
    pub since: String,
    /// Likewise without its version.
    pub name: &'a str,
    /// See [`ChangePoint::p`].
    pub p: Option<f64>,
}

/// The change points of one history. The least and greatest of many times jump about by nature;
/// they are not searched.
pub(super) fn find(scenario: &Scenario, unit: &Unit, points: &[Point<'_>]) -> Vec<ChangePoint> {
    let extreme = [Percentile::Min, Percentile::P999, Percentile::Max].map(Some);
    if points.len() < 2 || extreme.contains(&scenario.percentile) {
        return Vec::new();
    }
    let values: Vec<f64> = points.iter().map(|p| p.value).collect();
    let threshold = Rules::default().threshold;
    let found = if values.len() >= MIN_HISTORY {
        stats::change_points(&values, threshold)
    } else {
        stats::untested_steps(&values, spread(points).max(threshold))
    };
    let change_point = |step: stats::Step| {
        Some(ChangePoint {
            index: step.index,
            change: Change::new(1.0, step.ratio, unit.better(), *unit == Unit::Memory)?,
            p: step.p,
        })
    };
    found.into_iter().filter_map(change_point).collect()
}

/// The widest of what the figures may be off by.
fn spread(points: &[Point<'_>]) -> f64 {
    let spread = |p: &Point<'_>| {
        p.interval
            .map_or(USUAL_SPREAD, |i| i.relative_half_width(p.value))
    };
    points.iter().map(spread).fold(0.0, f64::max)
}

impl<'a> Histories<'a> {
    /// All change points by the report that they start with, newest report first; in a report the
    /// greatest first.
    pub fn findings(&'a self) -> Vec<(&'a Report, Vec<Finding<'a>>)> {
        let mut by_report: BTreeMap<(Option<Date>, &str), Vec<Finding<'_>>> = BTreeMap::new();
        for group in &self.groups {
            for metric in group.machines.iter().flat_map(|p| &p.metrics) {
                for series in &metric.series {
                    for change_point in &series.change_points {
                        let Point {
                            report,
                            implementation,
                            ..
                        } = &series.points[change_point.index];
                        let key = (report.day, &*report.name);
                        by_report.entry(key).or_default().push(Finding {
                            report,
                            address: &group.address,
                            label: &metric.label,
                            change: change_point.change,
                            since: implementation.to_string(),
                            name: &implementation.name,
                            p: change_point.p,
                        });
                    }
                }
            }
        }
        let size = |f: &Finding<'_>| f.change.ratio.ln().abs();
        let mut found: Vec<_> = by_report.into_values().rev().collect();
        for findings in &mut found {
            findings.sort_by(|a, b| size(b).total_cmp(&size(a)));
        }
        found.into_iter().map(|f| (f[0].report, f)).collect()
    }
}

impl Finding<'_> {
    /// `full handshakes, 1.3, rsa, client: 1.62x slower since rustls 0.23.31`
    pub fn sentence(&self) -> String {
        format!("{}: {} since {}", self.label, self.change, self.since)
    }
}

/// Whether chance is ruled out: `p = 0.005`, `untested`.
pub fn evidence(p: Option<f64>) -> String {
    p.map_or_else(|| "untested".to_owned(), |p| format!("p = {p:.3}"))
}
