//! What each library adds to a program: one row per build, older releases too, and one column per figure.

use super::results::builds_by_rows;
use crate::model::unit::{Better, SIZES, Unit};
use crate::report::{Grid, Head, Row, Table};

/// Returns the table of all builds: sizes in the order of `SIZES`, then times.
pub(in crate::site) fn footprint(table: &Table<'_>) -> Grid {
    let mut table = table.clone();
    let place = |row: &&Row| SIZES.iter().position(|unit| row.unit.symbol() == *unit);
    table
        .rows
        .sort_by_key(|row| place(row).unwrap_or(SIZES.len()));
    let builds = [table.shown(), table.others()].concat();
    let grid = builds_by_rows(&table, &builds, |row| {
        let head = super::results::head(row);
        match &row.unit {
            Unit::Count(name) => Head {
                text: (*name).to_owned(),
                detail: None,
                ..head
            },
            _ => Head {
                text: row.scenario.workload.word().to_owned(),
                ..head
            },
        }
    });
    let better = Better::Lower.suffix();
    Grid {
        name: format!("What a library adds to a program that uses it{better}"),
        ..grid
    }
}
