//! Distribution-free confidence interval of the median, from order statistics.

use super::Sample;

/// An interval between two values, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The minimum confidence of intervals of a median.
pub const MEDIAN_CONFIDENCE: f64 = 0.95;

impl Interval {
    /// The narrowest symmetric interval [x(l), x(n+1−l)] of the median whose coverage reaches
    /// 95 %. `None` below n = 6, where even the whole range does not.
    pub fn of_median(sample: &Sample) -> Option<Self> {
        let values = sample.values();
        let covers = |coverage: &f64| *coverage >= MEDIAN_CONFIDENCE;
        let rank = coverages(values.len()).take_while(covers).count();
        (rank > 0).then(|| Self {
            low: values[rank - 1],
            high: values[values.len() - rank],
        })
    }

    /// Half the width, relative to `estimate`.
    pub fn relative_half_width(&self, estimate: f64) -> f64 {
        (self.high - self.low) / 2.0 / estimate
    }

    /// Half the width, relative to `estimate`: `0.3%`.
    pub fn half_width_text(&self, estimate: f64) -> String {
        format!("{:.1}%", self.relative_half_width(estimate) * 100.0)
    }
}

/// The coverage of [x(l), x(n+1−l)] for l = 1, 2, …: Σ C(n,k)/2ⁿ over k = l … n−l, by the exact
/// binomial distribution at every n.
fn coverages(n: usize) -> impl Iterator<Item = f64> {
    // In logarithms, since 2ⁿ overflows at n = 1024.
    let log_half_to_n = n as f64 * 0.5f64.ln();
    let mut log_choose = 0.0f64;
    let mut tail = 0.0f64;
    (1..=n / 2).map(move |l| {
        // Σ C(n,k)/2ⁿ over k < l; the other tail is equal.
        tail += (log_choose + log_half_to_n).exp();
        log_choose += ((n - l + 1) as f64).ln() - (l as f64).ln();
        1.0 - 2.0 * tail
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks and coverages by exact rational arithmetic.
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
            let interval = Interval::of_median(&sample).expect("an interval");
            assert_eq!(
                (interval.low, interval.high),
                (f64::from(low), f64::from(high)),
                "n = {n}"
            );
            let coverage = coverages(sample.len()).nth(low as usize - 1);
            let coverage = coverage.expect("a rank");
            assert!((coverage - level).abs() < 5e-7, "n = {n}: {coverage}");
        }
    }

    #[test]
    fn none_below_six() {
        for n in 1..6 {
            let sample = Sample::new((1..=n).map(f64::from).collect()).expect("a sample");
            assert_eq!(Interval::of_median(&sample), None);
        }
    }

    #[test]
    fn large_samples() {
        let sample = Sample::new((1..=100_000).map(f64::from).collect()).expect("a sample");
        let Interval { low, .. } = Interval::of_median(&sample).expect("an interval");
        let coverage = coverages(sample.len()).nth(low as usize - 1);
        let coverage = coverage.expect("a rank");
        assert!((0.95..0.9526).contains(&coverage), "{coverage}");
    }
}
