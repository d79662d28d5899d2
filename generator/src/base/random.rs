//! Reproducible pseudo-random numbers: a seed gives the same order of runs and the same shuffles of
//! a history on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// xoshiro256++, seeded by SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Different seeds give unrelated numbers.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a whole number below `n`, with a bias of less than n / 2³².
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let position = self.0.next_u64() >> 32;
        ((position * n as u64) >> 32) as usize
    }

    /// Returns the numbers below `n` in random order.
    pub(crate) fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        self.shuffle(&mut order);
        order
    }

    /// Shuffles by Fisher and Yates.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Continued plans and repeated searches of a history need the same numbers in all releases.
    #[test]
    fn numbers_are_stable() {
        let mut random = Random::new(7);
        let mut items: Vec<u32> = (0..10).collect();
        random.shuffle(&mut items);
        assert_eq!(items, [3, 8, 9, 4, 6, 7, 2, 5, 1, 0]);
    }
}
