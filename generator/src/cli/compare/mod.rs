//! `generator compare`: compares sets of output with a baseline, scenario by scenario.

mod row;
pub(crate) mod side;
mod verdict;
mod view;

use super::show::nothing_wanted;
use super::{deliver, note_interval, programs};
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Compare;
use crate::cli::grid::{self, OutputFormat};
use crate::report::{self, Cell, Compared, Report, Row, Side, rows_in_common};
use side::ComparedSide;
use std::collections::{HashMap, HashSet};

/// Runs the command. Fails for bad input, files that cannot be read, sides that cannot be paired or have
/// nothing in common, or for what `--fail-on-regression` and `--fail-on` ask for.
pub(super) fn compare(arguments: &Compare) -> Result<()> {
    let mut paths = vec![arguments.old.clone()];
    paths.extend_from_slice(&arguments.new);
    let declared = &arguments.declared;
    let sides = side::sides(&paths, declared)?;
    let tables = tables(&sides, arguments)?;
    if tables.iter().all(|table| table.lines.is_empty()) {
        return Err(nothing_wanted(sides.iter().map(|side| &*side.report)));
    }
    let lines = tables.iter().flat_map(|table| &table.lines);
    if lines.clone().all(|line| line.compared.is_none()) {
        let labels = sides.iter().map(|side| side.label.as_str());
        let labels = labels.collect::<Vec<_>>().join(" and ");
        return Err(Failure::Usage(format!("{labels} have no row in common")));
    }
    let format = arguments.output.format();
    let text = match format {
        OutputFormat::Text => {
            let tables = tables.iter().map(|table| view::text(table, arguments));
            tables.collect::<Vec<_>>().join("\n")
        }
        OutputFormat::Markdown => view::markdown(&tables, arguments),
        OutputFormat::Csv | OutputFormat::Json => {
            let lines = tables.iter().flat_map(|table| {
                let lines = table.lines.iter();
                lines.map(move |line| row::record(line, table))
            });
            grid::data(format, lines)?
        }
        OutputFormat::Svg => {
            return Err(Failure::Usage("--format svg is of `show` alone".to_owned()));
        }
    };
    deliver(&arguments.output, &text)?;
    // Text and Markdown show the warnings themselves.
    let is_data = matches!(format, OutputFormat::Csv | OutputFormat::Json);
    let notes = sides.iter().flat_map(|side| &side.report.remarks);
    let warnings = tables.iter().filter(|_| is_data).flat_map(|t| &t.warnings);
    let mut printed = HashSet::new();
    for note in notes.chain(warnings) {
        if printed.insert(note) {
            crate::inform!("note: {note}");
        }
    }
    note_interval(&sides[0].report);
    verdict::gate(&tables, arguments)
}

/// One comparison.
struct ComparedSides<'a> {
    /// The baseline and the candidate.
    sides: [&'a ComparedSide; 2],
    /// Their builds.
    builds: [Side<'a>; 2],
    lines: Vec<Line<'a>>,
    /// Reasons to doubt the whole comparison.
    warnings: Vec<String>,
}

/// A scenario that a side has.
#[derive(Clone, Copy)]
struct Line<'a> {
    row: &'a Row,
    cells: [Option<&'a Cell>; 2],
    /// `None` if a side has no figure.
    compared: Option<Compared<'a>>,
}

/// Returns a table for each pair of builds of the baseline and each candidate.
fn tables<'a>(sides: &'a [ComparedSide], arguments: &Compare) -> Result<Vec<ComparedSides<'a>>> {
    let mut tables = Vec::new();
    for candidate in &sides[1..] {
        let sides = [&sides[0], candidate];
        for pair in pairs(sides)? {
            tables.push(ComparedSides::of(sides, pair, arguments)?);
        }
    }
    Ok(tables)
}

