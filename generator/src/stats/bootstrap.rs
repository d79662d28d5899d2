//! Confidence interval of the ratio of two estimates: the percentile bootstrap, computed exactly.
//!
//! Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13: both samples are
//! resampled with replacement, independently, and the middle 95 % of the ratios of their
//! estimates are kept. An estimate by rank takes few values, with known probabilities, so no
//! resamples have to be drawn.

use super::{Estimator, Interval, Sample};
use std::sync::OnceLock;

/// Minimum sample size: smaller samples have too few distinct medians.
pub const MIN_SAMPLE_FOR_BOOTSTRAP: usize = 10;

const ENDS: [f64; 2] = [0.025, 0.975];

/// Tolerance for rounding when a sum of probabilities is compared with an end.
const ROUNDING: f64 = 1e-12;

/// Less likely pairs of middle values count as two of the lower one. Together they are less likely
/// than 1e-7 at up to 10,000 values, and the number of remaining pairs grows with n instead of n².
const NEGLIGIBLE: f64 = 1e-10;

/// Weights this small relative to that of the mode do not change the sum.
const VANISHING: f64 = 1e-20;

/// A possible estimate of a resample, and its probability.
#[derive(Clone, Copy)]
struct Weighted {
    value: f64,
    probability: f64,
}

impl Interval {
    /// The interval of candidate / baseline, with a confidence of nearly 95 %. `None` below 10
    /// values per side, for means, which have no such discrete distribution, and where a ratio is
    /// outside the range of a double.
    pub fn of_ratio(baseline: &Sample, candidate: &Sample, estimator: Estimator) -> Option<Self> {
        if baseline.len().min(candidate.len()) < MIN_SAMPLE_FOR_BOOTSTRAP {
            return None;
        }
        // Zeros have no ratio.
        if baseline.values()[0] == 0.0 || candidate.values()[0] == 0.0 {
            return None;
        }
        let baseline = outcomes(baseline.values(), estimator)?;
        let candidate = outcomes(candidate.values(), estimator)?;
        let [low, high] = ENDS.map(|end| quantile(&baseline, &candidate, end));
        (low.is_normal() && high.is_normal()).then_some(Self { low, high })
    }
}

/// The least ratio that is not exceeded with a probability of at least `end`: by secants from where
/// a normal distribution would have it, until the ratios that are left are few enough to be sorted.
fn quantile(baseline: &[Weighted], candidate: &[Weighted], end: f64) -> f64 {
    let mut least = candidate[0].value / baseline[baseline.len() - 1].value;
    let mut greatest = candidate[candidate.len() - 1].value / baseline[0].value;
    let ([old, old_spread], [new, new_spread]) = (moments(baseline), moments(candidate));
    let deviation = (old_spread + new_spread).sqrt() * new / old;
    let mut number = new / old + if end < 0.5 { -NORMAL_END } else { NORMAL_END } * deviation;
    let mut slope = NORMAL_DENSITY / deviation;
    let lengths = [baseline, candidate].map(|side| side.len() as f64);
    // So many ratios are sorted in the time of a split.
    let few = 0.3 * (lengths[0] + lengths[1]) / (lengths[0] * lengths[1]);
    let (mut below, mut above) = (0.0, 1.0);
    let mut last: Option<[f64; 2]> = None;
    for step in 0.. {
        if least >= greatest {
            break;
        }
        if above - below < few
            && step < SECANTS
            && let Some(found) = sorted([least, greatest], below, end, [baseline, candidate])
        {
            return found;
        }
        if !(least..greatest).contains(&number) || step >= SECANTS {
            number = middle(least, greatest);
        }
        let split = Split::at(number, baseline, candidate);
        match split.probability >= end - ROUNDING {
            true => (greatest, above) = (split.last_below, split.probability),
            false => (least, below) = (split.first_above, split.probability),
        }
        if let Some([other, probability]) = last {
            let secant = (split.probability - probability) / (number - other);
            if secant.is_finite() && secant > 0.0 {
                slope = secant;
            }
        }
        last = Some([number, split.probability]);
        // A little beyond, so that the next split is on the other side.
        let far = split.probability - end;
        number -= (far + far.signum() * few * 0.3) / slope;
    }
    greatest
}

