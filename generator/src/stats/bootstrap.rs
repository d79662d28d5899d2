//! Confidence interval of the ratio of two estimates: the percentile bootstrap, computed exactly.
//!
//! Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13: both samples are
//! resampled with replacement, independently, and the middle 95 % of the ratios of their
//! estimates are kept. An estimate by rank takes few values, with known probabilities, so no
//! resamples have to be drawn.

use super::{Estimator, Interval, Sample};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Minimum sample size: smaller samples have too few distinct medians.
pub const MIN_SAMPLE_FOR_BOOTSTRAP: usize = 10;

const ENDS: [f64; 2] = [0.025, 0.975];

/// The ends of 95 % of a normal distribution, and the density there, in standard deviations.
const NORMAL_ENDS: [f64; 2] = [-1.96, 1.96];
const NORMAL_DENSITY: f64 = 0.0584;

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
        let [low, high] = [0, 1].map(|end| quantile(&baseline, &candidate, end));
        (low.is_normal() && high.is_normal()).then_some(Self { low, high })
    }
}

/// The least ratio that is not exceeded with the probability of an end. Steps that would be right
/// for a normal distribution lead close to it; the ratios that are left are sorted.
fn quantile(baseline: &[Weighted], candidate: &[Weighted], end: usize) -> f64 {
    let ([old, old_spread], [new, new_spread]) = (moments(baseline), moments(candidate));
    let deviation = (old_spread + new_spread).sqrt() * new / old;
    let mut number = new / old + NORMAL_ENDS[end] * deviation;
    // The quantile is above the first number and at most the second.
    let (mut least, mut greatest) = (0.0, f64::INFINITY);
    let [olds, news] = [baseline.len(), candidate.len()];
    let (mut below, mut up_to) = (Share::default(), olds * news);
    for step in 1.. {
        let middle = middle(least, greatest);
        // Sorting more of them takes longer than a step.
        if up_to - below.count <= olds + news || middle == least {
            break;
        }
        // Bisection always ends, also where the distribution is far from normal.
        if step % 8 == 0 || !(least < number && number < greatest) {
            number = middle;
        }
        let share = Share::up_to(number, baseline, candidate);
        let distance = share.probability - ENDS[end];
        match distance >= -ROUNDING {
            true => (greatest, up_to) = (number, share.count),
            false => (least, below) = (number, share),
        }
        // A little beyond, so that the next number is on the other side.
        let beyond = 0.1 * distance.signum() * (1.0 / olds as f64 + 1.0 / news as f64);
        number -= (distance + beyond) * deviation / NORMAL_DENSITY;
    }
    let mut probability = below.probability;
    let mut last = greatest;
    for ratio in ratios(least, greatest, baseline, candidate) {
        probability += ratio.probability;
        last = ratio.value;
        if probability >= ENDS[end] - ROUNDING {
            break;
        }
    }
    last
}

/// The mean of the outcomes, and their relative variance.
fn moments(side: &[Weighted]) -> [f64; 2] {
    let mean: f64 = side.iter().map(|one| one.probability * one.value).sum();
    let square = |one: &Weighted| one.probability * (one.value / mean - 1.0).powi(2);
    [mean, side.iter().map(square).sum()]
}

/// The middle one of the doubles from `low` to `high`; `low` if there is none between: positive
/// doubles are in the order of their bits.
fn middle(low: f64, high: f64) -> f64 {
    let [low, high] = [low, high].map(f64::to_bits);
    f64::from_bits(low + (high - low) / 2)
}

/// The number and the probability of some ratios.
#[derive(Default)]
struct Share {
    count: usize,
    probability: f64,
}

impl Share {
    /// Of the ratios that are at most this number.
    fn up_to(number: f64, baseline: &[Weighted], candidate: &[Weighted]) -> Self {
        let mut share = Self::default();
        // A candidate that is below with one divisor is further below with the next.
        let (mut next, mut passed) = (0, 0.0);
        for divisor in baseline {
            // A product a divisor takes less time than a quotient a candidate.
            let limit = number * divisor.value;
            while next < candidate.len() && candidate[next].value <= limit {
                passed += candidate[next].probability;
                next += 1;
            }
            share.count += next;
            share.probability += divisor.probability * passed;
        }
        share
    }
}

/// The ratios above `least` and up to `greatest`, in ascending order.
fn ratios(
    least: f64,
    greatest: f64,
    baseline: &[Weighted],
    candidate: &[Weighted],
) -> Vec<Weighted> {
    let mut ratios = Vec::new();
    let mut first = 0;
    for divisor in baseline {
        let limits = [least, greatest].map(|number| number * divisor.value);
        while first < candidate.len() && candidate[first].value <= limits[0] {
            first += 1;
        }
        for one in &candidate[first..] {
            if one.value > limits[1] {
                break;
            }
            let value = one.value / divisor.value;
            let probability = one.probability * divisor.probability;
            ratios.push(Weighted { value, probability });
        }
    }
    sort(&mut ratios);
    ratios
}