/// Pairs the builds of both sides: the only ones, else as reports are paired.
fn pairs(sides: [&ComparedSide; 2]) -> Result<Vec<(usize, usize)>> {
    let [old, new] = sides;
    if let ([old], [new]) = (&*old.builds, &*new.builds) {
        return Ok(vec![(*old, *new)]);
    }
    let found = report::pairs((&old.report, &old.builds), (&new.report, &new.builds));
    if !found.is_empty() {
        return Ok(found);
    }
    if let [Some(old), Some(new)] = sides.map(ComparedSide::representative) {
        return Ok(vec![(old, new)]);
    }
    let [old, new] = sides.map(
        |ComparedSide {
             label,
             report,
             builds,
         }| {
            let builds = builds.iter().map(|build| report.build(*build).selector());
            format!("{label} holds {}", builds.collect::<Vec<_>>().join(", "))
        },
    );
    Err(Failure::Usage(format!(
        "nothing to pair: {old}, and {new}; name one folder or file of each, or one implementation as PATH:NAME"
    )))
}

impl<'a> ComparedSides<'a> {
    fn of(
        sides: [&'a ComparedSide; 2],
        (old, new): (usize, usize),
        arguments: &Compare,
    ) -> Result<Self> {
        let builds = [(&*sides[0].report, old), (&*sides[1].report, new)];
        let compared = report::compare(builds, &arguments.rules());
        let compared: HashMap<usize, Compared<'a>> = compared
            .into_iter()
            .map(|one| (one.row.index, one))
            .collect();
        let common = rows_in_common(builds[0].0, builds[1].0);
        let olds: HashMap<usize, &Row> =
            common.iter().map(|(old, new)| (new.index, *old)).collect();
        let known: HashSet<usize> = common.iter().map(|(old, _)| old.index).collect();
        let mut lines = Vec::new();
        for row in builds[0]
            .0
            .rows
            .iter()
            .filter(|row| !known.contains(&row.index))
        {
            lines.push(Line {
                row,
                cells: [row.cell(old), None],
                compared: None,
            });
        }
        for row in &builds[1].0.rows {
            let was = olds.get(&row.index).and_then(|was| was.cell(old));
            lines.push(Line {
                row,
                cells: [was, row.cell(new)],
                compared: compared.get(&row.index).copied(),
            });
        }
        lines.retain(|line| {
            let has_result = line.cells.iter().flatten().any(|cell| cell.has_result());
            has_result && arguments.output.filter.wants(&line.row.scenario.label())
        });
        lines.sort_by(|a, b| a.row.place().cmp(&b.row.place()));
        let mut warnings = Vec::from_iter(different_machines(sides.map(|side| &*side.report)));
        warnings.extend(renamed_note(&common));
        warnings.extend(programs::same_on_both(builds)?);
        Ok(Self {
            sides,
            builds,
            lines,
            warnings,
        })
    }

    /// Returns the rows that have a figure on both sides.
    fn compared(&self) -> Vec<Compared<'a>> {
        self.lines.iter().filter_map(|line| line.compared).collect()
    }

    /// Returns the names of the builds, with the labels if only these tell the sides apart.
    fn names(&self) -> [String; 2] {
        let [old, new] = self.sides;
        let builds = self.builds.map(|(report, build)| report.build(build));
        let labelled = builds[0] == builds[1] && old.label != new.label;
        [0, 1].map(|side| match labelled {
            true => format!("{} ({})", builds[side], self.sides[side].label),
            false => builds[side].to_string(),
        })
    }
}

fn renamed_note(common: &[(&Row, &Row)]) -> Option<String> {
    let is_renamed = |(old, new): &&(&Row, &Row)| old.scenario != new.scenario;
    let mut renamed = common.iter().filter(is_renamed);
    let (old, new) = renamed.next()?;
    let others = match renamed.count() {
        0 => String::new(),
        n => format!(", and {n} others alike"),
    };
    Some(format!(
        "`{}` is compared with `{}`{others}",
        old.scenario, new.scenario
    ))
}

fn different_machines(reports: [&Report; 2]) -> Option<String> {
    let [Some(old), Some(new)] = reports.map(|report| report.manifest.machine.as_ref()) else {
        return None;
    };
    (old != new).then(|| {
        format!(
            "different machines, {old} and {new}, so the ratios compare machines as well as implementations"
        )
    })
}
