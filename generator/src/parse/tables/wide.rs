//! Tables of published figures, with a row per scenario and a column per implementation. Tables in
//! [Markdown](super::markdown) are read alike.
//!
//! ```text
//! scenario,OpenSSL 3.6.1,rustls 0.23.37
//! "transfer, 1.3, aes-256-gcm, sending",5844.35,7421.02
//! "full handshakes, 1.3, rsa, client",2788.76,6803.93
//! ```
//!
//! The unit is given by a column `unit`, at the end of a heading such as `OpenSSL (KiB)` or in a cell;
//! defaults are MiB/s for transfers, handshakes/s for handshakes and KiB for memory.

use super::prelude::*;
use super::{Cells, Located, Table, check_width, each_record, heading, separator, tidy};
use crate::model::tidy::UNSUPPORTED;
use std::borrow::Cow;
use std::collections::HashSet;

/// Headings of columns of scenarios in Markdown, which may also be empty.
#[rustfmt::skip]
const SCENARIO: [&str; 7] = ["", "scenario", "benchmark", "cipher", "test", "name", "workload"];

/// Headings of columns that are computed from others, or hold prose.
const DERIVED: &str = " vs vs. factor ratio change delta diff difference speedup relative \
                       note notes comment comments remark remarks ";

/// Headings of columns with a statistic of one implementation, such as `Mean [ms]`.
const STATISTICS: &str = " mean median min max error stddev iterations ";

const NO_FIGURE: &[&str] = &["", "-", "–", "—", "n/a", "N/A"];

pub(in crate::parse) fn recognise(head: &str) -> bool {
    let heading = heading(head);
    let first = heading.first().map_or("", |first| first.trim());
    first.eq_ignore_ascii_case("scenario") && heading.len() > 1 && !tidy::recognise(head)
}

pub(in crate::parse) fn parse(text: &str, out: &mut Collector) {
    let is_semicolon = separator(text) == b';';
    let mut rows = Vec::new();
    each_record(text, out, |cells, out| {
        let value: Cells<'_> = cells
            .iter()
            .map(|cell| cell.trim().to_owned().into())
            .collect();
        // With semicolons, `1,234` may be either.
        let is_unclear =
            |cell: &str| cell.contains(',') && cell.replace(',', "").parse::<f64>().is_ok();
        if is_semicolon && let Some(cell) = value.iter().find(|cell| is_unclear(cell)) {
            let message = "the comma may stand for decimals or for thousands in";
            return Err(cite(message, cell));
        }
        rows.push(Located {
            line: out.line,
            value,
        });
        Ok(())
    });
    let mut rows = rows.into_iter();
    if let Some(Located {
        line,
        value: heading,
    }) = rows.next()
    {
        let rows = rows.collect();
        Table {
            line,
            heading,
            rows,
        }
        .read(out);
    }
}

/// A unit, and the factor from printed figures to its base unit.
type Factor = (Unit, f64);

/// The contents of a column.
#[derive(PartialEq)]
enum Column {
    Scenario,
    Unit,
    /// The number of the execution.
    Run,
    Figures(Implementation, Option<Factor>),
    /// Derived from other columns, or prose.
    Ignored,
}

