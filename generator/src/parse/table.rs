//! Tables of results, in Markdown and in CSV alike: the first column is a scenario, each
//! further one an [implementation](super::column).

use super::column::{Column, Factor, columns};
use super::{Collector, collector::quote, grouped, name, writev};
use crate::observation::Value;
use crate::scenario::{CipherSuite, Scenario, TlsVersion, Workload};
use crate::unit::Unit;

/// A table as it stands in the file.
pub(super) struct Table {
    pub(super) line: u32,
    pub(super) heading: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A row of the body. `width` is how many cells the file has, whatever the reader made of it.
pub(super) struct Row {
    pub(super) line: u32,
    pub(super) cells: Vec<String>,
    pub(super) width: usize,
}

/// Headings over scenarios.
const SCENARIO: &[&str] = &[
    "",
    "scenario",
    "benchmark",
    "cipher suite",
    "ciphersuite",
    "test",
    "name",
    "workload",
];
/// Cells without a figure.
const NO_FIGURE: &[&str] = &["", "-", "–", "—", "n/a", "N/A"];

/// Reads a table if it is one of results, and says in a note why it is not, if it has figures.
pub(super) fn read_results(table: &Table, collector: &mut Collector) {
    let first = table.heading.first().map_or("", |h| h.trim());
    let has_figures = table
        .rows
        .iter()
        .flat_map(|r| r.cells.iter().skip(1))
        .any(|cell| is_like_a_figure(cell));
    let heading = |word: &str| {
        table
            .heading
            .iter()
            .any(|h| h.trim().eq_ignore_ascii_case(word))
    };
    if writev::percentiles(&table.heading).is_some() {
        return read(table, collector);
    }
    let names_scenarios = SCENARIO.contains(&first.to_lowercase().as_str());
    let known = |row: &Row| {
        row.cells.first().is_some_and(|c| {
            Scenario::from_label(c).is_ok_and(|s| !matches!(s.workload, Workload::Other(_)))
        })
    };
    if heading("old") && heading("new") {
        collector.note(
            table.line,
            "a table of changes is not read: they are computed from the figures of both sides",
        );
    } else if table.rows.iter().any(known) || (names_scenarios && has_figures) {
        read(table, collector);
    } else if has_figures {
        collector.note(
            table.line,
            format!(
                "a table is not read: its first column is headed {} and holds no scenario",
                quote(first)
            ),
        );
    }
}

/// Reads a table of results.
pub(super) fn read(table: &Table, collector: &mut Collector) {
    let percentiles = writev::percentiles(&table.heading);
    let columns = if percentiles.is_none() {
        columns(table, collector)
    } else {
        Vec::new()
    };
    for row in table.rows.iter().filter(|row| !row.repeats(&table.heading)) {
        if row.width != table.heading.len() {
            let wanted = table.heading.len();
            let cells = quote(&row.cells.join(" | "));
            collector.problem(
                row.line,
                format!(
                    "{} cells where the heading has {wanted}: {cells}",
                    row.width
                ),
            );
        } else if let Some(percentiles) = &percentiles {
            writev::read(row.line, &row.cells, percentiles, collector);
        } else {
            row.read(&table.heading, &columns, collector);
        }
    }
}

impl Row {
    /// Long tables repeat their heading in the body, with or without the first cell.
    fn repeats(&self, heading: &[String]) -> bool {
        let rest_is_same = self.cells.len() == heading.len()
            && self
                .cells
                .iter()
                .zip(heading)
                .skip(1)
                .all(|(c, h)| c.trim() == h.trim());
        let first = self.cells.first().map_or("", |c| c.trim());
        rest_is_same && (first.is_empty() || Some(first) == heading.first().map(|h| h.trim()))
    }

