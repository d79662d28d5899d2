//! Recording tens of millions of values a second.

use super::Distribution;

/// Counts values in the bins of a [`Distribution`], and becomes one at the end.
///
/// `Histogram::record` spends a third of the time of reading a capture, on a maximum, minimum
/// and total of its own and on a layout known only at run time.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// By [`index`].
    counts: Vec<u64>,
    /// The complement of the least value, so that 0 is that of nothing.
    not_min: u64,
    max: u64,
    sum: u128,
}

/// Three digits need 2,000 bins below the first doubling of their width; HDR histograms take
/// the next power of two, and half as many for each further doubling.
const EXACT: u64 = 2048;
const DIGITS: u32 = EXACT.ilog2() - 1;

impl Recorder {
    /// Adds a value in nanoseconds, as [`Distribution::record`] does.
    #[inline]
    pub fn record(&mut self, nanos: u64) {
        let nanos = nanos.max(1);
        let index = index(nanos);
        if index >= self.counts.len() {
            self.grow(index);
        }
        self.counts[index] += 1;
        self.not_min = self.not_min.max(!nanos);
        self.max = self.max.max(nanos);
        self.sum += u128::from(nanos);
    }

    #[cold]
    fn grow(&mut self, index: usize) {
        self.counts.resize(index + 1, 0);
    }

    /// Adds all values of another one.
    pub fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.not_min = self.not_min.max(other.not_min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
    }

    /// The distribution of what was recorded.
    pub fn finish(&self) -> Distribution {
        let mut distribution = Distribution::new();
        for (index, count) in self
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            // Which value of a bin stands for it makes no difference to the histogram.
            distribution.record_n(value(index), *count);
        }
        if self.max > 0 {
            (distribution.min, distribution.max) = (!self.not_min, self.max);
            distribution.sum = self.sum;
        }
        distribution
    }
}

/// The bin of a value: its leading eleven bits, after as many half rows as bits were dropped.
#[inline]
fn index(nanos: u64) -> usize {
    let dropped = (nanos | (EXACT - 1)).ilog2() - DIGITS;
    (u64::from(dropped << DIGITS) + (nanos >> dropped)) as usize
}

/// The least value of a bin.
fn value(index: usize) -> u64 {
    let index = index as u64;
    let dropped = (index >> DIGITS).saturating_sub(1);
    (index - (dropped << DIGITS)) << dropped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bins_adjoin() {
        for at in 0..40_000 {
            assert_eq!(index(value(at)), at);
            assert_eq!(index(value(at + 1) - 1), at);
        }
        assert!(index(u64::MAX) < 56 * 1024);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]
        #[test]
        fn like_recording_one_by_one(values in prop::collection::vec((any::<u64>(), 0..64_u32), 0..50), split in 0..50_usize) {
            let values: Vec<u64> = values.into_iter().map(|(bits, shift)| bits >> shift).collect();
            let mut one_by_one = Distribution::new();
            let (mut whole, mut start, mut end) = <(Recorder, Recorder, Recorder)>::default();
            for (at, value) in values.into_iter().enumerate() {
                one_by_one.record(value);
                whole.record(value);
                if at < split { start.record(value) } else { end.record(value) }
            }
            prop_assert_eq!(&whole.finish(), &one_by_one);
            let mut merged = start.finish();
            merged.merge(&end.finish());
            prop_assert_eq!(&merged, &one_by_one);
            start.merge(&end);
            prop_assert_eq!(&start.finish(), &one_by_one);
        }
    }
}
