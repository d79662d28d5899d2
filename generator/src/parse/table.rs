//! Tables of results in Markdown or CSV: the first column is the scenario, each of the others an
//! [implementation](super::column).

use super::column::{Column, Factor, columns};
use super::number::{grouped, measured};
use super::{Collector, collector::cite, collector::quote, name, writev};
use crate::observation::Value;
use crate::scenario::{CipherSuite, Scenario, TlsVersion, Workload};
use crate::unit::Unit;

/// A table of text, with trimmed cells.
pub(super) struct RawTable {
    pub(super) line: u32,
    pub(super) heading: Vec<String>,
    pub(super) rows: Vec<RawRow>,
}

/// A row of the body. `width` is the number of cells before a parser adds or drops any.
pub(super) struct RawRow {
    pub(super) line: u32,
    pub(super) cells: Vec<String>,
    pub(super) width: usize,
}

/// Headings of columns of scenarios.
const SCENARIO: &str = "|scenario|benchmark|cipher suite|ciphersuite|test|name|workload|";
const NO_FIGURE: &[&str] = &["", "-", "–", "—", "n/a", "N/A"];

impl RawTable {
    /// Reads the table if it is one of results; if not, but it has figures, notes why.
    pub(super) fn read_results(&self, collector: &mut Collector) {
        let first = self.heading.first().map_or("", String::as_str);
        let figures = |row: &RawRow| row.cells.iter().skip(1).any(|cell| is_like_a_figure(cell));
        let has_figures = self.rows.iter().any(figures);
        let heading = |word: &str| self.heading.iter().any(|h| h.eq_ignore_ascii_case(word));
        let names_scenarios =
            first.is_empty() || SCENARIO.contains(&format!("|{}|", first.to_lowercase()));
        let is_known = |s: Scenario| !matches!(s.workload, Workload::Other(_));
        let known = |row: &RawRow| Scenario::from_label(row.cell(0)).is_ok_and(is_known);
        collector.line = self.line;
        if writev::percentiles(&self.heading).is_some() {
            self.read(collector);
        } else if heading("old") && heading("new") {
            collector.note(
                "a table of changes is not read: changes are computed from the figures of both sides",
            );
        } else if self.rows.iter().any(known) || (names_scenarios && has_figures) {
            self.read(collector);
        } else if has_figures {
            let first = cite("a table is not read: its first column is headed", first);
            collector.note(format!("{first} and has no scenario"));
        }
    }

    pub(super) fn read(&self, collector: &mut Collector) {
        let columns = columns(self, collector);
        for row in self.rows.iter().filter(|row| !row.repeats(&self.heading)) {
            if collector.is_full() {
                return;
            }
            collector.line = row.line;
            let read = row
                .check_width(&self.heading)
                .and_then(|()| row.read(&self.heading, &columns, collector));
            collector.check(read);
        }
    }
}

impl RawRow {
    /// The text of a cell; empty if the row is too short.
    pub(super) fn cell(&self, index: usize) -> &str {
        self.cells.get(index).map_or("", String::as_str)
    }

    pub(super) fn check_width(&self, heading: &[String]) -> Result<(), String> {
        let (found, wanted) = (self.width, heading.len());
        if found == wanted {
            return Ok(());
        }
        let message = format!("{found} cells, but the heading has {wanted}:");
        Err(cite(&message, &self.cells.join(" | ")))
    }

    /// Whether the row repeats the heading, as in long tables, with or without the first cell.
    fn repeats(&self, heading: &[String]) -> bool {
        match (self.cells.split_first(), heading.split_first()) {
            (Some((cell, cells)), Some((first, rest))) => {
                cells == rest && (cell.is_empty() || cell == first)
            }
            _ => false,
        }
    }

