//! What the rows of a report are compared with: the newest earlier report that has the row and, for
//! changes that crept in, the oldest of the last ones.

use super::{Cell, ComparedRow, ComparedTable, Key, Report, Row, compared, judge, newest_pairs};
use crate::stats::Rules;
use std::cell::OnceCell;
use std::collections::HashMap;

/// How many reports back a change that crept in is looked for.
pub(crate) const MAX_EARLIER: usize = 10;

/// A report before another.
pub(crate) struct Before<'a> {
    report: &'a Report,
    /// This report's column of each implementation of the later one.
    columns: HashMap<usize, usize>,
    rows: OnceCell<HashMap<Key<'a>, &'a Row>>,
}

/// The rows of one implementation, compared.
pub(crate) struct Since<'e, 'a> {
    pub table: ComparedTable<'a>,
    report: &'a Report,
    rows: &'e [&'a Row],
    /// The column of the implementation.
    pub new: usize,
    earlier: &'e [Before<'a>],
    /// The report of each baseline, as its index among the earlier ones.
    places: HashMap<Key<'a>, usize>,
}

impl<'a> Before<'a> {
    /// Pairs the implementations of `report` with those of each earlier report, the newest first.
    pub(crate) fn all(report: &Report, earlier: &[&'a Report]) -> Vec<Self> {
        let columns = |before: &Report| newest_pairs(&before.data, &report.data).into_iter();
        let of = |before: &&'a Report| Self {
            report: before,
            columns: columns(before).map(|(old, new)| (new, old)).collect(),
            rows: OnceCell::new(),
        };
        earlier.iter().map(of).collect()
    }

    fn cell(&self, row: &Row, new: usize) -> Option<&'a Cell> {
        let column = *self.columns.get(&new)?;
        let rows = self.rows.get_or_init(|| self.report.data.by_key());
        let cell = rows.get(&(&row.scenario, &row.unit))?.cell(column)?;
        cell.estimate().is_some().then_some(cell)
    }
}

