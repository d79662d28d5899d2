//! Simulations of interval coverage, false positives and power. The short ones are ordinary tests;
//! the long ones, run by `make test-simulations`, also print their figures.

use super::Comparison;
use super::*;
use crate::base::random::Random;
use crate::model::unit::{Better, Kind};
use std::f64::consts::PI;

/// A distribution of single values, with its median.
struct Shape {
    name: &'static str,
    median: f64,
    draw: fn(&mut Random) -> f64,
}

const SHAPES: [Shape; 4] = [
    Shape {
        name: "normal",
        median: 100.0,
        draw: |random| 100.0 + 5.0 * normal(random),
    },
    Shape {
        name: "lognormal",
        median: 100.0,
        draw: |random| 100.0 * (0.5 * normal(random)).exp(),
    },
    Shape {
        name: "exponential",
        median: 100.0 * std::f64::consts::LN_2,
        draw: |random| -100.0 * (1.0 - unit(random)).ln(),
    },
    Shape {
        // Two speeds, the first in seven of ten runs; the median is within its distribution.
        name: "bimodal",
        median: 100.565_942_991_993_35,
        draw: |random| {
            let level = if unit(random) < 0.7 { 100.0 } else { 105.0 };
            level + normal(random)
        },
    },
];

/// 0 ≤ u < 1.
fn unit(random: &mut Random) -> f64 {
    random.below(1 << 32) as f64 / 2f64.powi(32)
}

/// Box and Muller.
fn normal(random: &mut Random) -> f64 {
    (-2.0 * (1.0 - unit(random)).ln()).sqrt() * (2.0 * PI * unit(random)).cos()
}

fn sample(random: &mut Random, n: usize, scale: f64, draw: fn(&mut Random) -> f64) -> Sample {
    let values = (0..n).map(|_| scale * draw(random).max(1e-3)).collect();
    Sample::new(values).expect("a valid sample")
}

/// The share of intervals that contain the true value: of the median, and of a ratio of 1.03.
fn coverage(shape: &Shape, n: usize, draws: u32) -> [f64; 2] {
    let mut random = Random::new(n as u64);
    let mut held = [0u32; 2];
    for _ in 0..draws {
        let old = sample(&mut random, n, 1.0, shape.draw);
        let new = sample(&mut random, n, 1.03, shape.draw);
        let median = Interval::of_median(&old).expect("an interval");
        let ratio = Interval::of_ratio(&old, &new, Estimator::Median).expect("an interval");
        held[0] += u32::from((median.low..=median.high).contains(&shape.median));
        held[1] += u32::from((ratio.low..=ratio.high).contains(&1.03));
    }
    held.map(|count| f64::from(count) / f64::from(draws))
}

/// Four standard deviations of 200 draws are 6 %, enough to detect a wrong rank or quantile.
#[test]
fn intervals_contain_the_true_value() {
    let [median, ratio] = coverage(&SHAPES[0], 10, 200);
    assert!(
        median > 0.91 && ratio > 0.89 && ratio < 0.999,
        "{median} {ratio}"
    );
}

#[test]
#[ignore = "two minutes with optimization"]
fn coverage_of_10_000_draws() {
    for n in [10, 30] {
        for shape in &SHAPES {
            let [median, ratio] = coverage(shape, n, 10_000);
            println!(
                "{}, n = {n}: median {median:.4}, ratio {ratio:.4}",
                shape.name
            );
            assert!(median >= 0.945, "{}: {median}", shape.name);
            assert!((0.935..=0.985).contains(&ratio), "{}: {ratio}", shape.name);
        }
    }
}

/// A row of both sides, and the same program as the first once more.
type Controlled = [Sample; 3];

/// Judges rows with the factor by which the first program differs from its control.
fn judge_controlled(rows: &[Controlled]) -> Vec<Comparison> {
    let mut pairs = Vec::new();
    for [old, new, control] in rows {
        let [a, b] = [old, control].map(|side| side.estimate(Estimator::Median));
        let pair = Pair::new(old, new, Estimator::Median, Better::Higher, Kind::Rate);
        pairs.push(pair.expect("a pair").controlled(Some((a / b).max(b / a))));
    }
    Rules::default().judge(&pairs)
}

