//! `--until`: adds whole runs until every interval is narrow enough. The width of intervals decides
//! when to stop, never p: testing again and again until p is small finds changes that are not real.

use crate::model::scenario::Scenario;
use crate::report::{Dataset, Row};

/// The widest interval of all figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Precision {
    /// Half its width relative to the estimate; infinite if there are too few runs for an interval.
    half_width: f64,
    /// Its scenario and implementation.
    what: String,
    /// Its number of runs.
    runs: usize,
    /// How many intervals there are, and how many of them are too wide.
    all: usize,
    wide: usize,
    /// The half width to reach.
    limit: f64,
}

impl Precision {
    /// Finds the widest interval of the wanted scenarios.
    pub(super) fn of(data: &Dataset, limit: f64, wanted: impl Fn(&Scenario) -> bool) -> Self {
        let mut precision = Self {
            limit,
            ..Self::default()
        };
        // Counts have no interval, and a build is timed once.
        let is_open = |r: &&Row| !r.unit.kind().is_count() && !r.scenario.workload.is_of_build();
        for row in data
            .rows
            .iter()
            .filter(is_open)
            .filter(|r| wanted(&r.scenario))
        {
            for (implementation, cell) in data.implementations.iter().zip(&row.cells) {
                let Some(cell) = cell.as_ref().filter(|c| !c.values.is_empty()) else {
                    continue;
                };
                let relative = cell.interval().zip(cell.estimate());
                let half = relative.map_or(f64::INFINITY, |(i, of)| i.relative_half_width(of));
                precision.all += 1;
                precision.wide += usize::from(half > limit);
                if half > precision.half_width {
                    precision.half_width = half;
                    precision.what = format!("{} of {implementation}", row.scenario);
                    precision.runs = cell.values.len();
                }
            }
        }
        precision
    }

    pub(super) fn is_reached(&self) -> bool {
        self.wide == 0
    }

    /// Estimates the runs that the widest interval needs: it narrows with the square root of their
    /// number.
    fn runs_needed(&self) -> Option<f64> {
        let runs = self.runs as f64 * (self.half_width / self.limit).powi(2);
        runs.is_finite().then(|| runs.ceil())
    }

    /// Describes the precision after `runs` of at most `max` runs.
    pub(super) fn describe(&self, runs: u32, max: u32) -> String {
        let percent = |share: f64| format!("±{:.1}%", share * 100.0);
        let limit = percent(self.limit);
        if self.is_reached() {
            return format!("every interval is within {limit} after {runs} runs");
        }
        let widest = format!(
            "{} of {} intervals are wider than {limit}, the widest {}: {}",
            self.wide,
            self.all,
            percent(self.half_width),
            self.what
        );
        match self.runs_needed() {
            _ if runs >= max => format!("{widest}; stopped after {max} runs (--max-runs)"),
            Some(needed) if needed > f64::from(max) => {
                format!("{widest}; it would take about {needed} runs, more than {max} (--max-runs)")
            }
            Some(needed) => format!("{widest}; it may take {needed} runs"),
            None => widest,
        }
    }
}

/// Returns after how many runs to describe the precision again, so that messages stay few.
pub(super) fn next_description(runs: u32) -> u32 {
    runs + (runs / 4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::implementation::Implementation;
    use crate::model::unit::Unit;
    use crate::report::{Cell, Row};

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
        assert!(found.is_reached());
        assert_eq!(
            found.describe(6, 99),
            "every interval is within ±1.0% after 6 runs"
        );
        // Of six values, the interval is minimum to maximum, ±4 %.
        let found = precision(&[quiet, noisy], 0.01);
        let widest = "1 of 2 intervals are wider than ±1.0%, the widest ±4.0%: s1 of a 1";
        for (max, end) in [
            (200, "; it may take 96 runs"),
            (
                50,
                "; it would take about 96 runs, more than 50 (--max-runs)",
            ),
            (6, "; stopped after 6 runs (--max-runs)"),
        ] {
            assert_eq!(found.describe(6, max), format!("{widest}{end}"));
        }
    }

    #[test]
    fn a_missing_interval_is_not_narrow() {
        let found = precision(&[&[1.0, 1.0]], 0.5);
        assert!(!found.is_reached());
        assert!(
            found
                .describe(2, 99)
                .ends_with("the widest ±inf%: s0 of a 1"),
            "{found:?}"
        );
        // The interval of equal figures has no width.
        assert!(precision(&[&[7.0; 6]], 0.001).is_reached());
    }
}
