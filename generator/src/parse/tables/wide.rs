//! A CSV table with a row per scenario and a column per implementation. Tables in
//! [Markdown](super::markdown) are read alike.
//!
//! ```text
//! scenario,OpenSSL 3.6.1,rustls 0.23.37
//! "transfer, 1.3, aes-256-gcm, sending",5844.35,7421.02
//! "full handshakes, 1.3, rsa, client",2788.76,6803.93
//! ```
//!
//! The first heading is `scenario`, or `cipher suite` in a memory table with a column `N`. The
//! unit is given by a column `unit` or at the end of a heading such as `OpenSSL (KiB)`; defaults
//! are MiB/s for transfers, handshakes/s for handshakes and KiB for memory.

use super::prelude::*;
use super::records;
use super::records::{RawRow, RawTable};
use super::tidy;
use crate::model::observation::Observation;
use crate::model::tidy::UNSUPPORTED;
use std::collections::HashSet;

/// Headings of columns of scenarios, which may also be empty.
#[rustfmt::skip]
const SCENARIO: [&str; 9] =
    ["", "scenario", "benchmark", "cipher", "cipher suite", "ciphersuite", "test", "name", "workload"];
const NO_FIGURE: &[&str] = &["", "-", "–", "—", "n/a", "N/A"];

pub(in crate::parse) fn recognise(head: &str) -> bool {
    let heading = records::first_record(head);
    let first = heading.first().map(|h| h.to_lowercase());
    let names_scenarios = matches!(first.as_deref(), Some("scenario" | "cipher suite"));
    names_scenarios && heading.len() > 1 && !tidy::recognise(head)
}

pub(in crate::parse) fn parse(text: &str, collector: &mut Collector) {
    if let Some(table) = records::table(text, collector) {
        table.read(collector);
    }
}

impl RawTable {
    /// Reads the table if it is one of results; if not, but it has figures, notes why.
    pub(in crate::parse) fn read_results(self, collector: &mut Collector) {
        let first = self.heading.first().map_or("", String::as_str);
        // Valid or not.
        let is_figure = |cell: &String| {
            let number = cell.replace(',', "").parse::<f64>();
            cell == UNSUPPORTED
                || cell.starts_with("0x")
                || number.is_ok()
                || with_unit(cell).1.is_some()
        };
        let rows = || self.rows.iter().map(|row| &row.value);
        let has_figures = rows().any(|row| row.cells.iter().skip(1).any(is_figure));
        let has = |word: &str| self.heading.iter().any(|h| h.eq_ignore_ascii_case(word));
        let names_scenarios = SCENARIO.contains(&&*first.to_lowercase());
        let is_known = |s: Scenario| !matches!(s.workload, Workload::Other(_));
        let has_known = || rows().any(|row| name::scenario(row.cell(0)).is_ok_and(is_known));
        collector.line = self.line;
        if (has("old") && has("new")) || (has("baseline") && has("candidate")) {
            collector.note(
                "a table of changes is not read: changes are computed from the figures of both sides",
            );
        } else if self.heading.iter().any(|heading| is_statistic(heading)) {
            collector.note(
                "a table of means, errors and the like is not read: each column must be of an implementation",
            );
        } else if (names_scenarios && has_figures) || has_known() {
            self.read(collector);
        } else if has_figures {
            let first = cite("a table is not read: its first column is headed", first);
            collector.note(format!("{first} and has no scenario"));
        }
    }

    pub(in crate::parse) fn read(self, collector: &mut Collector) {
        let columns = columns(&self, collector);
        let above = collector.parsed.observations.len();
        self.read_rows(&columns, collector);
        refuse_doubles(above, collector);
    }

    fn read_rows(self, columns: &[Column], collector: &mut Collector) {
        collector.each(self.rows, |row, collector| {
            if row.repeats(&self.heading) {
                return Ok(());
            }
            row.check_width(&self.heading)?;
            row.read(&self.heading, columns, collector)
        });
    }
}

/// Refuses figures of which nothing says that they are of several runs: one problem for all.
fn refuse_doubles(above: usize, collector: &mut Collector) {
    let mut seen = HashSet::new();
    let rows = &collector.parsed.observations[above..];
    let key = |row: &Observation| {
        let implementation = row.implementation.clone();
        (
            implementation,
            row.scenario.clone(),
            row.unit.clone(),
            row.run,
        )
    };
    let mut doubles = rows.iter().filter(|row| !seen.insert(key(row)));
    if let Some(first) = doubles.next() {
        let others = match doubles.count() {
            0 => String::new(),
            n => format!(", and of {n} more"),
        };
        let message = format!(
            "a second value of {}{others}: a column `run` numbers those of several runs",
            quote(&first.scenario.label())
        );
        collector.line = first.line;
        collector.problem(message);
    }
}

