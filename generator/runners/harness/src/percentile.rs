//! Points of a distribution, by nearest rank.

use std::time::Duration;

/// The points that are printed, with their words, in thousandths.
pub(crate) const POINTS: [(&str, usize); 6] = [
    ("min", 0),
    ("P50", 500),
    ("P90", 900),
    ("P99", 990),
    ("P99.9", 999),
    ("max", 1000),
];

/// Each point's word and time in nanoseconds: the value at rank ⌈p·n⌉, which was measured
/// itself. Sorts the samples.
///
/// # Panics
/// Without samples.
pub(crate) fn percentiles(samples: &mut [Duration]) -> [(&'static str, u128); 6] {
    samples.sort_unstable();
    POINTS.map(|(word, thousandths)| {
        let rank = (thousandths * samples.len()).div_ceil(1000).max(1);
        (word, samples[rank - 1].as_nanos())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        let mut samples: Vec<Duration> = (1..=200).rev().map(Duration::from_nanos).collect();
        let values = percentiles(&mut samples).map(|(_, ns)| ns);
        assert_eq!(values, [1, 100, 180, 198, 200, 200]);
        let mut one = [Duration::from_nanos(7)];
        assert_eq!(percentiles(&mut one).map(|(_, ns)| ns), [7; 6]);
    }
}
