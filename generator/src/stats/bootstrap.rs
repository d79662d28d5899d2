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

/// The least ratio that is not exceeded with a probability. Bisection leads close to it; the ratios
/// that are left are sorted.
fn quantile(baseline: &[Weighted], candidate: &[Weighted], end: f64) -> f64 {
    let [olds, news] = [baseline.len(), candidate.len()];
    // The quantile is above the first number and at most the second.
    let mut least = candidate[0].value / baseline[olds - 1].value * 0.999;
    let mut greatest = candidate[news - 1].value / baseline[0].value * 1.001;
    let (mut below, mut up_to, mut probability) = (0, olds * news, 0.0);
    loop {
        let middle = middle(least, greatest);
        // Sorting more of them takes longer than a step.
        if up_to - below <= olds + news || middle == least {
            break;
        }
        let (count, share) = share_up_to(middle, baseline, candidate);
        match share >= end - ROUNDING {
            true => (greatest, up_to) = (middle, count),
            false => (least, below, probability) = (middle, count, share),
        }
    }
    let mut last = greatest;
    for ratio in ratios(least, greatest, baseline, candidate) {
        probability += ratio.probability;
        last = ratio.value;
        if probability >= end - ROUNDING {
            break;
        }
    }
    last
}

/// The middle one of the doubles from `low` to `high`; `low` if there is none between: positive
/// doubles are in the order of their bits.
fn middle(low: f64, high: f64) -> f64 {
    let [low, high] = [low, high].map(f64::to_bits);
    f64::from_bits(low + (high - low) / 2)
}

/// The number and the probability of the ratios that are at most `number`.
fn share_up_to(number: f64, baseline: &[Weighted], candidate: &[Weighted]) -> (usize, f64) {
    let (mut count, mut probability) = (0, 0.0);
    // A candidate that is below with one divisor is further below with the next.
    let (mut next, mut passed) = (0, 0.0);
    for divisor in baseline {
        // A product a divisor takes less time than a quotient a candidate.
        let limit = number * divisor.value;
        while next < candidate.len() && candidate[next].value <= limit {
            passed += candidate[next].probability;
            next += 1;
        }
        count += next;
        probability += divisor.probability * passed;
    }
    (count, probability)
}

/// The ratios above `least` and up to `greatest`, in ascending order.
fn ratios(
    least: f64,
    greatest: f64,
    baseline: &[Weighted],
    candidate: &[Weighted],
) -> Vec<Weighted> {
    let mut ratios = Vec::new();
    for divisor in baseline {
        let [above, up_to] = [least, greatest].map(|number| number * divisor.value);
        let first = candidate.partition_point(|one| one.value <= above);
        for one in candidate[first..]
            .iter()
            .take_while(|one| one.value <= up_to)
        {
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
    let mut means: Vec<Weighted> = Vec::with_capacity(draws.len());
    for Draw { at, probability } in &*draws {
        let [lower, upper] = at.map(|at| values[at as usize]);
        let (value, probability) = (lower + (upper - lower) / 2.0, *probability);
        means.push(Weighted { value, probability });
    }
    sort(&mut means);
    means.dedup_by(|next, mean| {
        let is_equal = next.value == mean.value;
        mean.probability += if is_equal { next.probability } else { 0.0 };
        is_equal
    });
    Some(means)
}

/// The indices of the two values of a sample whose mean is the estimate of a resample, or twice
/// that of one value, and their probability.
struct Draw {
    at: [u32; 2],
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
            let at = [lower, upper].map(|at| at as u32);
            draws.push(Draw { at, probability });
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