/// What a control costs and buys, over tables of 20 rows in which one is 3 % slower: beside each
/// launch of a program, its level differs by `bias`, as the layout of its code and heap make it.
#[test]
#[ignore = "a minute with optimization"]
fn a_control_keeps_biased_launches_from_being_called() {
    const TABLES: usize = 300;
    for bias in [0.0, 0.005, 0.01] {
        let mut random = Random::new(7);
        let [mut without, mut with, mut found_without, mut found_with] = [0; 4];
        for _ in 0..TABLES {
            let mut side = |scale: f64| {
                let level = scale * (1.0 + bias * normal(&mut random));
                let values = (0..15).map(|_| level * (1.0 + 0.005 * normal(&mut random)));
                Sample::new(values.collect()).expect("a valid sample")
            };
            let mut row = |scale: f64| [side(100.0), side(scale), side(100.0)];
            let mut rows: Vec<Controlled> = (0..19).map(|_| row(100.0)).collect();
            rows.push(row(97.0));
            let plain: Vec<_> = rows
                .iter()
                .map(|[a, b, _]| (a.clone(), b.clone()))
                .collect();
            let plain = judge(&Rules::default(), &plain);
            let controlled = judge_controlled(&rows);
            let called =
                |rows: &[Comparison]| rows.iter().filter(|r| r.verdict.is_change()).count();
            without += called(&plain[..19]);
            with += called(&controlled[..19]);
            found_without += called(&plain[19..]);
            found_with += called(&controlled[19..]);
        }
        println!(
            "bias {bias}: of {} equal rows, {without} called without a control and {with} with; of {TABLES} slower ones, {found_without} and {found_with}",
            19 * TABLES
        );
        assert!(with <= without, "{bias}");
    }
}

fn judge(rules: &Rules, rows: &[(Sample, Sample)]) -> Vec<Comparison> {
    let pair = |(old, new)| Pair::new(old, new, Estimator::Median, Better::Higher, Kind::Rate);
    let pairs = rows
        .iter()
        .map(|(old, new)| pair((old, new)).expect("a pair"));
    rules.judge(&pairs.collect::<Vec<_>>())
}

/// Judges 8000 tables of 20 rows without any true difference.
#[test]
#[ignore = "some minutes with optimization"]
fn false_positives_stay_within_alpha() {
    const TABLES: u32 = 8000;
    let raw = Rules {
        threshold: 0.0,
        ..Rules::default()
    };
    let all = SHAPES
        .iter()
        .flat_map(|shape| [5, 9, 10, 30].map(|n| (shape, n)));
    for ((shape, n), rules) in all.flat_map(|of| [raw, Rules::default()].map(|rules| (of, rules))) {
        // The test depends on ranks only, so two shapes with the same seed would give the same
        // table.
        let seed = shape.name.len() * 1000 + n * 10 + usize::from(rules.threshold > 0.0);
        let mut random = Random::new(seed as u64);
        let (mut significant, mut changed) = (0, 0);
        for _ in 0..TABLES {
            let mut side = || sample(&mut random, n, 1.0, shape.draw);
            let rows: Vec<_> = (0..20).map(|_| (side(), side())).collect();
            let judged = judge(&rules, &rows);
            let p = judged.iter().filter_map(|row| Some(row.test?.p));
            significant += p.filter(|p| *p <= rules.alpha).count();
            changed += u32::from(judged.iter().any(|row| row.verdict.is_change()));
        }
        let tables = f64::from(TABLES);
        let [rows, wrong] = [
            significant as f64 / 20.0 / tables,
            f64::from(changed) / tables,
        ];
        println!(
            "{}, n = {n}, threshold {}: rows with p ≤ 0.05 {rows:.4}, tables with a change {wrong:.4}",
            shape.name, rules.threshold
        );
        // Four standard deviations above 5 %.
        let most = 0.05 + 4.0 * (0.05 * 0.95 / tables).sqrt();
        assert!(rows <= 0.055 && wrong <= most);
    }
}

