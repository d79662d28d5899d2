//! The author's additions to a page's front matter, with the figures they refer to.

use super::matrix::row_scale;
use crate::base::failure::{self, Failure, Result};
use crate::parse::{Extra, FigureReference};
use crate::report::Report;
use toml::{Table, Value};

/// Returns `[extra]` of `report.toml` with all figures looked up.
///
/// # Errors
/// Fails if the report lacks a figure, or if the name of an implementation is unknown or ambiguous.
pub(crate) fn extra(report: &Report) -> Result<Table> {
    let file = report.folder.join("report.toml");
    let look_up = |wanted: &FigureReference| {
        let line = wanted.figure.line;
        figure(report, wanted).map_err(|message| Failure::at(&file, line, message))
    };
    table(&report.manifest.extra, &look_up)
}

fn table(
    entries: &[(String, Extra)],
    look_up: &impl Fn(&FigureReference) -> Result<Value>,
) -> Result<Table> {
    let read = |(key, extra): &(String, Extra)| Ok((key.clone(), value(extra, look_up)?));
    failure::all(entries.iter().map(read)).map(Table::from_iter)
}

fn value(extra: &Extra, look_up: &impl Fn(&FigureReference) -> Result<Value>) -> Result<Value> {
    match extra {
        Extra::Value(value) => Ok(value.clone()),
        Extra::Figure(wanted) => look_up(wanted),
        Extra::List(items) => {
            failure::all(items.iter().map(|item| value(item, look_up))).map(Value::Array)
        }
        Extra::Table(entries) => table(entries, look_up).map(Value::Table),
    }
}

/// Returns a figure with the digits of its row: `3,780.00` as 3780. If a scenario has figures in several
/// units, the first in the data counts.
fn figure(report: &Report, wanted: &FigureReference) -> Result<Value, String> {
    let (scenario, of) = (&wanted.figure.value, &wanted.of);
    let all = &report.data.implementations;
    let column = match report.data.find(of).as_slice() {
        [column] => *column,
        [] => {
            let known = report.data.names();
            return Err(format!(
                "`{of}` is not an implementation of this report, which has {known}"
            ));
        }
        several => {
            let found: Vec<String> = several.iter().map(|c| all[*c].to_string()).collect();
            let found = found.join("; ");
            return Err(format!(
                "`{of}` could mean any of these, so give its version or variant: {found}"
            ));
        }
    };
    let mut rows = report.data.rows.iter().filter(|r| r.scenario == *scenario);
    let found = rows.find_map(|row| Some((row, row.cell(column)?.estimate()?)));
    let (row, estimate) = found.ok_or_else(|| {
        let name = &all[column];
        format!("this report has no figure for {name} in `{scenario}`")
    })?;
    let digits = row_scale(row).digits(estimate);
    let number: f64 = digits.parse().map_err(|e| format!("`{scenario}`: {e}"))?;
    Ok(match number.fract() == 0.0 {
        true => Value::Integer(number as i64),
        false => Value::Float(number),
    })
}
