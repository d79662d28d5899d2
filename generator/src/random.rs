//! Pseudo-random numbers that are the same on every machine: a seed gives the same order of runs
//! and the same shuffles of a history everywhere.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// xoshiro256++, its state filled by SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Different seeds give unrelated numbers.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A whole number below `n`, off from even by less than n / 2³².
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let position = self.0.next_u64() >> 32;
        ((position * n as u64) >> 32) as usize
    }

    /// Fisher and Yates.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan that is continued, and a history that is searched again, need these for good.
    #[test]
    fn the_same_in_every_release() {
        let mut random = Random::new(7);
        let mut items: Vec<u32> = (0..10).collect();
        random.shuffle(&mut items);
        assert_eq!(items, [3, 8, 9, 4, 6, 7, 2, 5, 1, 0]);
    }
}
