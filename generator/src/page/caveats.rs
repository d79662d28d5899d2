//! Caveats on figures: those of all figures once below the table, the others as footnotes.

use super::{Part, join};
use crate::footnotes::Footnotes;
use crate::report::Cell;

/// The caveats of a table.
#[derive(Default)]
pub(super) struct Caveats {
    /// Caveats that apply to every figure.
    common: Vec<String>,
    pub(super) footnotes: Footnotes,
}

impl Caveats {
    /// Collects the caveats of a table of these rows.
    pub(super) fn of(part: &Part<'_>) -> Self {
        let cells = part.rows.iter().flat_map(|r| r.cells.iter().flatten());
        let mut figures = cells.filter(|c| !c.values.is_empty());
        let first = figures.next().map(|c| c.caveats.clone());
        let mut common = first.unwrap_or_default();
        common.retain(|caveat| figures.clone().all(|c| c.caveats.contains(caveat)));
        Self {
            common,
            footnotes: Footnotes::default(),
        }
    }

    /// Returns the footnote numbers of one figure.
    pub(super) fn numbers(&mut self, cell: &Cell) -> Vec<usize> {
        let own = cell.caveats.iter().filter(|c| !self.common.contains(c));
        own.map(|c| self.footnotes.number(c)).collect()
    }

    /// Returns the note below the table.
    pub(super) fn note(&self) -> String {
        match self.common.as_slice() {
            [] => String::new(),
            common => format!("All figures: {}.", join(common)),
        }
    }
}