/// By bits, positive doubles sort twice as fast.
fn sort(values: &mut [Weighted]) {
    values.sort_unstable_by_key(|one| one.value.to_bits());
}

/// All possible estimates of a resample, in ascending order; `None` for means.
fn outcomes(values: &[f64], estimator: Estimator) -> Option<Vec<Weighted>> {
    let draws = kept_draws(values.len(), estimator)?;
    let mean = |draw: &Draw| {
        let [lower, upper] = [draw.lower, draw.upper].map(|at| values[at as usize]);
        Weighted {
            value: lower + (upper - lower) / 2.0,
            probability: draw.probability,
        }
    };
    let mut means: Vec<Weighted> = draws.iter().map(mean).collect();
    sort(&mut means);
    means.dedup_by(|next, mean| {
        let is_equal = next.value == mean.value;
        if is_equal {
            mean.probability += next.probability;
        }
        is_equal
    });
    Some(means)
}

/// The indices of the two values of a sample whose mean is the estimate of a resample, or twice
/// that of one value, and their probability.
struct Draw {
    lower: u32,
    upper: u32,
    probability: f64,
}

type Draws = Arc<[Draw]>;

/// The draws that n values can have, which are kept: a site compares thousands of samples with as
/// many runs.
fn kept_draws(n: usize, estimator: Estimator) -> Option<Draws> {
    static KEPT: Mutex<BTreeMap<(usize, Estimator), Draws>> = Mutex::new(BTreeMap::new());
    if estimator == Estimator::Mean {
        return None;
    }
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let draws = kept.entry((n, estimator));
    Some(Arc::clone(
        draws.or_insert_with(|| draws_of(n, estimator).into()),
    ))
}

/// All draws of n values. The two middle ones of n = 2m are the i-th and the j-th
/// value with probability C(n, m) · ((i/n)ᵐ − ((i−1)/n)ᵐ) · ((above/n)ᵐ − ((above−1)/n)ᵐ), where
/// `above` values are not below the j-th; both are the i-th with the rest of P(the lower is i).
fn draws_of(n: usize, estimator: Estimator) -> Vec<Draw> {
    let m = n / 2;
    let (rank, has_pairs) = match estimator {
        Estimator::Median if n.is_multiple_of(2) => (m, true),
        Estimator::Min => (1, false),
        Estimator::Max => (n, false),
        _ => (m + 1, false),
    };
    // C(n, m) / 2ⁿ; with it every factor is at most 1.
    let central: f64 = (1..=m).map(|k| 1.0 - 0.5 / k as f64).product();
    let power = |base: f64| base.powi(m as i32);
    let last_part: Vec<f64> = (1..=n).map(|k| 1.0 - power(1.0 - 1.0 / k as f64)).collect();
    let mut draws = Vec::new();
    for (lower, mut rest) in of_rank(n, rank).into_iter().enumerate() {
        let mut add = |upper: usize, probability| {
            let [lower, upper] = [lower, upper].map(|at| at as u32);
            draws.push(Draw {
                lower,
                upper,
                probability,
            });
        };
        for upper in lower + 1..if has_pairs { n } else { 0 } {
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
        if rest > 0.0 {
            add(lower, rest);
        }
    }
    draws
}

/// The probability of each of n values to have this rank, from 1, among n draws: at least `rank`
/// draws are at most the i-th value, but fewer are at most the one before it.
fn of_rank(n: usize, rank: usize) -> Vec<f64> {
    let up_to: Vec<f64> = (0..=n).map(|i| draws_up_to(n, i, rank)).collect();
    up_to.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// P(Bin(n, i/n) ≥ rank), summed from the mode, i, outwards to avoid overflow and loss of
/// precision.
fn draws_up_to(n: usize, i: usize, rank: usize) -> f64 {
    if i == 0 || i == n {
        return if i == n { 1.0 } else { 0.0 };
    }
    let odds = i as f64 / (n - i) as f64;
    let (mut total, mut reached) = (0.0, 0.0);
    let mut add = |k: usize, weight: f64| {
        total += weight;
        reached += if k >= rank { weight } else { 0.0 };
    };
    let mut weight = 1.0;
    for k in i..=n {
        if weight < VANISHING {
            break;
        }
        add(k, weight);
        weight *= (n - k) as f64 / (k + 1) as f64 * odds;
    }
    weight = 1.0;
    for k in (0..i).rev() {
        weight *= (k + 1) as f64 / (n - k) as f64 / odds;
        if weight < VANISHING {
            break;
        }
        add(k, weight);
    }
    reached / total
}

#[cfg(test)]
mod tests;
