//! What each library adds to a program: one row per build, older releases too, and one column per figure.

use super::{Head, Part, Table};
use crate::model::unit::{Better, SIZES, Unit};
use crate::report::Row;

impl Part<'_> {
    /// Returns the table of all builds: sizes in the order of `SIZES`, then times.
    pub(super) fn footprint_table(&self) -> Table {
        let mut part = self.clone();
        let place = |row: &&Row| SIZES.iter().position(|unit| row.unit.symbol() == *unit);
        part.rows
            .sort_by_key(|row| place(row).unwrap_or(SIZES.len()));
        let table = part.builds_by_rows(&part.all_columns(), |row, scale| match &row.unit {
            Unit::Count(name) => Head::from(*name),
            _ => Head::from(row.scenario.workload.word()).with_detail(scale.symbol),
        });
        let better = Better::Lower.suffix();
        Table {
            about: Some("../method/#footprint"),
            caption: format!("What a library adds to a program that uses it{better}."),
            ..table
        }
    }
}
