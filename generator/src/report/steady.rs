//! Which figures are steady, and how small a difference a report shows.

use super::{Cell, Report, Row};
use crate::model::scale::group_thousands;
use crate::stats::{Rules, quantile};

/// Half the interval of a steady figure is at most so wide, relative to the estimate: libraries and
/// releases differ by less than twice that in most scenarios.
pub(crate) const MAX_HALF_WIDTH: f64 = 0.05;

/// Of all rows, so many differ by chance by less than the smallest difference that shows.
const SHARE: f64 = 0.95;

impl Report {
    /// Marks the figures that are unsteady, and counts them and all whose interval is known.
    pub(super) fn mark_unsteady(&mut self) {
        self.unsteady = (0, 0);
        let rows = self
            .rows
            .iter_mut()
            .filter(|row| !row.unit.kind().is_count());
        for cell in rows.flat_map(|row| row.cells.iter_mut().flatten()) {
            cell.is_unsteady = cell.half_width() > Some(MAX_HALF_WIDTH);
            self.unsteady.0 += usize::from(cell.is_unsteady);
            self.unsteady.1 += usize::from(cell.interval().is_some());
        }
    }

    /// Whether most figures are unsteady.
    pub(crate) fn is_unsteady(&self) -> bool {
        let (unsteady, all) = self.unsteady;
        2 * unsteady > all
    }

    /// Returns the smallest relative difference that shows in this report.
    pub(crate) fn smallest_shown(&self) -> Option<f64> {
        smallest_shown(&self.rows.iter().collect::<Vec<_>>())
    }

    /// A warning and sentence that names the share of unsteady figures; `None` without any.
    pub(crate) fn unsteady_note(&self) -> Option<String> {
        match self.unsteady {
            (0, _) => None,
            (unsteady, all) => Some(format!(
                "{unsteady} of {} figures {} unsteady: half of the interval is wider than 5%. A mark stands beside them; differences are tested as everywhere.",
                group_thousands(&all.to_string()),
                if unsteady == 1 { "is" } else { "are" }
            )),
        }
    }
}

/// Returns the smallest relative difference that shows in these rows: more than what chance does to most of them, and
/// enough to be called a change. `None` unless it is known: from controls of most rows, or else from the
/// intervals of all figures, which are only a substitute, because they include what all programs of a run
/// share.
pub(crate) fn smallest_shown(rows: &[&Row]) -> Option<f64> {
    let rows = || rows.iter().filter(|row| !row.unit.kind().is_count());
    let mut known: Vec<f64> = rows().filter_map(|row| Some(row.control? - 1.0)).collect();
    if known.is_empty() {
        let cells = rows().flat_map(|row| row.cells.iter().flatten());
        known = cells.filter_map(Cell::half_width).collect();
    } else if 2 * known.len() < rows().count() {
        return None;
    }
    Some(quantile(known, SHARE)?.max(Rules::default().threshold))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(figures: &[(&str, &str, &[f64])]) -> Report {
        let mut text = "scenario,unit,implementation,variant,run,value\n".to_owned();
        for (scenario, name, values) in figures {
            for (run, value) in values.iter().enumerate() {
                text += &format!("{scenario},ns,{name},{},{value}\n", run + 1);
            }
        }
        Report::example("2026-01-01-x", "", &text)
    }

    #[test]
    fn intervals_mark_and_do_not_decide() {
        let quiet = [100.0, 100.5, 99.5, 100.0, 100.2, 99.8];
        let wide = [100.0, 107.0, 93.0, 100.0, 102.0, 98.0];
        let report = table(&[
            ("both", "a,", &quiet),
            ("both", "b,", &wide),
            ("few", "a,", &quiet[..1]),
            ("few", "b,", &wide[..2]),
        ]);
        let marks = |row: &Row| -> Vec<bool> {
            let cells = row.cells.iter().flatten();
            cells.map(|cell| cell.is_unsteady).collect()
        };
        let marks: Vec<Vec<bool>> = report.rows.iter().map(marks).collect();
        assert_eq!(marks, [[false, true], [false, false]]);
        assert_eq!(report.unsteady, (1, 2));
        assert!(!report.is_unsteady());
        // Chance may do as much as the widest interval says, not only the steady ones.
        assert_eq!(
            report.smallest_shown().map(|share| share > 0.05),
            Some(true)
        );
    }

    #[test]
    fn controls_of_few_rows_say_nothing_of_the_others() {
        let mut figures: Vec<(&str, &str, &[f64])> = Vec::new();
        let values = [100.0, 101.0];
        for scenario in ["one", "two", "three"] {
            figures.push((scenario, "a,", &values));
        }
        figures.push(("one", "a,control", &[102.0, 103.0]));
        assert_eq!(table(&figures).smallest_shown(), None);
        figures.push(("two", "a,control", &[101.0, 102.0]));
        assert!(table(&figures).smallest_shown() > Some(0.01));
    }
}
