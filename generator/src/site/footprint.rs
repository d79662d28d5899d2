//! What each library adds to a program: one row per implementation and one column per figure.

use super::bars::MAX_BARS;
use super::caveats::Caveats;
use super::{Graph, Head, Part, Table, TableCell, TableRow, count};
use crate::chart::{RowGroup, Series};
use crate::model::unit::{Better, SIZES, Unit};
use crate::report::Row;

/// The column that lists the names of what it counts in place of the number.
const TOOLS: Unit = Unit::Count("tools");

impl Part<'_> {
    /// Returns all implementations with a figure, older releases included.
    pub(super) fn builds(&self) -> Vec<usize> {
        let has = |build: &usize| self.rows.iter().any(|row| row.cell(*build).is_some());
        (0..self.data.implementations.len()).filter(has).collect()
    }

    /// Draws the stripped size of all builds, older releases included.
    pub(super) fn footprint_graph(&self) -> Option<Graph> {
        let part = self.with(|row| row.unit == Unit::SIZE);
        let (row, scale) = (*part.rows.first()?, part.scale()?);
        let mut builds = part.builds();
        builds.truncate(MAX_BARS);
        let best = part.best(row, &builds);
        let group = |build: &usize| RowGroup {
            label: part.name(*build),
            rows: vec![part.bar(row, *build, &best, &scale)],
        };
        let what = "Stripped size";
        let first = builds.first().map(|build| part.series_of(*build));
        let series = Series {
            label: what.to_owned(),
            ..first.unwrap_or_default()
        };
        Some(part.bars_of(
            ["footprint", what, &count(builds.len(), "build")],
            &scale,
            &part.leader(&builds),
            vec![series],
            builds.iter().map(group).collect(),
        ))
    }

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
        let rows = self.builds().into_iter().map(|build| {
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
