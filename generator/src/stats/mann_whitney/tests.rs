//! The test against full enumeration, other implementations and exact rational numbers.

use super::*;
use crate::base::random::Random;

fn sample(values: &[f64]) -> Sample {
    Sample::new(values.to_vec()).expect("a valid sample")
}

fn test(first: &[f64], second: &[f64]) -> Test {
    mann_whitney(&sample(first), &sample(second))
}

fn u(first: &[f64], second: &[f64]) -> f64 {
    doubled_u(&tie_groups(first, second)) as f64 / 2.0
}

/// p by enumerating all deals of the pooled values and comparing every pair of each.
fn enumerated(first: &[f64], second: &[f64]) -> f64 {
    let pooled = [first, second].concat();
    let doubled_u = |dealt: u32| -> i64 {
        let side = |i: &usize| dealt >> i & 1 == 1;
        let (ours, theirs): (Vec<usize>, Vec<usize>) = (0..pooled.len()).partition(side);
        let pairs = ours
            .iter()
            .flat_map(|i| theirs.iter().map(move |j| (*i, *j)));
        pairs
            .map(|(i, j)| 1 + pooled[i].total_cmp(&pooled[j]) as i64)
            .sum()
    };
    let distance = |dealt| (doubled_u(dealt) - (first.len() * second.len()) as i64).abs();
    let seen = distance((1 << first.len()) - 1);
    let deals = (0..1u32 << pooled.len()).filter(|d| d.count_ones() as usize == first.len());
    let (far, all) = deals.fold((0, 0), |(far, all), deal| {
        (far + u32::from(distance(deal) >= seen), all + 1)
    });
    f64::from(far) / f64::from(all)
}

#[test]
fn equals_enumeration() {
    let mut random = Random::new(1);
    for round in 0..2400 {
        let n1 = 1 + random.below(6);
        // Up to 13 values in total, usually fewer: the work of enumeration doubles with each.
        let n2 = 1 + random.below(if round % 40 == 0 { 7 } else { 4 });
        let distinct = if round % 2 == 0 { 4 } else { 1 << 30 };
        let mut draw = |n| -> Vec<f64> {
            (0..n)
                .map(|_| 1.0 + random.below(distinct) as f64)
                .collect()
        };
        let (first, second) = (draw(n1), draw(n2));
        let result = test(&first, &second);
        let expected = enumerated(&first, &second);
        assert!(
            (result.p - expected).abs() < 1e-12,
            "{first:?} {second:?}: {result:?}, enumerated {expected}"
        );
    }
}

/// Ties within a side, which benchstat's code for ties gets wrong (golang/go#19634).
#[test]
fn ties_by_hand() {
    let rss = [11540.0, 11540.0, 11544.0, 11544.0, 11544.0];
    for (first, second, expected) in [
        (&[115.0; 4][..], &[78.8; 5][..], 1.0 / 126.0),
        (&rss, &[11540.0; 8], 45.0 / 1287.0),
        (&[2.0, 1.0, 3.0, 5.0], &[1.0; 5], 1.0 / 21.0),
    ] {
        let result = test(first, second);
        assert!((result.p - expected).abs() < 1e-15, "{result:?}");
        assert!((enumerated(first, second) - expected).abs() < 1e-15);
    }
}

/// `n` reproducible numbers, some equal where `distinct` is below `n`.
fn series(n: u32, factor: u32, offset: u32, distinct: u32) -> Vec<u32> {
    (0..n)
        .map(|i| (i * factor + offset) % 101 % distinct)
        .collect()
}

/// `mannwhitneyu(first, second, method="exact")` of SciPy 1.17.1, without ties.
#[test]
fn matches_scipy_exact() {
    for (n1, n2, shift, expected_u, p) in [
        (5, 5, 0, 17.0, 0.42063492063492064),
        (5, 5, 7, 13.0, 1.0),
        (6, 9, 0, 35.0, 0.38841158841158835),
        (6, 9, 7, 30.0, 0.7756243756243756),
        (10, 10, 0, 55.0, 0.7393643508194593),
        (10, 10, 7, 47.0, 0.8534283054406895),
        (12, 7, 0, 53.0, 0.38445661665475905),
        (12, 7, 7, 45.0, 0.8369453044375644),
        (20, 20, 0, 205.0, 0.9042080378734633),
        (20, 20, 7, 175.0, 0.5116612437016751),
        (30, 30, 0, 480.0, 0.6649808210768028),
        (30, 30, 7, 419.0, 0.6543402561585347),
        (50, 50, 0, 1257.0, 0.9644203412005674),
        (50, 50, 7, 1090.0, 0.27282740958227447),
        (50, 3, 0, 113.0, 0.15717578758644243),
        (50, 3, 7, 101.0, 0.3426961495773927),
        (1, 40, 0, 4.0, 0.24390243902439024),
        (1, 40, 7, 1.0, 0.0975609756097561),
    ] {
        let first: Vec<f64> = series(n1, 37, 11, 101)
            .iter()
            .map(|v| f64::from(2 * v + 2))
            .collect();
        let second: Vec<f64> = series(n2, 53, 5, 101)
            .iter()
            .map(|v| f64::from(2 * v + 1 + 2 * shift))
            .collect();
        assert_eq!(u(&first, &second), expected_u);
        let result = test(&first, &second);
        assert!(
            (result.p - p).abs() < 1e-12,
            "{n1} {n2} {shift}: {result:?}"
        );
    }
}

