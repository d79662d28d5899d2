//! Change points: where the level of a history of numbers changes.

use super::{Estimator, Sample};
use crate::random::Random;
use serde::{Deserialize, Serialize};

/// A change point of a history.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct LevelChange {
    /// The first number of the new level, counted from 0.
    pub index: usize,
    /// The new level by the old one, medians both.
    pub ratio: f64,
    /// How likely so clear a step is among the same numbers in random order; none where the
    /// history is too short to test.
    pub p: Option<f64>,
}

/// The greatest p of a change point. Every history of a page is searched, and in one of a hundred
/// without any change point one may be marked.
const ALPHA: f64 = 0.01;

/// Shuffles that a history is compared with, as in the R package of the method's authors.
const SHUFFLES: u32 = 199;

/// The least length of a level. A spike of one or two numbers is none.
const MIN_LEVEL: usize = 3;

/// The least length of a history that can be tested: of 12 numbers in two levels of six, 2 of
/// C(12, 6) = 924 orders are as clear as the sorted one, so that with luck none and seldom more
/// than one of the shuffles is. With 10 it is 2 of 252, which two shuffles often are.
pub const MIN_HISTORY: usize = 12;

/// The most numbers that are looked at together. The work on them grows with their square, and
/// twice as many do not make a change point much clearer.
const WINDOW: usize = 100;

/// All change points, in order, by E-divisive: Matteson and James, "A Nonparametric Approach for
/// Multiple Change Point Analysis of Multivariate Data", JASA 109 (2014). The history is split
/// where the energy distance of the two parts is greatest, if that is greater than in all but 1 %
/// of random orders; then each part likewise. No distribution is assumed. Unlike there, each part
/// is tested by itself, so that later parts do not depend on earlier ones. Neighbouring levels
/// that differ by less than `threshold`, as a part of the lesser one, are one level after all.
///
/// Histories below [`MIN_HISTORY`] have none, nor do those with a number that is not finite and
/// positive. The work grows with the length: long histories are searched through a window that
/// moves on to the last change point found, or by half of itself.
pub fn change_points(history: &[f64], threshold: f64) -> Vec<LevelChange> {
    let mut found = Vec::new();
    let mut start = 0;
    loop {
        let end = history.len().min(start + WINDOW);
        let known = found.len();
        search(&history[start..end], start, &mut found);
        if end == history.len() {
            break;
        }
        let last = found[known..].iter().map(|(index, _)| *index).max();
        start = last.unwrap_or(start + WINDOW / 2);
    }
    found.sort_by_key(|(index, _)| *index);
    loop {
        let Some(points) = with_ratios(history, &found) else {
            return Vec::new();
        };
        let distance = |point: &LevelChange| point.ratio.max(1.0 / point.ratio) - 1.0;
        let distances = points.iter().map(distance).enumerate();
        let least = distances.min_by(|a, b| a.1.total_cmp(&b.1));
        match least {
            Some((at, distance)) if distance < threshold => drop(found.remove(at)),
            _ => return points,
        }
    }
}

/// Finds indices and their p in `part`, which begins at `start`.
fn search(part: &[f64], start: usize, found: &mut Vec<(usize, f64)>) {
    if part.len() < MIN_HISTORY {
        return;
    }
    let (at, energy) = best_split(part, f64::INFINITY);
    let Some(p) = shuffled_p(part, energy) else {
        return;
    };
    found.push((start + at, p));
    search(&part[..at], start, found);
    search(&part[at..], start + at, found);
}

/// The medians of the levels between the indices, compared. `None` if there is no median.
fn with_ratios(history: &[f64], found: &[(usize, f64)]) -> Option<Vec<LevelChange>> {
    let mut bounds: Vec<usize> = found.iter().map(|(index, _)| *index).collect();
    bounds.insert(0, 0);
    bounds.push(history.len());
    let level = |from: usize, to: usize| {
        let level = Sample::new(history[from..to].to_vec())?;
        let is_positive = level.values()[0] > 0.0;
        is_positive.then(|| level.estimate(Estimator::Median))
    };
    let step = |(b, &(index, p)): (&[usize], &(usize, f64))| {
        let ratio = level(b[1], b[2])? / level(b[0], b[1])?;
        Some(LevelChange {
            index,
            ratio,
            p: Some(p),
        })
    };
    bounds.windows(3).zip(found).map(step).collect()
}