impl Table<'_> {
    /// Reads a table in prose if it is one of results; if not, but it has figures, notes why.
    pub(super) fn read_results(self, out: &mut Collector) {
        let first = self.heading.first().map_or("", |first| &**first);
        let rows = || self.rows.iter().map(|row| &row.value);
        let is_figure = |cell: &Cow<'_, str>| {
            let (figure, unit) = with_unit(cell);
            unit.is_some()
                || figure == UNSUPPORTED
                || figure.replace(',', "").parse::<f64>().is_ok()
        };
        let has_figures = rows().any(|cells| cells.iter().skip(1).any(is_figure));
        let is_known = |cells: &Cells<'_>| match name::scenario(&cells[0]) {
            Ok(scenario) => !matches!(scenario.workload, Workload::Other(_)),
            Err(_) => false,
        };
        let is_of_results = SCENARIO.contains(&&*first.to_lowercase()) && has_figures;
        let has = |word: &str| self.heading.iter().any(|h| h.eq_ignore_ascii_case(word));
        let is_of_changes = (has("old") && has("new")) || (has("baseline") && has("candidate"));
        let is_of_statistics = self.heading.iter().any(|heading| is_statistic(heading));
        out.line = self.line;
        if is_of_changes || is_of_statistics {
            out.note("a table of changes, means and the like is not read: each column must be of an implementation");
        } else if is_of_results || rows().any(is_known) {
            self.read(out);
        } else if has_figures {
            let first = cite("a table is not read: its first column is headed", first);
            out.note(format!("{first} and has no scenario"));
        }
    }

    fn read(self, out: &mut Collector) {
        let columns = columns(&self, out);
        let mut seen = HashSet::new();
        let mut doubles = Vec::new();
        out.each(self.rows, |cells, out| {
            // Long tables repeat the heading, with or without the first cell.
            let is_heading = cells[1..] == self.heading[1..];
            if is_heading && (cells[0].is_empty() || cells[0] == self.heading[0]) {
                return Ok(());
            }
            check_width(&cells, &self.heading)?;
            let above = out.parsed.observations.len();
            read_row(&cells, &self.heading, &columns, out)?;
            for row in &out.parsed.observations[above..] {
                let key = (row.implementation.clone(), row.scenario.clone(), row.run);
                if !seen.insert((key, row.unit.clone())) {
                    doubles.push((row.line, row.scenario.label()));
                }
            }
            Ok(())
        });
        // One problem for all.
        if let Some((line, label)) = doubles.first() {
            let others = match doubles.len() - 1 {
                0 => String::new(),
                n => format!(", and of {n} more"),
            };
            out.line = *line;
            out.problem(format!(
                "a second value of {}{others}: a column `run` numbers those of several runs",
                quote(label)
            ));
        }
    }
}

