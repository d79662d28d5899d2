//! What the rows of a report are compared with: the newest earlier report that has the row.

use super::{Cell, ComparedRow, ComparedTable, Key, Report, Row, judge, newest_pairs, of_judged};
use crate::stats::Rules;
use std::cell::OnceCell;
use std::collections::HashMap;

/// How many reports back a row is looked for.
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
    /// The column of the implementation.
    pub new: usize,
    earlier: &'e [Before<'a>],
    /// The report of each row's baseline, as its index among the earlier ones, by the row's index.
    places: HashMap<usize, usize>,
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
        rows: &[&'a Row],
        new: usize,
        earlier: &'e [Before<'a>],
    ) -> Option<Self> {
        let estimator = report.manifest.estimator;
        let mut places = HashMap::new();
        let mut both = Vec::new();
        for row in rows {
            let Some(is) = row.cell(new) else { continue };
            let mut all = earlier.iter().enumerate();
            if let Some((place, was)) =
                all.find_map(|(place, before)| Some((place, before.cell(row, new)?)))
            {
                places.insert(row.index, place);
                both.push(ComparedRow::new(row, [Some(was), Some(is)], estimator));
            }
        }
        judge(&mut both, estimator, &Rules::default());
        let table = of_judged(both)?;
        Some(Self {
            table,
            new,
            earlier,
            places,
        })
    }

    /// Returns the report of a row's baseline, as its index among the earlier ones.
    pub(crate) fn place_of(&self, row: &ComparedRow<'_>) -> usize {
        self.places[&row.row.index]
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
    use crate::report::words;

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

    #[test]
    fn a_row_that_the_last_report_lacks_is_compared_with_the_one_before() {
        let reports = series(2, &[[100.0, 100.0], [0.0, 100.0], [94.0, 100.0]]);
        let mut newest_first = reports.iter().rev();
        let last = newest_first.next().expect("a report");
        let earlier = Before::all(last, &newest_first.collect::<Vec<_>>());
        let rows: Vec<&Row> = last.data.rows.iter().collect();
        let since = Since::newest(last, &rows, 0, &earlier).expect("compared rows");
        let mut found = Vec::new();
        for (row, known) in since.table.known() {
            let report = &*since.baseline(row).0.name;
            found.push((row.row.scenario.label(), words::verdict(&known), report));
        }
        let expected = [
            (SENDING, "no difference", "report-1"),
            (FULL, "1.06x slower", "report-0"),
        ];
        let expected = expected.map(|(row, verdict, of)| (row.to_owned(), verdict.to_owned(), of));
        assert_eq!(found, expected);
    }
}
