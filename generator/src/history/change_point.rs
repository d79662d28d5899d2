//! Change points of histories, and their wording.

use super::{ChangePointSearch, Histories, HistoryPoint, Metric};
use crate::report::Report;
use crate::scenario::{Percentile, Scenario};
use crate::stats::{self, Change, MIN_HISTORY, Rules};
use crate::unit::Unit;
use std::fmt;

/// Relative spread to assume for a single figure, where none was recorded. In the 30 runs of
/// December 2023, the 5th to 95th percentile of a scenario extend from 3.6 % below its median to
/// 1.2 % above; this is the width of that range.
pub(crate) const USUAL_SPREAD: f64 = 0.05;

/// A change point of a history.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChangePoint {
    /// Index of the first figure of the new level.
    pub index: usize,
    /// Number among the change points of a machine, from 1.
    pub number: usize,
    /// The new level against the old one.
    pub change: Change,
    /// The p-value; `None` if the history is too short to test.
    pub p: Option<f64>,
}

/// A change point with its metric and figure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding<'a> {
    pub metric: &'a Metric<'a>,
    /// First figure of the new level.
    pub point: &'a HistoryPoint<'a>,
    pub change_point: &'a ChangePoint,
}

/// Finds the change points of one history. Extreme percentiles are not searched, because they
/// vary too much by nature.
pub(super) fn find(
    scenario: &Scenario,
    unit: &Unit,
    points: &[HistoryPoint<'_>],
    search: ChangePointSearch<'_>,
) -> Vec<ChangePoint> {
    let extreme = [Percentile::Min, Percentile::P999, Percentile::Max].map(Some);
    if points.len() < 2 || extreme.contains(&scenario.percentile) {
        return Vec::new();
    }
    let values: Vec<f64> = points.iter().map(|p| p.figure.estimate).collect();
    let threshold = Rules::default().threshold;
    let found = if values.len() >= MIN_HISTORY {
        search(&values, threshold)
    } else {
        stats::untested_steps(&values, spread(points).max(threshold))
    };
    let change_point = |step: stats::LevelChange| {
        Some(ChangePoint {
            index: step.index,
            number: 0,
            change: Change::new(1.0, step.ratio, unit.better(), unit.kind())?,
            p: step.p,
        })
    };
    found.into_iter().filter_map(change_point).collect()
}

/// Returns the largest relative spread of the figures.
fn spread(points: &[HistoryPoint<'_>]) -> f64 {
    let mut largest = 0.0f64;
    for HistoryPoint { figure, .. } in points {
        let spread = figure.interval.map_or(USUAL_SPREAD, |interval| {
            interval.relative_half_width(figure.estimate)
        });
        largest = largest.max(spread);
    }
    largest
}

impl<'a> Histories<'a> {
    /// Returns all change points by the report that they start with: newest report first, and
    /// largest change first within a report.
    pub(crate) fn findings(&'a self) -> Vec<(&'a Report, Vec<Finding<'a>>)> {
        let mut findings = Vec::new();
        for (_, metric) in self.metrics() {
            for series in &metric.series {
                for change_point in &series.change_points {
                    findings.push(Finding {
                        metric,
                        point: &series.points[change_point.index],
                        change_point,
                    });
                }
            }
        }
        let size = |f: &Finding<'_>| f.change_point.change.ratio.ln().abs();
        findings.sort_by(|a, b| {
            let newer = b.point.report.when().cmp(&a.point.report.when());
            newer.then(size(b).total_cmp(&size(a)))
        });
        let by_report = findings.chunk_by(|a, b| a.point.report.when() == b.point.report.when());
        by_report
            .map(|of_report| (of_report[0].point.report, of_report.to_vec()))
            .collect()
    }
}

impl ChangePoint {
    /// Returns `p = 0.005`, or `untested`.
    pub(crate) fn evidence(&self) -> String {
        self.p
            .map_or_else(|| "untested".to_owned(), |p| format!("p = {p:.3}"))
    }
}

/// `full handshakes, 1.3, rsa, client: 1.62x slower since rustls 0.23.31`
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, since) = (&self.metric.label, self.point.implementation);
        write!(f, "{label}: {} since {since}", self.change_point.change)
    }
}
