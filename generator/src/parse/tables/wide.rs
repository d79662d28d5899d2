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
use super::{Cells, Row, check_width, heading, records, separator, tidy};
use crate::model::tidy::UNSUPPORTED;

/// Headings of columns of scenarios in Markdown, which may also be empty.
#[rustfmt::skip]
const SCENARIO: [&str; 7] = ["", "scenario", "benchmark", "cipher", "test", "name", "workload"];

const NO_FIGURE: &[&str] = &["", "-", "–", "—", "n/a", "N/A"];

pub(in crate::parse) fn recognise(head: &str) -> bool {
    let heading = heading(head);
    let first = heading.first().map_or("", |first| first.trim());
    first.eq_ignore_ascii_case("scenario") && heading.len() > 1 && !tidy::recognise(head)
}

pub(in crate::parse) fn parse(text: &str, out: &mut Collector) {
    if let Some((heading, rows)) = records(text, out) {
        let mut table = Table::new(out.line, heading);
        table.rows = rows.collect();
        table.has_semicolons = separator(text) == b';';
        if let Some(columns) = out.check(table.columns()) {
            table.read(&columns, out);
        }
    }
}

pub(super) struct Table<'a> {
    line: u32,
    heading: Cells<'a>,
    pub(super) rows: Vec<Row<'a>>,
    has_semicolons: bool,
}

/// A unit, and the factor from printed figures to its base unit.
type Factor = (Unit, f64);

/// The places of columns. The others are the scenario, what is derived from other columns, or prose.
#[derive(Default)]
struct Columns {
    unit: Option<usize>,
    /// The number of the execution.
    run: Option<usize>,
    figures: Vec<(usize, Implementation, Option<Factor>)>,
}

impl<'a> Table<'a> {
    pub(super) fn new(line: u32, heading: Cells<'a>) -> Self {
        Self {
            line,
            heading,
            rows: Vec::new(),
            has_semicolons: false,
        }
    }

