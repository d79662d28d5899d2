//! `generator compare`: compares sets of output with a baseline, scenario by scenario.

mod row;
pub(crate) mod side;
mod verdict;
mod view;

use super::show::nothing_wanted;
use super::{note_interval, print, programs};
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Compare;
use crate::cli::grid::{self, OutputFormat};
use crate::model::implementation::Implementation;
use crate::model::scenario::Workload;
use crate::report::{self, Cell, ComparedRow, ComparedTable, Dataset, Row};
use crate::stats::Rules;
use side::ComparedSide;

/// Runs the command. Fails for bad input, files that cannot be read, sides that cannot be paired,
/// or for what `--fail-on-regression` and `--fail-on` ask for.
pub(super) fn compare(arguments: &Compare) -> Result<()> {
    let mut paths = vec![arguments.old.clone()];
    paths.extend_from_slice(&arguments.new);
    let sides = side::sides(&paths, &arguments.declared)?;
    let tables = tables(&sides, arguments)?;
    if tables.iter().all(|table| table.compared.rows.is_empty()) {
        return Err(nothing_wanted(sides.iter().map(|side| &side.data)));
    }
    let mut rows = tables.iter().flat_map(|table| &table.compared.rows);
    if !rows.any(|row| row.cells.iter().all(Option::is_some)) {
        let labels = sides.iter().map(|side| side.label.as_str());
        let labels = labels.collect::<Vec<_>>().join(" and ");
        return Err(Failure::Usage(format!("{labels} have no row in common")));
    }
    let format = arguments.output.format;
    let is_data = matches!(format, OutputFormat::Csv | OutputFormat::Json);
    print(&match format {
        OutputFormat::Text => {
            let tables: Vec<String> = tables.iter().map(|t| view::text(t, arguments)).collect();
            tables.join("\n")
        }
        OutputFormat::Markdown => view::markdown(&tables, arguments),
        OutputFormat::Csv | OutputFormat::Json => {
            let mut records = Vec::new();
            for table in &tables {
                for row in table.shown(arguments) {
                    records.push(row::Record::new(row, table, format));
                }
            }
            grid::data(format, records.into_iter())?
        }
    })?;
    // Text and Markdown show the warnings themselves.
    let notes = sides.iter().flat_map(|s| &s.data.notes);
    let warnings = tables.iter().filter(|_| is_data).flat_map(|t| &t.warnings);
    let mut printed: Vec<&String> = Vec::new();
    for note in notes.chain(warnings) {
        if !printed.contains(&note) {
            crate::inform!("note: {note}");
            printed.push(note);
        }
    }
    note_interval(arguments.output.estimator, &sides[0].data);
    verdict::gate(&tables, arguments)
}

/// One comparison.
#[derive(Debug)]
struct ComparedSides<'a> {
    /// The baseline and the candidate.
    sides: [(&'a ComparedSide, &'a Implementation); 2],
    compared: ComparedTable<'a>,
    /// Reasons to doubt the whole comparison.
    warnings: Vec<String>,
}

/// Returns a table for each pair of implementations of the baseline and each candidate.
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

/// Pairs the implementations of both sides: the only ones, else those with the same name and
/// variant, else those with the same name.
fn pairs(sides: [&ComparedSide; 2]) -> Result<Vec<(usize, usize)>> {
    let [old, new] = sides.map(|side| side.data.implementations.as_slice());
    if old.len() == 1 && new.len() == 1 {
        return Ok(vec![(0, 0)]);
    }
    let found = report::pairs(old, new);
    if found.is_empty() {
        if let [Some(old), Some(new)] = sides.map(representative) {
            return Ok(vec![(old, new)]);
        }
        let selectors = |side: &ComparedSide| {
            let all = side
                .data
                .implementations
                .iter()
                .map(Implementation::selector);
            all.collect::<Vec<_>>().join(", ")
        };
        let holds = sides.map(|side| format!("{} holds {}", side.label, selectors(side)));
        return Err(Failure::Usage(format!(
            "nothing to pair: {}; name one folder or file of each, or one implementation as PATH:NAME",
            holds.join(", and ")
        )));
    }
    Ok(found)
}

/// Rows whose names differ in what stands before the last part, such as the package, if that part
/// is unique among such rows on both sides.
fn renamed<'a>(old: &'a Dataset, new: &'a Dataset) -> Vec<(&'a Row, &'a Row)> {
    let alone = |data: &'a Dataset, other: &'a Dataset| {
        let others = other.by_key();
        let mut rows: Vec<&Row> = data.rows.iter().collect();
        rows.retain(|row| {
            let is_free = matches!(row.scenario.workload, Workload::Other(_));
            is_free && !others.contains_key(&(&row.scenario, &row.unit))
        });
        rows
    };
    let (olds, news) = (alone(old, new), alone(new, old));
    if olds.len() * news.len() > 1_000_000 {
        return Vec::new();
    }
    let alike = |a: &Row, b: &Row| {
        a.unit == b.unit && is_same_part(&a.scenario.label(), &b.scenario.label())
    };
    let mut found = Vec::new();
    for old in &olds {
        let mut others = news.iter().filter(|new| alike(old, new));
        if let (Some(new), None) = (others.next(), others.next())
            && olds.iter().filter(|old| alike(old, new)).count() == 1
        {
            found.push((*old, *new));
        }
    }
    found
}

