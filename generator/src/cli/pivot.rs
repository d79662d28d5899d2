//! Tables with rows and columns of one's choice: `show --rows library --columns scenario`.

use super::arguments::Layout;
use super::grid;
use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::base::words::join;
use crate::model::unit::Better;
use crate::report::{
    Figure, Grid, GridCell, GridRow, Head, Look, Report, Row, run_counts, scales, words,
};
use crate::stats::Verdict;
use regex::Regex;
use std::collections::{HashMap, HashSet};
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

/// How to make the tables.
pub(super) struct Pivot<'a> {
    rows: &'a Dimension,
    columns: &'a Dimension,
    /// The build that others are compared with, instead of the best.
    baseline: Option<usize>,
    has_intervals: bool,
}

/// What the signs of verdicts mean.
const LEGEND: [(Verdict, &str); 3] = [
    (Verdict::Same, " = is no difference of 1%."),
    (Verdict::NotShown, " ~ is no difference shown."),
    (Verdict::Untested, " * is not tested, for lack of runs."),
];

/// What stands in a cell, and whose it is.
struct Placed<'r> {
    row: &'r Row,
    build: usize,
    cell: GridCell,
}

impl<'a> Pivot<'a> {
    /// # Errors
    /// A baseline that the report lacks.
    pub(super) fn new(
        report: &Report,
        [rows, columns]: [&'a Dimension; 2],
        layout: &Layout,
    ) -> Result<Self> {
        let baseline = match &layout.baseline {
            None => None,
            Some(name) => match *report.find(name) {
                [build] => Some(build),
                _ => {
                    let message = format!("`{name}` is not one of {}", report.list());
                    return Err(Failure::at("--baseline", 0, message));
                }
            },
        };
        Ok(Self {
            rows,
            columns,
            baseline,
            has_intervals: layout.intervals,
        })
    }

    /// Prints a table for each unit of these rows, with its source.
    pub(super) fn text(&self, report: &Report, rows: &[&Row], is_markdown: bool) -> Result<String> {
        let mut out = String::new();
        for table in self.tables(report, rows)? {
            let words = |text: &str| match is_markdown {
                true => escape::comment(text).into_owned(),
                false => escape::plain(text).into_owned(),
            };
            if !out.is_empty() {
                out.push('\n');
            }
            out += &format!("{}:\n\n", words(&table.name));
            out += &grid::table(&table, is_markdown);
            out.extend(table.note.iter().map(|note| format!("\n{}\n", words(note))));
        }
        Ok(out)
    }

    /// # Errors
    /// Two figures in one cell.
    fn tables(&self, report: &Report, rows: &[&Row]) -> Result<Vec<Grid>> {
        let mut units: Vec<Vec<&Row>> = Vec::new();
        for row in rows.iter().copied() {
            match units.iter_mut().find(|own| own[0].unit == row.unit) {
                Some(own) => own.push(row),
                None => units.push(vec![row]),
            }
        }
        let tables = units.into_iter().map(|rows| self.table(report, &rows));
        tables.collect()
    }

    /// Makes the table of rows of one unit. If one scale does not suit all of them, each figure names its
    /// own.
    fn table(&self, report: &Report, rows: &[&Row]) -> Result<Grid> {
        let scales = scales(rows);
        let symbol = &*scales[0].symbol;
        let symbol = Some(symbol).filter(|one| scales.iter().all(|scale| scale.symbol == *one));
        let mut cells: HashMap<[String; 2], Placed<'_>> = HashMap::new();
        // In the order of the report.
        let mut axes: [Vec<String>; 2] = Default::default();
        let mut seen: [HashSet<String>; 2] = Default::default();
        for (row, scale) in rows.iter().copied().zip(&scales) {
            let leaders = leaders(report, row);
            for (build, figure) in row.figures() {
                let Some(at) = self.place(report, row, build) else {
                    continue;
                };
                for (axis, name) in at.iter().enumerate() {
                    if seen[axis].insert(name.clone()) {
                        axes[axis].push(name.clone());
                    }
                }
                let mut text = scale.show(figure.estimate);
                if symbol.is_none() {
                    text += &format!(" {}", scale.symbol);
                }
                let cell = GridCell {
                    text,
                    ..self.cell(report, row, (build, figure), &leaders)
                };
                let placed = Placed { row, build, cell };
                if let Some(other) = cells.insert(at.clone(), placed) {
                    return Err(collision(report, &other, (row, build), &at));
                }
            }
        }
        let [down, across] = axes;
        let mut shown = Vec::new();
        for name in &down {
            let cell = |column: &String| {
                let placed = cells.remove(&[name.clone(), column.clone()]);
                placed.map_or_else(GridCell::missing, |placed| placed.cell)
            };
            shown.push(GridRow::new(name, across.iter().map(cell).collect()));
        }
        let mut note = source(report, rows);
        for (verdict, legend) in LEGEND {
            let mut cells = shown.iter().flat_map(|row| &row.cells);
            if cells.any(|cell| cell.look == Look::Verdict(verdict)) {
                note += legend;
            }
        }
        let (symbol, better) = (
            symbol.unwrap_or("each with its unit"),
            rows[0].unit.better().suffix(),
        );
        Ok(Grid {
            name: format!("{symbol}{better}"),
            corner: match self.rows {
                Dimension::Library => "library",
                Dimension::Scenario | Dimension::Part(_) => "scenario",
            },
            head: across.iter().map(|name| Head::from(&**name)).collect(),
            rows: shown,
            note: Some(note),
            ..Grid::default()
        })
    }

    /// Returns where a figure stands; `None` if its scenario lacks the part.
    fn place(&self, report: &Report, row: &Row, build: usize) -> Option<[String; 2]> {
        let label = row.scenario.label();
        let mut rest = label.clone();
        let dimensions = [self.rows, self.columns];
        let mut parts = [None, None];
        for (part, dimension) in parts.iter_mut().zip(dimensions) {
            if let Dimension::Part(pattern) = dimension {
                let found = pattern.captures(&label)?;
                let group = found.get(1).or(found.get(0))?;
                rest = rest.replacen(group.as_str(), "", 1);
                *part = Some(group.as_str().to_owned());
            }
        }
        // What is left of a name without its part.
        let rest = rest.replace(", ,", ",").replace("//", "/");
        let rest = rest.trim_matches([' ', ',', '/', '-', '_', ':']).to_owned();
        let mut parts = parts.into_iter();
        Some(
            dimensions.map(|dimension| match (dimension, parts.next().flatten()) {
                (_, Some(part)) => part,
                (Dimension::Library, _) => report.full_name(build),
                (Dimension::Scenario | Dimension::Part(_), _) => rest.clone(),
            }),
        )
    }

    /// Returns what stands beside a figure: the best of its scenario is bold, others say what they are against
    /// it, or against the baseline.
    fn cell(
        &self,
        report: &Report,
        row: &Row,
        (build, figure): (usize, &Figure),
        leaders: &Leading,
    ) -> GridCell {
        let base = self.baseline.or(leaders.best);
        let base = base.filter(|base| *base != build);
        let known = base.and_then(|base| report.verdict(row, [base, build]));
        let factor = known.map(|known| words::verdict(&known));
        let spread = words::spread(figure).filter(|_| self.has_intervals);
        let details: Vec<String> = [spread, factor].into_iter().flatten().collect();
        GridCell {
            look: known.map_or(Look::Figure, |known| Look::Verdict(known.verdict)),
            is_best: leaders.first.contains(&build),
            detail: (!details.is_empty()).then(|| details.join(", ")),
            ..GridCell::default()
        }
    }
}

/// Who is ahead in a row, of all builds.
#[derive(Default)]
struct Leading {
    /// The best, and those from which no difference is shown; none if all share a place.
    first: Vec<usize>,
    /// Whom others are compared with; none if the unit does not say which way is better.
    best: Option<usize>,
}

fn leaders(report: &Report, row: &Row) -> Leading {
    let better = row.unit.better();
    let mut figures: Vec<(usize, f64)> = Vec::new();
    for (build, figure) in row.figures() {
        figures.push((build, figure.estimate));
    }
    figures.sort_by(|a, b| better.best_first(a.1, b.1));
    let [(best, figure), ref others @ ..] = *figures else {
        return Leading::default();
    };
    if better == Better::Unknown || others.is_empty() {
        return Leading::default();
    }
    let mut first = vec![best];
    for (build, other) in others {
        let known = report.verdict(row, [*build, best]);
        first.extend(match known.map(|known| known.verdict) {
            Some(Verdict::Same | Verdict::NotShown) => Some(*build),
            // Single figures cannot be tested.
            Some(Verdict::Untested) if *other == figure => Some(*build),
            _ => None,
        });
    }
    if first.len() == figures.len() {
        first.clear();
    }
    Leading {
        first,
        best: Some(best),
    }
}

fn collision(
    report: &Report,
    other: &Placed<'_>,
    (row, build): (&Row, usize),
    at: &[String; 2],
) -> Failure {
    let name =
        |row: &Row, build: usize| format!("`{}` of {}", row.scenario.label(), report.build(build));
    let [one, two] = [name(other.row, other.build), name(row, build)];
    Failure::Usage(format!(
        "{one} and {two} would stand in one cell, {}: leave one out with --filter, or make rows or columns of what they differ in",
        at.join(" × ")
    ))
}

/// `Each figure is the median of 20 runs on AMD EPYC, 2026-11-28, of rustls 0.23.46 and OpenSSL 4.0.3.`
fn source(report: &Report, rows: &[&Row]) -> String {
    let mut builds: Vec<usize> = Vec::new();
    for (build, _) in rows.iter().flat_map(|row| row.figures()) {
        if !builds.contains(&build) {
            builds.push(build);
        }
    }
    builds.sort_unstable();
    let names = report.full_names(&builds);
    let of = words::estimator(report.manifest.estimator);
    let figures = match run_counts(rows.iter().copied()) {
        None => String::new(),
        Some((min, max @ 1)) => words::runs(min, max),
        Some((min, max)) => format!("Each figure is the {of} of {}", words::runs(min, max)),
    };
    let machine = report.manifest.machine.as_ref();
    let machine = machine.map_or_else(String::new, |machine| format!(" on {machine}"));
    let day = report
        .day
        .map_or_else(String::new, |day| format!(", {day}"));
    format!("{figures}{machine}{day}, of {}.", join(&names))
}