    /// Reads a table in prose if it is one of results; if not, but it has figures, notes why.
    pub(super) fn read_results(self, out: &mut Collector) {
        let rows = || self.rows.iter().map(|(cells, _)| cells);
        let is_figure = |cell: &Cow<'_, str>| {
            let (figure, unit) = with_unit(cell);
            unit.is_some() || figure == UNSUPPORTED || grouped(figure).is_ok()
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
    fn columns(&self) -> Result<Columns, String> {
        let mut columns = Columns::default();
        for (at, heading) in self.heading.iter().enumerate().skip(1) {
            let mut cells = self.rows.iter().filter_map(|(cells, _)| cells.get(at));
            let lower = heading.to_lowercase();
            match lower.split(['[', '(']).next().unwrap_or_default().trim() {
                "" if cells.all(|cell| cell.trim().is_empty()) => {}
                "" => return Err(format!("the heading of column {} is empty", at + 1)),
                "unit" | "units" => columns.unit = columns.unit.or(Some(at)),
                "run" => columns.run = columns.run.or(Some(at)),
                // Not of one implementation, such as `Mean [ms]`.
                "mean" | "median" | "min" | "max" | "error" | "stddev" | "iterations" | "old"
                | "new" | "baseline" | "candidate" => {
                    return Err(cite("no implementation:", heading));
                }
                // Computed from others, or prose.
                "factor" | "ratio" | "change" | "delta" | "diff" | "difference" | "speedup"
                | "relative" | "note" | "notes" | "comment" | "comments" | "remark" | "remarks" => {
                }
                word if word.starts_with("vs") => {}
                _ => {
                    let (one, unit) = figures(heading)?;
                    if columns.figures.iter().any(|(_, other, _)| *other == one) {
                        return Err(format!("two columns are headed {one}"));
                    }
                    columns.figures.push((at, one, unit));
                }
            }
        }
        let names = self.heading.join(" | ");
        match columns.figures.is_empty() {
            true => Err(cite("no column names an implementation:", &names)),
            false => Ok(columns),
        }
    }

    fn read(mut self, columns: &Columns, out: &mut Collector) {
        let rows = std::mem::take(&mut self.rows);
        out.each(rows, |cells, out| self.row(&cells, columns, out));
    }

    fn row(&self, cells: &Cells<'_>, columns: &Columns, out: &mut Collector) -> Result<(), String> {
        let heading = &self.heading;
        // Long tables repeat the heading, with or without the first cell.
        let is_heading = cells[1..] == heading[1..];
        if is_heading && (cells[0].is_empty() || cells[0] == heading[0]) {
            return Ok(());
        }
        check_width(cells, heading)?;
        let cell = |at: Option<usize>| Some(cells[at?].trim()).filter(|cell| !cell.is_empty());
        let scenario = name::scenario(cells[0].trim())?;
        let unit = match cell(columns.unit) {
            Some(symbol) => Some(Unit::parse(symbol).ok_or_else(|| cite("unknown unit", symbol))?),
            None => None,
        };
        let wrong = |run: &str| cite("expected the number of a run, got", run);
        let run = match cell(columns.run) {
            Some(run) => integer(run).ok_or_else(|| wrong(run))?,
            None => 0,
        };
        for (at, implementation, of_column) in &columns.figures {
            let (figure, of_cell) = with_unit(&cells[*at]);
            if NO_FIGURE.contains(&figure) {
                continue;
            }
            let of_row = of_cell.as_ref().or(unit.as_ref());
            let unit = choose_unit(&scenario, of_column.as_ref(), of_row);
            let read = unit.and_then(|(unit, factor)| match figure {
                UNSUPPORTED => Ok((unit, Value::Unsupported(figure.to_owned().into()))),
                // It may be either.
                _ if self.has_semicolons && figure.contains(',') => {
                    let message = "the comma may stand for decimals or for thousands in";
                    Err(cite(message, figure))
                }
                _ => Ok((unit, Value::Number(grouped(figure)? * factor))),
            });
            let read = read.map_err(|message| format!("{}: {message}", heading[*at]));
            let Some((unit, value)) = out.check(read) else {
                continue;
            };
            out.of(Some(implementation.clone()));
            if out.count(&scenario, &unit, run) > 0 {
                let label = quote(&scenario.label());
                out.problem(format!(
                    "a second value of {label}: a column `run` numbers those of several runs"
                ));
            }
            out.push(scenario.clone(), unit, value).run = run;
        }
        Ok(())
    }
}

/// Splits `400 MB/s`.
fn with_unit(cell: &str) -> (&str, Option<Factor>) {
    let cell = cell.trim();
    let parts = cell.split_once(' ');
    let figure = parts.filter(|(figure, _)| figure.starts_with(|c: char| c.is_ascii_digit()));
    match figure.and_then(|(figure, unit)| Some((figure, Unit::parse(unit.trim())?))) {
        Some((figure, unit)) => (figure, Some(unit)),
        None => (cell, None),
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
        Workload::Transfer => Unit::parse("MiB/s"),
        Workload::FullHandshake | Workload::ResumedHandshake => Unit::parse("handshakes/s"),
        Workload::Memory => Unit::parse("KiB"),
        _ => None,
    };
    if of_column.is_some() && of_row.is_some() && of_column != of_row {
        return Err("the heading and the row name different units".to_owned());
    }
    let Some((unit, factor)) = of_column.or(of_row).or(usual.as_ref()).cloned() else {
        let more = "; put one into each heading, as in `name (ns)`, or into a column `unit`";
        return Err(cite("no unit is given for", &scenario.label()) + more);
    };
    // Times and counts of instructions fit any workload except memory.
    let is_particular = matches!(unit, Unit::Throughput | Unit::HandshakeRate);
    let fits = match scenario.workload {
        Workload::Other(_) => true,
        Workload::Memory => unit == Unit::Memory,
        _ => !is_particular || usual.is_some_and(|(usual, _)| usual == unit),
    };
    match fits {
        true => Ok((unit, factor)),
        false => Err(quote(&scenario.label()) + &format!(" is not measured in {unit}")),
    }
}