/// Change points of a history that is too short to test, by size alone. `spread` is what a number
/// may be off by, as a part of it: half the width of its interval. A step of more than 2·spread
/// puts the intervals of two neighbours apart; the number after it has to stay apart from the one
/// before it too, else the step was a spike. None of them is tested.
pub fn untested_steps(history: &[f64], spread: f64) -> Vec<LevelChange> {
    let apart = |from: f64, to: f64| {
        ((to - from).abs() > 2.0 * spread * from.abs()).then_some(to - from > 0.0)
    };
    (1..history.len())
        .filter(|i| {
            let before = history[i - 1];
            let step = apart(before, history[*i]);
            let back = history
                .get(i + 1)
                .is_some_and(|next| apart(before, *next) != step);
            // What follows a spike is the way back from it.
            let spike = *i >= 2 && apart(history[i - 2], history[*i]).is_none();
            step.is_some() && !back && !spike
        })
        .map(|index| LevelChange {
            index,
            ratio: history[index] / history[index - 1],
            p: None,
        })
        .collect()
}

/// The share of orders, this one included, whose best split is as clear as `energy`; `None` as
/// soon as it is sure to exceed ALPHA, which is soon in noise. The seed is fixed.
fn shuffled_p(part: &[f64], energy: f64) -> Option<f64> {
    let all = f64::from(SHUFFLES + 1);
    let mut random = Random::new(part.len() as u64);
    let mut shuffled = part.to_vec();
    let mut as_clear = 1;
    // Equal but for the order of additions counts as equal.
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

/// The place where a level ends most clearly, and the energy there: of the values before it and
/// the values from it up to some later place, m and n of them, mn/(m + n) · (2·mean|x − y| −
/// mean|x − x'| − mean|y − y'|), means over all pairs of the two parts and within each. Were the
/// second part always all the rest, a step that is taken back would hide itself. The first place with
/// `enough` energy will do.
///
/// With many reports, `ingest` spends more time here than in any other function. Each inner loop does
/// one thing, so that the compiler can do it for two places at once.
fn best_split(values: &[f64], enough: f64) -> (usize, f64) {
    let total = values.len();
    // Sums over the pairs within the first k values.
    let mut within = vec![0.0; total + 1];
    for (i, value) in values.iter().enumerate() {
        add_distances(&mut within[i + 2..], *value, &values[i + 1..]);
    }
    for k in 1..=total {
        within[k] += within[k - 1];
    }
    // A division takes longer than all else that is done for a pair of places.
    let inverse: Vec<f64> = (0..=total).map(|k| 1.0 / k as f64).collect();
    // From each value to all of the left part.
    let mut to_left = vec![0.0; total];
    // Of a right part that ends with this value.
    let mut energies = vec![0.0; total];
    let mut best = (0, 0.0);
    for m in 1..=total.saturating_sub(MIN_LEVEL) {
        add_distances(&mut to_left[m..], values[m - 1], &values[m..]);
        if m < MIN_LEVEL {
            continue;
        }
        running_sums(&to_left[m..], &mut energies[m..]);
        let within_left = within[m] * inverse[m - 1];
        let across = &mut energies[m + MIN_LEVEL - 1..];
        let within_both = &within[m + MIN_LEVEL..];
        let [by_right, by_both] = [MIN_LEVEL - 1, m + MIN_LEVEL].map(|n| &inverse[n..]);
        let ends = across
            .iter_mut()
            .zip(within_both)
            .zip(by_right)
            .zip(by_both);
        for ((((energy, both), by_right), by_both), n) in ends.zip(MIN_LEVEL as i32..) {
            let across = *energy;
            let within_right = (both - within[m] - across) * by_right;
            let apart = across - within_left * f64::from(n) - within_right * m as f64;
            *energy = 2.0 * apart * by_both;
        }
        let greatest = |a: f64, b: &f64| if *b > a { *b } else { a };
        let energy = across.iter().fold(best.1, greatest);
        if energy > best.1 {
            best = (m, energy);
            if energy >= enough {
                return best;
            }
        }
    }
    best
}

/// Adds to each sum how far its value is from `from`.
fn add_distances(sums: &mut [f64], from: f64, values: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += (from - value).abs();
    }
}

/// The sums of the first, the first two … of `parts`. Two at a time: each addition would wait for
/// the one before it.
fn running_sums(parts: &[f64], sums: &mut [f64]) {
    let mut before = 0.0;
    for (parts, sums) in parts.chunks(2).zip(sums.chunks_mut(2)) {
        if let ([a, b], [one, two]) = (parts, &mut *sums) {
            *one = before + a;
            *two = before + (a + b);
            before = *two;
        } else {
            sums[0] = before + parts[0];
        }
    }
}

#[cfg(test)]
mod tests;