    fn read(&self, heading: &[String], columns: &[Column], collector: &mut Collector) {
        let cell_of = |wanted: fn(&Column) -> bool| {
            let at = columns.iter().position(wanted)?;
            self.cells.get(at).map(|c| c.trim())
        };
        let sessions = cell_of(|c| matches!(c, Column::Sessions));
        let first = self.cells.first().map_or("", |c| c.trim());
        let scenario =
            sessions.map_or_else(|| name::scenario(first), |n| memory_scenario(first, n));
        let symbol = cell_of(|c| matches!(c, Column::Unit)).filter(|s| !s.is_empty());
        let unit = symbol
            .map(|s| Unit::parse(s).ok_or_else(|| format!("no unit known as {}", quote(s))))
            .transpose();
        let (Some(scenario), Some(unit)) = (
            collector.check(self.line, scenario),
            collector.check(self.line, unit),
        ) else {
            return;
        };
        for (index, column) in columns.iter().enumerate() {
            let Column::Figures(implementation, of_column) = column else {
                continue;
            };
            let cell = self.cells.get(index).map_or("", |c| c.trim());
            if NO_FIGURE.contains(&cell) {
                continue;
            }
            let figure = choose_unit(&scenario, of_column.as_ref(), unit.as_ref())
                .and_then(|(unit, factor)| Ok((unit, value(cell, factor)?)))
                .map_err(|message| format!("{}: {message}", heading[index].trim()));
            if let Some((unit, value)) = collector.check(self.line, figure) {
                collector.push_for(implementation, self.line, scenario.clone(), unit, value);
            }
        }
    }
}

fn value(cell: &str, factor: f64) -> Result<Value, String> {
    if cell == "unsupported" {
        return Ok(Value::Unsupported(cell.to_owned()));
    }
    let base = grouped(cell)? * factor;
    if base > 0.0 && base.is_finite() {
        Ok(Value::Number(base))
    } else {
        Err(format!("out of range: {}", quote(cell)))
    }
}

/// What a reader would take for a figure, good or bad.
fn is_like_a_figure(cell: &str) -> bool {
    let cell = cell.trim();
    cell == "unsupported" || cell.starts_with("0x") || cell.replace(',', "").parse::<f64>().is_ok()
}

/// `TLS_AES_256_GCM_SHA384 (TLS 1.3)` and a number of sessions, or `memory, 1.3` and the same.
fn memory_scenario(cell: &str, sessions: &str) -> Result<Scenario, String> {
    let count = grouped(sessions).map_err(|message| format!("sessions: {message}"))?;
    if count.fract() != 0.0 || count > f64::from(u32::MAX) {
        return Err(format!(
            "sessions: expected a whole number, got {}",
            quote(sessions)
        ));
    }
    let (suite, said) = cell.split_once(" (").unwrap_or((cell, ""));
    let mut scenario = match CipherSuite::parse(suite.trim()) {
        Some(suite) => {
            let version = said
                .trim_end_matches(')')
                .trim_start_matches("TLS")
                .trim_start_matches('v')
                .trim();
            if !said.is_empty() && TlsVersion::from_word(version) != Some(suite.version) {
                return Err(format!(
                    "the suite belongs to TLS {}, not to {}",
                    suite.version,
                    quote(said.trim_end_matches(')'))
                ));
            }
            Scenario {
                version: Some(suite.version),
                cipher: Some(suite.cipher),
                key: suite.key,
                ..Scenario::new(Workload::Memory)
            }
        }
        None => name::scenario(cell)?,
    };
    if scenario.workload != Workload::Memory || scenario.sessions.is_some() {
        return Err(format!(
            "a number of sessions stands beside what is no memory scenario: {}",
            quote(cell)
        ));
    }
    scenario.sessions = Some(count as u32);
    Ok(scenario)
}

/// The unit of the heading, else that of the row, else the usual one of the workload.
fn choose_unit(
    scenario: &Scenario,
    of_column: Option<&Factor>,
    of_row: Option<&Factor>,
) -> Result<Factor, String> {
    let chosen = match (of_column, of_row) {
        (Some(column), Some(row)) if column != row => {
            return Err("the heading and the row name different units".to_owned());
        }
        (Some(unit), _) | (None, Some(unit)) => unit.clone(),
        (None, None) => {
            let unit = match scenario.workload {
                Workload::Transfer => Unit::Throughput,
                Workload::FullHandshake | Workload::ResumedHandshake => Unit::HandshakeRate,
                Workload::Memory => Unit::Memory,
                _ => return Err(format!("no unit is given for {}", quote(&scenario.label()))),
            };
            let factor = unit.symbol_factor();
            (unit, factor)
        }
    };
    if fits(&scenario.workload, &chosen.0) {
        Ok(chosen)
    } else {
        Err(format!(
            "{} is not measured in {}",
            quote(&scenario.label()),
            chosen.0
        ))
    }
}

/// Whether a workload can be measured so; a time or a count of instructions any can.
fn fits(workload: &Workload, unit: &Unit) -> bool {
    use Workload::{FullHandshake, ResumedHandshake, Transfer};
    match unit {
        Unit::Throughput => matches!(workload, Transfer | Workload::Other(_)),
        Unit::HandshakeRate => matches!(
            workload,
            FullHandshake | ResumedHandshake | Workload::Other(_)
        ),
        _ => *workload != Workload::Memory || *unit == Unit::Memory,
    }
}
