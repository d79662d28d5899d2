//! Where the draw of some rank falls, without drawing and sorting all of them.
//!
//! Of n draws, those in the lower half of the line are as many as heads among n fair coins, and
//! so on within the half that holds the wanted rank. So some log n random words tell where the
//! median of n draws falls, and only whole numbers are involved: the result is exact, and the
//! same on every machine.

use super::random::Random;

/// Bits of a position.
const DEPTH: u32 = u32::BITS;

/// Even draws of positions on a line of 2³² places.
pub(super) struct Draws<'a>(pub(super) &'a mut Random);

/// A part of the line.
#[derive(Clone, Copy)]
struct Part {
    /// The first bits of all its positions, and how many they are.
    prefix: u32,
    depth: u32,
    /// How many of the draws fall into it.
    draws: usize,
    /// The rank that is wanted among them, from 0.
    rank: usize,
}

impl Draws<'_> {
    /// The position with `rank` of the other `n - 1` before it.
    pub(super) fn ranked(&mut self, n: usize, rank: usize) -> u32 {
        self.within(Part::whole(n, rank))
    }

    /// The positions of `rank` and of the next rank, of the same `n` draws.
    pub(super) fn adjacent(&mut self, n: usize, rank: usize) -> [u32; 2] {
        let mut part = Part::whole(n, rank);
        while part.depth < DEPTH {
            let lower = self.heads(part.draws);
            if part.rank + 1 == lower {
                let above = Part {
                    rank: part.rank + 1,
                    ..part
                };
                return [part, above].map(|part| self.within(part.half(lower)));
            }
            part = part.half(lower);
        }
        [part.prefix; 2]
    }

    /// The position of the rank that is wanted in `part`.
    fn within(&mut self, mut part: Part) -> u32 {
        while part.depth < DEPTH {
            if part.draws == 1 {
                let rest = self.0.position() >> part.depth;
                return part.prefix << (DEPTH - part.depth) | rest;
            }
            part = part.half(self.heads(part.draws));
        }
        part.prefix
    }

    /// How many of `n` fair coins show heads.
    fn heads(&mut self, n: usize) -> usize {
        let words: u32 = (0..n / 64).map(|_| self.0.bits().count_ones()).sum();
        let rest = (1 << (n % 64)) - 1;
        (words + (self.0.bits() & rest).count_ones()) as usize
    }
}

impl Part {
    fn whole(draws: usize, rank: usize) -> Self {
        Self {
            prefix: 0,
            depth: 0,
            draws,
            rank,
        }
    }

    /// The half that holds the rank, when `lower` of the draws fall into the lower one.
    fn half(self, lower: usize) -> Self {
        let upper = self.rank >= lower;
        Self {
            prefix: self.prefix << 1 | u32::from(upper),
            depth: self.depth + 1,
            draws: if upper { self.draws - lower } else { lower },
            rank: if upper { self.rank - lower } else { self.rank },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::random::part_of;

    const ROUNDS: usize = 20_000;

    /// Means of what `draw` gives, as parts of the line.
    fn means(mut draw: impl FnMut() -> [u32; 2]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for _ in 0..ROUNDS {
            let drawn = draw();
            assert!(drawn[0] <= drawn[1]);
            sums = [0, 1].map(|i| sums[i] + f64::from(drawn[i]) / 2f64.powi(32));
        }
        sums.map(|sum| sum / ROUNDS as f64)
    }

    /// The draw ranked k of n has the mean k/(n + 1), counted from 1, and is never off by more
    /// than ½ of a part of the line with a variance of at most 1/(4(n + 2)).
    #[test]
    fn means_are_those_of_order_statistics() {
        let mut random = Random::new(5);
        for n in [2, 10, 31, 64, 65, 200] {
            let tolerance = 5.0 * (0.25 / (n as f64 + 2.0) / ROUNDS as f64).sqrt();
            for rank in [0, n / 2 - 1, n - 2] {
                let pair = means(|| Draws(&mut random).adjacent(n, rank));
                let single = means(|| [Draws(&mut random).ranked(n, rank); 2]);
                let expected = (rank + 1) as f64 / (n as f64 + 1.0);
                let next = (rank + 2) as f64 / (n as f64 + 1.0);
                assert!(
                    (pair[0] - expected).abs() < tolerance,
                    "{n} {rank}: {pair:?}"
                );
                assert!((pair[1] - next).abs() < tolerance, "{n} {rank}: {pair:?}");
                assert!((single[0] - expected).abs() < tolerance, "{n} {rank}");
            }
        }
    }

    /// Against n draws that are sorted: how often each of five equal parts holds the median.
    #[test]
    fn as_by_sorting() {
        let mut random = Random::new(6);
        for n in [5, 12] {
            let mut counts = [[0i32; 5]; 2];
            for _ in 0..ROUNDS {
                let mut drawn: Vec<u32> = (0..n).map(|_| random.position()).collect();
                drawn.sort_unstable();
                counts[0][part_of(drawn[n / 2], 5)] += 1;
                counts[1][part_of(Draws(&mut random).ranked(n, n / 2), 5)] += 1;
            }
            for (sorted, direct) in counts[0].iter().zip(counts[1]) {
                // Five standard deviations of a difference of two counts.
                assert!((sorted - direct).abs() < 500, "n = {n}: {counts:?}");
            }
        }
    }
}