fn read_row(
    cells: &[Cow<'_, str>],
    heading: &[Cow<'_, str>],
    columns: &[Column],
    out: &mut Collector,
) -> Result<(), String> {
    let cell_of = |wanted: Column| {
        let at = columns.iter().position(|column| *column == wanted)?;
        Some(&*cells[at]).filter(|cell| !cell.is_empty())
    };
    let scenario = name::scenario(&cells[0])?;
    let unit = match cell_of(Column::Unit) {
        Some(symbol) => Some(Unit::parse(symbol).ok_or_else(|| cite("unknown unit", symbol))?),
        None => None,
    };
    let run = match cell_of(Column::Run) {
        Some(run) => integer(run).ok_or_else(|| cite("expected the number of a run, got", run))?,
        None => 0,
    };
    for ((column, cell), heading) in columns.iter().zip(cells).zip(heading) {
        let Column::Figures(implementation, of_column) = column else {
            continue;
        };
        if NO_FIGURE.contains(&&**cell) {
            continue;
        }
        let (figure, of_cell) = with_unit(cell);
        let of_row = of_cell.as_ref().or(unit.as_ref());
        let unit = choose_unit(&scenario, of_column.as_ref(), of_row);
        let read = unit.and_then(|(unit, factor)| match figure {
            UNSUPPORTED => Ok((unit, Value::Unsupported(figure.to_owned()))),
            _ => Ok((unit, Value::Number(grouped(figure)? * factor))),
        });
        let read = read.map_err(|message| format!("{heading}: {message}"));
        if let Some((unit, value)) = out.check(read) {
            out.of(Some(implementation.clone()));
            out.push(scenario.clone(), unit, value).run = run;
        }
    }
    Ok(())
}

/// Splits `400 MB/s`.
fn with_unit(cell: &str) -> (&str, Option<Factor>) {
    let split = cell.split_once(' ');
    let split = split.map(|(figure, unit)| (figure, Unit::parse(unit.trim())));
    match split {
        Some((figure, Some(unit))) if figure.starts_with(|c: char| c.is_ascii_digit()) => {
            (figure, Some(unit))
        }
        _ => (cell, None),
    }
}

fn is_statistic(heading: &str) -> bool {
    let name = heading.split(['[', '(']).next().unwrap_or_default();
    STATISTICS.contains(&format!(" {} ", name.trim().to_lowercase()))
}

/// Interprets the headings of a table, whose first column is the scenario.
fn columns(table: &Table<'_>, out: &mut Collector) -> Vec<Column> {
    out.line = table.line;
    let mut columns = vec![Column::Scenario];
    let mut seen: Vec<Implementation> = Vec::new();
    for (index, heading) in table.heading.iter().enumerate().skip(1) {
        let is_empty = || {
            table
                .rows
                .iter()
                .all(|row| row.value.get(index).is_none_or(|cell| cell.is_empty()))
        };
        let column = match heading.to_lowercase().as_str() {
            "" if is_empty() => Ok(Column::Ignored),
            "" => Err(format!("the heading of column {} is empty", index + 1)),
            "unit" | "units" => Ok(Column::Unit),
            "run" => Ok(Column::Run),
            _ if is_statistic(heading) => Err(cite("no implementation, but a statistic:", heading)),
            word if word.starts_with("vs. ") || word.starts_with("vs ") => Ok(Column::Ignored),
            word if DERIVED.contains(&format!(" {word} ")) => Ok(Column::Ignored),
            _ => figures(heading),
        };
        let column = out.check(column).unwrap_or(Column::Ignored);
        if let Column::Figures(implementation, _) = &column {
            if seen.contains(implementation) {
                out.problem(format!("two columns are headed {implementation}"));
            }
            seen.push(implementation.clone());
        }
        columns.push(column);
    }
    if seen.is_empty() {
        let heading = table.heading.join(" | ");
        out.problem(cite("no column names an implementation:", &heading));
    }
    columns
}

/// A name and, in parentheses or brackets, a unit. Parentheses may also contain a version.
static NAME_AND_UNIT: Pattern = Pattern::new(r"^(.*?) *(?:\(([^(]*)\)|\[([^\[]*)\])$");

/// The column of `OpenSSL 3.2.0 (KiB)`.
fn figures(heading: &str) -> Result<Column, String> {
    let (mut name, mut unit) = (heading, None);
    if let Some([_, before, round, square]) = NAME_AND_UNIT.groups(heading) {
        unit = Unit::parse(if square.is_empty() { round } else { square }.trim());
        if unit.is_some() {
            name = before;
        } else if heading.ends_with(']') {
            let message = format!("unknown unit {} in", quote(square));
            return Err(cite(&message, heading));
        }
    }
    let implementation = Implementation::from_heading(name);
    name::scenario(&implementation.to_string())?;
    Ok(Column::Figures(implementation, unit))
}

/// The unit of the heading, otherwise that of the row, otherwise the workload's default.
fn choose_unit(
    scenario: &Scenario,
    of_column: Option<&Factor>,
    of_row: Option<&Factor>,
) -> Result<Factor, String> {
    let usual = match scenario.workload {
        Workload::Transfer => Some(Unit::Throughput),
        Workload::FullHandshake | Workload::ResumedHandshake => Some(Unit::HandshakeRate),
        Workload::Memory => Some(Unit::Memory),
        _ => None,
    };
    if of_column.is_some() && of_row.is_some() && of_column != of_row {
        return Err("the heading and the row name different units".to_owned());
    }
    let default = usual
        .as_ref()
        .map(|unit| (unit.clone(), unit.symbol_factor()));
    let Some((unit, factor)) = of_column.or(of_row).cloned().or(default) else {
        let missing = cite("no unit is given for", &scenario.label());
        return Err(missing
            + "; put one into each heading, as in `name (ns)`, or into a column `unit`: ns, ops/s, MB/s, KiB, instructions …");
    };
    // Times and counts of instructions fit any workload except memory.
    let is_particular = matches!(unit, Unit::Throughput | Unit::HandshakeRate);
    let fits = match scenario.workload {
        Workload::Other(_) => true,
        Workload::Memory => unit == Unit::Memory,
        _ => !is_particular || usual.as_ref() == Some(&unit),
    };
    match fits {
        true => Ok((unit, factor)),
        false => Err(quote(&scenario.label()) + &format!(" is not measured in {unit}")),
    }
}
