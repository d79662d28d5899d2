//! Which figures are steady enough to be ranked.

use super::{Cell, Dataset, Row};
use crate::stats::Rules;

/// Half the interval of a steady figure is at most so wide, relative to the estimate: libraries and
/// releases differ by less than twice that in most scenarios.
pub(crate) const MAX_HALF_WIDTH: f64 = 0.05;

/// A program that was measured twice differs from itself by at most so much in a steady scenario.
pub(crate) const MAX_DEVIATION: f64 = 0.02;

impl Dataset {
    /// Marks the figures that are unsteady: too noisy to be ranked.
    pub(super) fn mark_unsteady(&mut self) {
        for row in &mut self.rows {
            let is_disturbed = row.is_disturbed();
            for cell in row.cells.iter_mut().flatten() {
                cell.is_unsteady = is_disturbed || cell.is_wide();
            }
            if row.unit.kind().is_count() {
                row.cells
                    .iter_mut()
                    .flatten()
                    .for_each(|c| c.is_unsteady = false);
            }
        }
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

    /// Returns the smallest relative difference that shows: 95 % of rows differ by less by chance, as the
    /// control says, or else the intervals. `None` if neither is known.
    pub(crate) fn smallest_shown(&self) -> Option<f64> {
        let rows = self.rows.iter().filter(|row| !row.unit.kind().is_count());
        let mut known: Vec<f64> = rows
            .clone()
            .filter_map(|row| Some(row.control? - 1.0))
            .collect();
        if known.is_empty() {
            let cells = rows.flat_map(|row| row.cells.iter().flatten());
            known = cells.filter_map(Cell::half_width).collect();
        }
        known.sort_by(f64::total_cmp);
        let rank = (0.95 * known.len() as f64).ceil() as usize;
        let by_chance = known.get(rank.checked_sub(1)?)?;
        Some(by_chance.max(Rules::default().threshold))
    }

    /// A warning and sentence that names the share of unsteady figures; `None` without any.
    pub(crate) fn unsteady_note(&self) -> Option<String> {
        match self.unsteady() {
            (0, _) => None,
            (unsteady, all) => Some(format!(
                "{unsteady} of {all} figures are unsteady: their interval is wider than ±5%, or a program differed from itself by more than 2% in that scenario. They are shown with a mark, and not ranked."
            )),
        }
    }
}

impl Row {
    /// Whether the control says that nothing in this row can be trusted.
    pub(crate) fn is_disturbed(&self) -> bool {
        self.control
            .is_some_and(|factor| factor > 1.0 + MAX_DEVIATION)
    }
}

impl Cell {
    /// Whether the interval is too wide. Few runs have none, and are not steady or unsteady.
    pub(crate) fn is_wide(&self) -> bool {
        self.half_width().is_some_and(|half| half > MAX_HALF_WIDTH)
    }

    /// Returns half the width of the interval, relative to the estimate.
    fn half_width(&self) -> Option<f64> {
        let (interval, estimate) = self.interval().zip(self.estimate())?;
        Some(interval.relative_half_width(estimate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::implementation::Implementation;
    use crate::model::scenario::Scenario;
    use crate::model::unit::Unit;

    #[test]
    fn intervals_and_controls_decide() {
        let quiet = [100.0, 100.5, 99.5, 100.0, 100.2, 99.8];
        let wide = [100.0, 107.0, 93.0, 100.0, 102.0, 98.0];
        let row = |label: &str, control: Option<f64>, cells: &[&[f64]]| Row {
            scenario: Scenario::from_label(label).expect("a label"),
            unit: Unit::HandshakeRate,
            cells: cells
                .iter()
                .map(|values| Some(Cell::of(values.to_vec())))
                .collect(),
            control,
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
}
