//! Which figures are steady enough to be ranked, and which comparisons to have a verdict.

use super::{Cell, ComparedRow, Dataset, Row};
use crate::stats::{Interval, Pair, Rules, quantile};

/// Half the interval of a steady figure is at most so wide, relative to the estimate: libraries and
/// releases differ by less than twice that in most scenarios.
pub(crate) const MAX_HALF_WIDTH: f64 = 0.05;

/// A program that was measured twice differs from itself by at most so much in a steady scenario.
pub(crate) const MAX_DEVIATION: f64 = 0.02;

/// Of all rows, so many differ by chance by less than the smallest difference that shows.
const SHARE: f64 = 0.95;

impl Dataset {
    /// Marks the figures that are unsteady: too noisy to be ranked.
    pub(crate) fn mark_unsteady(&mut self) {
        for row in &mut self.rows {
            let (is_disturbed, is_count) = (is_disturbed(row.control), row.unit.kind().is_count());
            for cell in row.cells.iter_mut().flatten() {
                cell.is_unsteady = !is_count && (is_disturbed || cell.is_wide());
            }
        }
    }

    /// Whether a figure may be ranked: it is steady, and of a final release.
    pub(crate) fn is_ranked(&self, row: &Row, column: usize) -> bool {
        let is_final = !self.implementations[column].version.is_pre_release();
        is_final && row.cell(column).is_some_and(|cell| !cell.is_unsteady)
    }

    /// Returns the numbers of unsteady figures and of all whose spread is known.
    pub(crate) fn unsteady(&self) -> (usize, usize) {
        let cells = self.rows.iter().filter(|row| !row.unit.kind().is_count());
        let cells = cells.flat_map(|row| row.cells.iter().flatten());
        let known = cells.filter(|cell| cell.interval().is_some() || cell.is_unsteady);
        known.fold((0, 0), |(unsteady, all), cell| {
            (unsteady + usize::from(cell.is_unsteady), all + 1)
        })
    }

    /// Whether most figures are unsteady.
    pub(crate) fn is_unsteady(&self) -> bool {
        let (unsteady, all) = self.unsteady();
        2 * unsteady > all
    }

    /// Returns the smallest relative difference that shows: more than what chance does to most rows, and
    /// enough to be called a change. `None` without controls and intervals.
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
                "{unsteady} of {all} figures are unsteady: their interval is wider than ±5%, or a program differed from itself by more than 2% in that scenario. They are shown with a mark, and not ranked.{}",
                match self.is_paired {
                    true => " Changes within this report depend on the ratios of its runs instead.",
                    false => "",
                }
            )),
        }
    }
}

impl ComparedRow<'_> {
    /// Whether the row is too noisy for a verdict. Runs that are compared one by one share the level
    /// of the machine, so that only the spread of their ratio counts, and not that of the figures.
    pub(super) fn is_unsteady(&self, pair: &Pair<'_>) -> bool {
        let Some(ratios) = pair.ratios() else {
            return self.cells.iter().flatten().any(|cell| cell.is_unsteady);
        };
        // The geometric half, so that swapped sides are as wide.
        let interval = Interval::of_median(ratios);
        let half_width = interval.map(|i| (i.high / i.low).sqrt() - 1.0);
        is_disturbed(self.control) || half_width > Some(MAX_HALF_WIDTH)
    }
}

/// Whether the control says that nothing in a row can be trusted.
fn is_disturbed(control: Option<f64>) -> bool {
    control.is_some_and(|factor| factor > 1.0 + MAX_DEVIATION)
}

impl Cell {
    /// Returns half the interval relative to the estimate; `None` with too few runs.
    pub(crate) fn half_width(&self) -> Option<f64> {
        let figure = self.figure.as_ref()?;
        Some(figure.interval?.relative_half_width(figure.estimate))
    }

    /// Whether the interval is too wide. Few runs have none, and are not steady or unsteady.
    fn is_wide(&self) -> bool {
        self.half_width() > Some(MAX_HALF_WIDTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::implementation::Implementation;
    use crate::report::judge;
    use crate::stats::{Estimator, Rules, Verdict};

    #[test]
    fn intervals_and_controls_decide() {
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
                row("disturbed", Some(1.021), &[&quiet, &quiet[..2]]),
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
        assert_eq!(marks, [[false, true], [true, true], [false, false]]);
        assert_eq!(data.unsteady(), (3, 4));
        assert!(data.is_unsteady());
    }

    /// The level of the machine moves by 8 % from run to run, and `jitter` is what each figure adds.
    fn verdict(control: Option<f64>, jitter: f64, is_paired: bool) -> Verdict {
        let levels = [100.0, 92.0, 108.0, 101.0, 93.0, 107.0, 99.0, 108.0];
        let signs = [0.0, 1.0, -1.0, 0.5, -0.5, 1.0, -1.0, 0.0];
        let cell = |values: Vec<f64>| {
            let runs = (0..8).collect();
            let mut cell = Cell {
                runs,
                ..Cell::of(values)
            };
            cell.is_unsteady = cell.is_wide();
            assert!(cell.is_unsteady, "{cell:?}");
            cell
        };
        let new = levels
            .iter()
            .zip(signs)
            .map(|(level, sign)| level * 1.03 * (1.0 + jitter * sign));
        let cells = [cell(levels.to_vec()), cell(new.collect())];
        let row = Row {
            control,
            ..Row::example("a")
        };
        let cells = cells.each_ref().map(Some);
        let mut row = ComparedRow::new(&row, cells, Estimator::Median).paired(is_paired);
        judge([&mut row], Estimator::Median, &Rules::default());
        row.verdict().expect("both sides")
    }

    #[test]
    fn the_ratio_of_paired_runs_decides_on_a_verdict() {
        assert_eq!(verdict(Some(1.01), 0.005, true), Verdict::Faster);
        assert_eq!(verdict(Some(1.01), 0.08, true), Verdict::Unsteady);
        assert_eq!(verdict(Some(1.021), 0.005, true), Verdict::Unsteady);
        assert_eq!(verdict(Some(1.01), 0.005, false), Verdict::Unsteady);
    }
}
