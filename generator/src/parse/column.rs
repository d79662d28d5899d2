//! What a column of a table is, by its heading.

use super::{Collector, collector::quote, name, table::Row, table::Table};
use crate::implementation::Implementation;
use crate::unit::Unit;

/// A unit, and what a printed figure is multiplied with to be in its base unit.
pub(super) type Factor = (Unit, f64);

/// What stands in a column of a table of results.
pub(super) enum Column {
    /// The scenario, or the cipher suite of a memory table.
    Scenario,
    /// `N`: sessions of a memory table.
    Sessions,
    /// The unit of the whole row.
    Unit,
    Figures(Implementation, Option<Factor>),
    /// Derived from other columns, or prose.
    Ignored,
}

/// Headings over what is computed from other columns, and over prose.
const DERIVED: &[&str] = &[
    "vs",
    "vs.",
    "factor",
    "ratio",
    "change",
    "delta",
    "diff",
    "difference",
    "speedup",
    "relative",
    "note",
    "notes",
    "comment",
    "comments",
    "remark",
    "remarks",
];
/// What the columns of a table are, the first of which is the scenario.
pub(super) fn columns(table: &Table, collector: &mut Collector) -> Vec<Column> {
    let mut columns = vec![Column::Scenario];
    let mut seen: Vec<Implementation> = Vec::new();
    for (index, heading) in table.heading.iter().enumerate().skip(1) {
        let read = collector.check(table.line, column(heading.trim(), table, index));
        if let Some(Column::Figures(implementation, _)) = &read {
            if seen.contains(implementation) {
                collector.problem(table.line, format!("two columns of {implementation}"));
            }
            seen.push(implementation.clone());
        }
        columns.push(read.unwrap_or(Column::Ignored));
    }
    if seen.is_empty() {
        let heading = quote(&table.heading.join(" | "));
        collector.problem(
            table.line,
            format!("no column is an implementation: {heading}"),
        );
    }
    columns
}

fn column(heading: &str, table: &Table, index: usize) -> Result<Column, String> {
    let lower = heading.to_lowercase();
    let is_empty = |row: &Row| {
        row.cells
            .get(index)
            .is_none_or(|cell| cell.trim().is_empty())
    };
    match lower.as_str() {
        "" if table.rows.iter().all(is_empty) => Ok(Column::Ignored),
        "" => Err(format!("the heading of column {} is empty", index + 1)),
        "n" | "sessions" => Ok(Column::Sessions),
        "unit" | "units" => Ok(Column::Unit),
        word if DERIVED.contains(&word) || word.starts_with("vs. ") || word.starts_with("vs ") => {
            Ok(Column::Ignored)
        }
        _ => {
            let (name, unit) = split_unit(heading)?;
            let implementation = Implementation::from_heading(name);
            name::scenario(&implementation.to_string())?;
            Ok(Column::Figures(implementation, unit))
        }
    }
}

/// `OpenSSL 3.2.0 (KiB)` as name and unit. Parentheses may hold a version too; brackets hold
/// nothing but units.
fn split_unit(heading: &str) -> Result<(&str, Option<Factor>), String> {
    for (open, close) in [('(', ')'), ('[', ']')] {
        let inside = heading
            .strip_suffix(close)
            .and_then(|h| h.rsplit_once(open));
        let Some((name, symbol)) = inside else {
            continue;
        };
        match Unit::parse(symbol.trim()) {
            Some(unit) => return Ok((name.trim_end(), Some(unit))),
            None if open == '[' => {
                return Err(format!(
                    "no unit known as {} in {}",
                    quote(symbol),
                    quote(heading)
                ));
            }
            None => {}
        }
    }
    Ok((heading, None))
}
