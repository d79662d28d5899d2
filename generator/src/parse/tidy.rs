//! This project's own data format: CSV by RFC 4180 in UTF-8, one observation a row.
//!
//! ```text
//! run,implementation,version,variant,scenario,unit,value,caveat
//! 1,rustls,0.23.37,aws-lc-rs+jemalloc,"full handshakes, 1.3, rsa, client",handshakes/s,6803.93,
//! 1,OpenSSL,3.6.1,,"resumed handshakes, 1.3, ticket, client",handshakes/s,unsupported,no tickets
//! ```
//!
//! | column | what it holds |
//! | --- | --- |
//! | `run` | which execution of the suite, from 1; without the column, 1 |
//! | `implementation` | the library's name; empty where folder names tell it |
//! | `version` | a release or commit, or nothing |
//! | `variant` | provider, compiler, allocator …, joined by `+` |
//! | `scenario` | its label |
//! | `unit` | `MiB/s`, `handshakes/s`, `ops/s`, `ns`, `KiB`, `bytes on the wire`, `instructions`, or another one |
//! | `value` | a positive decimal number with the fewest digits that tell it, or `unsupported` |
//! | `caveat` | what a reader must know of the figure; why it is unsupported |
//!
//! `scenario`, `unit` and `value` must be there; the others may be left out, and the order is
//! free. Other columns are errors.
//!
//! A cell of text that starts with `=`, `+`, `-`, `@` or a tab gets a `'` before it, so that
//! no spreadsheet takes it for a formula; reading takes the `'` away.

use super::records::{first_record, records};
use super::{Collector, collector::quote, measured, name, number};
use crate::implementation::Implementation;
use crate::observation::{Observation, Value};
use crate::unit::Unit;

const COLUMNS: [&str; 8] = [
    "run",
    "implementation",
    "version",
    "variant",
    "scenario",
    "unit",
    "value",
    "caveat",
];
const NEEDED: [&str; 3] = ["scenario", "unit", "value"];
const UNSUPPORTED: &str = "unsupported";

/// The longest name of a unit, in bytes: it stands in headings of columns.
const LONGEST_UNIT: usize = 64;

pub(super) fn recognise(head: &str) -> bool {
    let heading = first_record(head);
    NEEDED
        .iter()
        .all(|column| heading.iter().any(|h| h == column))
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let Some(mut records) = records(text, collector) else {
        return;
    };
    if records.is_empty() {
        return;
    }
    let (line, heading) = records.remove(0);
    for (index, column) in heading.iter().enumerate() {
        if !COLUMNS.contains(&column.as_str()) {
            collector.problem(
                line,
                format!(
                    "no column is called {}; the columns are {}",
                    quote(column),
                    COLUMNS.join(",")
                ),
            );
        } else if heading[..index].contains(column) {
            collector.problem(line, format!("two columns are called {}", quote(column)));
        }
    }
    for (line, cells) in records {
        if cells.len() == heading.len() {
            Row {
                line,
                heading: &heading,
                cells: &cells,
            }
            .read(collector);
        } else {
            let message = format!(
                "{} cells where the heading has {}: {}",
                cells.len(),
                heading.len(),
                quote(&cells.join(","))
            );
            collector.problem(line, message);
        }
    }
}

struct Row<'a> {
    line: u32,
    heading: &'a [String],
    cells: &'a [String],
}

