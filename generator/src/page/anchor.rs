//! Anchors of rows, so that others can link to them.

use crate::scenario::{Scenario, Workload};
use crate::slug::slug;
use crate::unit::Unit;

/// The anchor of a row. A benchmark of another name could have that of a heading, and what puts
/// bytes on the wire has a rate or a time as well.
pub(super) fn anchor(scenario: &Scenario, unit: &Unit) -> String {
    let slug = slug(&scenario.label());
    match (&scenario.workload, unit) {
        (Workload::Other(_), _) => format!("benchmark-{slug}"),
        (_, Unit::Traffic) => format!("{slug}-bytes"),
        _ => slug,
    }
}
