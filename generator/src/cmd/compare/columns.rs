//! The columns of a comparison, as text, CSV and JSON have them.

use super::cells;
use super::table::{Named, Table};
use crate::grid::{Column, Field, Tint, Value};
use crate::report::{Cell, ComparedRow};
use crate::stats::Verdict;
use crate::unit::Better;

/// Names of data stay as they are and in this order; others may follow.
pub(super) const COLUMNS: &[Column] = &[
    Column::new("scenario"),
    Column::new("unit"),
    Column::new("baseline").right(),
    Column::shown("").right(),
    Column::data("baseline_low"),
    Column::data("baseline_high"),
    Column::data("baseline_n"),
    Column::new("candidate").right(),
    Column::shown("").right(),
    Column::data("candidate_low"),
    Column::data("candidate_high"),
    Column::data("candidate_n"),
    Column::new("ratio").right(),
    Column::shown("95% CI"),
    Column::data("ratio_low"),
    Column::data("ratio_high"),
    Column::shown("change"),
    Column::shown("p").right(),
    Column::shown("n").right(),
    Column::data("p"),
    Column::data("p_adjusted"),
    Column::data("verdict"),
    Column::data("change"),
    Column::data("baseline_label"),
    Column::data("baseline_implementation"),
    Column::data("candidate_label"),
    Column::data("candidate_implementation"),
    Column::data("remark"),
    Column::shown(""),
];

/// A row in all these columns; `marks` name its footnotes.
pub(super) fn fields(row: &ComparedRow, table: &Table, marks: String) -> Vec<Field> {
    let scale = table.compared.scale(row);
    let figure = |value: Option<f64>| Value::from(value.map(|v| row.unit.printed(v)));
    let mut fields = vec![
        Field::text(row.scenario.label()),
        Field::new(row.unit.symbol().to_owned(), &scale.symbol),
    ];
    for (cell, estimate) in row.cells.into_iter().zip(row.estimates) {
        let interval = cell.and_then(Cell::interval);
        fields.extend([
            Field::new(figure(estimate), cells::figure(scale, estimate, cell)),
            Field::shown(cells::spread(estimate, cell)),
            Field::data(figure(interval.map(|i| i.low))),
            Field::data(figure(interval.map(|i| i.high))),
            Field::data(Some(cell.map_or(0, |c| c.values.len()) as f64)),
        ]);
    }
    let known = row.comparison.as_ref();
    let interval = known.and_then(|c| c.interval);
    fields.extend([
        Field::new(known.map(|c| c.change.ratio), cells::ratio(row)),
        Field::shown(row.interval_text().unwrap_or_default()),
        Field::data(interval.map(|i| i.low)),
        Field::data(interval.map(|i| i.high)),
        Field::shown(cells::change(row)).tinted(tint(row)),
        Field::shown(cells::p(row)),
        Field::shown(row.runs_text()),
        Field::data(known.and_then(|c| c.test).map(|t| t.p)),
        Field::data(known.and_then(|c| c.adjusted_p)),
        Field::data(known.map_or("missing", |c| c.verdict.word()).to_owned()),
        Field::data(known.map_or_else(String::new, |c| c.change.to_string())),
    ]);
    for Named(side, implementation) in table.sides {
        fields.extend([
            Field::data(side.label.clone()),
            Field::data(implementation.to_string()),
        ]);
    }
    fields.extend([
        Field::data(super::caveats::caveats(row).join("; ")),
        Field::shown(marks),
    ]);
    fields
}

/// Green is better and red is worse; the words say so too.
fn tint(row: &ComparedRow) -> Tint {
    let better = row.unit.better();
    match row.verdict() {
        Some(Verdict::Faster) => Tint::Good,
        Some(Verdict::Less) if better == Better::Lower => Tint::Good,
        Some(verdict) if verdict.is_regression(better) => Tint::Bad,
        Some(Verdict::Less | Verdict::More) => Tint::None,
        _ => Tint::Faint,
    }
}
