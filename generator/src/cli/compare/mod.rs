//! `generator compare`: compares sets of output with a baseline, scenario by scenario.

pub(crate) mod side;
mod verdict;
mod view;

use super::deliver;
use super::show::nothing_wanted;
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Compare;
use crate::cli::grid::{self, OutputFormat, Record, number, text_field as text};
use crate::report::{self, Cell, Compared, Row, Side, rows_of_both, words};
use side::ComparedSide;
use std::collections::{HashMap, HashSet};

/// One comparison.
struct Table<'a> {
    /// As the user named the sides, baseline and candidate.
    labels: [&'a str; 2],
    sides: [Side<'a>; 2],
    lines: Vec<Line<'a>>,
    /// A reason to doubt the whole comparison.
    warning: Option<String>,
}

/// A scenario that a side has.
#[derive(Clone, Copy)]
struct Line<'a> {
    /// That of the candidate, if it has one.
    row: &'a Row,
    cells: [Option<&'a Cell>; 2],
    /// `None` if a side has no figure.
    compared: Option<Compared<'a>>,
}

/// Runs the command. Fails for bad input, files that cannot be read, sides that cannot be paired or have
/// nothing in common, or for what `--fail-on-regression` asks for.
pub(super) fn compare(arguments: &Compare) -> Result<()> {
    let paths = [std::slice::from_ref(&arguments.old), &arguments.new].concat();
    let sides = side::sides(&paths, &arguments.declared)?;
    let mut tables = Vec::new();
    for candidate in &sides[1..] {
        for pair in pairs([&sides[0], candidate])? {
            tables.push(Table::of([&sides[0], candidate], pair, arguments));
        }
    }
    if tables.iter().all(|table| table.lines.is_empty()) {
        return Err(nothing_wanted(sides.iter().map(|side| &*side.report)));
    }
    if tables.iter().all(|table| table.compared().is_empty()) {
        let labels: Vec<&str> = sides.iter().map(|side| &*side.label).collect();
        let labels = labels.join(" and ");
        return Err(Failure::Usage(format!("{labels} have no row in common")));
    }
    let format = arguments.output.format();
    let printed = match format {
        OutputFormat::Text => {
            let tables = tables.iter().map(|table| view::text(table, arguments));
            tables.collect::<Vec<_>>().join("\n")
        }
        OutputFormat::Markdown => view::markdown(&tables, arguments),
        OutputFormat::Csv | OutputFormat::Json => {
            let lines = tables
                .iter()
                .flat_map(|table| table.lines.iter().map(|line| line.record(table)));
            grid::data(format, lines)?
        }
    };
    deliver(&arguments.output, &printed)?;
    // Text and Markdown show the warnings themselves.
    let is_data = matches!(format, OutputFormat::Csv | OutputFormat::Json);
    let notes = sides.iter().flat_map(|side| &side.report.remarks);
    let warnings = tables.iter().filter(|_| is_data).flat_map(|t| &t.warning);
    let mut said = HashSet::new();
    for note in notes.chain(warnings).filter(|note| said.insert(*note)) {
        crate::inform!("note: {note}");
    }
    verdict::gate(&tables, arguments)
}

/// Pairs the builds of both sides: the only ones, else as reports are paired, else those that stand for
/// the only library of each.
fn pairs([old, new]: [&ComparedSide; 2]) -> Result<Vec<(usize, usize)>> {
    let found = report::pairs((&old.report, &old.builds), (&new.report, &new.builds));
    let [olds, news] = [old, new].map(|side| match &*side.builds {
        [only] => vec![*only],
        builds => {
            let mut defaults = side.report.roles().defaults.clone();
            defaults.retain(|build| builds.contains(build));
            defaults
        }
    });
    match (&*olds, &*news) {
        _ if !found.is_empty() => return Ok(found),
        ([old], [new]) => return Ok(vec![(*old, *new)]),
        _ => {}
    }
    let [old, new] = [old, new].map(|side| {
        let builds = side.builds.iter();
        let builds = builds.map(|build| side.report.build(*build).selector());
        format!(
            "{} holds {}",
            side.label,
            builds.collect::<Vec<_>>().join(", ")
        )
    });
    Err(Failure::Usage(format!(
        "nothing to pair: {old}, and {new}; name one folder or file of each, or one implementation as PATH:NAME"
    )))
}

impl<'a> Table<'a> {
    fn of([old, new]: [&'a ComparedSide; 2], pair: (usize, usize), arguments: &Compare) -> Self {
        let sides: [Side<'_>; 2] = [(&old.report, pair.0), (&new.report, pair.1)];
        let compared = report::compare(sides, &arguments.rules()).into_iter();
        let compared: HashMap<usize, Compared<'_>> =
            compared.map(|one| (one.row.index, one)).collect();
        let mut lines = Vec::new();
        for [was, is] in rows_of_both(sides[0].0, sides[1].0) {
            let cells = [
                was.and_then(|row| row.cell(pair.0)),
                is.and_then(|row| row.cell(pair.1)),
            ];
            let has_result = cells.iter().flatten().any(|cell| cell.has_result());
            let wanted = is
                .or(was)
                .filter(|row| has_result && arguments.output.filter.wants(&row.scenario.label()));
            lines.extend(wanted.map(|row| Line {
                row,
                cells,
                compared: is.and_then(|is| compared.get(&is.index)).copied(),
            }));
        }
        let machines = [old, new].map(|side| &side.report.manifest.machine);
        let warning = match machines {
            [Some(one), Some(other)] if one != other => Some(format!(
                "different machines, {one} and {other}, so the ratios compare machines as well as implementations"
            )),
            _ => None,
        };
        Self {
            labels: [&old.label, &new.label],
            sides,
            lines,
            warning,
        }
    }

    /// Returns the rows that have a figure on both sides.
    fn compared(&self) -> Vec<Compared<'a>> {
        self.lines.iter().filter_map(|line| line.compared).collect()
    }

    /// Returns the names of the builds, with the labels if only these tell the sides apart.
    fn names(&self) -> [String; 2] {
        let names = self
            .sides
            .map(|(report, build)| report.build(build).to_string());
        if names[0] != names[1] || self.labels[0] == self.labels[1] {
            return names;
        }
        [0, 1].map(|side| format!("{} ({})", names[side], self.labels[side]))
    }
}

impl Line<'_> {
    /// Returns the number of values of each side.
    fn runs(&self) -> [usize; 2] {
        self.cells
            .map(|cell| cell.map_or(0, |cell| cell.values.len()))
    }

    /// Returns the estimates of both sides, in base units.
    fn estimates(&self) -> [Option<f64>; 2] {
        match &self.compared {
            Some(one) => one.estimates.map(Some),
            None => self.cells.map(|cell| cell?.estimate()),
        }
    }

    fn record(&self, table: &Table<'_>) -> Record {
        let unit = &self.row.unit;
        let printed = |value: Option<f64>| number(value.map(|value| unit.printed(value)));
        let [old, new] = self.cells.map(|cell| cell.and_then(Cell::interval));
        let [baseline, candidate] = self.estimates();
        let [old_runs, new_runs] = self.runs();
        let known = self.compared.map(|one| one.known);
        let ratio = known.map(|known| known.change.ratio);
        let interval = known.and_then(|known| known.interval);
        let [old_build, new_build] = table.sides.map(|(report, build)| report.build(build));
        let change = known.map_or_else(String::new, |known| known.change.to_string());
        vec![
            ("scenario", text(self.row.scenario.label())),
            ("unit", text(unit.symbol())),
            ("baseline", printed(baseline)),
            ("baseline_low", printed(old.map(|i| i.low))),
            ("baseline_high", printed(old.map(|i| i.high))),
            ("baseline_n", old_runs.into()),
            ("candidate", printed(candidate)),
            ("candidate_low", printed(new.map(|i| i.low))),
            ("candidate_high", printed(new.map(|i| i.high))),
            ("candidate_n", new_runs.into()),
            ("ratio", number(ratio)),
            ("ratio_low", number(interval.map(|i| i.low))),
            ("ratio_high", number(interval.map(|i| i.high))),
            ("p", number(known.and_then(|known| known.test).map(|t| t.p))),
            (
                "p_adjusted",
                number(known.and_then(|known| known.adjusted_p)),
            ),
            (
                "verdict",
                text(known.as_ref().map_or("missing", words::verdict_word)),
            ),
            ("change", text(change)),
            ("baseline_label", text(table.labels[0])),
            ("baseline_implementation", text(old_build.to_string())),
            ("candidate_label", text(table.labels[1])),
            ("candidate_implementation", text(new_build.to_string())),
            ("remark", text(self.caveats().join("; "))),
        ]
    }

    /// Returns what the sides lack, and the caveats in their files.
    fn caveats(&self) -> Vec<String> {
        let mut caveats = Vec::new();
        for (name, cell) in ["baseline", "candidate"].into_iter().zip(self.cells) {
            caveats.extend(match (cell, cell.and_then(Cell::unsupported)) {
                (_, Some(unsupported)) => Some(format!("{name}: {unsupported}")),
                (Some(cell), None) if !cell.values.is_empty() => None,
                _ => Some(format!("not in the {name}")),
            });
        }
        match &self.compared {
            Some(one) => {
                let sides = ["both sides", "baseline", "candidate"].into_iter();
                for (whose, own) in sides.zip(one.caveats()) {
                    caveats.extend(own.iter().map(|caveat| format!("{whose}: {caveat}")));
                }
            }
            None if caveats.is_empty() => {
                caveats.push("the figures are too far apart for a ratio".to_owned());
            }
            None => {}
        }
        caveats
    }
}
