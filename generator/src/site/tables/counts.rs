//! The work of one scenario, counted: a metric a row, a build a column.

use super::results::rows_by_builds;
use crate::model::unit::Unit;
use crate::report::{Grid, Row, Table, titles};
use crate::site::pages::topics::MAX_ROWS;

/// Returns the counts of the first headline scenario that has some, and the row of its instructions.
pub(in crate::site) fn counts<'a>(table: &Table<'a>) -> Option<(Grid, Option<&'a Row>)> {
    let headlines = table.report.headlines();
    let mut rows = headlines.iter().filter_map(|headline| {
        let mut rows = table.rows.iter();
        rows.find(|row| row.scenario == headline.scenario)
    });
    let main = rows.next().or(table.rows.first())?;
    let mut own = table.with(|row| row.scenario == main.scenario);
    own.rows.truncate(MAX_ROWS);
    let builds = own.shown();
    let mut grid = rows_by_builds(&own, &builds);
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
