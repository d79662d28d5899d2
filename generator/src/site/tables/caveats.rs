//! Caveats on figures: those of all figures once below the table, the others as footnotes.

use crate::base::footnotes::Footnotes;
use crate::base::words::join;
use crate::report::{Cell, ComparedRow, Table};

/// The caveats of a table.
#[derive(Default)]
pub(in crate::site) struct Caveats {
    /// Caveats that apply to every figure.
    common: Vec<String>,
    pub(in crate::site) footnotes: Footnotes,
}

impl Caveats {
    /// Collects the caveats of a table of these rows.
    pub(in crate::site) fn of(table: &Table<'_>) -> Self {
        let mut figures = table.cells().filter(|c| !c.values.is_empty());
        let first = figures.next().map(|c| c.caveats.clone());
        let mut common = first.unwrap_or_default();
        common.retain(|caveat| figures.clone().all(|c| c.caveats.contains(caveat)));
        Self {
            common,
            footnotes: Footnotes::default(),
        }
    }

    /// Returns the footnote numbers of one figure.
    pub(in crate::site) fn numbers(&mut self, cell: &Cell) -> Vec<usize> {
        let own = cell.caveats.iter().filter(|c| !self.common.contains(c));
        own.map(|c| self.footnotes.number(c)).collect()
    }

    /// Returns the note below the table.
    pub(in crate::site) fn note(&self) -> Option<String> {
        let is_any = !self.common.is_empty();
        is_any.then(|| format!("All figures: {}.", join(&self.common)))
    }
}

/// Returns the caveats on a factor; those of one side only start with its name.
pub(in crate::site) fn of_factor(row: &ComparedRow<'_>, [old, new]: &[String; 2]) -> Vec<String> {
    let [both, only_old, only_new] = row.caveats();
    let mut caveats: Vec<String> = both.into_iter().cloned().collect();
    caveats.extend(only_old.iter().map(|caveat| format!("{old}: {caveat}")));
    caveats.extend(only_new.iter().map(|caveat| format!("{new}: {caveat}")));
    caveats
}
