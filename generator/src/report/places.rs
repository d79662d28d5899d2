//! First, second and third places of libraries, by tested comparisons.

use super::{Report, Row, leaves_key_exchange_open};
use crate::model::unit::Better;
use crate::stats::Verdict;

/// How often each library came first, second, third or behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Places {
    /// A build of each library, with its numbers of places; the most first places come first.
    pub libraries: Vec<(usize, [usize; 4])>,
    /// Rows in which they have places.
    pub rows: usize,
    /// Rows that all have, in which a pair is not tested.
    pub left_out: usize,
}

impl Report {
    /// Places the newest release of each library among the others, over those of the rows that all
    /// of them have. In each row, its place is one more than the number of libraries that are shown
    /// to be better, so those share a place between which no difference is shown. `None` without
    /// two libraries, or without a row in which they have places.
    pub(crate) fn places(&self, rows: &[&Row]) -> Option<Places> {
        let columns = self.one_of_each_library();
        if columns.len() < 2 {
            return None;
        }
        let mut places = Places {
            libraries: columns.iter().map(|column| (*column, [0; 4])).collect(),
            rows: 0,
            left_out: 0,
        };
        for row in rows {
            let have_all = columns.iter().all(|column| row.estimate(*column).is_some());
            let is_comparable =
                row.unit.better() != Better::Unknown && !leaves_key_exchange_open(&row.scenario);
            if !have_all || !is_comparable {
                continue;
            }
            match self.places_in(row, &columns) {
                None => places.left_out += 1,
                Some(of_row) => {
                    places.rows += 1;
                    for ((_, numbers), place) in places.libraries.iter_mut().zip(of_row) {
                        numbers[place.min(3)] += 1;
                    }
                }
            }
        }
        places.libraries.sort_by(|(_, a), (_, b)| b.cmp(a));
        (places.rows > 0).then_some(places)
    }

    /// Returns by how many of the others each build is surpassed; `None` if a pair is not tested.
    fn places_in(&self, row: &Row, columns: &[usize]) -> Option<Vec<usize>> {
        let mut places = vec![0; columns.len()];
        for (place, own) in places.iter_mut().zip(columns) {
            for other in columns.iter().filter(|other| *other != own) {
                let known = self.verdict(row, [*own, *other])?;
                known.adjusted_p?;
                *place += usize::from(known.verdict == Verdict::Better);
            }
        }
        Some(places)
    }

    /// Returns the first build of the newest final release of each library.
    fn one_of_each_library(&self) -> Vec<usize> {
        let builds = &self.data.implementations;
        let mut found: Vec<usize> = Vec::new();
        for column in self.data.newest_columns(&self.data.rows) {
            let build = &builds[column];
            if build.version.is_pre_release() {
                continue;
            }
            let mut known = found.iter_mut();
            match known.find(|known| builds[**known].name == build.name) {
                None => found.push(column),
                Some(known) if build.version.cmp_release(&builds[*known].version).is_gt() => {
                    *known = column;
                }
                Some(_) => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::model::implementation::Implementation;
    use crate::report::Cell;
    use crate::report::release_tests::{FULL, SENDING, cells, report};

    /// A report of libraries a, b and c with 20 runs around these levels in each row.
    fn of(rows: &[(&str, [f64; 3])]) -> Report {
        let random = &mut Random::new(3);
        let rows = rows
            .iter()
            .map(|(label, levels)| (*label, cells(random, 20, levels)));
        let mut report = report(&["version = \"1\""; 3], &rows.collect::<Vec<_>>());
        report.data.implementations = ["a 1", "b 1", "c 1"]
            .map(Implementation::from_heading)
            .to_vec();
        report.data.older.clear();
        report
    }

    fn places(report: &Report) -> Option<Places> {
        report.places(&report.data.rows.iter().collect::<Vec<_>>())
    }

    const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";
    const RESUMED: &str = "resumed handshakes, 1.2, session id, server";

    #[test]
    fn places_count_who_is_shown_to_be_better() {
        let rows = [
            (SENDING, [100.0, 300.0, 200.0]),
            // No difference is shown between the first two, which share the first place: the third
            // is behind both.
            (RECEIVING, [200.0, 200.0, 100.0]),
            // Each library chooses its key exchange.
            (FULL, [300.0, 200.0, 100.0]),
            (RESUMED, [300.0, 200.0, 100.0]),
        ];
        let expected = Places {
            libraries: vec![(1, [2, 1, 0, 0]), (0, [2, 0, 1, 0]), (2, [0, 1, 2, 0])],
            rows: 3,
            left_out: 0,
        };
        assert_eq!(places(&of(&rows)), Some(expected));
        // A single figure is not tested.
        let mut report = of(&rows);
        let resumed = report.data.rows.iter_mut();
        let mut resumed = resumed.filter(|row| row.scenario.label() == RESUMED);
        resumed.next().expect("a row").cells[2] = Some(Cell::of(vec![100.0]));
        let found = places(&report).expect("places");
        assert_eq!((found.rows, found.left_out), (2, 1));
        assert_eq!(found.libraries[0], (1, [2, 0, 0, 0]));
    }

    #[test]
    fn rows_that_a_library_lacks_place_nobody() {
        let mut report = of(&[(SENDING, [100.0, 300.0, 200.0])]);
        report.data.rows[0].cells[0] = None;
        assert_eq!(places(&report).map(|found| found.libraries.len()), Some(2));
        let mut report = of(&[
            (SENDING, [100.0, 300.0, 200.0]),
            (RECEIVING, [100.0, 300.0, 200.0]),
        ]);
        report.data.rows[0].cells[0] = None;
        assert_eq!(places(&report).map(|found| found.rows), Some(1));
    }
}
