//! Tables with rows and columns of one's choice: `show --rows library --columns scenario`.

use super::arguments::Layout;
use super::grid::{self, Column};
use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::base::group::group_by;
use crate::base::words::join;
use crate::model::unit::Better;
use crate::report::{GridCell, Look, Report, Row, builds_of, run_counts, scales, words};
use crate::stats::Verdict;
use regex::Regex;
use std::collections::BTreeMap;
use std::str::FromStr;

/// What stands in the rows or columns of a table.
#[derive(Clone, Debug)]
pub(crate) enum Dimension {
    Library,
    Scenario,
    /// A part of a scenario's label: the first group of a pattern, or all that it matches.
    Part(Regex),
}

impl FromStr for Dimension {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pattern = match text {
            "library" => return Ok(Self::Library),
            "scenario" => return Ok(Self::Scenario),
            "side" => r"\b(client|server|sending|receiving)\b",
            "version" => r", (1\.[0-9])\b",
            pattern => pattern,
        };
        let what = "expected library, scenario, side, version, or a pattern";
        let read = Regex::new(pattern);
        read.map(Self::Part).map_err(|e| format!("{what}: {e}"))
    }
}

/// What the signs of verdicts mean.
const LEGEND: [(Verdict, &str); 3] = [
    (Verdict::Same, " = is no difference of 1%."),
    (Verdict::NotShown, " ~ is no difference shown."),
    (Verdict::Untested, " * is not tested, for lack of runs."),
];

/// Prints a table for each unit of these rows, with its source: rows and columns are `dimensions`.
pub(super) fn tables(
    report: &Report,
    rows: &[&Row],
    dimensions: [&Dimension; 2],
    layout: &Layout,
    is_markdown: bool,
) -> Result<String> {
    let baseline = match layout.baseline.as_deref() {
        None => None,
        Some(name) => match *report.find(name) {
            [build] => Some(build),
            _ => {
                let message = format!("`{name}` is not one of {}", report.list());
                return Err(Failure::at("--baseline", 0, message));
            }
        },
    };
    let with_figures = rows.iter().filter(|row| row.figures().next().is_some());
    let units = group_by(with_figures.copied(), |row| &row.unit);
    if units.is_empty() {
        let message = "--rows and --columns show rows with figures; there is none";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut out = Vec::new();
    for (_, rows) in units {
        let pivot = Pivot {
            report,
            rows: &rows,
            dimensions,
            baseline,
        };
        out.push(pivot.table(is_markdown)?);
    }
    Ok(out.join("\n"))
}

/// Rows of one unit, and how to make their table.
struct Pivot<'a> {
    report: &'a Report,
    rows: &'a [&'a Row],
    dimensions: [&'a Dimension; 2],
    /// The build that others are compared with, instead of the best.
    baseline: Option<usize>,
}

