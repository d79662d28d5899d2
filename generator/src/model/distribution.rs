//! Distributions of many values of one process, stored as HDR histograms.

pub(crate) mod codec;

use crate::model::scenario::Percentile;

/// A distribution of times, with exact minimum, maximum, count and sum.
///
/// Values are kept to three significant digits, in the bins of an HDR histogram, so a quantile is
/// within 0.05 % of the exact one. Memory depends only on the maximum: 112 KiB up to 8 ms, 264 KiB
/// up to an hour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// The number of values in each bin, indexed by [`bin_of`]; the last one is not 0.
    counts: Vec<u64>,
    /// Bitwise complement of the minimum in nanoseconds, so that 0 means empty.
    not_min: u64,
    /// Nanoseconds; 0 if empty.
    max: u64,
    /// Nanoseconds.
    sum: u128,
}

/// Values below this have bins of 1 ns. Three digits need 2,000 such bins; HDR histograms use the
/// next power of two, and half as many for each further doubling of the width.
const EXACT: u64 = 2048;
const DIGITS: u32 = EXACT.ilog2() - 1;

/// With fewer values, these percentiles would just be the maximum.
const MIN_FOR_P99: u64 = 100;
const MIN_FOR_P999: u64 = 1_000;

const NANOS_PER_SECOND: f64 = 1e9;

impl Distribution {
    /// Adds a value in nanoseconds; 0 counts as 1.
    #[inline]
    pub fn record(&mut self, nanos: u64) {
        self.record_n(nanos, 1);
    }

    #[inline]
    fn record_n(&mut self, nanos: u64, times: u64) {
        let nanos = nanos.max(1);
        let bin = bin_of(nanos);
        if bin >= self.counts.len() {
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] += times;
        self.not_min = self.not_min.max(!nanos);
        self.max = self.max.max(nanos);
        self.sum += u128::from(nanos) * u128::from(times);
    }

    /// Adds all values of another distribution.
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

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The minimum in seconds; NaN if empty.
    pub fn min(&self) -> f64 {
        self.unless_empty(!self.not_min as f64)
    }

    /// The maximum in seconds; NaN if empty.
    pub fn max(&self) -> f64 {
        self.unless_empty(self.max as f64)
    }

    /// The arithmetic mean in seconds; NaN if empty.
    pub fn mean(&self) -> f64 {
        self.unless_empty(self.sum as f64 / self.count() as f64)
    }

    fn unless_empty(&self, nanos: f64) -> f64 {
        match self.max {
            0 => f64::NAN,
            _ => nanos / NANOS_PER_SECOND,
        }
    }

    /// The value in seconds at rank ⌈p·n⌉ of the sorted values (nearest rank).
    ///
    /// `None` if empty, for a `p` outside 0 to 1, and (except for `p` = 1, the maximum) from P99 upwards
    /// with fewer than 100 values, and from P99.9 upwards with fewer than 1,000.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let count = self.count();
        let is_below = |from: f64, needed: u64| (from..1.0).contains(&p) && count < needed;
        let too_few = is_below(0.99, MIN_FOR_P99) || is_below(0.999, MIN_FOR_P999);
        if count == 0 || too_few || !(0.0..=1.0).contains(&p) {
            return None;
        }
        let nanos = match rank(p, count) {
            1 => !self.not_min,
            rank if rank == count => self.max,
            rank => self.at_rank(rank),
        };
        Some(nanos as f64 / NANOS_PER_SECOND)
    }

    /// The value of a percentile in seconds; `None` as for [`quantile`](Self::quantile).
    pub fn at(&self, percentile: Percentile) -> Option<f64> {
        self.quantile(match percentile {
            Percentile::Min => 0.0,
            Percentile::P50 => 0.5,
            Percentile::P90 => 0.9,
            Percentile::P99 => 0.99,
            Percentile::P999 => 0.999,
            Percentile::Max => 1.0,
        })
    }

    /// The value in nanoseconds at a rank from 1: the middle of its bin, clamped to the minimum and
    /// maximum.
    fn at_rank(&self, rank: u64) -> u64 {
        let mut seen = 0;
        for (bin, count) in self.bins() {
            seen += count;
            if seen >= rank {
                let (lowest, width) = bin_at(bin, DIGITS);
                return (lowest + width / 2).clamp(!self.not_min, self.max);
            }
        }
        self.max
    }

    /// The indices of bins that have values, with their counts.
    fn bins(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let counts = self.counts.iter().copied().enumerate();
        counts.filter(|(_, count)| *count > 0)
    }
}

/// The index of a value's bin: its leading eleven bits, plus half of `EXACT` per dropped bit.
#[inline]
fn bin_of(nanos: u64) -> usize {
    let dropped = (nanos | (EXACT - 1)).ilog2() - DIGITS;
    (u64::from(dropped << DIGITS) + (nanos >> dropped)) as usize
}

/// The least value of a bin and the number of values in it, where each doubling of the width has
/// 2^`digits` bins.
fn bin_at(bin: usize, digits: u32) -> (u64, u64) {
    let doublings = (bin as u64 >> digits).saturating_sub(1);
    let lowest = bin as u64 - (doublings << digits);
    (lowest << doublings, 1 << doublings)
}

/// ⌈p·n⌉, at least 1, tolerating rounding: 0.07 · 100 is 7.000000000000001 in binary, but means 7.
fn rank(p: f64, count: u64) -> u64 {
    let product = p * count as f64;
    let whole = product.round();
    let is_whole = (product - whole).abs() <= 4.0 * f64::EPSILON * whole;
    let rank = if is_whole { whole } else { product.ceil() };
    (rank as u64).clamp(1, count)
}

#[cfg(test)]
mod tests;
