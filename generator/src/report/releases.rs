//! The releases of one library in one report, in order, with the tested change of each step.

use super::{ComparedRow, Dataset, Report, Row, judge};
use crate::model::implementation::Implementation;
use crate::parse::Manifest;
use crate::stats::Rules;

/// The releases of one implementation and variant in a report: two or more.
#[derive(Debug)]
pub(crate) struct ReleaseSeries<'a> {
    pub report: &'a Report,
    /// Number of the series in the report, from 1.
    pub number: usize,
    /// Columns of the releases, oldest first.
    pub columns: Vec<usize>,
    /// The rows in which a release other than the newest has a cell.
    pub rows: Vec<ReleaseRow<'a>>,
}

/// One scenario over the releases.
#[derive(Clone, Debug)]
pub(crate) struct ReleaseRow<'a> {
    pub row: &'a Row,
    /// One per step of [`ReleaseSeries::steps`]; `None` if a side has no figure.
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
    pub(super) fn older_releases(&self, manifest: &Manifest) -> Vec<Implementation> {
        let is_release = |c: &usize| !self.implementations[*c].version.is_pre_release();
        let older = self.releases(manifest).into_iter().flat_map(|columns| {
            let newest = columns.iter().rposition(is_release);
            columns[..newest.unwrap_or(columns.len() - 1)].to_vec()
        });
        older.map(|c| self.implementations[c].clone()).collect()
    }
}

impl<'a> ReleaseSeries<'a> {
    /// Returns a series for each implementation and variant with several releases in a report.
    pub(crate) fn all(report: &'a Report) -> Vec<Self> {
        let series = report.data.releases(&report.manifest).into_iter().zip(1..);
        let of = |(columns, number)| Self::of(report, number, columns);
        series.map(of).collect()
    }

    /// Judges all steps of all rows as one table.
    fn of(report: &'a Report, number: usize, columns: Vec<usize>) -> Self {
        let older = &columns[..columns.len() - 1];
        let estimator = report.manifest.estimator;
        let mut rows = Vec::new();
        for row in &report.data.rows {
            if older.iter().all(|column| row.cell(*column).is_none()) {
                continue;
            }
            let step = |places: [usize; 2]| {
                let cells = places.map(|place| row.cell(columns[place]));
                let step = ComparedRow::new(row, cells, estimator).paired(report.data.is_paired);
                let has_figures = step.estimates.iter().all(Option::is_some);
                has_figures.then_some(step)
            };
            let steps = steps(columns.len()).into_iter().map(step).collect();
            rows.push(ReleaseRow { row, steps });
        }
        let all_steps = rows.iter_mut().flat_map(|row| row.steps.iter_mut());
        judge(all_steps.flatten(), estimator, &Rules::default());
        Self {
            rows,
            report,
            number,
            columns,
        }
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

    /// Returns the tested steps, each as two indices of [`Self::columns`]: from each release to
    /// the next, and if there are more than two releases, from the first to the last.
    pub(crate) fn steps(&self) -> Vec<[usize; 2]> {
        steps(self.columns.len())
    }

    /// Returns the number of steps from one release to the next, which are the first of
    /// [`Self::steps`].
    pub(crate) fn neighbours(&self) -> usize {
        self.columns.len() - 1
    }

    /// Returns the step from the first release to the last, if there are more than two releases.
    pub(crate) fn whole_step(&self) -> Option<usize> {
        (self.columns.len() > 2).then(|| self.neighbours())
    }

    pub(crate) fn implementation(&self, place: usize) -> &'a Implementation {
        &self.report.data.implementations[self.columns[place]]
    }

    /// Returns the newest release.
    pub(crate) fn newest(&self) -> &'a Implementation {
        self.implementation(self.columns.len() - 1)
    }

    /// Returns the implementation and the parts of its variant that some others lack.
    pub(crate) fn name(&self) -> String {
        let newest = self.newest();
        let all = self.report.data.implementations.iter();
        let named: Vec<&Implementation> = all.filter(|i| i.name == newest.name).collect();
        let mut parts = newest.variant.clone();
        parts.retain(|part| named.iter().any(|i| !i.variant.contains(part)));
        parts.insert(0, newest.name.clone());
        parts.join(", ")
    }
}

fn steps(releases: usize) -> Vec<[usize; 2]> {
    let neighbours = (1..releases).map(|place| [place - 1, place]);
    let whole = (releases > 2).then(|| [0, releases - 1]);
    neighbours.chain(whole).collect()
}

#[cfg(test)]
pub(crate) mod tests;
