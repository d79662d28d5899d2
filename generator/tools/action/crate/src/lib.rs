//! Something to measure: the work of `checksum` is in proportion to `ROUNDS`.

pub const ROUNDS: u64 = 2000;

/// FNV-1a of the numbers below `ROUNDS`.
pub fn checksum(seed: u64) -> u64 {
    (0..ROUNDS).fold(seed, |sum, n| (sum ^ n).wrapping_mul(0x100_0000_01b3))
}

/// The median of some numbers.
pub fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}
