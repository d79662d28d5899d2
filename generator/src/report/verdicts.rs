//! Verdicts on the builds of one report, and which of them lead.

use super::{Cell, ComparedRow, Report, Row, judge};
use crate::model::scenario::{Scenario, TlsVersion, Workload};
use crate::model::unit::Better;
use crate::stats::{Comparison, Rules, Verdict};
use std::sync::OnceLock;

/// The comparisons of all rows for two builds.
type Judged = OnceLock<Vec<Option<Comparison>>>;

/// The comparisons of a report's builds and the leaders of its rows, made when they are first needed.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    judged: OnceLock<Vec<Judged>>,
    leaders: OnceLock<Vec<Option<Leaders>>>,
}

/// The builds that lead in a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaders {
    /// Columns: one of the release with the best figure, then the others, the best first. No difference
    /// between the best and the others is shown.
    pub first: Vec<usize>,
    /// The others that were ranked, best first. The first leader is shown to be better than each.
    pub behind: Vec<usize>,
}

impl Report {
    /// Compares two columns in a row of this report. As on the compare page, all rows of the two are
    /// one table. Both directions are one comparison, so that they never disagree.
    pub(crate) fn verdict(&self, row: &Row, [old, new]: [usize; 2]) -> Option<Comparison> {
        if old < new {
            let back = self.verdict(row, [new, old]);
            return back.map(|known| known.reversed());
        }
        let builds = self.data.implementations.len();
        let all = self.verdicts.judged.get_or_init(|| {
            let judged = || OnceLock::new();
            std::iter::repeat_with(judged)
                .take(builds * builds)
                .collect()
        });
        let judged = all[old * builds + new].get_or_init(|| self.judged([old, new]));
        judged[row.index]
    }

    /// Returns a row of the table of two columns, baseline and candidate, with its verdict.
    pub(crate) fn compared<'a>(&'a self, row: &'a Row, sides: [usize; 2]) -> ComparedRow<'a> {
        let cells = sides.map(|side| row.cell(side));
        ComparedRow {
            comparison: self.verdict(row, sides),
            ..ComparedRow::new(row, cells, self.manifest.estimator).paired(self.data.is_paired)
        }
    }

    fn judged(&self, sides: [usize; 2]) -> Vec<Option<Comparison>> {
        let estimator = self.manifest.estimator;
        let row = |row| {
            let cells = sides.map(|side| Row::cell(row, side));
            ComparedRow::new(row, cells, estimator).paired(self.data.is_paired)
        };
        let mut rows: Vec<ComparedRow<'_>> = self.data.rows.iter().map(row).collect();
        judge(&mut rows, estimator, &Rules::default());
        rows.into_iter().map(|row| row.comparison).collect()
    }

    /// Returns the leading builds of a row among the final releases, the newest of each library and
    /// variant. `None` where they are not ranked: of one build, of single figures, without a direction, or
    /// where each library chooses its key exchange.
    pub(crate) fn leaders(&self, row: &Row) -> Option<&Leaders> {
        let all = self.verdicts.leaders.get_or_init(|| {
            let rows = self.data.rows.iter();
            rows.map(|row| self.find_leaders(row)).collect()
        });
        all[row.index].as_ref()
    }

    /// Whether a build is among the best of a row, and another is not: what stars mark.
    pub(crate) fn leads(&self, row: &Row, column: usize) -> bool {
        let found = self.leaders(row).filter(|found| !found.behind.is_empty());
        found.is_some_and(|found| found.first.contains(&column))
    }

