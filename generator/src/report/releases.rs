//! The releases of one library and variant in one report, in their order, with the tested change of each
//! step.

use super::compare::Compared;
use super::tally::is_speed;
use super::{Report, Row};
use crate::model::implementation::Implementation;

/// Two releases or more of one library and variant, the oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Series<'a> {
    pub report: &'a Report,
    pub builds: Vec<usize>,
}

/// A release and the one before it.
#[derive(Clone, Debug)]
pub(crate) struct Step<'a> {
    pub old: usize,
    pub new: usize,
    /// The rows that both have.
    pub rows: Vec<Compared<'a>>,
}

impl Report {
    /// Returns a series for each library and variant with several releases that have figures.
    pub(crate) fn series(&self) -> Vec<Series<'_>> {
        let mut all = Vec::new();
        for mut builds in self.releases() {
            let has_figure =
                |build: &usize| self.rows.iter().any(|row| row.figure(*build).is_some());
            builds.retain(has_figure);
            if builds.len() > 1 && !self.build(builds[0]).version.is_empty() {
                all.push(Series {
                    report: self,
                    builds,
                });
            }
        }
        all
    }
}

impl<'a> Series<'a> {
    /// Returns the steps whose releases have rows in common, the oldest first.
    pub(crate) fn steps(&self) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        for pair in self.builds.windows(2) {
            let (old, new) = (pair[0], pair[1]);
            let rows = self.report.compare([old, new]);
            if !rows.is_empty() {
                steps.push(Step { old, new, rows });
            }
        }
        steps
    }

    pub(crate) fn newest(&self) -> &'a Implementation {
        self.report.build(self.builds[self.builds.len() - 1])
    }

    /// Whether its releases are the commits of a branch.
    pub(crate) fn is_of_branch(&self) -> bool {
        self.newest().version.is_on_branch()
    }

    /// Whether two releases or more have a figure in a row.
    pub(crate) fn has(&self, row: &Row) -> bool {
        let known = self.builds.iter().filter(|b| row.figure(**b).is_some());
        known.count() > 1
    }

    /// `rustls (ring)`: the library, and the variant if it is not the usual one.
    pub(crate) fn name(&self) -> String {
        let newest = self.builds[self.builds.len() - 1];
        self.report.builds[newest].name.series()
    }
}

impl<'a> Step<'a> {
    /// Returns the rates and times.
    pub(crate) fn speeds(&self) -> Vec<Compared<'a>> {
        let mut speeds = self.rows.clone();
        speeds.retain(|one| is_speed(one.row));
        speeds
    }
}
