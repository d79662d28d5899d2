//! Change points: where the level of a history of numbers changes.

use super::quantile;
use crate::base::random::Random;

/// A change point of a history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelChange {
    /// Index of the first number of the new level, from 0.
    pub index: usize,
    /// Median of the new level divided by that of the old one.
    pub ratio: f64,
    /// Probability of so clear a step if the same numbers were in random order.
    pub p: f64,
}

/// The maximum p of a change point. Every history of a page is searched; in one out of a hundred
/// without a change point, one may be marked by chance.
const ALPHA: f64 = 0.01;

/// Number of shuffles in the permutation test, as in the R package by the method's authors.
const SHUFFLES: u32 = 199;

/// The minimum length of a level, so that a spike of one or two numbers is not a level.
pub const MIN_LEVEL: usize = 3;

/// The minimum length of a history that can be tested. Of 12 numbers in two levels of six, 2 of
/// C(12, 6) = 924 orders are as clear as the sorted one, so more than one such shuffle is rare.
/// With 10 numbers it is 2 of 252, and two such shuffles are common.
pub const MIN_HISTORY: usize = 12;

/// The maximum number of values searched at once. The work grows with its square, and twice as
/// many values do not make a change point much clearer.
const WINDOW: usize = 100;

/// Finds all change points, in order, by E-divisive: Matteson and James, "A Nonparametric Approach
/// for Multiple Change Point Analysis of Multivariate Data", JASA 109 (2014). Splits the history
/// where the energy distance of the two parts is greatest, if that exceeds the distance in all but
/// 1 % of random orders, and then each part likewise. No distribution is assumed. Unlike in the
/// paper, each part is tested separately, so that later parts do not depend on earlier ones.
/// Adjacent levels are merged if the greater exceeds the lesser by a share below `threshold`.
///
/// Histories shorter than [`MIN_HISTORY`] have none, nor do those with a number that is not finite
/// and positive. To keep the work linear in the length, long histories are searched in a window
/// that advances to the last change point found, or by half its width.
pub fn change_points(history: &[f64], threshold: f64) -> Vec<LevelChange> {
    let mut found = Vec::new();
    let is_valid = history.iter().all(|v| v.is_finite() && *v > 0.0);
    if !is_valid || history.len() < MIN_HISTORY {
        return found;
    }
    let mut start = 0;
    loop {
        let end = history.len().min(start + WINDOW);
        let known = found.len();
        search(&history[start..end], start, &mut found);
        if end == history.len() {
            break;
        }
        let last = found[known..].iter().map(|point| point.index).max();
        start = last.unwrap_or(start + WINDOW / 2);
    }
    found.sort_by_key(|point| point.index);
    loop {
        compare_levels(history, &mut found);
        let distance = |point: &LevelChange| point.ratio.max(1.0 / point.ratio) - 1.0;
        let distances = found.iter().map(distance).enumerate();
        match distances.min_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((at, distance)) if distance < threshold => drop(found.remove(at)),
            _ => return found,
        }
    }
}

/// Adds the change points in `part`, which begins at `start`.
fn search(part: &[f64], start: usize, found: &mut Vec<LevelChange>) {
    if part.len() < MIN_HISTORY {
        return;
    }
    let (at, energy) = best_split(part, f64::INFINITY);
    if let Some(p) = shuffled_p(part, energy) {
        let (index, ratio) = (start + at, 1.0);
        found.push(LevelChange { index, ratio, p });
        search(&part[..at], start, found);
        search(&part[at..], start + at, found);
    }
}

/// Sets the ratio of each change point: the median of the level after it by that of the one before.
fn compare_levels(history: &[f64], found: &mut [LevelChange]) {
    let mut start = 0;
    for at in 0..found.len() {
        let index = found[at].index;
        let end = found.get(at + 1).map_or(history.len(), |next| next.index);
        let [old, new] = [start..index, index..end]
            .map(|level| quantile(history[level].to_vec(), 0.5).expect("a level has numbers"));
        found[at].ratio = new / old;
        start = index;
    }
}

/// The share of orders, this one included, whose best split is as clear as `energy`. Stops with
/// `None` once it is certain to exceed `ALPHA`, which is early in noise. The seed is fixed.
fn shuffled_p(part: &[f64], energy: f64) -> Option<f64> {
    let all = f64::from(SHUFFLES + 1);
    let mut random = Random::new(part.len() as u64);
    let mut shuffled = part.to_vec();
    let mut as_clear = 1;
    // Tolerates rounding: the order of additions differs.
    let enough = energy * (1.0 - 1e-9);
    for _ in 0..SHUFFLES {
        random.shuffle(&mut shuffled);
        if best_split(&shuffled, enough).1 >= enough {
            as_clear += 1;
        }
        if f64::from(as_clear) / all > ALPHA {
            return None;
        }
    }
    Some(f64::from(as_clear) / all)
}

/// The index where a level ends most clearly, and the energy there: mn/(m + n) · (2·mean|x − y| −
/// mean|x − x'| − mean|y − y'|) of the m values before it and the n values from it up to some later
/// index, with means over all pairs across the two parts and within each. The second part need not
/// reach the end, otherwise a step that is later reverted would be missed. Returns the first index
/// with `enough` energy, if there is one.
///
/// With many reports, `ingest` spends more time here than in any other function. The compiler can vectorize the
/// inner loops, but that of a running sum, and a maximum: that there is none is seen by counting.
fn best_split(values: &[f64], enough: f64) -> (usize, f64) {
    let total = values.len();
    // Sums over the pairs within the first k values.
    let mut within = vec![0.0; total + 1];
    for (i, value) in values.iter().enumerate() {
        for (sum, other) in within[i + 1..].iter_mut().zip(&values[i..]) {
            *sum += (value - other).abs();
        }
    }
    for k in 1..=total {
        within[k] += within[k - 1];
    }
    // To divide, or to convert an integer, would take longer than the rest of the inner loop.
    let numbers: Vec<f64> = (0..=total).map(|k| k as f64).collect();
    let inverse: Vec<f64> = numbers.iter().map(|k| 1.0 / k).collect();
    // Sum of the distances from each value to the left part.
    let mut to_left = vec![0.0; total];
    // Energy if the right part ends with this value.
    let mut energies = vec![0.0; total];
    let mut best = (0, 0.0);
    for m in 1..=total.saturating_sub(MIN_LEVEL) {
        let mut across = 0.0;
        for (at, value) in values.iter().enumerate().skip(m) {
            to_left[at] += (values[m - 1] - value).abs();
            across += to_left[at];
            energies[at] = across;
        }
        if m < MIN_LEVEL {
            continue;
        }
        let within_left = within[m] * inverse[m - 1];
        let ends = &mut energies[m + MIN_LEVEL - 1..];
        // Slices of the length of `ends`, so that the loop has no checks of bounds.
        let count = ends.len();
        let within_both = &within[m + MIN_LEVEL..][..count];
        let by_right = &inverse[MIN_LEVEL - 1..][..count];
        let by_both = &inverse[m + MIN_LEVEL..][..count];
        let of_right = &numbers[MIN_LEVEL..][..count];
        for (i, energy) in ends.iter_mut().enumerate() {
            let across = *energy;
            let within_right = (within_both[i] - within[m] - across) * by_right[i];
            let apart = across - within_left * of_right[i] - within_right * numbers[m];
            *energy = 2.0 * apart * by_both[i];
        }
        if ends.iter().filter(|energy| **energy > best.1).count() > 0 {
            let energy = ends.iter().copied().fold(best.1, f64::max);
            best = (m, energy);
            if energy >= enough {
                return best;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests;
