//! Verdicts: which changes in a table are significant and large enough to report.

use super::signed_rank::{min_p, signed_rank};
use super::{Change, Estimator, Interval, MannWhitney, Sample, benjamini_hochberg};
use crate::model::unit::{Better, Kind};
use std::ops::RangeInclusive;

/// Criteria for calling a difference a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Maximum adjusted p.
    pub alpha: f64,
    /// Minimum distance between the estimates, as a share of the lesser one.
    pub threshold: f64,
}

/// The threshold of counts, whatever that of times: programs repeat theirs within 0.05 %. Nothing
/// is tested: a count changed if the sides differ by more, and by more than the repeats of each. A
/// build's size is not repeated.
const COUNT_THRESHOLD: f64 = 0.002;

/// Minimum number of values a side for a verdict. Three and five values can reach p = 0.036, but
/// three executions do not show how much executions differ.
pub const MIN_SAMPLE_FOR_TEST: usize = 4;

/// The usual α of 5 %, and a noise threshold of 1 %: rustls' benchmark service uses the same floor
/// for wall-clock times.
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
    change: Change,
    /// The ratio of each run, for runs in which both sides met the same disturbances.
    ratios: Option<Sample>,
    is_unsteady: bool,
}

/// The numbers of runs that can be compared in pairs. With fewer, the test of pairs cannot reach 5 %,
/// while that of unpaired runs can from 4; the work of the exact test grows with the third power.
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
    /// The test of the candidate against the baseline; `None` for counts and where a side has a
    /// single value.
    pub test: Option<Test>,
    /// The p of the test, adjusted over the rows of the table; `None` where samples of these
    /// sizes cannot reach α.
    pub adjusted_p: Option<f64>,
    /// The conclusion.
    pub verdict: Verdict,
}

impl Comparison {
    /// `1.54x slower`, or `~` if no difference is shown.
    pub fn words(&self) -> String {
        match self.verdict {
            Verdict::None | Verdict::TooFew | Verdict::Unsteady => "~".to_owned(),
            _ => self.change.to_string(),
        }
    }
}

/// The conclusion of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A rate went up, or a time down.
    Faster,
    /// A rate went down, or a time up.
    Slower,
    /// An amount went down.
    Less,
    /// An amount went up.
    More,
    /// No difference is shown: not significant, or below the threshold.
    None,
    /// No difference, however large, could be significant with these samples and so many rows.
    TooFew,
    /// A side has a single value, so its spread is unknown.
    Untested,
    /// A side, or the ratio of paired runs, is too noisy to say.
    Unsteady,
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
        let [old, new] = [baseline, candidate].map(|sample| sample.estimate(estimator));
        Some(Self {
            baseline,
            candidate,
            estimator,
            change: Change::new(old, new, better, kind)?,
            ratios: None,
            is_unsteady: false,
        })
    }

    /// Compares the sides run by run: `ratios` are candidate / baseline of each run. The ratio of the
    /// runs is their median, so where the figures are another estimate, runs are not paired.
    pub fn paired(self, ratios: Vec<f64>) -> Self {
        let ratios = Sample::new(ratios).filter(|r| PAIRED.contains(&r.len()));
        let is_median = self.estimator == Estimator::Median;
        let Some(ratios) = ratios.filter(|_| is_median && !self.is_count()) else {
            return self;
        };
        let change = Change {
            ratio: ratios.estimate(Estimator::Median),
            ..self.change
        };
        Self {
            change,
            ratios: Some(ratios),
            ..self
        }
    }

    /// The ratio of each run; `None` unless the sides are compared run by run.
    pub fn ratios(&self) -> Option<&Sample> {
        self.ratios.as_ref()
    }

    /// Marks the row as too noisy for a verdict, if `is_unsteady`.
    pub fn unsteady(self, is_unsteady: bool) -> Self {
        Self {
            is_unsteady,
            ..self
        }
    }

    fn is_single(&self) -> bool {
        let is_size = self.change.kind == Kind::Size;
        self.least() == 1 && !is_size
    }

    /// The number of values of the shorter side.
    fn least(&self) -> usize {
        self.baseline.len().min(self.candidate.len())
    }

    fn is_count(&self) -> bool {
        self.change.kind.is_count()
    }

    fn test(&self) -> Option<Test> {
        if self.is_single() || self.is_count() {
            return None;
        }
        Some(match &self.ratios {
            Some(ratios) => {
                let logs: Vec<f64> = ratios.values().iter().map(|r| r.ln()).collect();
                Test {
                    p: signed_rank(&logs),
                    min_p: min_p(&logs),
                    is_paired: true,
                }
            }
            None => {
                let MannWhitney { p, min_p, .. } = MannWhitney::of(self.candidate, self.baseline);
                Test {
                    p,
                    min_p,
                    is_paired: false,
                }
            }
        })
    }

    /// Whether the sides are equal in so many paired runs that the median of the ratios is 1.
    fn is_equal(&self) -> bool {
        self.ratios.is_some() && self.change.ratio == 1.0
    }

    fn interval(&self) -> Option<Interval> {
        match &self.ratios {
            _ if self.is_count() => None,
            Some(ratios) => Interval::of_median(ratios),
            None => Interval::of_ratio(self.baseline, self.candidate, self.estimator),
        }
    }

    /// Whether the gap between the two sides is wider than `threshold`, as a share of the lesser
    /// side, and wider than the range of either side.
    fn has_gap(&self, threshold: f64) -> bool {
        let [old, new] = [self.baseline, self.candidate].map(|sample| {
            let values = sample.values();
            [values[0], values[values.len() - 1]]
        });
        let (lesser, greater) = if old < new { (old, new) } else { (new, old) };
        let gap = greater[0] - lesser[1];
        let range = |[min, max]: [f64; 2]| max - min;
        gap > (lesser[1] * threshold).max(range(old)).max(range(new))
    }
}

