//! Verdicts: which differences in a table are shown, by one rule for all that is written about
//! them.

use super::signed_rank::signed_rank;
use super::{Change, Estimator, Interval, Sample, benjamini_hochberg, mann_whitney};
use crate::model::unit::{Better, Kind};
use std::ops::RangeInclusive;

/// Criteria for showing a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Maximum adjusted p.
    pub alpha: f64,
    /// Minimum distance between the estimates, as a share of the lesser one: the noise floor.
    pub threshold: f64,
}

/// The threshold of counts, whatever that of times: programs repeat theirs within 0.05 %. Nothing
/// is tested: a count changed if the sides differ by more, and by more than the repeats of each. A
/// build's size is not repeated.
const COUNT_THRESHOLD: f64 = 0.002;

/// Minimum number of values a side for a test. Three and five values can reach p = 0.036, but three
/// executions do not show how much executions differ.
pub const MIN_SAMPLE_FOR_TEST: usize = 4;

/// A row in which a program differs from itself by more has no verdict.
pub const MAX_CONTROL: f64 = 1.1;

/// The usual α of 5 %, and a noise floor of 1 %, which rustls' benchmark service uses for
/// wall-clock times too.
impl Default for Rules {
    fn default() -> Self {
        Self {
            alpha: 0.05,
            threshold: 0.01,
        }
    }
}

/// The two samples of one row.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    baseline: &'a Sample,
    candidate: &'a Sample,
    estimator: Estimator,
    /// Of both sides.
    pub estimates: [f64; 2],
    change: Change,
    /// The ratio of each run, for runs in which both sides met the same disturbances.
    ratios: Option<Sample>,
    /// The factor by which the same program differed from itself in this row; 1 without a control.
    control: f64,
}

/// The numbers of runs that can be compared in pairs. With fewer, the test of pairs cannot reach
/// 5 %, while that of unpaired runs can from 4; the work of the exact test grows with the third
/// power.
const PAIRED: RangeInclusive<usize> = 6..=200;

/// A test of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// The probability of a difference at least as clear if nothing changed.
    pub p: f64,
    /// The minimum p that samples of these sizes can reach.
    pub min_p: f64,
    /// Whether the sides were compared run by run.
    pub is_paired: bool,
}

/// The result of comparing one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The ratio of the estimates, or of paired runs the median of their ratios.
    pub change: Change,
    /// The 95 % interval of the ratio; `None` below 10 values per side, or 6 paired runs.
    pub interval: Option<Interval>,
    /// The test of the candidate against the baseline; `None` for counts and below
    /// [`MIN_SAMPLE_FOR_TEST`] values a side.
    pub test: Option<Test>,
    /// The p of the test, adjusted over the rows of the table; `None` where samples of these
    /// sizes cannot reach α, or the control forbids a verdict.
    pub adjusted_p: Option<f64>,
    /// The conclusion.
    pub verdict: Verdict,
}

/// The conclusion of a comparison, in the order in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A difference for the better is shown.
    Better,
    /// A difference for the worse is shown.
    Worse,
    /// A difference is shown, in a unit that does not say which way is better.
    Differs,
    /// The whole interval of the ratio is within the noise floor: no difference of 1 %.
    Same,
    /// Anything else.
    NotShown,
    /// A side has fewer than [`MIN_SAMPLE_FOR_TEST`] values, so that nothing is tested.
    Untested,
}

impl<'a> Pair<'a> {
    /// `None` where the ratio is outside the range of a double.
    pub fn new(
        baseline: &'a Sample,
        candidate: &'a Sample,
        estimator: Estimator,
        better: Better,
        kind: Kind,
    ) -> Option<Self> {
        let estimates = [baseline, candidate].map(|sample| sample.estimate(estimator));
        Some(Self {
            baseline,
            candidate,
            estimator,
            estimates,
            change: Change::new(estimates[0], estimates[1], better, kind)?,
            ratios: None,
            control: 1.0,
        })
    }

    /// Compares the sides run by run: `ratios` are candidate / baseline of each run. The ratio of
    /// the runs is their median, so where the figures are another estimate, runs are not paired.
    pub fn paired(mut self, ratios: Vec<f64>) -> Self {
        let is_paired = self.estimator == Estimator::Median && PAIRED.contains(&ratios.len());
        self.ratios = Sample::new(ratios).filter(|_| is_paired && !self.is_count());
        if let Some(ratios) = &self.ratios {
            self.change.ratio = ratios.median_ratio();
        }
        self
    }

    /// States by which factor, at least 1, a program differed from itself in this row.
    pub fn controlled(mut self, factor: Option<f64>) -> Self {
        self.control = factor.unwrap_or(1.0);
        self
    }

    /// The number of values of the shorter side.
    fn least(&self) -> usize {
        self.baseline.len().min(self.candidate.len())
    }

    fn is_count(&self) -> bool {
        self.change.kind.is_count()
    }

    /// The test and the interval of the ratio. Counts have neither.
    fn tested(&self) -> (Option<Test>, Option<Interval>) {
        let is_tested = self.least() >= MIN_SAMPLE_FOR_TEST;
        match &self.ratios {
            _ if self.is_count() => (None, None),
            Some(ratios) => {
                let logs: Vec<f64> = ratios.values().iter().map(|r| r.ln()).collect();
                let test = is_tested.then(|| signed_rank(&logs));
                (test, Interval::of_median(ratios))
            }
            None => (
                is_tested.then(|| mann_whitney(self.candidate, self.baseline)),
                Interval::of_ratio(self.baseline, self.candidate, self.estimator),
            ),
        }
    }

