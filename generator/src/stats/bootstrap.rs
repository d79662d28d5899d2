//! How sure a ratio of two estimates is, by resampling.

use super::draws::Draws;
use super::random::{Random, part_of};
use super::{Estimator, Sample};

/// An interval that holds the true ratio with a confidence of 95 %, nearly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioInterval {
    /// candidate / baseline at least.
    pub low: f64,
    /// candidate / baseline at most.
    pub high: f64,
}

/// Resamples drawn. With another seed an end moves by 0.7 % of the interval's width (the standard
/// error of a quantile of 10,000 normal values).
const RESAMPLES: usize = 10_000;

/// What is cut off at each end: 2.5 %.
const CUT: usize = RESAMPLES / 40;

/// The least values a side: fewer have too few different medians to resample.
pub const MIN_SAMPLE_FOR_BOOTSTRAP: usize = 10;

impl RatioInterval {
    /// The percentile bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
    /// chapter 13): both samples are drawn anew with replacement, independently, and the middle
    /// 95 % of the ratios of their estimates are kept. The seed comes of the values, so that the
    /// same data give the same bytes. `None` below 10 values a side, or where a ratio leaves the
    /// range of a double.
    pub fn bootstrap(baseline: &Sample, candidate: &Sample, estimator: Estimator) -> Option<Self> {
        if baseline.len().min(candidate.len()) < MIN_SAMPLE_FOR_BOOTSTRAP {
            return None;
        }
        let mut random = Random::of_numbers([baseline, candidate].into_iter().flat_map(shape));
        let [baseline, candidate] = [baseline, candidate].map(|sample| Resampler {
            values: sample.values(),
            estimator,
        });
        let mut ratios: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let below = baseline.draw(&mut random);
                candidate.draw(&mut random) / below
            })
            .collect();
        let mut nth = |n| *ratios.select_nth_unstable_by(n, f64::total_cmp).1;
        let interval = Self {
            low: nth(CUT),
            high: nth(RESAMPLES - 1 - CUT),
        };
        (interval.low > 0.0 && interval.high.is_finite()).then_some(interval)
    }
}

/// The values in units of the least one: the same in KiB/s and in MiB/s, to the last bit.
fn shape(sample: &Sample) -> impl Iterator<Item = f64> {
    let values = sample.values();
    values.iter().map(|v| v / values[0])
}

/// Estimates of resamples.
struct Resampler<'a> {
    values: &'a [f64],
    estimator: Estimator,
}

impl Resampler<'_> {
    /// The estimate of one resample. The values are in order, so that an estimate by rank needs
    /// no resample: only where the draw of that rank falls.
    fn draw(&self, random: &mut Random) -> f64 {
        let n = self.values.len();
        let at = |position: u32| self.values[part_of(position, n)];
        let mut draws = Draws(random);
        match self.estimator {
            Estimator::Median if n.is_multiple_of(2) => {
                let [lower, upper] = draws.adjacent(n, n / 2 - 1).map(at);
                lower + (upper - lower) / 2.0
            }
            Estimator::Median | Estimator::MedianHigh => at(draws.ranked(n, n / 2)),
            Estimator::Min => at(draws.ranked(n, 0)),
            Estimator::Max => at(draws.ranked(n, n - 1)),
            Estimator::Mean => {
                let share = |position| at(position) / n as f64;
                (0..n).map(|_| share(random.position())).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests;