    fn read(
        &self,
        heading: &[String],
        columns: &[Column],
        collector: &mut Collector,
    ) -> Result<(), String> {
        let cell_of = |wanted: Column| {
            let at = columns.iter().position(|column| *column == wanted)?;
            Some(self.cell(at))
        };
        let first = self.cell(0);
        let scenario = match cell_of(Column::Sessions) {
            Some(sessions) => memory_scenario(first, sessions)?,
            None => name::scenario(first)?,
        };
        let unit = cell_of(Column::Unit)
            .filter(|symbol| !symbol.is_empty())
            .map(|symbol| Unit::parse(symbol).ok_or_else(|| cite("unknown unit", symbol)))
            .transpose()?;
        for (index, column) in columns.iter().enumerate() {
            let cell = self.cell(index);
            let (implementation, scenario, figure) = match column {
                Column::Figures(..) if NO_FIGURE.contains(&cell) => continue,
                Column::Figures(implementation, of_column) => {
                    let figure = choose_unit(&scenario, of_column.as_ref(), unit.as_ref())
                        .and_then(|(unit, factor)| Ok((unit, value(cell, factor)?)));
                    (Some(implementation.clone()), scenario.clone(), figure)
                }
                Column::Percentile(_) if scenario.workload != Workload::Write => {
                    let message = "expected a call to SSL_write with its buffers, got";
                    return Err(cite(message, first));
                }
                Column::Percentile(percentile) => {
                    let figure = measured(cell, 1e-9).map(|s| (Unit::Time, Value::Number(s)));
                    (None, scenario.at(*percentile), figure)
                }
                _ => continue,
            };
            let figure = figure.map_err(|message| format!("{}: {message}", heading[index]));
            if let Some((unit, value)) = collector.check(figure) {
                collector.push(scenario, unit, value).implementation = implementation;
            }
        }
        Ok(())
    }
}

fn value(cell: &str, factor: f64) -> Result<Value, String> {
    match cell {
        "unsupported" => Ok(Value::Unsupported(cell.to_owned())),
        _ => Ok(Value::Number(grouped(cell)? * factor)),
    }
}

/// Whether a cell looks like a figure, valid or not.
fn is_like_a_figure(cell: &str) -> bool {
    cell == "unsupported" || cell.starts_with("0x") || cell.replace(',', "").parse::<f64>().is_ok()
}

/// The scenario of a number of sessions and `TLS_AES_256_GCM_SHA384 (TLS 1.3)` or `memory, 1.3`.
fn memory_scenario(cell: &str, sessions: &str) -> Result<Scenario, String> {
    let count = grouped(sessions).map_err(|message| format!("sessions: {message}"))?;
    if count.fract() != 0.0 || count > f64::from(u32::MAX) {
        return Err(cite("sessions: expected a whole number, got", sessions));
    }
    let (suite, note) = cell.split_once(" (").unwrap_or((cell, ""));
    let mut scenario = match CipherSuite::parse(suite.trim()) {
        Some(suite) => {
            let (version, note) = (suite.version, note.trim_end_matches(')'));
            let word = note.trim_start_matches("TLS").trim_start_matches('v');
            if !note.is_empty() && TlsVersion::from_word(word.trim()) != Some(version) {
                let message = format!("the suite belongs to TLS {version}, not to");
                return Err(cite(&message, note));
            }
            Scenario {
                version: Some(version),
                cipher: Some(suite.cipher),
                key: suite.key,
                ..Scenario::new(Workload::Memory)
            }
        }
        None => name::scenario(cell)?,
    };
    if scenario.workload != Workload::Memory || scenario.sessions.is_some() {
        let message = "a number of sessions, but not a scenario of memory:";
        return Err(cite(message, cell));
    }
    scenario.sessions = Some(count as u32);
    Ok(scenario)
}

/// The unit of the heading, otherwise that of the row, otherwise the workload's default.
fn choose_unit(
    scenario: &Scenario,
    of_column: Option<&Factor>,
    of_row: Option<&Factor>,
) -> Result<Factor, String> {
    use Workload::{FullHandshake, Memory, Other, ResumedHandshake, Transfer};
    let chosen = match (of_column, of_row) {
        (Some(column), Some(row)) if column != row => {
            return Err("the heading and the row name different units".to_owned());
        }
        (Some(unit), _) | (None, Some(unit)) => unit.clone(),
        (None, None) => {
            let unit = match scenario.workload {
                Transfer => Unit::Throughput,
                FullHandshake | ResumedHandshake => Unit::HandshakeRate,
                Memory => Unit::Memory,
                _ => return Err(cite("no unit is given for", &scenario.label())),
            };
            (unit.clone(), unit.symbol_factor())
        }
    };
    // Times and counts of instructions fit any workload except memory.
    let fits = match (&chosen.0, &scenario.workload) {
        (Unit::Throughput, workload) => matches!(workload, Transfer | Other(_)),
        (Unit::HandshakeRate, workload) => {
            matches!(workload, FullHandshake | ResumedHandshake | Other(_))
        }
        (unit, Memory) => *unit == Unit::Memory,
        _ => true,
    };
    if fits {
        return Ok(chosen);
    }
    Err(format!(
        "{} is not measured in {}",
        quote(&scenario.label()),
        chosen.0
    ))
}
