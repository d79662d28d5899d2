//! Synthetic histories: the planted change points are found, and no others.

use super::*;

/// Levels, each (length, level), with uniform noise of ± `noise`.
fn history(levels: &[(usize, f64)], noise: f64, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut uniform = || random.below(1 << 24) as f64 / f64::from(1 << 23) - 1.0;
    levels
        .iter()
        .flat_map(|(length, level)| std::iter::repeat_n(*level, *length))
        .map(|level| level * (1.0 + noise * uniform()))
        .collect()
}

const NONE: [usize; 0] = [];

fn indices(points: &[LevelChange]) -> Vec<usize> {
    points.iter().map(|point| point.index).collect()
}

fn found(history: &[f64]) -> Vec<usize> {
    indices(&change_points(history, 0.01))
}

#[test]
fn planted_change_points_are_found() {
    for (name, levels, expected) in [
        ("a step up", &[(10, 100.0), (10, 105.0)][..], &[10][..]),
        ("a step down", &[(12, 100.0), (8, 90.0)], &[12]),
        ("near the end", &[(26, 100.0), (4, 110.0)], &[26]),
        ("near the start", &[(4, 100.0), (26, 110.0)], &[4]),
        (
            "stairs",
            &[(12, 100.0), (12, 110.0), (12, 125.0)],
            &[12, 24],
        ),
        (
            "there and back",
            &[(15, 100.0), (10, 120.0), (15, 100.0)],
            &[15, 25],
        ),
        (
            "unequal stairs",
            &[(20, 100.0), (8, 104.0), (30, 90.0)],
            &[20, 28],
        ),
        (
            "four change points",
            &[(15, 50.0), (12, 60.0), (20, 55.0), (14, 80.0), (11, 70.0)],
            &[15, 27, 47, 61],
        ),
        ("large numbers", &[(40, 1e9), (40, 1.03e9)], &[40]),
    ] {
        for seed in 0..2 {
            let history = history(levels, 0.01, seed);
            assert_eq!(found(&history), expected, "{name}, seed {seed}");
        }
    }
}

/// Longer than the window, with change points near its ends.
#[test]
fn long_histories_are_searched_to_their_end() {
    for seed in 0..2 {
        let levels = [
            (97, 100.0),
            (140, 110.0),
            (13, 104.0),
            (260, 95.0),
            (5, 120.0),
        ];
        let history = history(&levels, 0.01, seed);
        assert_eq!(found(&history), [97, 237, 250, 510], "seed {seed}");
    }
}

#[test]
fn change_points_are_the_same_every_time_and_in_any_unit() {
    let history = history(&[(15, 50.0), (12, 60.0), (20, 55.0)], 0.01, 3);
    let points = change_points(&history, 0.01);
    assert_eq!(change_points(&history, 0.01), points);
    assert!(points.iter().all(|point| point.p <= ALPHA));
    let scaled: Vec<f64> = history.iter().map(|v| v * 1048576.0).collect();
    assert_eq!(change_points(&scaled, 0.01), points);
}

/// With a 1 % test of each whole history, at most 2 of 200 are marked on average, and more than 8
/// once in 4,000 times.
#[test]
fn noise_has_no_change_point() {
    let marked = (0..200u64)
        .filter(|seed| {
            !found(&history(&[(12 + *seed as usize % 40, 100.0)], 0.02, *seed)).is_empty()
        })
        .count();
    assert!(marked <= 8, "{marked} of 200 histories");
    assert_eq!(found(&[7.0; 50]), NONE);
}

#[test]
fn a_spike_is_not_a_change_point() {
    for at in [0, 1, 10, 18, 19] {
        for factor in [0.5, 1.5, 10.0] {
            for seed in 0..5 {
                let mut history = history(&[(20, 100.0)], 0.01, seed);
                history[at] *= factor;
                assert_eq!(found(&history), NONE, "at {at}, {factor}, seed {seed}");
            }
        }
    }
    let mut history = history(&[(15, 100.0), (15, 110.0)], 0.01, 1);
    history[7] = 150.0;
    assert_eq!(found(&history), [15]);
}

/// Every step here is real, but some are below the threshold.
#[test]
fn small_steps_are_left_out() {
    let history = history(&[(20, 100.0), (20, 100.5), (20, 110.0)], 0.001, 1);
    assert_eq!(indices(&change_points(&history, 0.001)), [20, 40]);
    let points = change_points(&history, 0.01);
    assert_eq!(indices(&points), [40]);
    assert!((points[0].ratio - 1.0975).abs() < 0.002, "{points:?}");
    assert_eq!(change_points(&history, 0.2), []);
}

#[test]
fn invalid_histories_have_none() {
    for invalid in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        let mut history = history(&[(10, 1.0), (10, 2.0)], 0.01, 1);
        history[3] = invalid;
        assert_eq!(found(&history), NONE);
    }
}

#[test]
fn short_histories_are_not_tested() {
    for length in 0..20 {
        let sharp = history(&[(length / 2, 1.0), (length - length / 2, 2.0)], 0.01, 1);
        let expected: &[usize] = if length < MIN_HISTORY {
            &[]
        } else {
            &[length / 2]
        };
        assert_eq!(found(&sharp), expected, "{length} numbers");
    }
}
