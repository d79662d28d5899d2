//! Verdicts on known data, and properties that hold for all data.

use super::*;
use proptest::prelude::*;

fn sample(values: &[f64]) -> Sample {
    Sample::new(values.to_vec()).expect("a valid sample")
}

fn judge_one(baseline: &[f64], candidate: &[f64], better: Better, kind: Kind) -> Comparison {
    let (old, new) = (sample(baseline), sample(candidate));
    let pair = Pair::new(&old, &new, Estimator::Median, better, kind).expect("a pair");
    Rules::default().judge(&[pair])[0]
}

/// Values in steps of `step` from `from`.
fn ramp(n: u32, from: f64, step: f64) -> Vec<f64> {
    (0..n).map(|i| from + f64::from(i) * step).collect()
}

#[test]
fn words_follow_the_metric() {
    let (low, high) = (ramp(10, 100.0, 0.1), ramp(10, 110.0, 0.1));
    for (better, kind, up, down) in [
        (Better::Higher, Kind::Rate, "faster", "slower"),
        (Better::Lower, Kind::Time, "slower", "faster"),
        (Better::Lower, Kind::Amount, "more", "less"),
        (Better::Lower, Kind::Size, "more", "less"),
        (Better::Lower, Kind::Count, "more", "fewer"),
        (Better::Unknown, Kind::Other, "higher", "lower"),
    ] {
        let verdicts = match better {
            Better::Higher => [Verdict::Better, Verdict::Worse],
            Better::Lower => [Verdict::Worse, Verdict::Better],
            Better::Unknown => [Verdict::Differs; 2],
        };
        let [there, back] = [
            judge_one(&low, &high, better, kind),
            judge_one(&high, &low, better, kind),
        ];
        assert_eq!([there.verdict, back.verdict], verdicts);
        assert_eq!([there.change.word(), back.change.word()], [up, down]);
    }
}

#[test]
fn significance_alone_is_not_enough() {
    // No overlap, but only half a percent apart.
    let row = judge_one(
        &ramp(10, 1000.0, 0.1),
        &ramp(10, 1005.0, 0.1),
        Better::Higher,
        Kind::Rate,
    );
    assert!(row.adjusted_p.expect("a test") < 1e-4);
    assert_eq!(row.verdict, Verdict::Same);
    assert!(!row.verdict.is_change());
}

#[test]
fn distance_alone_is_not_enough() {
    let row = judge_one(
        &ramp(10, 100.0, 10.0),
        &ramp(10, 105.0, 10.0),
        Better::Higher,
        Kind::Rate,
    );
    assert!(row.change.ratio > 1.03);
    assert_eq!(row.verdict, Verdict::NotShown);
}

#[test]
fn too_few_values_differ_from_no_difference() {
    let (three, four) = (ramp(3, 100.0, 0.1), ramp(4, 200.0, 0.1));
    let row = judge_one(&three, &ramp(3, 200.0, 0.1), Better::Higher, Kind::Rate);
    assert_eq!(
        (row.verdict, row.adjusted_p, row.interval),
        (Verdict::Untested, None, None)
    );
    assert_eq!(row.test, None);
    let row = judge_one(&ramp(4, 100.0, 0.1), &four, Better::Higher, Kind::Rate);
    assert_eq!(row.verdict, Verdict::Better);
    for (old, new) in [
        (&[100.0][..], &four[..]),
        (&four, &[100.0]),
        (&[1.0], &[2.0]),
    ] {
        let row = judge_one(old, new, Better::Higher, Kind::Rate);
        assert_eq!(
            (row.verdict, row.test, row.adjusted_p),
            (Verdict::Untested, None, None)
        );
    }
}

/// 5 and 5 values reach p = 0.0079, but only 0.16 as the one change among 20 rows.
#[test]
fn many_rows_require_more_values() {
    let old = sample(&ramp(5, 100.0, 1.0));
    let new = sample(&ramp(5, 200.0, 1.0));
    let pair =
        |b| Pair::new(&old, b, Estimator::Median, Better::Higher, Kind::Rate).expect("a pair");
    let mut pairs = vec![pair(&old); 20];
    pairs[7] = pair(&new);
    let judged = Rules::default().judge(&pairs);
    assert_eq!(judged[7].verdict, Verdict::NotShown);
    assert!(judged[7].is_too_small(0.05));
    assert_eq!(judged[6].verdict, Verdict::NotShown);
    assert!(!judged[6].is_too_small(0.05));
    assert_eq!(
        Rules::default().judge(&pairs[7..13])[0].verdict,
        Verdict::Better
    );
}

