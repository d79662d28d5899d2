//! What a measurement resolves: the smallest difference that it shows, and the rows that are too noisy
//! to rely on.

use super::precision::{half_width, is_random};
use crate::base::words::count;
use crate::model::scenario::Scenario;
use crate::report::{Cell, Dataset, Row};

/// Of all rows, so many differ by chance by less than the smallest difference that shows.
const SHARE: f64 = 0.95;

/// Unsteady rows to list.
const LISTED: usize = 5;

/// What the rows of a measurement show.
#[derive(Debug, Default)]
pub(super) struct Resolution {
    /// Number of rows whose figures differ from run to run.
    all: usize,
    /// The smallest relative difference that shows; `None` without control and intervals.
    shown: Option<f64>,
    unsteady: Vec<String>,
}

impl Resolution {
    pub(super) fn of(data: Dataset, wanted: impl Fn(&Scenario) -> bool) -> Self {
        let data = data.without_controls();
        let mut resolution = Self::default();
        let (mut deviations, mut widths) = (Vec::new(), Vec::new());
        for row in data
            .rows
            .iter()
            .filter(|row| is_random(row) && wanted(&row.scenario))
        {
            resolution.all += 1;
            deviations.extend(deviation(row));
            widths.extend(widest(row));
            if is_unsteady(row) {
                resolution.unsteady.push(row.scenario.label());
            }
        }
        // Intervals are only a substitute: they include what all programs of a run share.
        let known = if deviations.is_empty() {
            widths
        } else {
            deviations
        };
        resolution.shown = quantile(known, SHARE);
        resolution
    }

    /// Describes it, with what to do; `None` if it is unknown.
    pub(super) fn describe(&self) -> Option<String> {
        let rows = count(self.all, "row");
        let shown = format!("differences of {:.1}% and more show", self.shown? * 100.0);
        let (listed, more) = self.unsteady.split_at(self.unsteady.len().min(LISTED));
        let mut names = listed.join("; ");
        if !more.is_empty() {
            names += &format!(" and {} more", more.len());
        }
        Some(match self.unsteady.len() {
            0 => format!("{shown}; none of {rows} is unsteady"),
            n => format!(
                "{shown}; {n} of {rows} {}: {names}; add runs with --runs, and see `generator run --check`",
                if n == 1 {
                    "is unsteady"
                } else {
                    "are unsteady"
                },
            ),
        })
    }
}

/// By how much the control differs from its program.
fn deviation(row: &Row) -> Option<f64> {
    row.control.map(|factor| factor - 1.0)
}

fn widest(row: &Row) -> Option<f64> {
    let cells = row.cells.iter().flatten();
    cells.filter_map(half_width).reduce(f64::max)
}

fn is_unsteady(row: &Row) -> bool {
    row.is_disturbed() || row.cells.iter().flatten().any(Cell::is_wide)
}

/// Returns the value at rank ⌈share·n⌉.
fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (share * values.len() as f64).ceil() as usize;
    values.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::implementation::Implementation;
    use crate::model::unit::Unit;
    use crate::report::Cell;

    /// Rows with the values of a program and of its control.
    fn resolution(rows: &[[&[f64]; 2]]) -> Resolution {
        let names = ["a 1", "a 1, control"];
        let cells = |values: &[&[f64]; 2]| values.map(|values| Some(Cell::of(values.to_vec())));
        let row = |(n, values): (usize, &[&[f64]; 2])| Row {
            scenario: Scenario::from_label(&format!("s{n}")).expect("a label"),
            unit: Unit::HandshakeRate,
            cells: cells(values).to_vec(),
            control: None,
        };
        let data = Dataset {
            implementations: names.map(Implementation::from_heading).to_vec(),
            rows: rows.iter().enumerate().map(row).collect(),
            ..Dataset::default()
        };
        Resolution::of(data, |scenario| scenario.label() != "s9")
    }

    #[test]
    fn the_control_says_what_shows() {
        let steady = [100.0, 100.5, 99.5, 100.0, 100.2, 99.8];
        let other = steady.map(|value| value * 1.004);
        let quiet = resolution(&[[&steady[..], &other[..]]; 3]);
        let text = "differences of 0.4% and more show; none of 3 rows is unsteady";
        assert_eq!(quiet.describe().as_deref(), Some(text));
        let far = steady.map(|value| value * 1.05);
        let wide = [100.0, 110.0, 90.0, 100.0, 102.0, 98.0];
        let text = resolution(&[[&steady, &far], [&wide, &wide], [&steady, &steady]]).describe();
        let expected = "differences of 5.0% and more show; 2 of 3 rows are unsteady: s0; s1; add runs with --runs, and see `generator run --check`";
        assert_eq!(text.as_deref(), Some(expected));
    }

    /// Of 20 rows, the 19th counts.
    #[test]
    fn one_row_of_twenty_may_differ_by_more() {
        let mut rows = vec![[&[100.0][..], &[101.0][..]]; 19];
        rows.insert(4, [&[100.0], &[150.0]]);
        let resolution = resolution(&rows);
        // The filter leaves one out.
        assert_eq!((resolution.all, resolution.unsteady.len()), (19, 1));
        assert!((resolution.shown.expect("a share") - 0.5).abs() < 1e-9);
        assert_eq!(
            quantile((1..=20).map(f64::from).collect(), SHARE),
            Some(19.0)
        );
    }

    #[test]
    fn without_control_intervals_say_it() {
        let values = [100.0, 104.0, 96.0, 100.0, 102.0, 98.0];
        let mut data = Dataset::example(&["a 1"], &[("s0", &[Some(1.0)])]);
        assert_eq!(Resolution::of(data.clone(), |_| true).describe(), None);
        data.rows[0].cells = vec![Some(Cell::of(values.to_vec()))];
        let text = Resolution::of(data, |_| true).describe();
        let expected = "differences of 4.0% and more show; none of 1 row is unsteady";
        assert_eq!(text.as_deref(), Some(expected));
    }
}
