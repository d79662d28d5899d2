//! Some rows of a report, as its pages show them.

use super::{Cell, Report, Row};
use std::collections::BTreeMap;

/// Rows of a report with all of its builds.
#[derive(Clone, Debug)]
pub(crate) struct Table<'a> {
    pub report: &'a Report,
    /// In display order.
    pub rows: Vec<&'a Row>,
}

impl<'a> Table<'a> {
    /// Returns all rows of a report.
    pub(crate) fn of(report: &'a Report) -> Self {
        Self::of_rows(report, report.rows.iter().collect())
    }

    /// Returns these rows of a report.
    pub(crate) fn of_rows(report: &'a Report, rows: Vec<&'a Row>) -> Self {
        Self { report, rows }
    }

    /// Returns the rows that satisfy the predicate.
    pub(crate) fn with(&self, wanted: impl Fn(&Row) -> bool) -> Self {
        let mut rows = self.rows.clone();
        rows.retain(|row| wanted(row));
        Self { rows, ..*self }
    }

    /// Groups the rows by a key, in the order of keys.
    pub(crate) fn by<K: Ord>(&self, key: impl Fn(&Row) -> K) -> Vec<(K, Self)> {
        let mut groups: BTreeMap<K, Vec<&'a Row>> = BTreeMap::new();
        for row in &self.rows {
            groups.entry(key(row)).or_default().push(row);
        }
        let table = |(key, rows)| (key, Self { rows, ..*self });
        groups.into_iter().map(table).collect()
    }

    /// Whether a build has a figure in these rows or is marked unsupported.
    fn has(&self, build: usize) -> bool {
        self.rows.iter().any(|row| row.cell(build).is_some())
    }

    /// Returns those of the shown builds that these rows have.
    pub(crate) fn shown(&self) -> Vec<usize> {
        let mut shown = self.report.roles().shown.clone();
        shown.retain(|build| self.has(*build));
        shown
    }

    /// Returns the shown builds without the release before the subject.
    pub(crate) fn newest(&self) -> Vec<usize> {
        let mut newest = self.shown();
        newest.retain(|build| Some(*build) != self.report.roles().before);
        newest
    }

    /// Returns the other builds of these rows.
    pub(crate) fn others(&self) -> Vec<usize> {
        let mut others = self.report.roles().others.clone();
        others.retain(|build| self.has(*build));
        others
    }

    /// Returns all cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &'a Cell> + Clone {
        self.rows.iter().flat_map(|row| row.cells.iter().flatten())
    }

    /// Returns the unit of all figures; `None` if rows differ in it.
    pub(crate) fn symbol(&self) -> Option<&'a str> {
        let mut symbols = self.rows.iter().map(|row| &*row.scale.symbol);
        let first = symbols.next()?;
        symbols.all(|symbol| symbol == first).then_some(first)
    }
}
