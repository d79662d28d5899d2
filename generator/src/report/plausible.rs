//! Outliers by orders of magnitude, as when a program mistakes one unit for another. They are
//! marked, not changed.

use super::{Cell, Dataset};

/// Ratio to the median above which a figure is an outlier. Units differ by a factor of 1,000 or
/// more; the largest ratio in `data/`, of a slowest write, is 98.
const FACTOR: f64 = 300.0;

/// Values that are listed.
const SHOWN: usize = 3;

impl Dataset {
    /// Adds a caveat to each cell with outliers.
    pub(super) fn mark_outliers(&mut self) {
        let rows = self.rows.iter_mut();
        for cell in rows.flat_map(|row| row.cells.iter_mut().flatten()) {
            let caveat = cell.outliers();
            cell.add_caveats(&caveat);
        }
    }

    /// Returns a warning with a remedy for each cell with outliers.
    pub(crate) fn outlier_warnings(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for row in &self.rows {
            for (implementation, cell) in self.implementations.iter().zip(&row.cells) {
                let found = cell.as_ref().and_then(Cell::outliers);
                sentences.extend(found.map(|what| {
                    format!("{} of {implementation}: {what}: check the output that it is from, and remove its file to measure again", row.scenario)
                }));
            }
        }
        sentences
    }
}

impl Cell {
    fn outliers(&self) -> Option<String> {
        let sorted = self.sample()?.values();
        // The lower median, which is a measured value.
        let median = sorted[(sorted.len() - 1) / 2];
        let ratio = |value: f64| match value > median {
            true => value / median,
            false => median / value,
        };
        let of = sorted.len();
        let describe = |(value, n): (f64, usize)| match value > median {
            true => format!("value {n} of {of} is {:.0} times the median", ratio(value)),
            false => format!("value {n} of {of} is 1/{:.0} of the median", ratio(value)),
        };
        let far = self.values.iter().copied().zip(1..);
        let far = far.filter(|(value, _)| ratio(*value).is_finite() && ratio(*value) > FACTOR);
        let mut far: Vec<String> = far.map(describe).collect();
        if of == 2 && !far.is_empty() {
            return Some(format!(
                "its two values are {:.0} times apart",
                sorted[1] / sorted[0]
            ));
        }
        let more = far.len().saturating_sub(SHOWN);
        far.truncate(SHOWN);
        far.extend((more > 0).then(|| format!("and {more} more are as far from it")));
        (!far.is_empty()).then(|| far.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_described() {
        for (values, expected) in [
            (&[1.0, 1.2, 98.0][..], None),
            (&[5.0], None),
            (&[0.0, 0.0, 5.0], None),
            (&[2.0, 2000.0], Some("its two values are 1000 times apart")),
            (
                &[2.0, 2.2, 2048.0, 1.9],
                Some("value 3 of 4 is 1024 times the median"),
            ),
            (
                &[2.0, 2.0, 2.0, 0.002],
                Some("value 4 of 4 is 1/1000 of the median"),
            ),
        ] {
            let cell = Cell::of(values.to_vec());
            assert_eq!(cell.outliers().as_deref(), expected, "{values:?}");
        }
    }
}
