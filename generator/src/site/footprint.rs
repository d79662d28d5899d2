//! What each library adds to a program: one row per implementation and one column per figure.

use super::caveats::Caveats;
use super::{Head, Part, Table, TableCell, TableRow};
use crate::model::unit::{Better, SIZES, Unit};
use crate::report::Row;

/// The column that lists the names of what it counts in place of the number.
const TOOLS: Unit = Unit::Count("tools");

impl Part<'_> {
    /// Returns the table of all builds; `None` without rows.
    pub(super) fn footprint_table(&self) -> Option<Table> {
        let mut caveats = Caveats::of(self);
        let mut rows = self.rows.clone();
        // Sizes in the order of `SIZES`, then times.
        let place = |row: &&Row| SIZES.iter().position(|unit| row.unit.symbol() == *unit);
        rows.sort_by_key(|row| place(row).unwrap_or(SIZES.len()));
        let columns = rows
            .iter()
            .map(|row| self.with(|other| std::ptr::eq(*row, other)));
        let columns: Vec<Part<'_>> = columns.collect();
        let cell = |part: &Part<'_>, build: usize, caveats: &mut Caveats| {
            let (row, scale) = (part.rows[0], part.scale());
            match (row.cell(build), scale) {
                (Some(cell), _) if row.unit == TOOLS => TableCell::words(cell.caveats.join("; ")),
                (Some(cell), Some(scale)) => part.cell(cell, &scale, caveats),
                _ => TableCell::missing(),
            }
        };
        // Older releases too.
        let has_figure = |build: &usize| self.rows.iter().any(|row| row.cell(*build).is_some());
        let builds = (0..self.data.implementations.len()).filter(has_figure);
        let rows = builds.map(|build| {
            let cells = columns.iter().map(|part| cell(part, build, &mut caveats));
            TableRow::new(self.name(build), cells.collect())
        });
        let rows: Vec<TableRow> = rows.collect();
        let head = columns.iter().map(|part| {
            let row = part.rows[0];
            match (&row.unit, part.scale()) {
                (Unit::Count(name), _) => Head::from(*name),
                (_, Some(scale)) => {
                    Head::from(row.scenario.workload.word()).with_detail(scale.symbol)
                }
                _ => Head::default(),
            }
        });
        let head: Vec<Head> = head.collect();
        (!rows.is_empty()).then(|| Table {
            class: "results",
            about: Some("../method/#footprint"),
            caption: format!(
                "What a library adds to a program that uses it{}.",
                Better::Lower.suffix()
            ),
            corner: "implementation",
            head,
            rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        })
    }
}