fn tied(n: u32, factor: u32, offset: u32, distinct: u32, shift: u32) -> Vec<f64> {
    series(n, factor, offset, distinct)
        .iter()
        .map(|v| f64::from(v + 1 + shift))
        .collect()
}

/// Expected values by exact rational arithmetic: at 50 and 50 values there are 1.0e29 deals, and
/// counting them in doubles must not lose precision.
#[test]
fn matches_exact_rationals() {
    for (n1, n2, distinct, shift, expected_u, p) in [
        (10, 10, 5, 0, 57.5, 0.6552209400506614),
        (10, 10, 5, 1, 32.5, 0.19834809153694602),
        (30, 30, 7, 0, 436.5, 0.8359761644887319),
        (30, 30, 7, 1, 321.0, 0.05368436167793537),
        (30, 30, 40, 3, 357.5, 0.1734966204386267),
        (50, 50, 9, 1, 1081.5, 0.24427419141211953),
        (50, 50, 60, 6, 1040.5, 0.14961713691915818),
        (50, 20, 3, 0, 453.0, 0.6279537528200826),
        (50, 50, 100, 20, 838.0, 0.004217924742218661),
    ] {
        let first = tied(n1, 37, 11, distinct, 0);
        let second = tied(n2, 53, 5, distinct, shift);
        assert_eq!(u(&first, &second), expected_u);
        let result = test(&first, &second);
        assert!((result.p / p - 1.0).abs() < 1e-13, "{result:?} {p}");
    }
}

/// `mannwhitneyu(first, second, method="asymptotic")` of SciPy 1.17.1, with ties.
#[test]
fn matches_scipy_asymptotic() {
    for (n1, n2, distinct, shift, expected_u, p) in [
        (51, 51, 9, 0, 1434.5, 0.36844630390330657),
        (51, 51, 9, 1, 1155.0, 0.32875067052553675),
        (60, 30, 101, 0, 973.5, 0.5320589820729176),
        (100, 100, 101, 5, 4496.0, 0.2185886496250138),
        (200, 150, 50, 3, 13654.0, 0.15082340442689393),
        (1000, 10, 7, 0, 4910.0, 0.9215181478750267),
        (80, 80, 2, 0, 3160.0, 0.8763002977045026),
        (500, 600, 1000, 30, 74392.0, 4.3630389553084386e-47),
    ] {
        let first = tied(n1, 37, 11, distinct, 0);
        let second = tied(n2, 53, 5, distinct, shift);
        assert_eq!(u(&first, &second), expected_u);
        let result = test(&first, &second);
        assert!((result.p / p - 1.0).abs() < 1e-12, "{result:?} {p}");
    }
}

#[test]
fn equal_values_do_not_differ() {
    for n in [1, 5, 50, 51, 1000] {
        assert_eq!(test(&vec![7.0; n], &[7.0; 5]).p, 1.0, "n = {n}");
    }
}

/// Expected values by scipy.special.comb, and sizes whose number of deals overflows a double.
#[test]
fn minimum_p() {
    for (n1, n2, expected) in [
        (1, 1, 1.0),
        (3, 3, 0.1),
        (4, 4, 2.0 / 70.0),
        (5, 5, 2.0 / 252.0),
        (1, 39, 0.05),
        (4, 5, 2.0 / 126.0),
        (10_000, 10_000, 0.0),
    ] {
        let [one, other] = [n1, n2].map(|n| Sample::new(vec![1.0; n]).expect("values"));
        let min_p = mann_whitney(&one, &other).min_p;
        assert!((min_p - expected).abs() < 1e-15, "{n1} {n2}");
    }
    let apart = test(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]);
    assert!((apart.p - apart.min_p).abs() < 1e-15);
    assert!((apart.p - 0.1).abs() < 1e-15);
}
