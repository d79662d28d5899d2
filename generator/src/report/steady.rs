//! Which figures are steady, and how small a difference a report shows.

use super::{Cell, Dataset, Row};
use crate::model::scale::group_thousands;
use crate::stats::{Rules, quantile};

/// Half the interval of a steady figure is at most so wide, relative to the estimate: libraries and
/// releases differ by less than twice that in most scenarios.
pub(crate) const MAX_HALF_WIDTH: f64 = 0.05;

/// Of all rows, so many differ by chance by less than the smallest difference that shows.
const SHARE: f64 = 0.95;

impl Dataset {
    /// Marks the figures that are unsteady.
    pub(crate) fn mark_unsteady(&mut self) {
        for row in &mut self.rows {
            let is_count = row.unit.kind().is_count();
            for cell in row.cells.iter_mut().flatten() {
                cell.is_unsteady = !is_count && cell.half_width() > Some(MAX_HALF_WIDTH);
            }
        }
    }

    /// Returns the numbers of unsteady figures and of all whose interval is known.
    pub(crate) fn unsteady(&self) -> (usize, usize) {
        unsteady(&self.rows)
    }

    /// Whether most figures are unsteady.
    pub(crate) fn is_unsteady(&self) -> bool {
        let (unsteady, all) = self.unsteady();
        2 * unsteady > all
    }

    /// Returns the number of rows of rates, times and memory that have a control, and of all.
    pub(crate) fn controlled(&self) -> (usize, usize) {
        let rows = || self.rows.iter().filter(|row| !row.unit.kind().is_count());
        let controlled = rows().filter(|row| row.control.is_some()).count();
        (controlled, rows().count())
    }

    /// Returns the smallest relative difference that shows: more than what chance does to most
    /// rows, and enough to be called a change. `None` without controls and intervals.
    pub(crate) fn smallest_shown(&self) -> Option<f64> {
        let rows = || self.rows.iter().filter(|row| !row.unit.kind().is_count());
        let mut known: Vec<f64> = rows().filter_map(|row| Some(row.control? - 1.0)).collect();
        if known.is_empty() {
            // Only a substitute: intervals include what all programs of a run share.
            let cells = rows().flat_map(|row| row.cells.iter().flatten());
            let steady = cells.filter(|cell| !cell.is_unsteady);
            known = steady.filter_map(Cell::half_width).collect();
        }
        Some(quantile(known, SHARE)?.max(Rules::default().threshold))
    }

    /// A warning and sentence that names the share of unsteady figures; `None` without any.
    pub(crate) fn unsteady_note(&self) -> Option<String> {
        match self.unsteady() {
            (0, _) => None,
            (unsteady, all) => Some(format!(
                "{unsteady} of {} figures {} unsteady: half of the interval is wider than 5%. A mark stands beside them; differences are tested as everywhere.",
                group_thousands(&all.to_string()),
                if unsteady == 1 { "is" } else { "are" }
            )),
        }
    }
}

/// Returns the numbers of unsteady figures and of all whose interval is known, of these rows.
pub(crate) fn unsteady<'a>(rows: impl IntoIterator<Item = &'a Row>) -> (usize, usize) {
    let (mut unsteady, mut all) = (0, 0);
    for row in rows.into_iter().filter(|row| !row.unit.kind().is_count()) {
        for cell in row.cells.iter().flatten() {
            unsteady += usize::from(cell.is_unsteady);
            all += usize::from(cell.interval().is_some());
        }
    }
    (unsteady, all)
}

impl Cell {
    /// Returns half the interval relative to the estimate; `None` with too few runs.
    pub(crate) fn half_width(&self) -> Option<f64> {
        let figure = self.figure.as_ref()?;
        Some(figure.interval?.relative_half_width(figure.estimate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::implementation::Implementation;

    #[test]
    fn intervals_decide() {
        let quiet = [100.0, 100.5, 99.5, 100.0, 100.2, 99.8];
        let wide = [100.0, 107.0, 93.0, 100.0, 102.0, 98.0];
        let row = |label: &str, control: Option<f64>, cells: &[&[f64]]| Row {
            cells: cells
                .iter()
                .map(|values| Some(Cell::of(values.to_vec())))
                .collect(),
            control,
            ..Row::example(label)
        };
        let mut data = Dataset {
            implementations: ["a 1", "b 1"].map(Implementation::from_heading).to_vec(),
            rows: vec![
                row("steady", Some(1.02), &[&quiet, &wide]),
                row("controlled", Some(1.2), &[&quiet, &quiet[..2]]),
                row("single", None, &[&quiet[..1], &wide[..2]]),
            ],
            ..Dataset::default()
        };
        data.mark_unsteady();
        let marks = |row: &Row| {
            row.cells
                .iter()
                .flatten()
                .map(|c| c.is_unsteady)
                .collect::<Vec<_>>()
        };
        let marks: Vec<Vec<bool>> = data.rows.iter().map(marks).collect();
        assert_eq!(marks, [[false, true], [false, false], [false, false]]);
        assert_eq!(data.unsteady(), (1, 3));
        assert!(!data.is_unsteady());
        data.rows.remove(1);
        data.rows[0].cells[0] = None;
        assert!(data.is_unsteady());
    }
}
