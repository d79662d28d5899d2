//! The work of one scenario, counted: a metric a row, a build a column.

use super::results::rows_by_builds;
use crate::model::scenario::{Group, KeyType, Scenario, Side, TlsVersion, Workload};
use crate::model::unit::Unit;
use crate::report::{Grid, Row, Table, titles};
use crate::site::pages::topics::MAX_ROWS;

/// How close a scenario is to the one that says most: a full handshake of a client with ECDSA.
fn rank(s: &Scenario) -> impl Ord + use<> {
    (
        s.workload == Workload::FullHandshake,
        s.version == Some(TlsVersion::V1_3),
        s.key == Some(KeyType::EcdsaP256),
        s.group == Some(Group::X25519),
        s.side == Some(Side::Client),
        !s.mutual,
    )
}

/// Returns the counts of the scenario that says most, on one side, and the row of its instructions.
pub(in crate::site) fn counts<'a>(table: &Table<'a>) -> Option<(Grid, Option<&'a Row>)> {
    // Of equals the first.
    let rows = table.rows.iter().rev();
    let main = rows.max_by_key(|row| rank(&row.scenario))?;
    let mut own = table.with(|row| row.scenario == main.scenario);
    own.rows.truncate(MAX_ROWS);
    let builds = own.shown();
    let mut grid = rows_by_builds(&own, &builds, |row, build, caveats| {
        caveats.figure(row.cell(build))
    });
    for (row, shown) in own.rows.iter().zip(&mut grid.rows) {
        shown.label = row.unit.symbol().to_owned();
        shown.id = None;
    }
    let mut rows = own.rows.iter().copied();
    let instructions = rows.find(|row| row.unit == Unit::INSTRUCTIONS);
    (!builds.is_empty()).then(|| {
        let grid = Grid {
            class: "fit",
            name: titles::title(&main.scenario),
            caption: "Lower is better.".to_owned(),
            corner: "counted",
            ..grid
        };
        (grid, instructions)
    })
}
