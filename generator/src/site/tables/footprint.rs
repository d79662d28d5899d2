//! What each library adds to a program: one row per build, older releases too, and one column per figure.

use super::html::{Head, HtmlTable};
use super::results::builds_by_rows;
use crate::model::unit::{Better, SIZES, Unit};
use crate::report::{Row, Table};

/// Returns the table of all builds: sizes in the order of `SIZES`, then times.
pub(in crate::site) fn footprint(table: &Table<'_>) -> HtmlTable {
    let mut table = table.clone();
    let place = |row: &&Row| SIZES.iter().position(|unit| row.unit.symbol() == *unit);
    table
        .rows
        .sort_by_key(|row| place(row).unwrap_or(SIZES.len()));
    let shown = builds_by_rows(&table, &table.all_columns(), |row, scale| match &row.unit {
        Unit::Count(name) => Head::from(*name),
        _ => Head::from(row.scenario.workload.word()).with_detail(scale.symbol),
    });
    let better = Better::Lower.suffix();
    HtmlTable {
        about: Some("../method/#footprint"),
        name: format!("What a library adds to a program that uses it{better}"),
        ..shown
    }
}
