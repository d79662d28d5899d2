//! Columns of a table, by their headings.

use super::{Collector, collector::cite, collector::quote, name, table::RawTable, writev};
use crate::implementation::Implementation;
use crate::scenario::Percentile;
use crate::unit::Unit;

/// A unit, and the factor from printed figures to its base unit.
pub(super) type Factor = (Unit, f64);

/// The contents of a column in a table of results.
#[derive(PartialEq)]
pub(super) enum Column {
    /// The scenario, or the cipher suite of a memory table.
    Scenario,
    /// `N`: the number of sessions in a memory table.
    Sessions,
    Unit,
    Figures(Implementation, Option<Factor>),
    /// Times of writes, in nanoseconds.
    Percentile(Percentile),
    /// Derived from other columns, or prose.
    Ignored,
}

/// Headings of columns that are computed from others, or hold prose.
const DERIVED: &str = " vs vs. factor ratio change delta diff difference speedup relative \
                       note notes comment comments remark remarks ";

/// Interprets the headings of a table, whose first column is the scenario.
pub(super) fn columns(table: &RawTable, collector: &mut Collector) -> Vec<Column> {
    collector.line = table.line;
    let mut columns = vec![Column::Scenario];
    if let Some(percentiles) = writev::percentiles(&table.heading) {
        columns.extend(percentiles.into_iter().map(Column::Percentile));
        return columns;
    }
    let mut seen: Vec<Implementation> = Vec::new();
    for (index, heading) in table.heading.iter().enumerate().skip(1) {
        let read = collector.check(column(heading, table, index));
        if let Some(Column::Figures(implementation, _)) = &read {
            if seen.contains(implementation) {
                collector.problem(format!("two columns are headed {implementation}"));
            }
            seen.push(implementation.clone());
        }
        columns.push(read.unwrap_or(Column::Ignored));
    }
    if seen.is_empty() {
        let heading = table.heading.join(" | ");
        collector.problem(cite("no column names an implementation:", &heading));
    }
    columns
}

fn column(heading: &str, table: &RawTable, index: usize) -> Result<Column, String> {
    match heading.to_lowercase().as_str() {
        "" if table.rows.iter().all(|row| row.cell(index).is_empty()) => Ok(Column::Ignored),
        "" => Err(format!("the heading of column {} is empty", index + 1)),
        "n" | "sessions" => Ok(Column::Sessions),
        "unit" | "units" => Ok(Column::Unit),
        word if word.starts_with("vs. ") || word.starts_with("vs ") => Ok(Column::Ignored),
        word if DERIVED.contains(&format!(" {word} ")) => Ok(Column::Ignored),
        _ => {
            let (name, unit) = split_unit(heading)?;
            let implementation = Implementation::from_heading(name);
            name::scenario(&implementation.to_string())?;
            Ok(Column::Figures(implementation, unit))
        }
    }
}

/// Splits `OpenSSL 3.2.0 (KiB)` into name and unit. Parentheses may also contain a version;
/// brackets contain only units.
fn split_unit(heading: &str) -> Result<(&str, Option<Factor>), String> {
    for (open, close) in [('(', ')'), ('[', ']')] {
        let inside = heading.strip_suffix(close);
        let Some((name, symbol)) = inside.and_then(|h| h.rsplit_once(open)) else {
            continue;
        };
        match Unit::parse(symbol.trim()) {
            Some(unit) => return Ok((name.trim_end(), Some(unit))),
            None if open == '(' => {}
            None => {
                let message = format!("unknown unit {} in", quote(symbol));
                return Err(cite(&message, heading));
            }
        }
    }
    Ok((heading, None))
}