impl Rules {
    /// Compares the rows of one table, in the same order. Only adjusted p values and the verdicts
    /// that follow from them depend on other rows.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Comparison> {
        let mut rows = self.judge_tests(pairs);
        for (row, pair) in rows.iter_mut().zip(pairs) {
            row.interval = pair.interval();
        }
        rows
    }

    /// Like [`Self::judge`], without the intervals, which no verdict depends on. Rows whose sizes
    /// cannot reach α are left out of the correction, where they would only weaken the others;
    /// that is sound, since the sizes are known in advance, and the signs of paired runs do not depend on
    /// how many differ. So are unsteady rows, which no test
    /// decides.
    pub(super) fn judge_tests(&self, pairs: &[Pair]) -> Vec<Comparison> {
        let tests: Vec<Option<Test>> = pairs.iter().map(Pair::test).collect();
        let testable = |(pair, test): (&Pair, &Option<Test>)| {
            let is_long = pair.least() >= MIN_SAMPLE_FOR_TEST && !pair.is_unsteady;
            test.filter(|t| is_long && t.min_p <= self.alpha)
        };
        let both = pairs.iter().zip(&tests);
        let p: Vec<f64> = both.filter_map(testable).map(|t| t.p).collect();
        let mut adjusted = benjamini_hochberg(&p).into_iter();
        let rows = pairs.iter().zip(&tests);
        rows.map(|(pair, test)| {
            let adjusted_p = testable((pair, test)).and_then(|_| adjusted.next());
            Comparison {
                change: pair.change,
                interval: None,
                test: test.filter(|_| pair.least() >= MIN_SAMPLE_FOR_TEST),
                adjusted_p,
                verdict: match (*test, adjusted_p) {
                    _ if pair.is_single() => Verdict::Untested,
                    _ if pair.is_unsteady => Verdict::Unsteady,
                    (None, _) if pair.has_gap(COUNT_THRESHOLD) => pair.change.word(),
                    (None, _) => Verdict::None,
                    (_, None) if pair.is_equal() => Verdict::None,
                    (_, None) => Verdict::TooFew,
                    (Some(test), Some(p)) => self.verdict(pair, &test, p),
                },
            }
        })
        .collect()
    }

    /// The threshold applies to the greater estimate relative to the lesser one, so that swapping
    /// the sides does not change the outcome. A change that would be displayed as none is none.
    fn verdict(&self, pair: &Pair, test: &Test, adjusted_p: f64) -> Verdict {
        if pair.change.size() - 1.0 < self.threshold {
            return Verdict::None;
        }
        if adjusted_p > self.alpha {
            // The samples do not overlap, so no result could be clearer, and yet the correction
            // makes it too weak: 5 and 5 values, say, as the only change among 20 rows.
            let clearest = test.p <= test.min_p * (1.0 + 1e-9);
            return if clearest {
                Verdict::TooFew
            } else {
                Verdict::None
            };
        }
        pair.change.word()
    }
}

impl Verdict {
    /// Whether a difference is shown.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Faster | Self::Slower | Self::Less | Self::More)
    }

    /// Whether a difference for the worse is shown.
    pub fn is_regression(self, better: Better) -> bool {
        self == Self::Slower || (self == Self::More && better == Better::Lower)
    }

    /// Name in data files, and CSS class.
    pub fn word(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Less => "less",
            Self::More => "more",
            Self::None => "none",
            Self::TooFew => "too-few",
            Self::Untested => "untested",
            Self::Unsteady => "unsteady",
        }
    }
}

#[cfg(test)]
mod tests;