/// One row that is 3 % slower among 19 unchanged ones, with the spread of real runs (0.1 to 1.7 %).
#[test]
#[ignore = "a minute with optimization"]
fn a_slowdown_of_3_percent_is_found() {
    for (n, spread) in [
        (10, 0.005),
        (10, 0.01),
        (10, 0.017),
        (30, 0.005),
        (30, 0.01),
        (30, 0.017),
    ] {
        let mut random = Random::new(n as u64);
        let rules = Rules::default();
        let (mut found, mut others) = (0, 0);
        for _ in 0..300 {
            let mut side = |scale: f64| {
                let values = (0..n).map(|_| scale * (1.0 + spread * normal(&mut random)));
                Sample::new(values.collect()).expect("a valid sample")
            };
            let mut rows: Vec<_> = (0..19).map(|_| (side(100.0), side(100.0))).collect();
            rows.push((side(100.0), side(97.0)));
            let judged = judge(&rules, &rows);
            found += u32::from(judged[19].verdict == Verdict::Worse);
            others += judged[..19]
                .iter()
                .filter(|row| row.verdict.is_change())
                .count();
        }
        println!(
            "n = {n}, spread {spread}: found in {found} of 300, {others} of 5700 other rows called"
        );
        assert!(
            spread > 0.01 || found >= 285,
            "n = {n}, spread {spread}: {found}"
        );
    }
}

/// Compares two programs with a true ratio in `draws` reports of `n` runs, unpaired and in pairs.
/// All runs have a level of their own, which both programs share. Returns, in percent, the
/// intervals that contain the ratio, the rows with p ≤ α, and those that are called a change.
fn compare_runs(n: usize, ratio: f64, draws: u32) -> [[f64; 3]; 2] {
    const LEVEL: f64 = 0.1;
    const OWN: f64 = 0.008;
    let mut random = Random::new(n as u64);
    let mut found = [[0u32; 3]; 2];
    let mut intervals = [0u32; 2];
    for _ in 0..draws {
        let mut runs = [Vec::new(), Vec::new()];
        for _ in 0..n {
            let level = 100.0 * (LEVEL * normal(&mut random)).exp();
            for (values, speed) in runs.iter_mut().zip([1.0, ratio]) {
                values.push(level * speed * (OWN * normal(&mut random)).exp());
            }
        }
        let ratios = runs[0].iter().zip(&runs[1]).map(|(old, new)| new / old);
        let ratios: Vec<f64> = ratios.collect();
        let [old, new] = runs.map(|values| Sample::new(values).expect("a valid sample"));
        let pair = Pair::new(&old, &new, Estimator::Median, Better::Higher, Kind::Rate);
        let pair = pair.expect("a pair");
        for (way, pair) in [pair.clone(), pair.paired(ratios)].into_iter().enumerate() {
            let judged = Rules::default().judge(&[pair])[0];
            let holds = judged.interval.map(|i| (i.low..=i.high).contains(&ratio));
            let is_significant = judged.test.is_some_and(|t| t.p <= Rules::default().alpha);
            let is_called = judged.verdict.is_change();
            intervals[way] += u32::from(holds.is_some());
            for (count, is) in
                found[way]
                    .iter_mut()
                    .zip([holds == Some(true), is_significant, is_called])
            {
                *count += u32::from(is);
            }
        }
    }
    [0, 1].map(|way| {
        let [held, significant, called] = found[way].map(|count| 100.0 * f64::from(count));
        let draws = f64::from(draws);
        [
            held / f64::from(intervals[way]),
            significant / draws,
            called / draws,
        ]
    })
}

/// The figures of the table in docs/measurements.md.
#[test]
#[ignore = "some seconds with optimization"]
fn paired_runs_show_small_changes() {
    for n in [6, 8, 15] {
        for ratio in [1.0, 1.01, 1.02] {
            let found = compare_runs(n, ratio, 4000);
            println!(
                "n = {n}, ratio {ratio}: held, p ≤ 0.05, called, unpaired and paired: {found:.1?}"
            );
            let [unpaired, paired] = found;
            // Four standard deviations of 4,000 draws are 1.4 %.
            assert!(paired[0] > 93.6, "{n} {ratio}");
            assert!(ratio > 1.0 || paired[1] < 6.4, "{n}");
            assert!(ratio < 1.02 || paired[2] > 2.0 * unpaired[2], "{n}");
        }
    }
}
