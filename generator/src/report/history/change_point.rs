//! Change points of histories, and their wording.

use super::HistoryPoint;
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::Unit;
use crate::report::leaves_key_exchange_open;
use crate::stats::{self, Change, Rules};

/// A change point of a history.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChangePoint {
    /// Index of the first figure of the new level.
    pub index: usize,
    /// The new level against the old one.
    pub change: Change,
    /// The p-value.
    pub p: f64,
    /// Whether each release exchanged keys as it does by default, so that the work may have
    /// changed.
    pub is_open: bool,
}

/// Said of what compares figures whose key exchange each release chose.
pub(crate) const OPEN_EXCHANGE: &str = "with the key exchange that each release has by default";

/// Finds the change points of one history, over its steady figures. Extreme percentiles are not
/// searched, because they vary too much by nature.
pub(super) fn find(
    scenario: &Scenario,
    unit: &Unit,
    points: &[HistoryPoint<'_>],
) -> Vec<ChangePoint> {
    let extreme = [Percentile::Min, Percentile::P999, Percentile::Max].map(Some);
    let all = points.iter().enumerate();
    let (places, points): (Vec<usize>, Vec<HistoryPoint<'_>>) =
        all.filter(|(_, point)| !point.is_unsteady).unzip();
    if extreme.contains(&scenario.percentile) {
        return Vec::new();
    }
    let values: Vec<f64> = points.iter().map(|p| p.figure.estimate).collect();
    let found = stats::change_points(&values, Rules::default().threshold);
    let change_point = |step: stats::LevelChange| {
        Some(ChangePoint {
            index: places[step.index],
            change: Change::new(1.0, step.ratio, unit.better(), unit.kind())?,
            p: step.p,
            is_open: leaves_key_exchange_open(scenario),
        })
    };
    found.into_iter().filter_map(change_point).collect()
}

impl ChangePoint {
    /// Returns `p = 0.005`.
    pub(crate) fn evidence(&self) -> String {
        let test = format!("p = {:.3}", self.p);
        match self.is_open {
            true => format!("{test}, {OPEN_EXCHANGE}"),
            false => test,
        }
    }
}