    fn find_leaders(&self, row: &Row) -> Option<Leaders> {
        let builds = &self.data.implementations;
        if leaves_key_exchange_open(&row.scenario) || row.unit.better() == Better::Unknown {
            return None;
        }
        let mut ranked: Vec<(usize, f64)> = Vec::new();
        for (column, build) in builds.iter().enumerate() {
            let estimate = row.cell(column).and_then(Cell::estimate);
            if let Some(estimate) = estimate
                && !self.data.is_older(column)
                && !build.version.is_pre_release()
            {
                ranked.push((column, estimate));
            }
        }
        ranked.sort_by(|(_, a), (_, b)| row.unit.better().best_first(*a, *b));
        let [(best, _), others @ ..] = ranked.as_slice() else {
            return None;
        };
        if others.is_empty() {
            return None;
        }
        let (mut first, mut behind) = (vec![*best], Vec::new());
        for (column, _) in others {
            match self.verdict(row, [*column, *best])?.verdict {
                Verdict::Untested => return None,
                verdict if verdict.is_change() => behind.push(*column),
                _ => first.push(*column),
            }
        }
        // Of a release's variants that lead alike, the first in the report speaks for all.
        let alike = first.iter().copied();
        let alike = alike.filter(|column| builds[*column].is_release(&builds[*best]));
        let speaker = alike.min().unwrap_or(*best);
        let leads = |column: &usize| {
            let known = self.verdict(row, [*column, speaker]);
            known.is_some_and(|known| known.verdict.is_change())
        };
        if behind.iter().all(leads) {
            first.sort_by_key(|column| *column != speaker);
        }
        Some(Leaders { first, behind })
    }
}

/// Whether each library chooses the key exchange, so that they do different work.
pub(crate) fn leaves_key_exchange_open(scenario: &Scenario) -> bool {
    let exchanges_keys = match scenario.workload {
        Workload::FullHandshake | Workload::FullLatency => true,
        Workload::ResumedHandshake | Workload::ResumedLatency => {
            scenario.version != Some(TlsVersion::V1_2)
        }
        _ => false,
    };
    exchanges_keys && scenario.group.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::release_tests::{FULL, SENDING, cells, report};

    /// The leaders among builds with 20 runs around these levels.
    fn leaders(label: &str, versions: &[&str], levels: &[f64]) -> Option<Leaders> {
        let builds = versions.iter().enumerate();
        let builds = builds.map(|(i, v)| format!("version = \"{v}\"\nvariant = [\"{i}\"]"));
        let builds: Vec<String> = builds.collect();
        let builds: Vec<&str> = builds.iter().map(String::as_str).collect();
        let random = &mut Random::new(3);
        let report = report(&builds, &[(label, cells(random, 20, levels))]);
        report.leaders(&report.data.rows[0]).cloned()
    }

    #[test]
    fn only_tested_differences_rank() {
        let found = leaders(SENDING, &["1", "1", "1"], &[100.0, 200.0, 150.0]);
        let (first, behind) = (vec![1], vec![2, 0]);
        assert_eq!(found, Some(Leaders { first, behind }));
        // Equal levels are a tie, whichever estimate is larger.
        let found = leaders(SENDING, &["1", "1", "1"], &[200.0, 100.0, 200.0]).expect("leaders");
        assert_eq!(found.behind, [1]);
        assert_eq!(found.first.len(), 2);
        // A pre-release is not ranked, and one build leads nobody.
        let found = leaders(SENDING, &["1", "2-beta", "1"], &[100.0, 300.0, 200.0]);
        assert_eq!(found.map(|l| l.first), Some(vec![2]));
        assert_eq!(leaders(SENDING, &["1", "2-beta"], &[100.0, 300.0]), None);
        // Each library chooses its key exchange.
        assert_eq!(leaders(FULL, &["1", "1"], &[100.0, 300.0]), None);
        let labelled = "full handshakes, 1.3, rsa, x25519, server";
        assert!(leaders(labelled, &["1", "1"], &[100.0, 300.0]).is_some());
    }

    #[test]
    fn single_figures_rank_nothing_and_unsteady_ones_do() {
        let builds = ["0", "1"].map(|v| format!("version = \"1\"\nvariant = [\"{v}\"]"));
        let builds = builds.each_ref().map(String::as_str);
        let random = &mut Random::new(3);
        let one = report(&builds, &[(SENDING, cells(random, 1, &[100.0, 300.0]))]);
        assert_eq!(one.leaders(&one.data.rows[0]), None);
        let mut one = report(&builds, &[(SENDING, cells(random, 20, &[100.0, 300.0]))]);
        if let Some(cell) = &mut one.data.rows[0].cells[1] {
            cell.is_unsteady = true;
        }
        let row = &one.data.rows[0];
        let (first, behind) = (vec![1], vec![0]);
        assert_eq!(one.leaders(row), Some(&Leaders { first, behind }));
        assert_eq!([0, 1].map(|column| one.leads(row, column)), [false, true]);
    }
}
