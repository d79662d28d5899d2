//! The releases of one library in one report, in order, with the tested change of each step.

use super::{ComparedRow, Dataset, Report, Row, judge};
use crate::model::implementation::Implementation;
use crate::parse::Manifest;
use crate::stats::Rules;

/// The releases of one implementation and variant in a report: two or more.
#[derive(Debug)]
pub(crate) struct ReleaseSeries<'a> {
    pub report: &'a Report,
    /// Columns of the releases, oldest first.
    pub columns: Vec<usize>,
    /// The rows in which a release other than the newest has a cell, in the order of the report.
    pub rows: Vec<ReleaseRow<'a>>,
}

/// One scenario over the releases.
#[derive(Clone, Debug)]
pub(crate) struct ReleaseRow<'a> {
    pub row: &'a Row,
    /// One for each release and the next; `None` if a side has no figure.
    pub steps: Vec<Option<ComparedRow<'a>>>,
}

impl Dataset {
    /// Returns the columns of each implementation and variant with several releases that have
    /// figures, oldest release first. Those that versions do not order, such as commits and builds
    /// of one release, are in the order of their days, then of `report.toml`.
    fn releases(&self, manifest: &Manifest) -> Vec<Vec<usize>> {
        let all = &self.implementations;
        let has_figures = |column: &usize| self.rows.iter().any(|r| r.cell(*column).is_some());
        let mut series: Vec<Vec<usize>> = Vec::new();
        for column in (0..all.len()).filter(has_figures) {
            let same = |other: &usize| {
                all[*other].name == all[column].name && all[*other].variant == all[column].variant
            };
            match series.iter_mut().find(|s| s.iter().all(same)) {
                Some(known) => known.push(column),
                None => series.push(vec![column]),
            }
        }
        series.retain(|columns| columns.len() > 1);
        for columns in &mut series {
            columns.sort_by(|a, b| {
                let [a, b] = [*a, *b].map(|c| &all[c]);
                let day = |i| manifest.released(i);
                a.version.cmp_release(&b.version).then(day(a).cmp(&day(b)))
            });
        }
        series
    }

    /// Returns all releases before the newest of each implementation and variant. A pre-release
    /// of the next one does not count as newer.
    pub(super) fn older_releases(&self, manifest: &Manifest) -> Vec<usize> {
        let is_release = |c: &usize| !self.implementations[*c].version.is_pre_release();
        let older = self.releases(manifest).into_iter().flat_map(|columns| {
            let newest = columns.iter().rposition(is_release);
            columns[..newest.unwrap_or(columns.len() - 1)].to_vec()
        });
        older.collect()
    }
}

impl<'a> ReleaseSeries<'a> {
    /// Returns a series for each implementation and variant with several releases in a report.
    pub(crate) fn all(report: &'a Report) -> Vec<Self> {
        let series = report.data.releases(&report.manifest).into_iter();
        series.map(|columns| Self::of(report, columns)).collect()
    }

    /// Judges all steps of all rows as one table.
    fn of(report: &'a Report, columns: Vec<usize>) -> Self {
        let older = &columns[..columns.len() - 1];
        let estimator = report.manifest.estimator;
        let mut rows = Vec::new();
        for row in &report.data.rows {
            if older.iter().all(|column| row.cell(*column).is_none()) {
                continue;
            }
            let step = |sides: &[usize]| {
                let cells = [sides[0], sides[1]].map(|column| row.cell(column));
                let step = ComparedRow::new(row, cells, estimator).paired(report.data.is_paired);
                let has_figures = step.estimates.iter().all(Option::is_some);
                has_figures.then_some(step)
            };
            let steps = columns.windows(2).map(step).collect();
            rows.push(ReleaseRow { row, steps });
        }
        let all_steps = rows.iter_mut().flat_map(|row| row.steps.iter_mut());
        judge(all_steps.flatten(), estimator, &Rules::default());
        Self {
            rows,
            report,
            columns,
        }
    }

    /// Returns what is known of a row, if any.
    pub(crate) fn row(&self, row: &Row) -> Option<&ReleaseRow<'a>> {
        let found = self.rows.partition_point(|r| r.row.index < row.index);
        self.rows.get(found).filter(|r| r.row.index == row.index)
    }

    /// Returns the series with some of its rows, whose steps keep their verdicts.
    pub(crate) fn with(&self, wanted: impl Fn(&Row) -> bool) -> Self {
        let rows = self.rows.iter().filter(|r| wanted(r.row));
        Self {
            columns: self.columns.clone(),
            rows: rows.cloned().collect(),
            ..*self
        }
    }

    pub(crate) fn implementation(&self, place: usize) -> &'a Implementation {
        &self.report.data.implementations[self.columns[place]]
    }

    /// Returns the newest release.
    pub(crate) fn newest(&self) -> &'a Implementation {
        self.implementation(self.columns.len() - 1)
    }

    /// Whether its releases are the commits of a branch.
    pub(crate) fn is_of_branch(&self) -> bool {
        self.newest().version.is_on_branch()
    }

    /// `rustls (ring)`: the library, and the variant if it is not the usual one.
    pub(crate) fn name(&self) -> String {
        let newest = self.columns[self.columns.len() - 1];
        self.report.data.name(newest).series()
    }
}

#[cfg(test)]
pub(crate) mod tests;