/// The end of 95 % of a normal distribution, and the density there, in standard deviations.
const NORMAL_END: f64 = 1.96;
const NORMAL_DENSITY: f64 = 0.0584;

/// After so many secants, as among ties, bisection is quicker.
const SECANTS: usize = 12;

/// The mean of the outcomes, and their relative variance.
fn moments(side: &[Weighted]) -> [f64; 2] {
    let mean: f64 = side.iter().map(|one| one.probability * one.value).sum();
    let square = |one: &Weighted| one.probability * (one.value / mean - 1.0).powi(2);
    [mean, side.iter().map(square).sum()]
}

/// The quantile among the ratios from `least` to `greatest`, with a probability of `below` below
/// them;
/// `None` if they are too many.
fn sorted(
    [least, greatest]: [f64; 2],
    below: f64,
    end: f64,
    [baseline, candidate]: [&[Weighted]; 2],
) -> Option<f64> {
    let most = 2 * (baseline.len() + candidate.len());
    let mut found = Vec::with_capacity(most);
    let mut first = 0;
    for divisor in baseline {
        while first < candidate.len() && candidate[first].value / divisor.value < least {
            first += 1;
        }
        for one in &candidate[first..] {
            let ratio = one.value / divisor.value;
            if ratio > greatest {
                break;
            }
            if found.len() == most {
                return None;
            }
            found.push((ratio, one.probability * divisor.probability));
        }
    }
    found.sort_unstable_by_key(|(ratio, _): &(f64, f64)| ratio.to_bits());
    let mut probability = below;
    for (ratio, own) in found {
        probability += own;
        if probability >= end - ROUNDING {
            return Some(ratio);
        }
    }
    Some(greatest)
}

/// The middle one of the doubles from `low` to `high`, which is below `high`: positive doubles are
/// in the order of their bits.
fn middle(low: f64, high: f64) -> f64 {
    let [low, high] = [low, high].map(f64::to_bits);
    f64::from_bits(low + (high - low) / 2)
}

/// The possible ratios on both sides of a number.
struct Split {
    /// P(candidate / baseline ≤ the number).
    probability: f64,
    /// The greatest ratio that is at most the number; 0 if there is none.
    last_below: f64,
    /// The least ratio above it.
    first_above: f64,
}

impl Split {
    fn at(number: f64, baseline: &[Weighted], candidate: &[Weighted]) -> Self {
        let mut split = Self {
            probability: 0.0,
            last_below: 0.0,
            first_above: f64::INFINITY,
        };
        // A candidate that is below with one divisor is further below with the next.
        let (mut next, mut passed) = (0, 0.0);
        for divisor in baseline {
            while next < candidate.len() {
                let ratio = candidate[next].value / divisor.value;
                if ratio > number {
                    split.first_above = split.first_above.min(ratio);
                    break;
                }
                split.last_below = split.last_below.max(ratio);
                passed += candidate[next].probability;
                next += 1;
            }
            split.probability += divisor.probability * passed;
        }
        split
    }
}

/// All possible estimates of a resample, in ascending order; `None` for means.
fn outcomes(values: &[f64], estimator: Estimator) -> Option<Vec<Weighted>> {
    let n = values.len();
    match estimator {
        Estimator::Median if n.is_multiple_of(2) => Some(middle_means(values)),
        Estimator::Median | Estimator::MedianHigh => Some(ranked(values, n / 2 + 1)),
        Estimator::Min => Some(ranked(values, 1)),
        Estimator::Max => Some(ranked(values, n)),
        Estimator::Mean => None,
    }
}

/// The distribution of the value with this rank, from 1, among n draws.
fn ranked(values: &[f64], rank: usize) -> Vec<Weighted> {
    let outcomes = values.iter().zip(of_rank(values.len(), rank));
    let outcomes = outcomes.map(|(&value, probability)| Weighted { value, probability });
    outcomes.collect()
}

