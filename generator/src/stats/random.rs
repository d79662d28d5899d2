//! A source of pseudo-random numbers that is the same on every machine and in every release.

/// xoshiro256++ 1.0, its state filled by SplitMix64, as its authors recommend: Blackman and
/// Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 47 (2021);
/// <https://prng.di.unimi.it/>.
#[derive(Clone, Debug)]
pub(crate) struct Random([u64; 4]);

impl Random {
    /// Different seeds give unrelated numbers.
    pub(crate) fn new(mut seed: u64) -> Self {
        Self([(); 4].map(|()| split_mix(&mut seed)))
    }

    /// Seeded by numbers: FNV-1a (64 bits) over the bytes of their IEEE 754 forms, the least
    /// significant first. The standard library's hasher may change with a release.
    pub(super) fn of_numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        let bytes = numbers
            .into_iter()
            .flat_map(|number| number.to_bits().to_le_bytes());
        Self::new(bytes.fold(FNV_OFFSET, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
        }))
    }

    /// 64 random bits.
    pub(super) fn bits(&mut self) -> u64 {
        let state = &mut self.0;
        let bits = state[0]
            .wrapping_add(state[3])
            .rotate_left(23)
            .wrapping_add(state[0]);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        bits
    }

    /// A position on a line of 2³² places, all alike.
    pub(super) fn position(&mut self) -> u32 {
        (self.bits() >> 32) as u32
    }

    /// A whole number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        part_of(self.position(), n)
    }
}

/// Which of `n` equal parts of the line holds a position. Their chances are off from even by less
/// than n / 2³².
pub(super) fn part_of(position: u32, n: usize) -> usize {
    ((u64::from(position) * n as u64) >> 32) as usize
}

/// Fowler, Noll and Vo's constants for 64 bits: RFC 9923.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published test values of both.
    #[test]
    fn reference_values() {
        let mut seed = 1_234_567;
        assert_eq!(
            [(); 3].map(|()| split_mix(&mut seed)),
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
        let mut random = Random([1, 2, 3, 4]);
        assert_eq!(
            [(); 4].map(|()| random.bits()),
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386
            ]
        );
    }

    #[test]
    fn whole_numbers_are_even() {
        let mut random = Random::new(7);
        let mut counts = [0u32; 10];
        for _ in 0..100_000 {
            counts[random.below(10)] += 1;
        }
        // 10,000 each, five standard deviations of 95 either way.
        assert!(
            counts.iter().all(|c| c.abs_diff(10_000) < 475),
            "{counts:?}"
        );
    }
}
