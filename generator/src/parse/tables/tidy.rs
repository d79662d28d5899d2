//! This project's own data format: CSV (RFC 4180) in UTF-8, with one observation per row.
//!
//! ```text
//! run,implementation,version,variant,scenario,unit,value,caveat
//! 1,rustls,0.23.37,aws-lc-rs+jemalloc,"full handshakes, 1.3, rsa, client",handshakes/s,6803.93,
//! 1,OpenSSL,3.6.1,,"resumed handshakes, 1.3, ticket, client",handshakes/s,unsupported,no tickets
//! ```
//!
//! | column | contents |
//! | --- | --- |
//! | `run` | number of the run, from 1; 1 if the column is missing |
//! | `implementation` | the library's name; empty if given by folder names |
//! | `version` | a release or commit, or empty |
//! | `variant` | provider, compiler, allocator …, joined by `+` |
//! | `scenario` | its label |
//! | `unit` | `MiB/s`, `handshakes/s`, `ops/s`, `ns`, `KiB`, `instructions`, `allocations`, `bytes allocated`, `bytes on the wire`, `flights`, `records`, `calls`, `stripped bytes`, `bytes of .text`, `bytes of .rodata`, `bytes of .data`, `crates`, `tools`, or another one |
//! | `value` | a positive decimal number with as few digits as necessary, for counts and amounts also 0, or `unsupported` |
//! | `caveat` | why the figure is unsupported, and caveats on it, each in a line of its own |
//!
//! The columns `scenario`, `unit` and `value` are required, the others optional, in any order.
//! Other columns are errors, except those that a report's `data.csv` has besides, which repeat what
//! the label says or name the report, and those that earlier measurements have. In `data.csv` an
//! unsupported row has no value, and its caveat starts with `unsupported`.
//!
//! Text that starts with `=`, `+`, `-`, `@` or a tab is prefixed with `'`, so that spreadsheets do
//! not evaluate it as a formula; reading removes the prefix.

use super::prelude::*;
use super::records::{self, RawRow};
use crate::base::limits::ROWS;
use crate::model::observation::Observation;
use crate::model::tidy::{COLUMNS, UNSUPPORTED, cell_text, decimal, text_cell, text_cells};

const NEEDED: [&str; 3] = ["scenario", "unit", "value"];

/// The heading of a report's `data.csv`: besides [`COLUMNS`] it has some that are not read.
pub(crate) const DATASET: &str = "report,date,machine,implementation,version,variant,scenario,workload,\
    tls_version,cipher,key,key_exchange,resumption,buffers,write_method,sessions,side,mutual,\
    unbuffered,write_size,fragment_size,threads,percentile,unit,run,value,caveat";

/// Columns about the parts of a figure that `run` wrote until 2026-11, and that nothing reads.
const EARLIER: &str =
    "slices,left out,cpu,p25,p50,p75,undisturbed p5,undisturbed p25,undisturbed mean";

pub(in crate::parse) fn recognise(head: &str) -> bool {
    let heading = records::first_record(head);
    // Ignores case, or a table with the heading `Value` would be wide, with that implementation.
    let has = |column: &str| heading.iter().any(|h| h.eq_ignore_ascii_case(column));
    NEEDED.into_iter().all(has)
}

pub(in crate::parse) fn parse(text: &str, collector: &mut Collector) {
    collector.most = ROWS;
    let (mut heading, mut is_complete): (Vec<String>, bool) = (Vec::new(), false);
    records::each(text, csv::Trim::None, collector, |row, collector| {
        if heading.is_empty() {
            heading = row.cells;
            is_complete = NEEDED
                .iter()
                .all(|column| heading.iter().any(|h| h == column));
            check_heading(&heading, collector);
        } else if is_complete {
            row.check_width(&heading)?;
            let heading = &heading;
            TidyRecord { heading, row: &row }.read(collector);
        }
        Ok(())
    });
}

/// Reports columns that are unknown or twice there.
fn check_heading(heading: &[String], collector: &mut Collector) {
    for (index, column) in heading.iter().enumerate() {
        let known = || DATASET.split(',').chain(EARLIER.split(','));
        if !known().any(|known| known == column) {
            let unknown = cite("unknown column", column);
            collector.problem(format!("{unknown}; the columns are {}", COLUMNS.join(",")));
        } else if heading[..index].contains(column) {
            collector.problem(cite("two columns are called", column));
        }
    }
}

struct TidyRecord<'a> {
    heading: &'a [String],
    row: &'a RawRow,
}

