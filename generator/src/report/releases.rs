//! The releases of one library and variant in one report, in their order, with the tested change of each
//! step.

use super::tally::is_speed;
use super::{Report, Row, Tally, builds_of, one_of_each_kind};
use crate::model::implementation::Implementation;

/// Two releases or more of one library and variant, the oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Series<'a> {
    pub report: &'a Report,
    pub builds: Vec<usize>,
}

impl Report {
    /// Returns a series for each library and variant with several releases that have figures.
    pub(crate) fn series(&self) -> Vec<Series<'_>> {
        let (mut all, measured) = (Vec::new(), builds_of(&self.rows));
        for mut builds in self.releases() {
            builds.retain(|build| measured.contains(build));
            if builds.len() > 1 && !self.build(builds[0]).version.is_empty() {
                all.push(Series {
                    report: self,
                    builds,
                });
            }
        }
        all
    }

    /// Returns what changed between two builds: of rates and times, one of each kind of work.
    pub(crate) fn tally(&self, sides: [usize; 2]) -> Tally<'_> {
        let mut rows = self.compare(sides);
        rows.retain(|one| is_speed(one.row));
        let kinds = one_of_each_kind(rows, |one| one.row);
        kinds.into_iter().collect()
    }
}

impl<'a> Series<'a> {
    /// Returns each release with the one before it, if they have rows in common, the oldest first.
    pub(crate) fn steps(&self) -> Vec<[usize; 2]> {
        let pairs = self.builds.windows(2).map(|pair| [pair[0], pair[1]]);
        let mut steps = Vec::from_iter(pairs);
        steps.retain(|sides| !self.report.compare(*sides).is_empty());
        steps
    }

    /// Returns the first release and the newest final one, if these are two with rows in common.
    pub(crate) fn whole(&self) -> Option<[usize; 2]> {
        let mut newest_first = self.builds.iter().rev();
        let newest = *newest_first.find(|build| self.report.builds[**build].is_final)?;
        let sides = [self.builds[0], newest];
        (sides[0] != newest && !self.report.compare(sides).is_empty()).then_some(sides)
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