/// The probability of each of n values to have this rank among n draws: at least `rank` draws are
/// at most the i-th value, but fewer are at most the one before it.
fn of_rank(n: usize, rank: usize) -> Vec<f64> {
    let up_to: Vec<f64> = (0..=n).map(|i| draws_up_to(n, i, rank)).collect();
    up_to.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// P(Bin(n, i/n) ≥ rank), summed from the mode outwards to avoid overflow and loss of precision.
fn draws_up_to(n: usize, i: usize, rank: usize) -> f64 {
    if i == 0 || i == n {
        return if i == n { 1.0 } else { 0.0 };
    }
    let odds = i as f64 / (n - i) as f64;
    // The mode of Bin(n, i/n), as n·i/n is whole.
    let mode = i;
    let mut total = 1.0;
    let mut reached = if mode >= rank { 1.0 } else { 0.0 };
    let mut add = |k: usize, weight: f64| {
        total += weight;
        reached += if k >= rank { weight } else { 0.0 };
        weight > VANISHING
    };
    let mut weight = 1.0;
    for k in mode + 1..=n {
        weight *= (n - k + 1) as f64 / k as f64 * odds;
        if !add(k, weight) {
            break;
        }
    }
    weight = 1.0;
    for k in (0..mode).rev() {
        weight *= (k + 1) as f64 / (n - k) as f64 / odds;
        if !add(k, weight) {
            break;
        }
    }
    reached / total
}

/// The distribution of the mean of the two middle draws of an even number of values.
fn middle_means(values: &[f64]) -> Vec<Weighted> {
    static KEPT: [OnceLock<Vec<MiddlePair>>; MAX_KEPT + 1] =
        [const { OnceLock::new() }; MAX_KEPT + 1];
    let n = values.len();
    let made;
    let pairs = match KEPT.get(n) {
        Some(kept) => kept.get_or_init(|| middle_pairs(n)),
        None => {
            made = middle_pairs(n);
            &made
        }
    };
    let mean = |pair: &MiddlePair| {
        let [lower, upper] = [pair.lower, pair.upper].map(|at| values[at]);
        Weighted {
            value: lower + (upper - lower) / 2.0,
            probability: pair.probability,
        }
    };
    let mut means: Vec<Weighted> = pairs.iter().map(mean).collect();
    // Positive doubles are in the order of their bits, which sort twice as fast.
    means.sort_unstable_by_key(|mean| mean.value.to_bits());
    means
}

/// The indices of two middle draws among the values, and their probability.
struct MiddlePair {
    lower: usize,
    upper: usize,
    probability: f64,
}

/// The greatest n whose pairs are kept: a site compares thousands of samples with as many runs.
const MAX_KEPT: usize = 100;

/// All pairs of middle draws of n = 2m. They are the i-th and the j-th
/// value with probability C(n, m) · ((i/n)ᵐ − ((i−1)/n)ᵐ) · ((above/n)ᵐ − ((above−1)/n)ᵐ), where
/// `above` values are not below the j-th; both are the i-th with the rest of P(the lower is i).
fn middle_pairs(n: usize) -> Vec<MiddlePair> {
    let m = n / 2;
    // C(n, m) / 2ⁿ; with it every factor is at most 1.
    let central: f64 = (1..=m).map(|k| 1.0 - 0.5 / k as f64).product();
    let power = |base: f64| base.powi(m as i32);
    let last_part: Vec<f64> = (1..=n).map(|k| 1.0 - power(1.0 - 1.0 / k as f64)).collect();
    let mut pairs = Vec::new();
    for (lower, mut rest) in of_rank(n, m).into_iter().enumerate() {
        let mut add = |upper, probability| {
            pairs.push(MiddlePair {
                lower,
                upper,
                probability,
            });
        };
        for upper in lower + 1..n {
            let above = n - upper;
            let product = 4.0 * ((lower + 1) * above) as f64 / (n * n) as f64;
            let probability = central * power(product) * last_part[lower] * last_part[above - 1];
            // Values further up are even less likely.
            if probability < NEGLIGIBLE {
                break;
            }
            rest -= probability;
            add(upper, probability);
        }
        add(lower, rest.max(0.0));
    }
    pairs
}

#[cfg(test)]
mod tests;
