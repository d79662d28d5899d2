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
use crate::report::{self, Cell, Compared, Row, Side, rows_in_common};
use side::ComparedSide;
use std::collections::{HashMap, HashSet};

/// Runs the command. Fails for bad input, files that cannot be read, sides that cannot be paired or have
/// nothing in common, or for what `--fail-on-regression` and `--fail-on` ask for.
pub(super) fn compare(arguments: &Compare) -> Result<()> {
    let mut paths = vec![arguments.old.clone()];
    paths.extend_from_slice(&arguments.new);
    let declared = arguments.declared.report();
    let sides = side::sides(&paths, &declared)?;
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
    let is_data = matches!(format, OutputFormat::Csv | OutputFormat::Json);
    let text = match format {
        OutputFormat::Text => {
            let tables: Vec<String> = tables.iter().map(|t| view::text(t, arguments)).collect();
            tables.join("\n")
        }
        OutputFormat::Markdown => view::markdown(&tables, arguments),
        OutputFormat::Csv | OutputFormat::Json => {
            let mut records = Vec::new();
            for table in &tables {
                for line in &table.lines {
                    records.push(row::Record::new(line, table, format));
                }
            }
            grid::data(format, records.into_iter())?
        }
        OutputFormat::Svg => {
            return Err(Failure::Usage("--format svg is of `show` alone".to_owned()));
        }
    };
    deliver(&arguments.output, &text)?;
    // Text and Markdown show the warnings themselves.
    let notes = sides.iter().flat_map(|s| &s.report.remarks);
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
        for (old, new) in pairs(sides)? {
            let mut table = ComparedSides::of(sides, [old, new], arguments);
            table.warnings.extend(table.same_program()?);
            tables.push(table);
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
    let selectors = |side: &ComparedSide| {
        let all = side
            .builds
            .iter()
            .map(|build| side.report.build(*build).selector());
        all.collect::<Vec<_>>().join(", ")
    };
    let holds = sides.map(|side| format!("{} holds {}", side.label, selectors(side)));
    Err(Failure::Usage(format!(
        "nothing to pair: {}; name one folder or file of each, or one implementation as PATH:NAME",
        holds.join(", and ")
    )))
}

impl<'a> ComparedSides<'a> {
    fn of(sides: [&'a ComparedSide; 2], [old, new]: [usize; 2], arguments: &Compare) -> Self {
        let builds = [(&*sides[0].report, old), (&*sides[1].report, new)];
        let compared = report::compare(builds, &arguments.rules());
        let compared: HashMap<usize, Compared<'a>> = compared
            .into_iter()
            .map(|one| (one.row.index, one))
            .collect();
        let common = rows_in_common(builds[0].0, builds[1].0);
        let has_other: HashSet<usize> = common.iter().map(|(old, _)| old.index).collect();
        let renamed = common
            .iter()
            .filter(|(old, new)| old.scenario != new.scenario);
        let renamed: Vec<_> = renamed.copied().collect();
        let mut lines = Vec::new();
        let mut push = |row: &'a Row, cells: [Option<&'a Cell>; 2], compared| {
            let has_result = cells.iter().flatten().any(|cell| cell.has_result());
            if has_result && arguments.output.filter.wants(&row.scenario.label()) {
                lines.push(Line {
                    row,
                    cells,
                    compared,
                });
            }
        };
        let mut olds: HashMap<usize, &Row> = HashMap::new();
        olds.extend(common.iter().map(|(old, new)| (new.index, *old)));
        for row in &builds[0].0.rows {
            if !has_other.contains(&row.index) {
                push(row, [row.cell(old), None], None);
            }
        }
        for row in &builds[1].0.rows {
            let was = olds.get(&row.index).and_then(|was| was.cell(old));
            push(row, [was, row.cell(new)], compared.get(&row.index).copied());
        }
        lines.sort_by(|a, b| a.row.place().cmp(&b.row.place()));
        Self {
            warnings: warnings(sides)
                .into_iter()
                .chain(renamed_note(&renamed))
                .collect(),
            sides,
            builds,
            lines,
        }
    }

    /// Returns a warning if both sides are the same program.
    fn same_program(&self) -> Result<Option<String>> {
        let [old, new] = self.sides;
        let [one, other] = self.builds.map(|(report, build)| report.build(build));
        match (&old.path, &new.path) {
            (Some(old), Some(new)) => programs::same_on_both([(old, one), (new, other)]),
            _ => Ok(None),
        }
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

fn renamed_note(renamed: &[(&Row, &Row)]) -> Option<String> {
    let (old, new) = renamed.first()?;
    let others = match renamed.len() {
        1 => String::new(),
        n => format!(", and {} others alike", n - 1),
    };
    Some(format!(
        "`{}` is compared with `{}`{others}",
        old.scenario, new.scenario
    ))
}

fn warnings(sides: [&ComparedSide; 2]) -> Vec<String> {
    let mut warnings = Vec::new();
    for ComparedSide {
        label, machines, ..
    } in sides
    {
        if machines.len() > 1 {
            let machines = machines.join(" and ");
            warnings.push(format!(
                "{label} holds runs of different machines, {machines}"
            ));
        }
    }
    if let [[old], [new]] = sides.map(|side| &*side.machines)
        && old != new
    {
        warnings.push(format!(
            "different machines, {old} and {new}, so the ratios compare machines as well as implementations"
        ));
    }
    warnings
}