impl Pivot<'_> {
    /// Prints the table. If one scale does not suit all rows, each figure names its own.
    fn table(&self, is_markdown: bool) -> Result<String> {
        let scales = scales(self.rows);
        let symbol = Some(&*scales[0].symbol);
        let symbol = symbol.filter(|one| scales.iter().all(|scale| scale.symbol == *one));
        // Whose each cell is, and its text.
        let mut cells: BTreeMap<[usize; 2], (String, GridCell)> = BTreeMap::new();
        // In the order of the report.
        let mut axes: [Vec<String>; 2] = Default::default();
        for (row, scale) in self.rows.iter().zip(&scales) {
            // None if all share a place.
            let found = self.report.leaders_among(row, &row.best_first());
            let found = found.filter(|found| !found.behind.is_empty());
            let leaders = found.map_or_else(Vec::new, |found| found.first);
            for (build, figure) in row.figures() {
                let Some(names) = self.names(row, build) else {
                    continue;
                };
                let at = [0, 1].map(|axis| {
                    let known = axes[axis].iter().position(|name| *name == names[axis]);
                    known.unwrap_or_else(|| {
                        axes[axis].push(names[axis].clone());
                        axes[axis].len() - 1
                    })
                });
                let mut cell = self.cell(row, build, &leaders);
                cell.text = scale.show(figure.estimate);
                if symbol.is_none() {
                    cell.text += &format!(" {}", scale.symbol);
                }
                let label = row.scenario.label();
                let whose = format!("`{label}` of {}", self.report.build(build));
                if let Some((other, _)) = cells.insert(at, (whose.clone(), cell)) {
                    return Err(Failure::Usage(format!(
                        "{other} and {whose} would stand in one cell, {}: leave one out with --filter, or make rows or columns of what they differ in",
                        names.join(" × ")
                    )));
                }
            }
        }
        let mut note = self.source();
        for (verdict, legend) in LEGEND {
            if cells
                .values()
                .any(|(_, cell)| cell.look == Look::Verdict(verdict))
            {
                note += legend;
            }
        }
        let [down, across] = &axes;
        let corner = match self.dimensions[0] {
            Dimension::Library => "library",
            Dimension::Scenario | Dimension::Part(_) => "scenario",
        };
        let mut columns: Vec<Column<'_>> = vec![(corner, false)];
        columns.extend(across.iter().map(|name| (&**name, true)));
        let shown = down.iter().enumerate().map(|(row, name)| {
            let mut shown = vec![GridCell::text(name)];
            for column in 0..across.len() {
                let cell = cells.get(&[row, column]).map(|(_, cell)| cell.clone());
                shown.push(cell.unwrap_or_else(GridCell::missing));
            }
            shown
        });
        let table = grid::table(&columns, shown, is_markdown);
        let words = |text: &str| match is_markdown {
            true => escape::comment(text).into_owned(),
            false => escape::plain(text).into_owned(),
        };
        let symbol = symbol.unwrap_or("each with its unit");
        let better = self.rows[0].unit.better().suffix();
        let [unit, note] = [&format!("{symbol}{better}"), &note].map(|text| words(text));
        Ok(format!("{unit}:\n\n{table}\n{note}\n"))
    }

    /// Returns the names of a figure's row and column; `None` if its scenario lacks the part.
    fn names(&self, row: &Row, build: usize) -> Option<[String; 2]> {
        let label = row.scenario.label();
        let mut rest = label.clone();
        let mut names = [None, None];
        for (name, dimension) in names.iter_mut().zip(self.dimensions) {
            if let Dimension::Part(pattern) = dimension {
                let found = pattern.captures(&label)?;
                let group = found.get(1).or(found.get(0))?.as_str();
                rest = rest.replacen(group, "", 1);
                *name = Some(group.to_owned());
            }
        }
        // What is left of a name without its part.
        let rest = rest.replace(", ,", ",").replace("//", "/");
        let rest = rest.trim_matches([' ', ',', '/', '-', '_', ':']);
        let [down, across] = names;
        let name = |part: Option<String>, dimension: &Dimension| match (part, dimension) {
            (Some(part), _) => part,
            (None, Dimension::Library) => self.report.full_name(build),
            (None, _) => rest.to_owned(),
        };
        let [rows, columns] = self.dimensions;
        Some([name(down, rows), name(across, columns)])
    }

    /// Returns what stands beside a figure: the best of its scenario is bold, others say what they are against
    /// it, or against the baseline.
    fn cell(&self, row: &Row, build: usize, leaders: &[usize]) -> GridCell {
        let known_best = row.best_first().first().copied();
        let best = known_best.filter(|_| row.unit.better() != Better::Unknown);
        let base = self.baseline.or(best).filter(|base| *base != build);
        let known = base.and_then(|base| self.report.verdict(row, [base, build]));
        GridCell {
            look: known.map_or(Look::Figure, |known| Look::Verdict(known.verdict)),
            is_best: leaders.contains(&build),
            detail: known.as_ref().map(words::verdict),
            ..GridCell::default()
        }
    }

    /// `Each figure is the median of 20 runs on AMD EPYC, 2026-11-28, of rustls 0.23.46 and OpenSSL 4.0.3.`
    fn source(&self) -> String {
        let report = self.report;
        let builds = builds_of(self.rows.iter().copied());
        let of = words::estimator(report.manifest.estimator);
        let mut source = match run_counts(self.rows.iter().copied()) {
            None => String::new(),
            Some((min, max @ 1)) => words::runs(min, max),
            Some((min, max)) => format!("Each figure is the {of} of {}", words::runs(min, max)),
        };
        let machine = report.manifest.machine.as_ref();
        source.extend(machine.map(|machine| format!(" on {machine}")));
        source.extend(report.day.map(|day| format!(", {day}")));
        source + &format!(", of {}.", join(&report.full_names(&builds)))
    }
}
