//! `generator compare`: sets of output against a baseline, scenario by scenario.

mod caveats;
mod cells;
mod columns;
mod gate;
mod markdown;
mod side;
mod summary;
mod table;
mod text;

use super::print;
use crate::cli::{Compare, Format};
use crate::failure::Result;
use crate::grid;
use table::Table;

/// Runs the command.
///
/// # Errors
/// Bad input, files that cannot be read, sides that cannot be paired, or a regression where
/// one is asked for.
pub fn compare(arguments: &Compare, quiet: bool) -> Result<()> {
    let mut paths = vec![arguments.old.clone()];
    paths.extend_from_slice(&arguments.new);
    let sides = side::sides(&paths, arguments.baseline.as_deref(), quiet)?;
    let tables = table::tables(&sides, arguments)?;
    print(&match arguments.output.format {
        Format::Text => text::text(&tables, arguments),
        Format::Markdown => markdown::markdown(&tables, arguments),
        format @ (Format::Csv | Format::Json) => {
            let rows = tables.iter().flat_map(|t| {
                let shown = t.shown(arguments);
                shown.map(move |row| columns::fields(row, t, String::new()))
            });
            grid::print(format, columns::COLUMNS, rows.collect())?
        }
    })?;
    if !quiet {
        say_notes(&sides, &tables, arguments.output.format);
    }
    arguments
        .fail_on_regression
        .map_or(Ok(()), |percent| gate::gate(&tables, percent))
}

/// What the files left to be decided; and for readers of data what the other forms print
/// themselves.
fn say_notes(sides: &[side::Side], tables: &[Table], format: Format) {
    let mut notes: Vec<&String> = sides.iter().flat_map(|s| &s.data.notes).collect();
    if matches!(format, Format::Csv | Format::Json) {
        notes.extend(tables.iter().flat_map(|t| &t.warnings));
    }
    let mut said: Vec<&String> = Vec::new();
    for note in notes {
        if !said.contains(&note) {
            crate::say!("note: {note}");
            said.push(note);
        }
    }
}
