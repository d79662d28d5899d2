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

/// Headings of columns that are not of one implementation, such as `Mean [ms]`.
const OTHERS: &str = " mean median min max error stddev iterations old new baseline candidate ";

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
        let cells = cells.iter().map(|cell| Cow::Owned(cell.trim().to_owned()));
        let value: Cells<'_> = cells.collect();
        // With semicolons, `1,234` may be either.
        let is_unclear = |cell: &&Cow<'_, str>| {
            cell.contains(',') && cell.replace(',', "").parse::<f64>().is_ok()
        };
        if let Some(cell) = value.iter().find(is_unclear).filter(|_| is_semicolon) {
            let message = "the comma may stand for decimals or for thousands in";
            return Err(cite(message, cell));
        }
        let line = out.line;
        rows.push(Located { line, value });
        Ok(())
    });
    if rows.is_empty() {
        return;
    }
    let Located { line, value } = rows.remove(0);
    let (heading, rows) = (value, rows);
    let table = Table {
        line,
        heading,
        rows,
    };
    out.line = line;
    if let Some(columns) = out.check(table.columns()) {
        table.read(&columns, out);
    }
}

/// A unit, and the factor from printed figures to its base unit.
type Factor = (Unit, f64);

/// The contents of a column.
#[derive(PartialEq)]
enum Column {
    /// The scenario, what is derived from other columns, or prose.
    Ignored,
    Unit,
    /// The number of the execution.
    Run,
    Figures(Implementation, Option<Factor>),
}

impl Table<'_> {
    /// Reads a table in prose if it is one of results; if not, but it has figures, notes why.
    pub(super) fn read_results(self, out: &mut Collector) {
        let rows = || self.rows.iter().map(|row| &row.value);
        let is_figure = |cell: &Cow<'_, str>| {
            let (figure, unit) = with_unit(cell);
            unit.is_some()
                || figure == UNSUPPORTED
                || figure.replace(',', "").parse::<f64>().is_ok()
        };
        let is_known = |cells: &Cells<'_>| {
            let scenario = name::scenario(&cells[0]);
            scenario.is_ok_and(|scenario| !matches!(scenario.workload, Workload::Other(_)))
        };
        if !rows().any(|cells| cells.iter().skip(1).any(is_figure)) {
            return;
        }
        out.line = self.line;
        let first = self.heading[0].to_lowercase();
        let why = match self.columns() {
            Ok(columns) if SCENARIO.contains(&&*first) || rows().any(is_known) => {
                return self.read(&columns, out);
            }
            Ok(_) => cite("its first column has no scenarios:", &self.heading[0]),
            Err(why) => why,
        };
        out.note(format!("a table is not read: {why}"));
    }

    /// Interprets the headings, of which the first is that of scenarios.
    fn columns(&self) -> Result<Vec<Column>, String> {
        let mut columns = vec![Column::Ignored];
        let mut seen: Vec<Implementation> = Vec::new();
        for (index, heading) in self.heading.iter().enumerate().skip(1) {
            let mut cells = self.rows.iter().filter_map(|row| row.value.get(index));
            let lower = heading.to_lowercase();
            let word = lower.split(['[', '(']).next().unwrap_or_default().trim();
            let is_one = |words: &str| words.contains(&format!(" {word} "));
            columns.push(match word {
                "" if cells.all(|cell| cell.is_empty()) => Column::Ignored,
                "" => return Err(format!("the heading of column {} is empty", index + 1)),
                "unit" | "units" => Column::Unit,
                "run" => Column::Run,
                _ if is_one(OTHERS) => return Err(cite("no implementation:", heading)),
                _ if is_one(DERIVED) || word.starts_with("vs") => Column::Ignored,
                _ => {
                    let (implementation, unit) = figures(heading)?;
                    if seen.contains(&implementation) {
                        return Err(format!("two columns are headed {implementation}"));
                    }
                    seen.push(implementation.clone());
                    Column::Figures(implementation, unit)
                }
            });
        }
        match seen.is_empty() {
            true => Err(cite(
                "no column names an implementation:",
                &self.heading.join(" | "),
            )),
            false => Ok(columns),
        }
    }

    fn read(self, columns: &[Column], out: &mut Collector) {
        let (mut seen, mut is_double) = (HashSet::new(), false);
        out.each(self.rows, |cells, out| {
            // Long tables repeat the heading, with or without the first cell.
            let is_heading = cells[1..] == self.heading[1..];
            if is_heading && (cells[0].is_empty() || cells[0] == self.heading[0]) {
                return Ok(());
            }
            check_width(&cells, &self.heading)?;
            let above = out.parsed.observations.len();
            read_row(&cells, &self.heading, columns, out)?;
            for row in &out.parsed.observations[above..] {
                let key = (row.implementation.clone(), row.scenario.clone(), row.run);
                if !seen.insert((key, row.unit.clone())) && !is_double {
                    is_double = true;
                    let label = quote(&row.scenario.label());
                    return Err(format!(
                        "a second value of {label}: a column `run` numbers those of several runs"
                    ));
                }
            }
            Ok(())
        });
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
        let unit = choose_unit(
            &scenario,
            of_column.as_ref(),
            of_cell.as_ref().or(unit.as_ref()),
        );
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
    match cell.split_once(' ') {
        Some((figure, unit)) if figure.starts_with(|c: char| c.is_ascii_digit()) => {
            match Unit::parse(unit.trim()) {
                Some(unit) => (figure, Some(unit)),
                None => (cell, None),
            }
        }
        _ => (cell, None),
    }
}

/// A name and, in parentheses or brackets, a unit. Parentheses may also contain a version.
static NAME_AND_UNIT: LazyLock<Expression> =
    LazyLock::new(|| Expression::new(r"^(.*?) *(?:\(([^(]*)\)|\[([^\[]*)\])$"));

/// The implementation and the unit of `OpenSSL 3.2.0 (KiB)`.
fn figures(heading: &str) -> Result<(Implementation, Option<Factor>), String> {
    let (mut name, mut unit) = (heading, None);
    if let Some([_, before, round, square]) = NAME_AND_UNIT.groups(heading) {
        unit = Unit::parse(if square.is_empty() { round } else { square }.trim());
        if unit.is_some() {
            name = before;
        } else if heading.ends_with(']') {
            return Err(cite(&format!("unknown unit {} in", quote(square)), heading));
        }
    }
    let implementation = Implementation::from_heading(name);
    name::scenario(&implementation.to_string())?;
    Ok((implementation, unit))
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
        .clone()
        .map(|unit| (unit.clone(), unit.symbol_factor()));
    let Some((unit, factor)) = of_column.or(of_row).cloned().or(default) else {
        let missing = cite("no unit is given for", &scenario.label());
        return Err(
            missing + "; put one into each heading, as in `name (ns)`, or into a column `unit`"
        );
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
