//! Percentiles, by nearest rank.

use scenario::Percentile;
use std::time::Duration;

/// Sorts the samples, and returns every percentile in order, in nanoseconds: the sample at rank
/// ⌈p·n⌉.
///
/// # Panics
/// If there are no samples.
pub(crate) fn percentiles(samples: &mut [Duration]) -> Vec<f64> {
    samples.sort_unstable();
    let at = |percentile: &Percentile| {
        let rank = (thousandths(*percentile) * samples.len()).div_ceil(1000);
        samples[rank.max(1) - 1].as_nanos() as f64
    };
    Percentile::ALL.iter().map(at).collect()
}

fn thousandths(percentile: Percentile) -> usize {
    match percentile {
        Percentile::Min => 0,
        Percentile::P50 => 500,
        Percentile::P90 => 900,
        Percentile::P99 => 990,
        Percentile::P999 => 999,
        Percentile::Max => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        let mut samples: Vec<Duration> = (1..=200).rev().map(Duration::from_nanos).collect();
        let values = percentiles(&mut samples);
        assert_eq!(values, [1.0, 100.0, 180.0, 198.0, 200.0, 200.0]);
        let mut one = [Duration::from_nanos(7)];
        assert_eq!(percentiles(&mut one), [7.0; 6]);
    }
}
