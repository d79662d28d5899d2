//! Tables: rows and builds of one report, as its pages show them.

use super::{Cell, Dataset, Figure, Report, Row, common_scale};
use crate::model::implementation::Implementation;
use crate::model::scale::Scale;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a report with all of its builds. A row has an identity, its control and a cell for each
/// build, with the sample, the figure, its interval and whether it is steady; [`Report::verdict`]
/// compares two cells of a row, and [`Report::leads`] says which of them are best.
#[derive(Clone, Debug)]
pub(crate) struct Table<'a> {
    pub report: &'a Report,
    /// The whole report's data set, for its builds.
    pub data: &'a Dataset,
    /// In display order.
    pub rows: Vec<&'a Row>,
}

/// Columns of builds that fit beside the scenario at 1280 px.
const MAX_BUILDS: usize = 7;

/// More, if there is one of each library.
const MAX_LIBRARIES: usize = 12;

impl<'a> Table<'a> {
    /// Returns all rows of a report.
    pub(crate) fn of(report: &'a Report) -> Self {
        Self::of_rows(report, report.data.rows.iter().collect())
    }

    /// Returns these rows of a report.
    pub(crate) fn of_rows(report: &'a Report, rows: Vec<&'a Row>) -> Self {
        Self {
            report,
            data: &report.data,
            rows,
        }
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

    pub(crate) fn build(&self, column: usize) -> &'a Implementation {
        &self.data.implementations[column]
    }

    /// Returns the name of a build, given the others of the report.
    pub(crate) fn name(&self, column: usize) -> String {
        self.data.name(column).full()
    }

    pub(crate) fn names(&self, columns: &[usize]) -> Vec<String> {
        self.data.full_names(columns)
    }

    /// Whether a build has a figure in these rows or is marked unsupported.
    fn has(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.cell(column).is_some())
    }

    /// Returns the builds of these rows, without older releases.
    pub(crate) fn columns(&self) -> Vec<usize> {
        self.data.newest_columns(self.rows.iter().copied())
    }

    /// Returns the builds of these rows.
    pub(crate) fn all_columns(&self) -> Vec<usize> {
        let all = 0..self.data.implementations.len();
        all.filter(|column| self.has(*column)).collect()
    }

    /// Splits the columns into those of the first table and the charts, and the others, which
    /// include older releases. The subject, the release before it and one build of each rival are
    /// among the former.
    pub(crate) fn split_columns(&self) -> (Vec<usize>, Vec<usize>) {
        let mut all = self.all_columns();
        all.sort_by_key(|column| self.data.is_older(*column));
        let library = |column: usize| &*self.build(column).name;
        let is_subject = |column: usize| library(column) == self.report.subject();
        let newest = all.iter().filter(|column| !self.data.is_older(**column));
        let subject = newest.clone().find(|column| is_subject(**column));
        let before = subject.and_then(|column| self.data.release_before(*column));
        let before = before.filter(|before| self.has(*before));
        let mut seen = BTreeSet::new();
        let one_each = newest.filter(|column| seen.insert(library(**column)));
        let one_each: Vec<&usize> = one_each.collect();
        let least = one_each.len() + usize::from(before.is_some());
        let most = MAX_BUILDS.max(least.min(MAX_LIBRARIES));
        let mut first: Vec<usize> = Vec::new();
        for column in subject
            .into_iter()
            .chain(&before)
            .chain(one_each)
            .chain(&all)
        {
            if !first.contains(column) {
                first.push(*column);
            }
        }
        let is_shown = |column: &&usize| !self.data.is_older(**column) || Some(**column) == before;
        let shown = first.iter().filter(is_shown).count();
        let others = first.split_off(shown.min(most));
        first.sort_by_key(|column| !is_subject(*column));
        (first, others)
    }

    /// Returns the columns that bar charts show.
    pub(crate) fn shown(&self) -> Vec<usize> {
        let (mut columns, _) = self.split_columns();
        columns.retain(|c| !self.data.without_bars.contains(c));
        columns
    }

    /// Returns all cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &'a Cell> + Clone {
        self.rows.iter().flat_map(|row| row.cells.iter().flatten())
    }

    /// Returns the figures of all cells.
    pub(crate) fn figures(&self) -> impl Iterator<Item = &'a Figure> {
        self.cells().filter_map(|cell| cell.figure.as_ref())
    }

    /// Returns one scale for all figures, which share one unit; `None` without rows.
    pub(crate) fn scale(&self) -> Option<Scale> {
        Some(common_scale(&self.rows.first()?.unit, self.figures()))
    }

    /// Whether the times of the rows are too unlike for one scale. Each row then has its own, whose
    /// unit stands beside the figures.
    pub(crate) fn is_per_row(&self) -> bool {
        let unit = self.rows.first().map(|row| &row.unit);
        let estimates = self.figures().map(|figure| figure.estimate);
        unit.is_some_and(|unit| Scale::is_per_row(unit, estimates))
    }
}

impl Row {
    /// Returns the scale of this row's figures alone.
    pub(crate) fn scale(&self) -> Scale {
        let cells = self.cells.iter().flatten();
        common_scale(&self.unit, cells.filter_map(|cell| cell.figure.as_ref()))
    }

    /// Returns the estimate of a build, in base units.
    pub(crate) fn estimate(&self, column: usize) -> Option<f64> {
        self.cell(column).and_then(Cell::estimate)
    }

    /// Returns each column that has a figure, with the figure.
    pub(crate) fn estimates(&self) -> Vec<(usize, f64)> {
        let estimate = |column| Some((column, self.estimate(column)?));
        (0..self.cells.len()).filter_map(estimate).collect()
    }
}
