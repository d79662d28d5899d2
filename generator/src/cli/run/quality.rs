//! What the figures of a measurement are worth: how wide their intervals are, and which differences
//! they show.

use crate::base::words::count;
use crate::model::scenario::Scenario;
use crate::report::{Report, Row, smallest_shown, words};

/// Unsteady rows to list.
const LISTED: usize = 5;

/// The spread of all figures that differ from run to run: counts do not, and a build is timed once.
#[derive(Debug, Default)]
pub(super) struct Quality {
    rows: usize,
    /// Half the interval of each figure as a share of it, and the figure's name; infinite with too
    /// few runs for an interval.
    intervals: Vec<(f64, String)>,
    /// The smallest relative difference that shows.
    shown: Option<f64>,
    /// The labels of rows with unsteady figures.
    unsteady: Vec<String>,
}

impl Quality {
    pub(super) fn new(report: &Report, wanted: impl Fn(&Scenario) -> bool) -> Self {
        let mut rows: Vec<&Row> = report.rows.iter().collect();
        rows.retain(|row| {
            let is_random = !row.unit.kind().is_count() && !row.scenario.workload.is_of_build();
            is_random && wanted(&row.scenario)
        });
        let mut quality = Self {
            rows: rows.len(),
            shown: smallest_shown(&rows),
            ..Self::default()
        };
        for row in rows {
            for (build, figure) in row.figures() {
                let name = format!("{} of {}", row.scenario, report.build(build));
                let half = figure
                    .interval
                    .map(|i| i.relative_half_width(figure.estimate));
                quality
                    .intervals
                    .push((half.unwrap_or(f64::INFINITY), name));
            }
            if row.cells.iter().flatten().any(|cell| cell.is_unsteady) {
                quality.unsteady.push(row.scenario.label());
            }
        }
        quality
    }

    /// Returns how many intervals are wider than ±`limit`.
    pub(super) fn wide(&self, limit: f64) -> usize {
        let halves = self.intervals.iter().map(|(half, _)| *half);
        halves.filter(|half| *half > limit).count()
    }

    /// Describes the intervals after `runs` of at most `max` runs.
    pub(super) fn precision(&self, limit: f64, runs: u32, max: u32) -> String {
        let (wide, all, percent) = (self.wide(limit), self.intervals.len(), limit * 100.0);
        let widest = self.intervals.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((half, what)) = widest.filter(|_| wide > 0) else {
            return format!("every interval is within ±{percent:.1}% after {runs} runs");
        };
        let half = half * 100.0;
        let end = match runs < max {
            true => String::new(),
            false => format!("; stopped after {max} runs"),
        };
        format!(
            "{wide} of {all} intervals are wider than ±{percent:.1}%, the widest ±{half:.1}%: {what}{end}"
        )
    }

    /// Describes which differences show, with what to do; `None` if it is unknown.
    pub(super) fn resolution(&self) -> Option<String> {
        let (rows, shown) = (count(self.rows, "row"), words::resolution(self.shown?));
        let (listed, more) = self.unsteady.split_at(self.unsteady.len().min(LISTED));
        let more = match more.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names = listed.join("; ") + &more;
        Some(match self.unsteady.len() {
            0 => format!("{shown}; none of {rows} is unsteady"),
            n => format!(
                "{shown}; {n} of {rows} {} unsteady: {names}; add runs with --runs, and see `generator run --check`",
                if n == 1 { "is" } else { "are" }
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: [f64; 6] = [100.0, 100.5, 99.5, 100.0, 100.2, 99.8];

    /// Rows with the values of a program, and of its control if there are others; `s9` is not
    /// wanted.
    fn quality(rows: &[&[&[f64]]]) -> Quality {
        let mut table = "scenario,unit,implementation,variant,run,value\n".to_owned();
        for (row, builds) in rows.iter().enumerate() {
            for (variant, values) in ["", "control"].iter().zip(*builds) {
                for (run, value) in values.iter().enumerate() {
                    table += &format!("s{row},ns,a,{variant},{},{value}\n", run + 1);
                }
            }
        }
        let report = Report::example("x", "", &table);
        Quality::new(&report, |scenario| scenario.label() != "s9")
    }

    #[test]
    fn the_widest_interval_decides() {
        let noisy = [100.0, 104.0, 96.0, 100.0, 102.0, 98.0];
        let text = "every interval is within ±1.0% after 6 runs";
        assert_eq!(quality(&[&[&QUIET]]).precision(0.01, 6, 99), text);
        // Of six values, the interval is minimum to maximum, ±4 %.
        let found = quality(&[&[&QUIET], &[&noisy]]);
        let widest = "1 of 2 intervals are wider than ±1.0%, the widest ±4.0%: s1 of a";
        for (max, end) in [(200, ""), (6, "; stopped after 6 runs")] {
            assert_eq!(found.precision(0.01, 6, max), format!("{widest}{end}"));
        }
        let text = "differences of 3.8% and more show; none of 2 rows is unsteady";
        assert_eq!(found.resolution().as_deref(), Some(text));
    }

    #[test]
    fn a_missing_interval_is_not_narrow() {
        let found = quality(&[&[&[1.0, 1.0]]]);
        assert_eq!(found.wide(0.5), 1);
        let text = found.precision(0.5, 2, 99);
        assert!(text.ends_with("the widest ±inf%: s0 of a"), "{text}");
        assert_eq!(found.resolution(), None);
        // The interval of equal figures has no width.
        assert_eq!(quality(&[&[&[7.0; 6]]]).wide(0.001), 0);
    }

    #[test]
    fn the_control_says_what_shows() {
        let other = QUIET.map(|value| value * 1.011);
        let text = "differences of 1.1% and more show; none of 3 rows is unsteady";
        let row: &[&[f64]] = &[&QUIET, &other];
        let found = quality(&[row; 3]).resolution();
        assert_eq!(found.as_deref(), Some(text));
        let wide = [100.0, 110.0, 90.0, 100.0, 102.0, 98.0];
        let found = quality(&[&[&QUIET, &other], &[&wide, &other], &[&QUIET, &QUIET]]);
        let text = found.resolution().expect("controls");
        let end =
            "1 of 3 rows is unsteady: s1; add runs with --runs, and see `generator run --check`";
        assert!(text.ends_with(end), "{text}");
    }

    /// Of 21 rows, the 20th counts.
    #[test]
    fn one_row_of_twenty_may_differ_by_more() {
        let mut rows: Vec<&[&[f64]]> = vec![&[&[100.0], &[101.0]]; 20];
        rows.insert(4, &[&[100.0], &[300.0]]);
        let text = "differences of 1% and more show; none of 21 rows is unsteady";
        // `s9` is not wanted.
        rows.insert(9, &[&[100.0], &[300.0]]);
        assert_eq!(quality(&rows).resolution().as_deref(), Some(text));
    }
}
