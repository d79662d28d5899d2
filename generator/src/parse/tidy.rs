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
//! | `implementation` | the library's name; empty where folder names say it |
//! | `version` | a release or commit, or nothing |
//! | `variant` | provider, compiler, allocator …, joined by `+` |
//! | `scenario` | its label |
//! | `unit` | `MiB/s`, `handshakes/s`, `ops/s`, `ns`, `KiB`, `bytes on the wire`, `instructions`, or another one |
//! | `value` | a positive decimal number with as few digits as it needs, or `unsupported` |
//! | `caveat` | what a reader must know about the figure, or why it is unsupported |
//!
//! `scenario`, `unit` and `value` must be there; the others may be left out, and the order is
//! free. Other columns are errors.
//!
//! A cell of text that starts with `=`, `+`, `-`, `@` or a tab gets a `'` before it, so that
//! no spreadsheet takes it for a formula; reading removes it.

use super::records::{first_record, records};
use super::{Collector, collector::quote, measured, name, number};
use crate::implementation::Implementation;
use crate::observation::{Observation, Value};
use crate::scenario::tidy::{self, COLUMNS, UNSUPPORTED, cell_text};
use crate::unit::Unit;

const NEEDED: [&str; 3] = ["scenario", "unit", "value"];

/// The longest name of a unit, in bytes: it stands in headings of columns.
const MAX_UNIT_BYTES: usize = 64;

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
            Record {
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

/// A line of the file.
struct Record<'a> {
    line: u32,
    heading: &'a [String],
    cells: &'a [String],
}

impl Record<'_> {
    fn cell(&self, column: &str) -> &str {
        let at = self.heading.iter().position(|h| h == column);
        at.map_or("", |at| self.cells[at].as_str())
    }

    fn text(&self, column: &str, collector: &mut Collector) -> String {
        let text = cell_text(self.cell(column));
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
        if unit.is_empty() || unit.len() > MAX_UNIT_BYTES {
            return Err(format!(
                "a unit has 1 to {MAX_UNIT_BYTES} bytes, unlike {}",
                quote(unit)
            ));
        }
        let (unit, factor) = Unit::parse(unit).unwrap_or_else(|| (Unit::Other(unit.into()), 1.0));
        let value = match self.cell("value") {
            UNSUPPORTED if caveat.is_empty() => Value::Unsupported(UNSUPPORTED.to_owned()),
            UNSUPPORTED => Value::Unsupported(caveat.to_owned()),
            cell => Value::Number(measured(cell, factor)?),
        };
        Ok((unit, value))
    }

    /// From 1 in the file, from 0 inside.
    fn run(&self) -> Result<u32, String> {
        match self.cell("run") {
            "" => Ok(0),
            cell => {
                let is_run = |n: &f64| n.fract() == 0.0 && *n <= f64::from(u32::MAX);
                match number(cell) {
                    Ok(n) if is_run(&n) => Ok(n as u32 - 1),
                    _ => Err(format!(
                        "a run is a whole number from 1, not {}",
                        quote(cell)
                    )),
                }
            }
        }
    }
}

/// Observations as a file of this format. A distribution has no row of its own: whoever has one
/// passes its percentiles, as an observation each.
pub fn write<'a>(observations: impl IntoIterator<Item = &'a Observation>) -> String {
    let mut records = vec![COLUMNS.map(str::to_owned)];
    records.extend(observations.into_iter().filter_map(cells));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer
            .write_record(record)
            .expect("eight cells, and memory takes them");
    }
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("cells are UTF-8")
}

/// `None` for a distribution.
fn cells(observation: &Observation) -> Option<[String; COLUMNS.len()]> {
    let (value, words) = match &observation.value {
        Value::Number(base) => (Some(base / observation.unit.symbol_factor()), None),
        Value::Unsupported(reason) => (None, Some(reason).filter(|r| *r != UNSUPPORTED)),
        Value::Distribution(_) => return None,
    };
    let words: Vec<&str> = words
        .into_iter()
        .chain(&observation.caveat)
        .map(String::as_str)
        .collect();
    let nobody = Implementation::default();
    let implementation = observation.implementation.as_ref().unwrap_or(&nobody);
    let row = tidy::Row {
        run: observation.run + 1,
        implementation: &implementation.name,
        version: implementation.version.as_str(),
        variant: &implementation.variant,
        scenario: &observation.scenario,
        unit: observation.unit.symbol(),
        value,
        caveat: &words.join("; "),
    };
    Some(row.cells())
}

#[cfg(test)]
pub(super) mod tests;