/// Whether names differ only in the package: `example.org/a.BenchmarkX` and `BenchmarkX`.
fn is_same_part(a: &str, b: &str) -> bool {
    let is_end = |long: &str, short: &str| {
        let before = long.strip_suffix(short);
        before.is_some_and(|before| before.ends_with(['.', ':', '/']))
    };
    let of_go = |name: &str| {
        name.rsplit_once(".Benchmark")
            .map(|(_, name)| name.to_owned())
    };
    is_end(a, b) || is_end(b, a) || (of_go(a).is_some() && of_go(a) == of_go(b))
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

/// The only build of a side, or of one release in several variants that which pages show for the
/// library.
fn representative(side: &ComparedSide) -> Option<usize> {
    let all = &side.data.implementations;
    let first = all.first()?;
    let columns = side.data.newest_columns(&side.data.rows);
    match columns.as_slice() {
        _ if all.len() == 1 => Some(0),
        [one, ..] if all.iter().all(|build| build.is_release(first)) => {
            let (label, taken) = (&side.label, all[*one].selector());
            crate::inform!(
                "note: {label} has {} variants, of which {taken} is compared, as on pages",
                all.len()
            );
            Some(*one)
        }
        _ => None,
    }
}

impl<'a> ComparedSides<'a> {
    fn of(sides: [&'a ComparedSide; 2], columns: [usize; 2], arguments: &Compare) -> Self {
        let [old, new] = sides.map(|side| &side.data);
        let (old_rows, new_rows) = (old.by_key(), new.by_key());
        let estimator = arguments.output.estimator;
        // Both sides may be of one report, whose runs are paired.
        let is_paired = old.is_paired && new.is_paired && sides[0].path == sides[1].path;
        let mut rows = Vec::new();
        let mut push = |row: &'a Row, cells: [Option<&'a Cell>; 2], control| {
            let has_result = cells.iter().flatten().any(|cell| cell.has_result());
            if has_result && arguments.output.filter.wants(&row.scenario.label()) {
                let row = ComparedRow::new(row, cells, estimator).paired(is_paired);
                rows.push(ComparedRow { control, ..row });
            }
        };
        let renamed = renamed(old, new);
        for row in &old.rows {
            let renamed = renamed.iter().find(|(old, _)| std::ptr::eq(*old, row));
            let other = new_rows.get(&(&row.scenario, &row.unit)).copied();
            let other = other.or(renamed.map(|(_, new)| *new));
            let candidate = other.and_then(|other| other.cell(columns[1]));
            let controls = [row.control, other.and_then(|other| other.control)];
            let control = controls.into_iter().flatten().reduce(f64::max);
            push(row, [row.cell(columns[0]), candidate], control);
        }
        for row in &new.rows {
            let is_renamed = renamed.iter().any(|(_, new)| std::ptr::eq(*new, row));
            if !is_renamed && !old_rows.contains_key(&(&row.scenario, &row.unit)) {
                push(row, [None, row.cell(columns[1])], row.control);
            }
        }
        let rules = Rules {
            alpha: arguments.alpha,
            threshold: arguments.threshold / 100.0,
        };
        report::judge(&mut rows, estimator, &rules);
        let named = |i: usize| (sides[i], &sides[i].data.implementations[columns[i]]);
        Self {
            warnings: warnings(sides)
                .into_iter()
                .chain(renamed_note(&renamed))
                .collect(),
            sides: [0, 1].map(named),
            compared: ComparedTable::new(rows),
        }
    }

    /// Returns a warning if both sides are the same program.
    fn same_program(&self) -> Result<Option<String>> {
        let [(old, one), (new, other)] = self.sides;
        match (&old.path, &new.path) {
            (Some(old), Some(new)) => programs::same_on_both([(old, one), (new, other)]),
            _ => Ok(None),
        }
    }

    /// Returns the rows to show.
    fn shown(&self, arguments: &Compare) -> Vec<&ComparedRow<'a>> {
        let rows = self.compared.rows.iter();
        rows.filter(|row| row.is_change() || !arguments.only_changed)
            .collect()
    }

    /// Returns the names of the implementations, with the labels if only these tell the sides
    /// apart.
    fn names(&self) -> [String; 2] {
        let [(old, one), (new, other)] = self.sides;
        let labelled = one == other && old.label != new.label;
        self.sides.map(|(side, implementation)| match labelled {
            true => format!("{implementation} ({})", side.label),
            false => implementation.to_string(),
        })
    }
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
