//! Verdicts: which changes of a table are real, and large enough to speak of.

use super::{Change, Estimator, Interval, MannWhitney, Sample, benjamini_hochberg};
use crate::unit::{Better, Kind};

/// What has to hold for a change to be called one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The greatest adjusted p.
    pub alpha: f64,
    /// The least distance of the estimates, as a part of the lesser one.
    pub threshold: f64,
}

/// That of counts, whatever the threshold of times is: programs repeat their own within 0.05 %.
const COUNT_THRESHOLD: f64 = 0.002;

/// 5 % as everywhere, and the 1 % up to which machines repeat themselves: rustls' benchmark
/// service uses the same floor for wall-clock times.
impl Default for Rules {
    fn default() -> Self {
        Self {
            alpha: 0.05,
            threshold: 0.01,
        }
    }
}

/// The two samples of one row.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    baseline: &'a Sample,
    candidate: &'a Sample,
    estimator: Estimator,
    change: Change,
    /// The greater estimate over the lesser one.
    factor: f64,
}

/// What is known of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The ratio of the estimates, and its words.
    pub change: Change,
    /// The 95 % interval of the ratio; none below 10 values a side.
    pub interval: Option<Interval>,
    /// The test of the candidate against the baseline; none where a side has a single value, and
    /// of counts.
    pub test: Option<MannWhitney>,
    /// The p of the test, adjusted over the rows of the table; none where the sizes cannot
    /// reach α.
    pub adjusted_p: Option<f64>,
    /// What may be said.
    pub verdict: Verdict,
}

/// What may be said of a row.
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
    /// No difference is shown: not significant, or too small to speak of.
    None,
    /// Samples of these sizes cannot show a difference in a table of so many rows, however great.
    TooFew,
    /// A side has one value, so that nothing is known of its spread.
    Untested,
}

impl<'a> Pair<'a> {
    /// `None` where the ratio leaves the range of a double.
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
            factor: match old == new {
                true => 1.0,
                false => old.max(new) / old.min(new),
            },
        })
    }

    fn is_single(&self) -> bool {
        let is_size = self.change.kind == Kind::Size;
        self.baseline.len().min(self.candidate.len()) == 1 && !is_size
    }

    fn is_count(&self) -> bool {
        self.change.kind.is_count()
    }

    fn test(&self) -> Option<MannWhitney> {
        let has_test = !self.is_single() && !self.is_count();
        has_test.then(|| MannWhitney::of(self.candidate, self.baseline))
    }

    /// Whether the gap between the values of the two sides is wider than this part of the lesser
    /// ones, and than the range of either side.
    fn has_gap(&self, least: f64) -> bool {
        let [old, new] = [self.baseline, self.candidate].map(|sample| {
            let values = sample.values();
            [values[0], values[values.len() - 1]]
        });
        let (lesser, greater) = if old < new { (old, new) } else { (new, old) };
        let gap = greater[0] - lesser[1];
        let range = |[min, max]: [f64; 2]| max - min;
        gap > (lesser[1] * least).max(range(old)).max(range(new))
    }
}

impl Rules {
    /// Judges the rows of one table, in their order. Only the p values are adjusted over the
    /// table; everything else depends on the row alone.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Comparison> {
        let mut rows = self.judge_tests(pairs);
        for (row, pair) in rows.iter_mut().zip(pairs).filter(|(_, p)| !p.is_count()) {
            row.interval = Interval::of_ratio(pair.baseline, pair.candidate, pair.estimator);
        }
        rows
    }

    /// Judges without the intervals, on which no verdict depends. Rows whose sizes cannot reach α
    /// are left out of the correction: they are known beforehand, and would weaken the others.
    pub(super) fn judge_tests(&self, pairs: &[Pair]) -> Vec<Comparison> {
        let tests: Vec<Option<MannWhitney>> = pairs.iter().map(Pair::test).collect();
        let able = |test: &Option<MannWhitney>| test.filter(|t| t.least_p <= self.alpha);
        let p: Vec<f64> = tests.iter().filter_map(able).map(|test| test.p).collect();
        let mut adjusted = benjamini_hochberg(&p).into_iter();
        let rows = pairs.iter().zip(tests);
        rows.map(|(pair, test)| {
            let adjusted_p = able(&test).and_then(|_| adjusted.next());
            Comparison {
                change: pair.change,
                interval: None,
                test,
                adjusted_p,
                verdict: match (test, adjusted_p) {
                    _ if pair.is_single() => Verdict::Untested,
                    (None, _) => count_verdict(pair),
                    (_, None) => Verdict::TooFew,
                    (Some(test), Some(p)) => self.verdict(pair, &test, p),
                },
            }
        })
        .collect()
    }

    /// The distance is that of the greater from the lesser estimate, so that a change remains one
    /// when the sides are swapped. A change that rounds to none in its own words is none.
    fn verdict(&self, pair: &Pair, test: &MannWhitney, adjusted_p: f64) -> Verdict {
        if pair.factor - 1.0 < self.threshold {
            return Verdict::None;
        }
        if adjusted_p > self.alpha {
            // Wholly apart: 5 and 5 values cannot be clearer, and alone among 20 rows that is
            // not enough.
            let clearest = test.p <= test.least_p * (1.0 + 1e-9);
            return if clearest {
                Verdict::TooFew
            } else {
                Verdict::None
            };
        }
        pair.change.word()
    }
}

/// There is no chance in a count, so nothing is tested: it changed if the two sides differ by more
/// than 0.2 %, and by more than the repeats of each do. A build has one size, which nothing repeats.
fn count_verdict(pair: &Pair) -> Verdict {
    match pair.has_gap(COUNT_THRESHOLD) {
        true => pair.change.word(),
        false => Verdict::None,
    }
}

impl Verdict {
    /// Whether a difference is shown.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Faster | Self::Slower | Self::Less | Self::More)
    }

    /// Whether a difference is shown, and it is for the worse.
    pub fn is_regression(self, better: Better) -> bool {
        self == Self::Slower || (self == Self::More && better == Better::Lower)
    }

    /// As data files have it, also its CSS class.
    pub fn word(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Less => "less",
            Self::More => "more",
            Self::None => "none",
            Self::TooFew => "too-few",
            Self::Untested => "untested",
        }
    }
}

#[cfg(test)]
mod tests;
