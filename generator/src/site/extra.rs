//! The author's additions to a page's front matter, with the figures they refer to.

use super::Part;
use super::sections::scale_of;
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

/// Returns a figure with the digits that the results table shows. If a scenario has figures in
/// several units, the first in the data counts, as on a gauge.
fn figure(report: &Report, wanted: &FigureReference) -> Result<Value, String> {
    let (scenario, of) = (&wanted.figure.value.0, &wanted.of);
    let part = Part::of(report);
    let column = match report.data.find(of).as_slice() {
        [column] => *column,
        [] => {
            let known = report.data.names();
            return Err(format!(
                "`{of}` is not an implementation of this report, which has {known}"
            ));
        }
        several => {
            let all = &report.data.implementations;
            let found: Vec<String> = several.iter().map(|c| all[*c].to_string()).collect();
            let found = found.join("; ");
            return Err(format!(
                "`{of}` could mean any of these, so give its version or variant: {found}"
            ));
        }
    };
    let mut rows = report.data.rows.iter().filter(|r| r.scenario == *scenario);
    let found = rows.find_map(|row| Some((row, part.estimate(row, column)?)));
    let missing = || {
        let name = &report.data.implementations[column];
        format!("this report has no figure for {name} in `{scenario}`")
    };
    let (row, estimate) = found.ok_or_else(missing)?;
    let scale = scale_of(&part, row).ok_or_else(missing)?;
    number(&scale.digits(estimate)).map_err(|e| format!("`{scenario}`: {e}"))
}

/// Parses digits without trailing zeros, so that a template prints `3,780.00` as 3780.
fn number(digits: &str) -> Result<Value, String> {
    let digits = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    match digits.contains('.') {
        true => digits.parse().map(Value::Float).map_err(|e| e.to_string()),
        false => digits
            .parse()
            .map(Value::Integer)
            .map_err(|e| e.to_string()),
    }
}
