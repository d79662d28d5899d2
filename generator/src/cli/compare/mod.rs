//! `generator compare`: compares sets of output with a baseline, scenario by scenario.

mod row;
pub(crate) mod side;
mod table;
mod verdict;
mod view;

use super::{note_interval, print};
use crate::base::failure::Result;
use crate::cli::arguments::Compare;
use crate::cli::grid::{self, OutputFormat};

/// Runs the command. Fails for bad input, files that cannot be read, sides that cannot be paired,
/// or, with `--fail-on-regression`, a regression.
pub(super) fn compare(arguments: &Compare) -> Result<()> {
    let mut paths = vec![arguments.old.clone()];
    paths.extend_from_slice(&arguments.new);
    let sides = side::sides(&paths, arguments.baseline.as_deref())?;
    let tables = table::tables(&sides, arguments)?;
    let format = arguments.output.format;
    let is_data = matches!(format, OutputFormat::Csv | OutputFormat::Json);
    print(&match format {
        OutputFormat::Text => {
            let tables: Vec<String> = tables.iter().map(|t| view::text(t, arguments)).collect();
            tables.join("\n")
        }
        OutputFormat::Markdown => view::markdown(&tables, arguments),
        OutputFormat::Csv | OutputFormat::Json => {
            let mut rows = Vec::new();
            for table in &tables {
                let shown = table.shown(arguments);
                rows.extend(shown.map(|row| row::fields(row, table, String::new())));
            }
            grid::print(format, row::COLUMNS, &rows)?
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
    let percent = arguments.fail_on_regression;
    percent.map_or(Ok(()), |percent| verdict::gate(&tables, percent, arguments))
}