/// p = 0.016 is a change in a table of one row, but not among three others that show nothing. Rows
/// that cannot be tested do not count as others.
#[test]
fn the_table_corrects_its_rows() {
    let old = sample(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    let new = sample(&[4.5, 6.0, 7.0, 8.0, 9.0]);
    let (one, few) = (sample(&[1.0]), sample(&[1.0, 2.0]));
    let pair =
        |a, b| Pair::new(a, b, Estimator::Median, Better::Higher, Kind::Rate).expect("a pair");
    let verdicts = |pairs: &[Pair]| -> Vec<Verdict> {
        let judged = Rules::default().judge(pairs);
        judged.iter().map(|row| row.verdict).collect()
    };
    let (changed, same) = (pair(&old, &new), pair(&old, &old));
    assert_eq!(
        verdicts(&[pair(&one, &one), changed.clone(), pair(&few, &few)]),
        [Verdict::Untested, Verdict::Better, Verdict::Untested]
    );
    assert_eq!(
        verdicts(&[same.clone(), same.clone(), changed, same]),
        [Verdict::NotShown; 4]
    );
}

#[test]
fn ratios_outside_the_range_of_a_double_are_rejected() {
    let (tiny, huge) = (sample(&[1e-300]), sample(&[1e300]));
    for (a, b) in [(&tiny, &huge), (&huge, &tiny)] {
        assert!(Pair::new(a, b, Estimator::Median, Better::Higher, Kind::Rate).is_none());
    }
}

/// A count changes if the gap exceeds 0.2 % and the range of either side, with any number of
/// repeats: one more instruction than 499 is a change, one more than 512 is not.
#[test]
fn counts_are_not_tested() {
    for (old, new, verdict, words) in [
        (
            &[499.0; 3][..],
            &[500.0; 3][..],
            Verdict::Worse,
            "0.2% more",
        ),
        (&[512.0; 3], &[513.0; 3], Verdict::Same, "0.2% more"),
        (
            &[10e6, 10.01e6],
            &[10.04e6, 10.05e6],
            Verdict::Worse,
            "0.4% more",
        ),
        (
            &[10e6, 10.01e6],
            &[10.02e6, 10.06e6],
            Verdict::Same,
            "0.3% more",
        ),
        (
            &[10e6, 10.05e6],
            &[10.09e6, 10.09e6],
            Verdict::Same,
            "0.6% more",
        ),
        (
            &[10e6, 10.03e6],
            &[10.02e6, 10.06e6],
            Verdict::Same,
            "0.2% more",
        ),
        (
            &[200.0, 200.0],
            &[150.0, 150.0],
            Verdict::Better,
            "25.0% fewer",
        ),
        (&[0.0, 0.0], &[64.0, 64.0], Verdict::Worse, "more (was 0)"),
        (&[64.0, 64.0], &[0.0, 0.0], Verdict::Better, "fewer (now 0)"),
        (&[0.0, 0.0], &[0.0, 0.0], Verdict::Same, "no change"),
        (&[64.0], &[65.0, 65.0], Verdict::Untested, "1.6% more"),
    ] {
        let row = judge_one(old, new, Better::Lower, Kind::Count);
        assert_eq!(
            (row.verdict, row.change.to_string().as_str()),
            (verdict, words),
            "{old:?}"
        );
        assert_eq!((row.test, row.adjusted_p, row.interval), (None, None, None));
    }
}

/// A size is measured once: the same build always has the same size.
#[test]
fn a_size_needs_no_repeat() {
    for (new, verdict) in [(1001.0, Verdict::Same), (1003.0, Verdict::Worse)] {
        let row = judge_one(&[1000.0], &[new], Better::Lower, Kind::Size);
        assert_eq!((row.verdict, row.test), (verdict, None), "{new}");
    }
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    // Half of them with ties.
    prop_oneof![
        prop::collection::vec(90.0..110.0f64, 1..9),
        prop::collection::vec((90u32..110).prop_map(f64::from), 1..9),
        prop::collection::vec(100.0..130.0f64, 4..9),
    ]
}

fn flipped(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Better => Verdict::Worse,
        Verdict::Worse => Verdict::Better,
        unmoved => unmoved,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Else one direction of a pair would be worded from two ratios: 53.7% and 53.8% of one tie.
    #[test]
    fn a_comparison_reversed_twice_is_itself(old in values(), new in values()) {
        let known = judge_one(&old, &new, Better::Lower, Kind::Amount);
        prop_assert_eq!(known.reversed().reversed(), known);
    }

    #[test]
    fn order_does_not_matter(old in values(), new in values(), by in 0usize..9) {
        let mut turned = old.clone();
        turned.rotate_left(by % old.len());
        prop_assert_eq!(
            judge_one(&old, &new, Better::Higher, Kind::Rate),
            judge_one(&turned, &new, Better::Higher, Kind::Rate)
        );
    }

    #[test]
    fn scale_does_not_matter(old in values(), new in values(), exponent in -30..30i32) {
        // A power of two, so that rounding neither makes nor breaks ties.
        let scale = |values: &[f64]| values.iter().map(|v| v * 2f64.powi(exponent)).collect::<Vec<_>>();
        prop_assert_eq!(
            judge_one(&old, &new, Better::Lower, Kind::Rate),
            judge_one(&scale(&old), &scale(&new), Better::Lower, Kind::Rate)
        );
    }

    #[test]
    fn a_swap_flips_the_verdict(old in values(), new in values(), better in 0..3, kind in 0..6) {
        let better = [Better::Higher, Better::Lower, Better::Unknown][better as usize];
        let kind = [Kind::Rate, Kind::Time, Kind::Amount, Kind::Count, Kind::Size, Kind::Other][kind as usize];
        let there = judge_one(&old, &new, better, kind);
        let back = judge_one(&new, &old, better, kind);
        prop_assert_eq!(flipped(there.verdict), back.verdict);
        prop_assert!((there.change.ratio * back.change.ratio - 1.0).abs() < 1e-12);
        prop_assert_eq!(there.test.map(|t| t.p), back.test.map(|t| t.p));
    }

    #[test]
    fn a_swap_inverts_paired_runs(ratios in prop::collection::vec(0.5..2.0f64, 6..20)) {
        let one = sample(&vec![1.0; ratios.len()]);
        let judged = |ratios: Vec<f64>| {
            let pair = Pair::new(&one, &one, Estimator::Median, Better::Higher, Kind::Rate);
            Rules::default().judge(&[pair.expect("a pair").paired(ratios)])[0]
        };
        let inverse = ratios.iter().map(|ratio| 1.0 / ratio).collect();
        let (there, back) = (judged(ratios), judged(inverse));
        prop_assert_eq!(flipped(there.verdict), back.verdict);
        prop_assert!((there.change.ratio * back.change.ratio - 1.0).abs() < 1e-12);
    }

    /// Another row does not affect a row's raw p, change or interval, and an adjusted p is never
    /// below the raw one.
    #[test]
    fn rows_keep_their_own(rows in prop::collection::vec((values(), values()), 2..6)) {
        let samples: Vec<_> = rows.iter().map(|(old, new)| (sample(old), sample(new))).collect();
        let pairs: Vec<Pair> = samples
            .iter()
            .map(|(old, new)| Pair::new(old, new, Estimator::Median, Better::Higher, Kind::Rate).expect("a pair"))
            .collect();
        let rules = Rules::default();
        let all = rules.judge(&pairs);
        let fewer = rules.judge(&pairs[1..]);
        for (row, before) in all[1..].iter().zip(&fewer) {
            prop_assert_eq!(row.test, before.test);
            prop_assert_eq!(row.change, before.change);
            prop_assert_eq!(row.interval, before.interval);
        }
        for row in &all {
            prop_assert!(row.adjusted_p.is_none_or(|p| p >= row.test.expect("a test").p));
        }
    }
}

/// The level of the runs varies by a tenth, which hides a change of 2 % unless runs are paired.
#[test]
fn paired_runs_show_what_their_level_hides() {
    let old = [90.0, 95.0, 100.0, 105.0, 110.0, 97.0, 103.0, 92.0];
    let new: Vec<f64> = old
        .iter()
        .zip(0..)
        .map(|(v, n)| v * (1.02 + f64::from(n % 3) / 1e3))
        .collect();
    let ratios: Vec<f64> = old.iter().zip(&new).map(|(old, new)| new / old).collect();
    let sample = |values: &[f64]| Sample::new(values.to_vec()).expect("values");
    let (old, new) = (sample(&old), sample(&new));
    let pair =
        Pair::new(&old, &new, Estimator::Median, Better::Higher, Kind::Rate).expect("a pair");
    let judged = |pair: Pair| Rules::default().judge(&[pair])[0];
    assert_eq!(judged(pair.clone()).verdict, Verdict::NotShown);
    let paired = judged(pair.clone().paired(ratios.clone()));
    assert_eq!(paired.verdict, Verdict::Better);
    // All eight ratios are above 1.
    assert_eq!(
        paired.test,
        Some(Test {
            p: 2.0 / 256.0,
            min_p: 2.0 / 256.0,
            is_paired: true,
        })
    );
    let interval = paired.interval.expect("eight runs");
    assert!(
        1.019 < interval.low && interval.high < 1.023,
        "{interval:?}"
    );
    // The interval starts at 1.020, so a control that deviates by 3 % hides the difference, and one
    // by 1 % does not.
    let controlled = |factor| judged(pair.clone().paired(ratios.clone()).controlled(Some(factor)));
    assert_eq!(controlled(1.01).verdict, Verdict::Better);
    assert_eq!(controlled(1.03).verdict, Verdict::NotShown);
    assert_eq!(controlled(1.03).adjusted_p, paired.adjusted_p);
}

/// Above 10 %, the control forbids any verdict, and the row is no member of the family.
#[test]
fn a_row_whose_control_deviates_has_no_verdict() {
    let (old, new) = (sample(&ramp(10, 100.0, 0.1)), sample(&ramp(10, 200.0, 0.1)));
    let pair =
        Pair::new(&old, &new, Estimator::Median, Better::Higher, Kind::Rate).expect("a pair");
    let judged = |factor| Rules::default().judge(&[pair.clone().controlled(Some(factor))])[0];
    assert_eq!(judged(1.1).verdict, Verdict::Better);
    let row = judged(1.11);
    assert_eq!((row.verdict, row.adjusted_p), (Verdict::NotShown, None));
    assert!(row.interval.is_some());
}

/// `init`'s example: intervals of single figures that are wider than ±25 % decide nothing.
#[test]
fn wide_figures_may_differ_clearly() {
    let old = [
        1300.0, 1500.0, 1700.0, 1800.0, 1843.0, 1843.0, 1900.0, 2100.0, 2300.0, 2400.0,
    ];
    let new = old.map(|v| v * 0.36);
    let row = judge_one(&old, &new, Better::Lower, Kind::Time);
    assert_eq!(row.verdict, Verdict::Better);
    assert_eq!(row.change.to_string(), "2.78x faster");
}

#[test]
fn an_interval_within_the_floor_shows_that_nothing_differs() {
    let old = ramp(10, 1000.0, 0.5);
    for (new, verdict) in [
        (ramp(10, 1002.0, 0.5), Verdict::Same),
        (ramp(10, 1009.0, 0.5), Verdict::NotShown),
        (ramp(10, 1020.0, 0.5), Verdict::Better),
    ] {
        let row = judge_one(&old, &new, Better::Higher, Kind::Rate);
        assert_eq!(row.verdict, verdict, "{:?}", row.interval);
    }
    // Too few for an interval, but all are equal.
    let row = judge_one(&[5.0; 4], &[5.0; 4], Better::Higher, Kind::Rate);
    assert_eq!((row.verdict, row.interval), (Verdict::Same, None));
}

/// Six runs of which five differ cannot reach 5 %; nor can six that are equal, but those show it.
#[test]
fn equal_runs_are_no_evidence() {
    let sides = [sample(&ramp(6, 100.0, 1.0)), sample(&ramp(6, 105.0, 1.0))];
    let [old, new] = &sides;
    let pair =
        |estimator| Pair::new(old, new, estimator, Better::Higher, Kind::Rate).expect("a pair");
    let paired = |ratios: [f64; 6]| {
        let pair = pair(Estimator::Median).paired(ratios.to_vec());
        Rules::default().judge(&[pair])[0]
    };
    assert_eq!(
        paired([1.05, 1.04, 1.03, 1.05, 1.06, 1.04]).verdict,
        Verdict::Better
    );
    let one_equal = paired([1.05, 1.04, 1.0, 1.05, 1.06, 1.04]);
    assert_eq!(one_equal.test.map(|test| test.min_p), Some(2.0 / 32.0));
    assert_eq!(one_equal.verdict, Verdict::NotShown);
    assert!(one_equal.is_too_small(0.05));
    assert_eq!(paired([1.0; 6]).verdict, Verdict::Same);
}

/// Three to five pairs cannot reach 5 % however they differ; four or five values a side can.
#[test]
fn few_runs_are_compared_unpaired() {
    for (n, verdict) in [
        (3, Verdict::Untested),
        (4, Verdict::Better),
        (5, Verdict::Better),
    ] {
        let sides = [sample(&ramp(n, 100.0, 0.1)), sample(&ramp(n, 105.0, 0.1))];
        let [old, new] = &sides;
        let pair = Pair::new(old, new, Estimator::Median, Better::Higher, Kind::Rate);
        let pair = pair.expect("a pair").paired(vec![1.05; n as usize]);
        let judged = Rules::default().judge(&[pair])[0];
        assert_eq!(judged.verdict, verdict, "{n}");
        assert!(!judged.test.is_some_and(|test| test.is_paired), "{n}");
    }
}

#[test]
fn only_medians_are_paired() {
    let sides = [sample(&ramp(6, 100.0, 1.0)), sample(&ramp(6, 105.0, 1.0))];
    let [old, new] = &sides;
    for estimator in [Estimator::MedianHigh, Estimator::Min, Estimator::Mean] {
        let pair = Pair::new(old, new, estimator, Better::Higher, Kind::Rate).expect("a pair");
        let paired = pair.clone().paired(vec![1.2; 6]);
        let judged = |pair: Pair| Rules::default().judge(&[pair])[0];
        assert_eq!(judged(paired), judged(pair), "{estimator}");
    }
}
