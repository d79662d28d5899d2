//! `--until`: adds whole runs until every interval is narrow enough. The width of intervals decides
//! when to stop, never p: testing again and again until p is small finds changes that are not real.

use crate::model::scenario::Scenario;
use crate::report::{Cell, Dataset, Row};

/// The widest interval of all figures.
#[derive(Debug, Default)]
pub(super) struct Precision {
    /// The half width to reach, relative to the estimate.
    limit: f64,
    /// Half the widest interval; infinite if there are too few runs for an interval.
    half_width: f64,
    /// Its scenario and implementation.
    what: String,
    /// How many intervals there are, and how many of them are too wide.
    all: usize,
    pub(super) wide: usize,
}

impl Precision {
    /// Finds the widest interval of the wanted scenarios.
    pub(super) fn of(data: &Dataset, limit: f64, wanted: impl Fn(&Scenario) -> bool) -> Self {
        let mut precision = Self {
            limit,
            ..Self::default()
        };
        for row in data
            .rows
            .iter()
            .filter(|row| is_random(row) && wanted(&row.scenario))
        {
            for (implementation, cell) in data.implementations.iter().zip(&row.cells) {
                let Some(cell) = cell.as_ref().filter(|c| !c.values.is_empty()) else {
                    continue;
                };
                let half = half_width(cell).unwrap_or(f64::INFINITY);
                precision.all += 1;
                precision.wide += usize::from(half > limit);
                if half > precision.half_width {
                    precision.half_width = half;
                    precision.what = format!("{} of {implementation}", row.scenario);
                }
            }
        }
        precision
    }

    /// Describes the precision after `runs` of at most `max` runs.
    pub(super) fn describe(&self, runs: u32, max: u32) -> String {
        let Self {
            wide, all, what, ..
        } = self;
        let [limit, half] = [self.limit, self.half_width].map(|share| share * 100.0);
        if *wide == 0 {
            return format!("every interval is within ±{limit:.1}% after {runs} runs");
        }
        let end = match runs < max {
            true => String::new(),
            false => format!("; stopped after {max} runs (--max-runs)"),
        };
        format!(
            "{wide} of {all} intervals are wider than ±{limit:.1}%, the widest ±{half:.1}%: {what}{end}"
        )
    }
}

/// Whether figures differ from run to run: counts do not, and a build is timed once.
pub(super) fn is_random(row: &Row) -> bool {
    !row.unit.kind().is_count() && !row.scenario.workload.is_of_build()
}

/// Returns half the width of the interval relative to the estimate; `None` with too few runs.
pub(super) fn half_width(cell: &Cell) -> Option<f64> {
    let (interval, estimate) = cell.interval().zip(cell.estimate())?;
    Some(interval.relative_half_width(estimate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::implementation::Implementation;
    use crate::model::unit::Unit;

    fn precision(values: &[&[f64]], limit: f64) -> Precision {
        let cell = |values: &&[f64]| Some(Cell::of(values.to_vec()));
        let data = Dataset {
            implementations: vec![Implementation::new("a", "1", &[])],
            rows: values
                .iter()
                .enumerate()
                .map(|(n, values)| Row {
                    scenario: Scenario::from_label(&format!("s{n}")).expect("a label"),
                    unit: Unit::HandshakeRate,
                    cells: vec![cell(values)],
                    control: None,
                })
                .collect(),
            ..Dataset::default()
        };
        Precision::of(&data, limit, |scenario| scenario.label() != "s9")
    }

    #[test]
    fn the_widest_decides() {
        let quiet = &[100.0, 100.5, 99.5, 100.0, 100.2, 99.8][..];
        let noisy = &[100.0, 104.0, 96.0, 100.0, 102.0, 98.0][..];
        let found = precision(&[quiet], 0.01);
        assert_eq!(found.wide, 0);
        assert_eq!(
            found.describe(6, 99),
            "every interval is within ±1.0% after 6 runs"
        );
        // Of six values, the interval is minimum to maximum, ±4 %.
        let found = precision(&[quiet, noisy], 0.01);
        let widest = "1 of 2 intervals are wider than ±1.0%, the widest ±4.0%: s1 of a 1";
        for (max, end) in [(200, ""), (6, "; stopped after 6 runs (--max-runs)")] {
            assert_eq!(found.describe(6, max), format!("{widest}{end}"));
        }
    }

    #[test]
    fn a_missing_interval_is_not_narrow() {
        let found = precision(&[&[1.0, 1.0]], 0.5);
        assert_eq!(found.wide, 1);
        assert!(
            found
                .describe(2, 99)
                .ends_with("the widest ±inf%: s0 of a 1"),
            "{found:?}"
        );
        // The interval of equal figures has no width.
        assert_eq!(precision(&[&[7.0; 6]], 0.001).wide, 0);
    }
}
