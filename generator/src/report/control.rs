//! Controls: a program that is measured twice differs from itself by chance and because of noise
//! on the machine. Changes that are no larger are marked.

use super::{Cell, Dataset, words};
use crate::stats::Sample;

impl Dataset {
    /// Removes the columns of controls. Each row keeps the factor by which the two measurements of
    /// a program differ, the largest if several programs have a control.
    pub(crate) fn without_controls(mut self) -> Self {
        let all = &self.implementations;
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for (control, implementation) in all.iter().enumerate() {
            if let Some(controlled) = implementation.controlled() {
                let program = all.iter().position(|other| *other == controlled);
                pairs.extend(program.map(|program| [control, program]));
            }
        }
        if pairs.is_empty() {
            return self;
        }
        let mut columns: Vec<usize> = (0..all.len()).collect();
        columns.retain(|column| pairs.iter().all(|[control, _]| control != column));
        for row in &mut self.rows {
            let factor = |pair: &[usize; 2]| {
                let [control, program] = pair.map(|column| row.cell(column));
                factor(control?, program?, self.is_paired)
            };
            row.control = pairs.iter().filter_map(factor).reduce(f64::max);
        }
        self.only(&columns)
    }
}

/// Returns the ratio of the larger of two figures to the smaller; of paired runs, their median
/// ratio.
fn factor(control: &Cell, program: &Cell, is_paired: bool) -> Option<f64> {
    let ratio = match Sample::new(control.ratios(program)).filter(|_| is_paired) {
        Some(ratios) => ratios.median_ratio(),
        None => control.estimate()? / program.estimate()?,
    };
    Some(ratio.max(1.0 / ratio)).filter(|factor| factor.is_finite())
}

/// Returns a sentence on the largest difference of the controls in a table; `None` without any.
pub(crate) fn control_note(factors: impl IntoIterator<Item = Option<f64>>) -> Option<String> {
    let largest = factors.into_iter().flatten().reduce(f64::max)?;
    Some(format!(
        "Control: the same program, measured twice in each run, differed by up to {}.",
        words::control(largest)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn rows_keep_the_largest_difference() {
        let names = [
            "a 1",
            "a 1, control",
            "b 2, x",
            "b 2, x, control",
            "c, control",
        ];
        let [same, other] = [Some(100.0), Some(7.0)];
        let rows: [(&str, &[Option<f64>]); 3] = [
            ("one", &[same, Some(98.0), same, Some(101.0), other]),
            ("two", &[same, None, same, Some(104.0), other]),
            ("three", &[same, None, same, None, other]),
        ];
        let data = Dataset::example(&names, &rows).without_controls();
        let left: Vec<String> = data
            .implementations
            .iter()
            .map(ToString::to_string)
            .collect();
        // A control without its program is an ordinary implementation.
        assert_eq!(left, ["a 1", "b 2, x", "c, control"]);
        let controls: Vec<_> = data
            .rows
            .iter()
            .map(|r| r.control.map(words::control))
            .collect();
        let expected = [Some("2.0%".to_owned()), Some("4.0%".to_owned()), None];
        assert_eq!(controls, expected);
        assert!(data.rows.iter().all(|r| r.cells.len() == 3));
        let note = control_note(data.rows.iter().map(|r| r.control)).expect("controls");
        assert!(note.ends_with("differed by up to 4.0%."), "{note}");
    }

    /// The medians are of different runs, in which the machine had different levels.
    #[test]
    fn paired_runs_are_compared_one_by_one() {
        let cell = |values: [f64; 3]| {
            let runs = vec![1, 2, 3];
            Some(Cell {
                runs,
                ..Cell::of(values.to_vec())
            })
        };
        let mut data = Dataset::example(&["a 1", "a 1, control"], &[("one", &[None, None])]);
        data.rows[0].cells = vec![cell([100.0, 80.0, 120.0]), cell([103.0, 79.0, 121.0])];
        for (is_paired, expected) in [(true, "0.8%"), (false, "3.0%")] {
            data.is_paired = is_paired;
            let control = data.clone().without_controls().rows[0].control;
            assert_eq!(control.map(words::control).as_deref(), Some(expected));
        }
    }
}
