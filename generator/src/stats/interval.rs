//! Confidence interval of the median from order statistics: no assumption on the distribution.

use super::Sample;

/// An interval between two values of a sample, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, in the unit of the sample.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The confidence that is reached, at least the one asked for.
    pub confidence: f64,
}

/// The confidence of intervals on pages and in tables.
pub const MEDIAN_CONFIDENCE: f64 = 0.95;

impl Interval {
    /// The narrowest symmetric interval [x(l), x(n+1−l)] whose coverage Σ C(n,k)/2ⁿ over
    /// k = l … n−l reaches `confidence`. The binomial is exact at every n. `None` where even
    /// the whole range does not reach it: below n = 6 for 95 %.
    pub fn of_median(sample: &Sample, confidence: f64) -> Option<Self> {
        let (rank, reached) = rank(sample.len(), confidence)?;
        let values = sample.values();
        Some(Self {
            low: values[rank - 1],
            high: values[values.len() - rank],
            confidence: reached,
        })
    }

    /// Half the width, as a part of `estimate`.
    pub fn relative_half_width(&self, estimate: f64) -> f64 {
        (self.high - self.low) / 2.0 / estimate
    }
}

/// The greatest rank l (from 1) of the lower end, with the coverage that it reaches.
fn rank(n: usize, confidence: f64) -> Option<(usize, f64)> {
    let log_half_to_n = n as f64 * 0.5f64.ln();
    let mut log_choose = 0.0f64;
    let mut tail = 0.0f64;
    let mut best = None;
    for l in 1..=n / 2 {
        // The tail below l is Σ C(n,k)/2ⁿ over k < l, on both sides; in logarithms, since 2ⁿ
        // leaves a double at n = 1024.
        tail += (log_choose + log_half_to_n).exp();
        log_choose += ((n - l + 1) as f64).ln() - (l as f64).ln();
        let coverage = 1.0 - 2.0 * tail;
        if coverage < confidence {
            break;
        }
        best = Some((l, coverage));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks and levels by exact rational arithmetic.
    #[test]
    fn ranks() {
        for (n, low, high, level) in [
            (6, 1, 6, 0.96875),
            (10, 2, 9, 0.978516),
            (15, 4, 12, 0.964844),
            (20, 6, 15, 0.958611),
            (30, 10, 21, 0.957226),
            (31, 10, 22, 0.970551),
            (50, 18, 33, 0.967161),
            (100, 40, 61, 0.9648),
            (1000, 469, 532, 0.953709),
        ] {
            let sample = Sample::new((1..=n).map(f64::from).collect()).expect("a sample");
            let interval = Interval::of_median(&sample, 0.95).expect("an interval");
            assert_eq!(
                (interval.low, interval.high),
                (f64::from(low), f64::from(high)),
                "n = {n}"
            );
            assert!(
                (interval.confidence - level).abs() < 5e-7,
                "n = {n}: {}",
                interval.confidence
            );
        }
    }

    #[test]
    fn none_below_six() {
        for n in 1..6 {
            let sample = Sample::new((1..=n).map(f64::from).collect()).expect("a sample");
            assert_eq!(Interval::of_median(&sample, MEDIAN_CONFIDENCE), None);
        }
    }

    #[test]
    fn large_samples() {
        let sample = Sample::new((1..=100_000).map(f64::from).collect()).expect("a sample");
        let interval = Interval::of_median(&sample, 0.95).expect("an interval");
        assert!(
            interval.confidence >= 0.95 && interval.confidence < 0.9526,
            "{interval:?}"
        );
    }
}
