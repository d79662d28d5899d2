//! What the figures of a measurement are worth: how wide their intervals are, and which differences
//! they show.

use crate::base::words::count;
use crate::model::scenario::Scenario;
use crate::report::{Report, Row, smallest_shown};

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
            false => format!("; stopped after {max} runs (--max-runs)"),
        };
        format!(
            "{wide} of {all} intervals are wider than ±{percent:.1}%, the widest ±{half:.1}%: {what}{end}"
        )
    }

    /// Describes which differences show, with what to do; `None` if it is unknown.
    pub(super) fn resolution(&self) -> Option<String> {
        let (rows, percent) = (count(self.rows, "row"), self.shown? * 100.0);
        let shown = format!("differences of {percent:.1}% and more show");
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
