//! Wilcoxon's signed-rank test: do the values of two samples differ, pair by pair?
//!
//! For runs that share what disturbs the machine. It assumes that differences are symmetric around
//! their median. Pairs of equal values say nothing of a direction and are left out, as Wilcoxon
//! did.

use super::Test;

/// Differences within it are equal: those of logarithms of a ratio and of its inverse are rounded
/// by about 1e-16, and figures have far fewer than twelve digits.
const ROUNDING: f64 = 1e-12;

/// Tests whether the median of differences is 0: two-sided and exact, ties included, from the
/// distribution over all signs. Ties do not change the minimum p of so many differences.
pub(super) fn signed_rank(differences: &[f64]) -> Test {
    let doubled = doubled_ranks(differences);
    let total: usize = doubled.iter().map(|(rank, _)| rank).sum();
    let positive = doubled.iter().filter(|(_, is_positive)| *is_positive);
    let positive: usize = positive.map(|(rank, _)| rank).sum();
    let lesser = positive.min(total - positive);
    // The probability of each sum of positive ranks, rank by rank, in the tail: greater sums never
    // become less.
    let mut sums = vec![0.0; lesser + 1];
    sums[0] = 1.0;
    let mut greatest = 0;
    for (rank, _) in &doubled {
        greatest = lesser.min(greatest + rank);
        for sum in (*rank..=greatest).rev() {
            sums[sum] += sums[sum - rank];
        }
        for sum in &mut sums[..=greatest] {
            *sum /= 2.0;
        }
    }
    let tail: f64 = sums.iter().sum();
    Test {
        p: (2.0 * tail).min(1.0),
        min_p: (2.0 * 0.5f64.powi(doubled.len() as i32)).min(1.0),
        is_paired: true,
    }
}

/// Returns twice the rank of the size of each difference that is not 0, and whether it is positive.
/// Equal sizes share the mean of their ranks.
fn doubled_ranks(differences: &[f64]) -> Vec<(usize, bool)> {
    let mut sorted = differences.to_vec();
    sorted.retain(|difference| difference.abs() > ROUNDING);
    sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let mut below = 0;
    let mut ranks = Vec::new();
    for tied in sorted.chunk_by(|a, b| b.abs() - a.abs() <= ROUNDING) {
        let doubled = 2 * below + tied.len() + 1;
        ranks.extend(tied.iter().map(|d| (doubled, *d > 0.0)));
        below += tied.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The p of each choice of signs, counted.
    fn enumerated(differences: &[f64]) -> f64 {
        let ranks = doubled_ranks(differences);
        let total: usize = ranks.iter().map(|r| r.0).sum();
        let distance = |sum: usize| (2 * sum).abs_diff(total);
        let found = ranks.iter().filter(|r| r.1).map(|r| r.0).sum();
        let all = 1u32 << ranks.len();
        let sum = |signs: u32| {
            let chosen = (0..ranks.len()).filter(|i| signs & (1 << i) != 0);
            chosen.map(|i| ranks[i].0).sum::<usize>()
        };
        let as_far = (0..all).filter(|signs| distance(sum(*signs)) >= distance(found));
        as_far.count() as f64 / f64::from(all)
    }

    /// By `scipy.stats.wilcoxon(x, method="exact")`, SciPy 1.17; the example is Wilcoxon's of 1945.
    #[test]
    fn golden() {
        let plants = [
            49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0,
            -48.0,
        ];
        assert!((signed_rank(&plants).p - 0.041_259_765_625).abs() < 1e-12);
        assert_eq!(signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).p, 0.03125);
        assert_eq!(signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).min_p, 0.03125);
        assert_eq!(signed_rank(&[]).p, 1.0);
        assert_eq!(signed_rank(&[0.0, 0.0, 3.0]).p, 1.0);
    }

    #[test]
    fn equal_pairs_cannot_lower_the_minimum() {
        assert_eq!(signed_rank(&[0.0, 2.0, 0.0, -1.0, 3.0, 0.0]).min_p, 0.25);
        assert_eq!(signed_rank(&[0.0, 1e-16]).min_p, 1.0);
    }

    /// Without the tolerance, the ranks of a ratio and of its inverse would depend on rounding.
    #[test]
    fn a_ratio_and_its_inverse_are_tied() {
        for number in 1..500 {
            let ratio = 1.0 + f64::from(number) / 7000.0;
            let logs = [ratio, 1.0 / ratio, 2.0].map(f64::ln);
            let ranks: Vec<usize> = doubled_ranks(&logs).iter().map(|r| r.0).collect();
            assert_eq!(ranks, [3, 3, 6], "{ratio}");
        }
    }

    #[test]
    fn equals_enumeration_with_ties_and_zeros() {
        let random = &mut crate::base::random::Random::new(7);
        for _ in 0..500 {
            let n = 1 + random.below(10);
            let one = |random: &mut crate::base::random::Random| random.below(9) as f64 - 4.0;
            let differences: Vec<f64> = (0..n).map(|_| one(random)).collect();
            let [found, counted] = [signed_rank(&differences).p, enumerated(&differences)];
            assert!(
                (found - counted).abs() < 1e-12,
                "{differences:?}: {found} {counted}"
            );
        }
    }
}