impl Row<'_> {
    fn cell(&self, column: &str) -> &str {
        let at = self.heading.iter().position(|h| h == column);
        at.map_or("", |at| self.cells[at].as_str())
    }

    fn text(&self, column: &str, collector: &mut Collector) -> String {
        let text = without_guard(self.cell(column));
        if text.chars().any(char::is_control) {
            collector.problem(
                self.line,
                format!("a control character in the {column} {}", quote(text)),
            );
        }
        text.to_owned()
    }

    fn read(&self, collector: &mut Collector) {
        let caveat = self.text("caveat", collector);
        let unit = self.text("unit", collector);
        let implementation = self.implementation(collector);
        let scenario = name::scenario(&self.text("scenario", collector));
        let value = self.value(&unit, &caveat);
        let run = self.run();
        let (Some(implementation), Some(scenario), Some((unit, value)), Some(run)) = (
            implementation,
            collector.check(self.line, scenario),
            collector.check(self.line, value),
            collector.check(self.line, run),
        ) else {
            return;
        };
        let is_number = matches!(value, Value::Number(_));
        let row = collector.push(self.line, scenario, unit, value);
        row.implementation = implementation;
        row.run = run;
        row.caveat = (is_number && !caveat.is_empty()).then_some(caveat);
    }

    /// `None` after a problem.
    fn implementation(&self, collector: &mut Collector) -> Option<Option<Implementation>> {
        let [name, version, variant] =
            ["implementation", "version", "variant"].map(|c| self.text(c, collector));
        if name.is_empty() {
            if version.is_empty() && variant.is_empty() {
                return Some(None);
            }
            collector.problem(
                self.line,
                format!(
                    "{} of no implementation",
                    quote(format!("{version} {variant}").trim())
                ),
            );
            return None;
        }
        let parts: Vec<&str> = variant.split('+').filter(|p| !p.is_empty()).collect();
        let implementation = Implementation::new(&name, &version, &parts);
        collector.check(self.line, name::scenario(&implementation.to_string()))?;
        Some(Some(implementation))
    }

    fn value(&self, unit: &str, caveat: &str) -> Result<(Unit, Value), String> {
        if unit.is_empty() || unit.len() > LONGEST_UNIT {
            return Err(format!(
                "a unit has 1 to {LONGEST_UNIT} bytes, unlike {}",
                quote(unit)
            ));
        }
        let (unit, factor) = Unit::parse(unit).unwrap_or_else(|| (Unit::Other(unit.into()), 1.0));
        let value = match self.cell("value") {
            UNSUPPORTED => Value::Unsupported(
                if caveat.is_empty() {
                    UNSUPPORTED
                } else {
                    caveat
                }
                .to_owned(),
            ),
            cell => Value::Number(measured(cell, factor)?),
        };
        Ok((unit, value))
    }

    /// From 1 in the file, from 0 inside.
    fn run(&self) -> Result<u32, String> {
        match self.cell("run") {
            "" => Ok(0),
            cell => {
                let run = number(cell)
                    .ok()
                    .filter(|n| n.fract() == 0.0 && *n <= f64::from(u32::MAX));
                run.map(|n| n as u32 - 1)
                    .ok_or_else(|| format!("a run is a whole number from 1, not {}", quote(cell)))
            }
        }
    }
}

/// Observations as a file of this format. A distribution has no row of its own: whoever has one
/// passes its percentiles, as an observation each.
pub fn write<'a>(observations: impl IntoIterator<Item = &'a Observation>) -> String {
    let mut out = COLUMNS.join(",") + "\n";
    for observation in observations {
        let (value, caveat) = match &observation.value {
            Value::Number(base) => (
                observation.unit.print(*base),
                observation.caveat.clone().unwrap_or_default(),
            ),
            Value::Unsupported(reason) => {
                let words = [
                    Some(reason.clone()).filter(|r| r != UNSUPPORTED),
                    observation.caveat.clone(),
                ];
                (
                    UNSUPPORTED.to_owned(),
                    words.into_iter().flatten().collect::<Vec<_>>().join("; "),
                )
            }
            Value::Distribution(_) => continue,
        };
        let nobody = Implementation::default();
        let implementation = observation.implementation.as_ref().unwrap_or(&nobody);
        let cells = [
            (u64::from(observation.run) + 1).to_string(),
            text_cell(&implementation.name),
            text_cell(&implementation.version),
            text_cell(&implementation.variant.join("+")),
            text_cell(&observation.scenario.label()),
            text_cell(observation.unit.symbol()),
            value,
            text_cell(&caveat),
        ];
        out += &(cells.join(",") + "\n");
    }
    out
}

/// Text as a cell: no formula, no line of its own, quoted where RFC 4180 wants it.
fn text_cell(text: &str) -> String {
    let one_line: String = text
        .chars()
        .map(|c| if c.is_control() && c != '\t' { ' ' } else { c })
        .collect();
    let guard = if is_guarded(&one_line) { "'" } else { "" };
    if one_line.contains([',', '"']) {
        format!("\"{guard}{}\"", one_line.replace('"', "\"\""))
    } else {
        format!("{guard}{one_line}")
    }
}

/// Whether a spreadsheet takes the text for a formula. What is already behind a `'` counts too,
/// so that reading takes away no `'` but the one that writing put there.
fn is_guarded(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r'])
}

fn without_guard(cell: &str) -> &str {
    cell.strip_prefix('\'')
        .filter(|_| is_guarded(cell))
        .unwrap_or(cell)
}

#[cfg(test)]
pub(super) mod tests;