impl<'e, 'a> Since<'e, 'a> {
    /// Compares each row of an implementation with the newest earlier report that has it.
    pub(crate) fn newest(
        report: &'a Report,
        rows: &'e [&'a Row],
        new: usize,
        earlier: &'e [Before<'a>],
    ) -> Option<Self> {
        Self::of(report, rows, new, earlier, |row| {
            let mut places = earlier.iter().enumerate();
            places.find_map(|(place, before)| Some((place, before.cell(row, new)?)))
        })
    }

    /// Compares each row with the oldest earlier report that has it, and keeps the changes that
    /// neither this report nor one in between shows against the one before it. p is adjusted over the
    /// rows that none shows: many changes that are known would let those of chance pass with them.
    pub(crate) fn crept_in(&self) -> Option<Self> {
        let (new, earlier) = (self.new, self.earlier);
        let mut crept = Self::of(self.report, self.rows, new, earlier, |row| {
            let newest = *self.places.get(&(&row.scenario, &row.unit))?;
            let older = earlier.iter().enumerate().skip(newest + 1);
            let mut older = older.rev();
            older.find_map(|(place, before)| Some((place, before.cell(row, new)?)))
        })?;
        crept.drop_shown(self, |_| true);
        for (place, later) in earlier.iter().enumerate() {
            let column = later.columns.get(&new).filter(|_| crept.has_changes());
            let Some(column) = column else { continue };
            let older: Vec<&Report> = earlier[place + 1..].iter().map(|b| b.report).collect();
            let older = Before::all(later.report, &older);
            let rows: Vec<&Row> = later.report.data.rows.iter().collect();
            if let Some(shown) = Since::newest(later.report, &rows, *column, &older) {
                crept.drop_shown(&shown, |baseline| baseline > place);
            }
        }
        if crept.has_changes() {
            let estimator = self.report.manifest.estimator;
            judge(&mut crept.table.rows, estimator, &Rules::default());
        }
        crept.table.rows.retain(ComparedRow::is_change);
        crept.has_changes().then_some(crept)
    }

    fn has_changes(&self) -> bool {
        self.table.rows.iter().any(ComparedRow::is_change)
    }

    fn of(
        report: &'a Report,
        rows: &'e [&'a Row],
        new: usize,
        earlier: &'e [Before<'a>],
        baseline: impl Fn(&Row) -> Option<(usize, &'a Cell)>,
    ) -> Option<Self> {
        let mut places = HashMap::new();
        let mut both = Vec::new();
        for row in rows {
            if let Some((is, (place, was))) = row.cell(new).zip(baseline(row)) {
                places.insert((&row.scenario, &row.unit), place);
                both.push((*row, [Some(was), Some(is)]));
            }
        }
        let table = compared(both, report.manifest.estimator, false)?;
        Some(Self {
            table,
            report,
            rows,
            new,
            earlier,
            places,
        })
    }

    /// Drops the rows that another comparison shows to change in the same direction, if their
    /// baseline is one of these.
    fn drop_shown(&mut self, other: &Since<'_, 'a>, is_within: impl Fn(usize) -> bool) {
        let is_up = |row: &ComparedRow| row.comparison.map(|known| known.change.ratio > 1.0);
        let changed = other.table.rows.iter().filter(|row| row.is_change());
        let changed: HashMap<Key<'_>, Option<bool>> = changed
            .map(|row| ((row.scenario, row.unit), is_up(row)))
            .collect();
        let places = &self.places;
        self.table.rows.retain(|row| {
            let key = (row.scenario, row.unit);
            !is_within(places[&key]) || changed.get(&key) != Some(&is_up(row))
        });
    }

    /// Returns the report of a row's baseline, as its index among the earlier ones.
    pub(crate) fn place_of(&self, row: &ComparedRow<'_>) -> usize {
        self.places[&(row.scenario, row.unit)]
    }

    /// Returns the baseline of a row: its report and column.
    pub(crate) fn baseline(&self, row: &ComparedRow<'_>) -> (&'a Report, usize) {
        let before = &self.earlier[self.place_of(row)];
        (before.report, before.columns[&self.new])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::release_tests::{FULL, SENDING, cell, report, versions};
    use crate::stats::Comparison;

    /// Measures both scenarios in a series of reports, the last at the end.
    fn series(seed: u64, levels: &[[f64; 2]]) -> Vec<Report> {
        let random = &mut Random::new(seed);
        let keys = versions(&["0.23.1"]);
        let mut reports = Vec::new();
        for (index, levels) in levels.iter().enumerate() {
            let rows = [FULL, SENDING].into_iter().zip(levels);
            let rows: Vec<_> = rows
                .filter(|(_, level)| **level > 0.0)
                .map(|(label, level)| (label, vec![cell(random, 20, *level)]))
                .collect();
            let mut report = report(&[&keys[0]], &rows);
            report.name = format!("report-{index}");
            reports.push(report);
        }
        reports
    }

    /// Each row of the last report with its change and the report of its baseline, and those that crept
    /// in.
    fn of_last(reports: &[Report]) -> [Vec<[String; 3]>; 2] {
        let mut newest_first = reports.iter().rev();
        let last = newest_first.next().expect("a report");
        let earlier = Before::all(last, &newest_first.collect::<Vec<_>>());
        let rows: Vec<&Row> = last.data.rows.iter().collect();
        let since = Since::newest(last, &rows, 0, &earlier).expect("compared rows");
        let shown = |since: Since<'_, '_>| {
            let row = |(row, known): (&ComparedRow<'_>, Comparison)| {
                let (label, report) = (row.scenario.label(), since.baseline(row).0.name.clone());
                [label, known.words(), report]
            };
            since.table.known().map(row).collect()
        };
        let crept = since.crept_in().map_or_else(Vec::new, shown);
        [shown(since), crept]
    }

    #[test]
    fn what_crept_in_is_found() {
        let level = |report: i32| 100.0 * 0.994f64.powi(report);
        let reports = series(1, &[0, 1, 2, 3, 4, 5].map(|report| [level(report), 100.0]));
        let [newest, crept] = of_last(&reports);
        assert_eq!(newest, [SENDING, FULL].map(|row| [row, "~", "report-4"]));
        assert_eq!(crept, [[FULL, "1.03x slower", "report-0"]]);
    }

    #[test]
    fn a_row_that_the_last_report_lacks_is_compared_with_the_one_before() {
        let [newest, crept] = of_last(&series(2, &[[100.0, 100.0], [0.0, 100.0], [94.0, 100.0]]));
        let expected = [
            [SENDING, "~", "report-1"],
            [FULL, "1.06x slower", "report-0"],
        ];
        assert_eq!(newest, expected);
        assert!(crept.is_empty());
    }

    #[test]
    fn a_step_that_a_report_showed_did_not_creep_in() {
        let levels = [100.0, 90.0, 90.0, 90.0].map(|level| [level, 100.0]);
        assert!(of_last(&series(3, &levels))[1].is_empty());
        // Shown by the third report, which had to look two back.
        let levels = [100.0, 0.0, 90.0, 90.0].map(|level| [level, 100.0]);
        assert!(of_last(&series(4, &levels))[1].is_empty());
    }

    /// Ten rows became slower in the second of four reports, and ten did not. Runs vary by ±6 %.
    #[test]
    fn changes_that_a_report_showed_let_none_of_chance_pass() {
        let mut crept = 0;
        for seed in 100..140 {
            let random = &mut Random::new(seed);
            let noisy = |random: &mut Random, level: f64| {
                let run = |_| level * (0.94 + random.below(120_000) as f64 / 1e6);
                vec![Some(Cell::of((0..20).map(run).collect()))]
            };
            let labels: Vec<String> = (0..20).map(|row| format!("encode/{row}")).collect();
            let reports = [100.0, 80.0, 80.0, 80.0].map(|level| {
                let levels = [[level; 10], [100.0; 10]].concat();
                let rows = labels.iter().zip(levels);
                let rows: Vec<_> = rows
                    .map(|(label, level)| (label.as_str(), noisy(random, level)))
                    .collect();
                report(&["version = \"0.23.1\""], &rows)
            });
            crept += of_last(&reports)[1].len();
        }
        // Two are expected. Were p adjusted over all rows, nine would pass.
        assert!(crept <= 2, "{crept}");
    }

    #[test]
    fn nothing_creeps_into_equal_reports() {
        for seed in 10..30 {
            let [_, crept] = of_last(&series(seed, &[[100.0; 2]; 8]));
            assert!(crept.is_empty(), "{seed}: {crept:?}");
        }
    }
}
