//! A comparison as data: the columns of CSV and JSON, full precision.

use super::table::Table;
use super::words;
use crate::cli::Compare;
use crate::grid::{Column, Field};
use crate::report::{Cell, ComparedRow};

/// Others may follow, but these stay as they are and where they are.
pub(super) const COLUMNS: &[Column] = &[
    Column::words("scenario"),
    Column::words("unit"),
    Column::number("baseline"),
    Column::number("baseline_low"),
    Column::number("baseline_high"),
    Column::number("baseline_n"),
    Column::number("candidate"),
    Column::number("candidate_low"),
    Column::number("candidate_high"),
    Column::number("candidate_n"),
    Column::number("ratio"),
    Column::number("ratio_low"),
    Column::number("ratio_high"),
    Column::number("p"),
    Column::number("p_adjusted"),
    Column::words("verdict"),
    Column::words("change"),
    Column::words("baseline_label"),
    Column::words("baseline_implementation"),
    Column::words("candidate_label"),
    Column::words("candidate_implementation"),
    Column::words("remark"),
];

/// All rows of all tables.
pub(super) fn rows(tables: &[Table], arguments: &Compare) -> Vec<Vec<Field>> {
    let of_table = |table| words::shown(table, arguments).map(move |row| fields(row, table));
    tables.iter().flat_map(of_table).collect()
}

fn fields(row: &ComparedRow, table: &Table) -> Vec<Field> {
    let figure = |value: Option<f64>| value.map_or_else(String::new, |v| row.unit.print(v));
    let ratio = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
    // A p can be 1e-17, which has many zeros in plain decimals.
    let p = |value: Option<f64>| value.map_or_else(String::new, |p| format!("{p:?}"));
    let known = row.comparison.as_ref();
    let interval = known.and_then(|c| c.interval);
    let mut fields = vec![row.scenario.label(), row.unit.symbol().to_owned()];
    for (cell, estimate) in [row.old, row.new].into_iter().zip(row.estimates) {
        let interval = cell.and_then(Cell::interval);
        fields.extend([
            figure(estimate),
            figure(interval.map(|i| i.low)),
            figure(interval.map(|i| i.high)),
            cell.map_or(0, |c| c.values.len()).to_string(),
        ]);
    }
    fields.extend([
        ratio(known.map(|c| c.change.ratio)),
        ratio(interval.map(|i| i.low)),
        ratio(interval.map(|i| i.high)),
        p(known.and_then(|c| c.test).map(|t| t.p)),
        p(known.and_then(|c| c.adjusted_p)),
        known.map_or("missing", |c| c.verdict.word()).to_owned(),
        known.map_or_else(String::new, |c| c.change.to_string()),
        table.old.label.to_owned(),
        table.old.implementation.to_string(),
        table.new.label.to_owned(),
        table.new.implementation.to_string(),
        words::remarks(row).join("; "),
    ]);
    fields.into_iter().map(Field::same).collect()
}