    /// The verdict on a count, which is not tested: a change is a gap between the sides that is
    /// wider than the threshold, as a share of the lesser side, and than the range of either side.
    fn judge_count(&self) -> Verdict {
        let (old, new) = (self.baseline.range(), self.candidate.range());
        let (lesser, greater) = if old < new { (old, new) } else { (new, old) };
        let gap = greater[0] - lesser[1];
        let range = (old[1] - old[0]).max(new[1] - new[0]);
        // A single count cannot show how far its repeats lie apart; a size has none.
        if self.least() == 1 && self.change.kind != Kind::Size {
            return Verdict::Untested;
        }
        if gap > (lesser[1] * COUNT_THRESHOLD).max(range) {
            return self.change.direction();
        }
        let floor = Rules::default().threshold;
        match lesser[0].min(greater[0]) * (1.0 + floor) >= lesser[1].max(greater[1]) {
            true => Verdict::Same,
            false => Verdict::NotShown,
        }
    }
}

impl Rules {
    /// Compares the rows of one table, in the same order. Only adjusted p values, and the verdicts
    /// that follow from them, depend on other rows. Rows whose sizes cannot reach α are left out of
    /// the correction, where they would only weaken the others; that is sound, since sizes and
    /// controls are known in advance, and the signs of paired runs do not depend on how many
    /// differ.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Comparison> {
        let mut rows = Vec::new();
        for pair in pairs {
            let (test, interval) = pair.tested();
            let is_in_family =
                |test: &Test| test.min_p <= self.alpha && pair.control <= MAX_CONTROL;
            let row = Comparison {
                change: pair.change,
                interval,
                test,
                adjusted_p: test.filter(is_in_family).map(|test| test.p),
                verdict: Verdict::NotShown,
            };
            // So that one that is reversed twice later rounds as it did.
            rows.push(row.reversed().reversed());
        }
        let family: Vec<f64> = rows.iter().filter_map(|row| row.adjusted_p).collect();
        let in_family = rows.iter_mut().filter_map(|row| row.adjusted_p.as_mut());
        for (p, adjusted) in in_family.zip(benjamini_hochberg(&family)) {
            *p = adjusted;
        }
        for (row, pair) in rows.iter_mut().zip(pairs) {
            row.verdict = match pair.is_count() {
                true => pair.judge_count(),
                false => self.verdict(row, pair),
            };
        }
        rows
    }

    /// The rule for all that is not a count. The threshold applies to the greater estimate relative
    /// to the lesser one, so that swapping the sides does not change the outcome.
    fn verdict(&self, row: &Comparison, pair: &Pair) -> Verdict {
        if pair.least() < MIN_SAMPLE_FOR_TEST {
            return Verdict::Untested;
        }
        if pair.control > MAX_CONTROL {
            return Verdict::NotShown;
        }
        let (low, high) = match row.interval {
            Some(Interval { low, high }) => (low, high),
            None => (row.change.ratio, row.change.ratio),
        };
        let is_significant = row.adjusted_p.is_some_and(|p| p <= self.alpha);
        let is_large = row.change.size() - 1.0 >= self.threshold;
        let is_beyond_control = low > pair.control || high < 1.0 / pair.control;
        if is_significant && is_large && is_beyond_control {
            return row.change.direction();
        }
        let floor = 1.0 + self.threshold;
        let is_within_floor = row.interval.is_some() && low >= 1.0 / floor && high <= floor;
        // Deterministic programs repeat their values.
        let [[least, greatest], new] = [pair.baseline, pair.candidate].map(Sample::range);
        match is_within_floor || least == greatest && new == [least, greatest] {
            true => Verdict::Same,
            false => Verdict::NotShown,
        }
    }
}

impl Comparison {
    /// The p-value to show: the one adjusted over the table, if there is one.
    pub fn p(&self) -> Option<f64> {
        self.adjusted_p.or(self.test.map(|test| test.p))
    }

    /// The comparison with its sides swapped.
    pub fn reversed(&self) -> Self {
        let interval = self.interval.map(|Interval { low, high }| Interval {
            low: 1.0 / high,
            high: 1.0 / low,
        });
        Self {
            change: Change {
                ratio: 1.0 / self.change.ratio,
                ..self.change
            },
            interval,
            verdict: match self.verdict {
                Verdict::Better => Verdict::Worse,
                Verdict::Worse => Verdict::Better,
                unmoved => unmoved,
            },
            ..*self
        }
    }

    /// Whether samples of these sizes could not have shown any difference: too few for a test, for
    /// α, or, as clear as can be, for α after the correction over so many rows.
    pub fn is_too_small(&self, alpha: f64) -> bool {
        match (self.test, self.adjusted_p) {
            _ if self.verdict == Verdict::Untested => true,
            (Some(test), Some(p)) => p > alpha && test.p <= test.min_p * (1.0 + 1e-9),
            (Some(test), None) => test.min_p > alpha,
            (None, _) => false,
        }
    }
}

impl Verdict {
    /// Whether a difference is shown.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Better | Self::Worse | Self::Differs)
    }
}

#[cfg(test)]
mod tests;