impl RawRow {
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
            Some(self.cell(at)).filter(|cell| !cell.is_empty())
        };
        let first = self.cell(0);
        let scenario = match columns.contains(&Column::Sessions) {
            true => memory_scenario(first, cell_of(Column::Sessions).unwrap_or_default())?,
            false => name::scenario(first)?,
        };
        let unit = match cell_of(Column::Unit) {
            Some(symbol) => Some(Unit::parse(symbol).ok_or_else(|| cite("unknown unit", symbol))?),
            None => None,
        };
        let run = match cell_of(Column::Run) {
            Some(run) => {
                integer(run).ok_or_else(|| cite("expected the number of a run, got", run))?
            }
            None => 0,
        };
        for (index, column) in columns.iter().enumerate() {
            let cell = self.cell(index);
            let (implementation, scenario, figure) = match column {
                Column::Figures(..) if NO_FIGURE.contains(&cell) => continue,
                Column::Figures(implementation, of_column) => {
                    let (cell, of_cell) = with_unit(cell);
                    let of_row = of_cell.as_ref().or(unit.as_ref());
                    let figure = choose_unit(&scenario, of_column.as_ref(), of_row).and_then(
                        |(unit, factor)| match cell {
                            UNSUPPORTED => Ok((unit, Value::Unsupported(cell.to_owned()))),
                            _ => Ok((unit, Value::Number(grouped(cell)? * factor))),
                        },
                    );
                    (Some(implementation.clone()), scenario.clone(), figure)
                }
                _ => continue,
            };
            let figure = figure.map_err(|message| format!("{}: {message}", heading[index]));
            if let Some((unit, value)) = collector.check(figure) {
                collector.of(implementation);
                collector.push(scenario, unit, value).run = run;
            }
        }
        Ok(())
    }
}

/// A unit, and the factor from printed figures to its base unit.
type Factor = (Unit, f64);

/// Splits `400 MB/s`.
fn with_unit(cell: &str) -> (&str, Option<Factor>) {
    match cell
        .split_once(' ')
        .map(|(figure, unit)| (figure, Unit::parse(unit.trim())))
    {
        Some((figure, Some(unit))) if figure.starts_with(|c: char| c.is_ascii_digit()) => {
            (figure, Some(unit))
        }
        _ => (cell, None),
    }
}

/// The contents of a column in a table of results.
#[derive(PartialEq)]
enum Column {
    /// The scenario, or the cipher suite of a memory table.
    Scenario,
    /// `N`: the number of sessions in a memory table.
    Sessions,
    Unit,
    /// The number of the execution.
    Run,
    Figures(Implementation, Option<Factor>),
    /// Derived from other columns, or prose.
    Ignored,
}

/// Headings of columns that are computed from others, or hold prose.
const DERIVED: &str = " vs vs. factor ratio change delta diff difference speedup relative \
                       note notes comment comments remark remarks ";

/// Whether a column has a statistic of one implementation: `Mean [ms]`.
fn is_statistic(heading: &str) -> bool {
    let name = heading.split(['[', '(']).next().unwrap_or_default();
    let words = [
        "mean",
        "median",
        "min",
        "max",
        "error",
        "stddev",
        "std dev",
        "iterations",
    ];
    words.contains(&name.trim().to_lowercase().as_str())
}

/// Interprets the headings of a table, whose first column is the scenario.
fn columns(table: &RawTable, collector: &mut Collector) -> Vec<Column> {
    collector.line = table.line;
    let mut columns = vec![Column::Scenario];
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
        "" if table
            .rows
            .iter()
            .all(|row| row.value.cell(index).is_empty()) =>
        {
            Ok(Column::Ignored)
        }
        "" => Err(format!("the heading of column {} is empty", index + 1)),
        "n" | "sessions" => Ok(Column::Sessions),
        "unit" | "units" => Ok(Column::Unit),
        "run" => Ok(Column::Run),
        _ if is_statistic(heading) => Err(cite("no implementation, but a statistic:", heading)),
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

/// A name and, in parentheses or brackets, a unit.
static NAME_AND_UNIT: Pattern = Pattern::new(r"^(.*?) *(?:\(([^(]*)\)|\[([^\[]*)\])$");

/// Splits `OpenSSL 3.2.0 (KiB)` into name and unit. Parentheses may also contain a version;
/// brackets contain only units.
fn split_unit(heading: &str) -> Result<(&str, Option<Factor>), String> {
    let Some([_, name, round, square]) = NAME_AND_UNIT.groups(heading) else {
        return Ok((heading, None));
    };
    match Unit::parse(if square.is_empty() { round } else { square }.trim()) {
        Some(unit) => Ok((name, Some(unit))),
        None if heading.ends_with(')') => Ok((heading, None)),
        None => {
            let message = format!("unknown unit {} in", quote(square));
            Err(cite(&message, heading))
        }
    }
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
            suite.of(Scenario::new(Workload::Memory))
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
    let usual = match scenario.workload {
        Transfer => Some(Unit::Throughput),
        FullHandshake | ResumedHandshake => Some(Unit::HandshakeRate),
        Memory => Some(Unit::Memory),
        _ => None,
    };
    if of_column.is_some() && of_row.is_some() && of_column != of_row {
        return Err("the heading and the row name different units".to_owned());
    }
    let default = usual
        .clone()
        .map(|unit| (unit.clone(), unit.symbol_factor()));
    let chosen = of_column.or(of_row).cloned().or(default);
    let (unit, factor) = chosen.ok_or_else(|| {
        let missing = cite("no unit is given for", &scenario.label());
        missing + "; put one into each heading, as in `name (ns)`, or into a column `unit`: ns, ops/s, MB/s, KiB, instructions …"
    })?;
    // Times and counts of instructions fit any workload except memory.
    let is_particular = matches!(unit, Unit::Throughput | Unit::HandshakeRate);
    let fits = match scenario.workload {
        Other(_) => true,
        Memory => unit == Unit::Memory,
        _ => !is_particular || usual.as_ref() == Some(&unit),
    };
    match fits {
        true => Ok((unit, factor)),
        false => Err(quote(&scenario.label()) + &format!(" is not measured in {unit}")),
    }
}