impl TidyRecord<'_> {
    fn cell(&self, column: &str) -> &str {
        let at = self.heading.iter().position(|h| h == column);
        at.map_or("", |at| self.row.cell(at))
    }

    fn text(&self, column: &str, collector: &mut Collector) -> String {
        let text = cell_text(self.cell(column));
        check_text(column, text, collector);
        text.to_owned()
    }

    fn read(&self, collector: &mut Collector) {
        let caveats = self.cell("caveat").lines().map(cell_text);
        let mut caveats: Vec<String> = caveats.map(str::to_owned).collect();
        let unit = self.text("unit", collector);
        let cells = ["implementation", "version", "variant"].map(|c| self.text(c, collector));
        let implementation = implementation(cells);
        let scenario = name::scenario(&self.text("scenario", collector));
        let (Some(implementation), Some(scenario), Some((unit, value)), Some(run)) = (
            collector.check(implementation),
            collector.check(scenario),
            collector.check(self.value(&unit, &mut caveats)),
            collector.check(self.run()),
        ) else {
            return;
        };
        for caveat in &caveats {
            check_text("caveat", caveat, collector);
        }
        collector.of(implementation);
        let row = collector.push(scenario, unit, value);
        row.run = run;
        row.caveats = caveats;
    }

    /// The unit and the value; the first caveat is why there is none.
    fn value(&self, unit: &str, caveats: &mut Vec<String>) -> Result<(Unit, Value), String> {
        let (unit, factor) = Unit::parse_or_other(unit);
        let reason = caveats.first().map_or(UNSUPPORTED, String::as_str);
        let value = match self.cell("value") {
            UNSUPPORTED => Value::Unsupported(reason.to_owned()),
            "" if reason.starts_with(UNSUPPORTED) && !caveats.is_empty() => {
                let reason = reason.strip_prefix("unsupported: ");
                Value::Unsupported(reason.unwrap_or(UNSUPPORTED).to_owned())
            }
            "0" if unit.may_be_zero() => Value::Number(0.0),
            cell => Value::Number(measured(cell, factor)?),
        };
        if matches!(value, Value::Unsupported(_)) && !caveats.is_empty() {
            caveats.remove(0);
        }
        Ok((unit, value))
    }

    /// The run: counted from 1 in the file, from 0 here.
    fn run(&self) -> Result<u32, String> {
        let cell = self.cell("run");
        match number(cell) {
            _ if cell.is_empty() => Ok(0),
            Ok(n) if n.fract() == 0.0 && n <= f64::from(u32::MAX) => Ok(n as u32 - 1),
            _ => Err(cite("a run is a whole number from 1, not", cell)),
        }
    }
}

fn check_text(column: &str, text: &str, collector: &mut Collector) {
    if text.chars().any(char::is_control) {
        collector.problem(cite(&format!("a control character in the {column}"), text));
    }
}

fn implementation(cells: [String; 3]) -> Result<Option<Implementation>, String> {
    let [name, version, variant] = &cells;
    if name.is_empty() {
        let orphan = format!("{version} {variant}");
        return match orphan.trim() {
            "" => Ok(None),
            orphan => Err(format!("{} without an implementation", quote(orphan))),
        };
    }
    Ok(Some(Implementation::new(name, version, &[variant])))
}

/// Writes observations in this format. Distributions are skipped: pass each of their percentiles
/// as an observation.
pub fn write<'a>(observations: impl IntoIterator<Item = &'a Observation>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let heading = COLUMNS.map(str::to_owned).to_vec();
    let rows = observations.into_iter().filter_map(cells);
    for record in std::iter::once(heading).chain(rows) {
        let written = writer.write_record(record);
        written.expect("as many cells in each record, written to memory");
    }
    let bytes = writer.into_inner().expect("written to memory");
    String::from_utf8(bytes).expect("cells are UTF-8")
}

/// `None` for a distribution.
fn cells(observation: &Observation) -> Option<Vec<String>> {
    let (value, words) = match &observation.value {
        Value::Number(base) => (Some(base / observation.unit.symbol_factor()), None),
        Value::Unsupported(reason) => {
            let is_said = *reason != UNSUPPORTED || !observation.caveats.is_empty();
            (None, Some(reason).filter(|_| is_said))
        }
        Value::Distribution(_) => return None,
    };
    let words = words.into_iter().chain(&observation.caveats);
    let words: Vec<&String> = words.collect();
    let unnamed = Implementation::default();
    let implementation = observation.implementation.as_deref().unwrap_or(&unnamed);
    Some(vec![
        (observation.run + 1).to_string(),
        text_cell(&implementation.name),
        text_cell(implementation.version.as_str()),
        text_cell(&implementation.variant.join("+")),
        text_cell(&observation.scenario.label()),
        text_cell(&observation.unit.declared()),
        value.map_or_else(|| UNSUPPORTED.to_owned(), decimal),
        text_cells(&words),
    ])
}

#[cfg(test)]
mod tests;
