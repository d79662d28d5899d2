//! The words for verdicts, intervals, spreads and numbers of runs: the same in the terminal, on
//! pages, in pull requests and in feeds.

use super::compare::Compared;
use super::{Cell, Figure, Report, Row, Tally, one_of_each_kind, run_counts, titles};
use crate::base::group::group_by;
use crate::base::words::count;
use crate::model::scenario::Workload;
use crate::stats::{Change, Comparison, Estimator, Interval, Rules, Verdict, geometric_mean};

/// Two changes by a smaller factor are told apart by percentages.
const SMALL: f64 = 1.1;

/// The change, or the words for no difference and for none that is shown; after a change that is
/// not tested, the last of these.
fn worded(known: &Comparison, [same, not_shown, untested]: [&str; 3]) -> String {
    match known.verdict {
        Verdict::Same => same.to_owned(),
        Verdict::NotShown => not_shown.to_owned(),
        Verdict::Untested => format!("{}{untested}", known.change),
        Verdict::Better | Verdict::Worse | Verdict::Differs => known.change.to_string(),
    }
}

/// The verdict as a sign: `1.54x slower`, `1.54x slower *` if that is not tested, `=` or `~`.
pub(crate) fn verdict(known: &Comparison) -> String {
    worded(known, ["=", "~", " *"])
}

/// The verdict as a part of a sentence: `1.54x slower`, `no difference of 1%`,
/// `no difference shown`.
pub(crate) fn verdict_in_words(known: &Comparison) -> String {
    let same = format!("no difference of {}%", Rules::default().threshold * 100.0);
    worded(known, [&same, "no difference shown", ", untested"])
}

/// Returns the interval of a change, in the direction of its words: `1.21x to 1.22x` beside
/// `1.22x slower`,
/// `81.2% to 81.4%` beside `81% less`. One that includes no change has both directions: `0.4% slower to
/// 0.2% faster`.
pub(crate) fn interval(known: &Comparison) -> Option<String> {
    let Interval { low, high } = known.interval?;
    let end = |ratio: f64| Change {
        ratio,
        ..known.change
    };
    // The end that is nearer to no change first, or the worse one.
    let ends = match (low >= 1.0, high <= 1.0) {
        (true, _) => [low, high],
        (_, true) => [high, low],
        _ if end(low).is_better() => [high, low],
        _ => [low, high],
    };
    let [first, last] = ends.map(end);
    let is_small = first.size().max(last.size()) < SMALL && !known.verdict.is_change();
    let size = |change: &Change| match is_small {
        true => format!("{:.1}%", (change.size() - 1.0) * 100.0),
        false => change.precise_amount(),
    };
    let [first_size, last_size] = [size(&first), size(&last)];
    let [first, last] = [first.word(), last.word()];
    Some(match low < 1.0 && high > 1.0 {
        true => format!("{first_size} {first} to {last_size} {last}"),
        false if known.verdict.is_change() => format!("{first_size} to {last_size}"),
        false => format!("{first_size} to {last_size} {last}"),
    })
}

/// `1.21x to 1.22x, p < 0.001, n = 30`: what is known of a change.
pub(crate) fn evidence(row: &Compared<'_>) -> String {
    match interval(&row.known) {
        Some(interval) => format!("{interval}, {}", test(row)),
        None => test(row),
    }
}

/// `p < 0.001, n = 30`, with no-break spaces in each.
pub(crate) fn test(row: &Compared<'_>) -> String {
    let n = format!("n\u{a0}=\u{a0}{}", both_runs(row.runs()));
    match row.known.p() {
        Some(p) if p < 0.001 => format!("p\u{a0}<\u{a0}0.001, {n}"),
        Some(p) => format!("p\u{a0}=\u{a0}{p:.3}, {n}"),
        None => n,
    }
}

/// The geometric mean of the ratios of each kind of work and unit with at least two scenarios: `1.15x faster over 8
/// scenarios of full handshakes`. A mean over units that improve in different directions would be meaningless, and so
/// would one over the variations of one scenario.
pub(crate) fn means(rows: &[Compared<'_>]) -> Vec<String> {
    let kinds = one_of_each_kind(rows.iter().copied(), |one| one.row);
    let groups = group_by(kinds, |one| {
        let work = match &one.row.scenario.workload {
            Workload::Other(_) => format!("benchmarks in {}", one.row.unit.symbol()),
            known => known.word().to_owned(),
        };
        (work, &one.row.unit)
    });
    let mut means = Vec::new();
    for ((work, _), own) in groups {
        let ratios: Vec<f64> = own.iter().map(|one| one.known.change.ratio).collect();
        if let (Some(ratio), [first, _, ..]) = (geometric_mean(&ratios), &*own) {
            let change = first.row.change(ratio);
            means.push(format!("{change} over {} scenarios of {work}", own.len()));
        }
    }
    means
}

/// `±0.3%`; `None` if all runs gave the same value, the figure is 0, or runs are too few for an interval.
pub(crate) fn spread(figure: &Figure) -> Option<String> {
    let is_share = |i: &Interval| i.low < i.high && figure.estimate != 0.0;
    let wide = figure.interval.filter(is_share)?;
    Some(format!("±{}", wide.half_width_text(figure.estimate)))
}

/// `30`, or `30+29` where the sides differ.
pub(crate) fn both_runs([old, new]: [usize; 2]) -> String {
    match old == new {
        true => old.to_string(),
        false => format!("{old}+{new}"),
    }
}

/// `Single figures`, `15 runs`, `13 to 15 runs`
pub(crate) fn runs(min: usize, max: usize) -> String {
    match max {
        1 => "Single figures".to_owned(),
        _ if min == max => count(max, "run"),
        _ => format!("{min} to {max} runs"),
    }
}

/// `0.013`, or `<0.001`: with few runs, further digits are meaningless.
pub(crate) fn p(p: f64) -> String {
    match p < 0.001 {
        true => "<0.001".to_owned(),
        false => format!("{p:.3}"),
    }
}

/// The class of a verdict, for its colour: `good`, `bad`, `even`, or `unknown` for one that is not
/// tested.
pub(crate) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "good",
        Verdict::Worse => "bad",
        Verdict::Untested => "unknown",
        Verdict::Differs | Verdict::Same | Verdict::NotShown => "even",
    }
}

/// The word of the direction, or those for no difference, none that is shown, and untested.
fn outcome(known: &Comparison, [same, not_shown, untested]: [&'static str; 3]) -> &'static str {
    match known.verdict {
        Verdict::Same => same,
        Verdict::NotShown => not_shown,
        Verdict::Untested => untested,
        Verdict::Better | Verdict::Worse | Verdict::Differs => known.change.word(),
    }
}

/// The verdict in data files: the word of the direction, or `same`, `not-shown`, `untested`.
pub(crate) fn verdict_word(known: &Comparison) -> &'static str {
    outcome(known, ["same", "not-shown", "untested"])
}

/// By how much a program differed from itself: `1.8%`.
pub(crate) fn control(factor: f64) -> String {
    format!("{:.1}%", (factor - 1.0) * 100.0)
}

/// Joins those of the sentences that there are.
pub(crate) fn sentences(all: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// What some comparisons come to, as pairs of a number and what it counts: `3 faster`, `2 slower`,
/// `8 without a difference`.
pub(crate) fn numbers(rows: &[Compared<'_>]) -> Vec<(usize, &'static str)> {
    let words = ["without a difference", "not shown (~)", "not tested (*)"];
    let outcomes = rows
        .iter()
        .map(|one| (one.verdict(), outcome(&one.known, words)));
    let mut outcomes = Vec::from_iter(outcomes);
    outcomes.sort_by_key(|(verdict, _)| *verdict);
    let numbers = group_by(outcomes, |(_, word)| *word);
    let numbers = numbers.into_iter().map(|(word, own)| (own.len(), word));
    numbers.collect()
}

/// `1.62x slower in full handshakes`: the largest of the changes.
pub(crate) fn largest(tally: &Tally<'_>) -> Option<String> {
    let largest = tally.largest?;
    let title = titles::title(&largest.row.scenario);
    Some(format!("{} in {title}", largest.known.change))
}

/// How a figure that represents several runs is called.
pub(crate) fn estimator(estimator: Estimator) -> &'static str {
    match estimator {
        Estimator::Median => "median",
        Estimator::MedianHigh => "upper median",
        Estimator::Min => "minimum",
        Estimator::Max => "maximum",
        Estimator::Mean => "mean",
    }
}

/// What the source says of a single figure, `published median of 30 runs`, or with an `s` of all of them.
fn published(report: &Report, s: &str) -> Option<String> {
    let source = report.manifest.source.as_ref()?;
    let of = estimator(source.statistic.unwrap_or(report.manifest.estimator));
    Some(format!("published {of}{s} of {} runs", source.runs?))
}

/// `20 runs of each`, `published medians of 30 runs, no interval`
pub(crate) fn runs_of(report: &Report) -> Option<String> {
    report
        .run_counts
        .map(|(min, max)| match (max, published(report, "s")) {
            (1, Some(words)) => format!("{words}, no interval"),
            (1, None) => "single figures".to_owned(),
            _ => format!("{} of each", runs(min, max)),
        })
}

/// `, 20 runs` beside a figure; of a single one, what its source says. Empty if it says nothing.
pub(crate) fn runs_behind(report: &Report, cell: &Cell) -> String {
    match cell.values.len() {
        1 => published(report, "").map_or_else(String::new, |what| format!(", {what}")),
        several => format!(", {}", count(several, "run")),
    }
}

/// `20 runs of each`, `differences of 1% and more show`: how much a report measured, and how precisely.
pub(crate) fn precision(report: &Report) -> Vec<String> {
    let shown = report.smallest_shown().map(resolution);
    runs_of(report).into_iter().chain(shown).collect()
}

/// `differences of 1% and more show`
pub(crate) fn resolution(smallest_shown: f64) -> String {
    let percent = format!("{:.1}", smallest_shown * 100.0);
    let percent = percent.trim_end_matches(".0");
    format!("differences of {percent}% and more show")
}

/// Returns the sentences that explain the figures and names of all tables.
pub(crate) fn legend(report: &Report, rows: &[&Row]) -> String {
    let Some((min, max)) = run_counts(rows.iter().copied()) else {
        return String::new();
    };
    let of = estimator(report.manifest.estimator);
    let runs = match min == max {
        true => format!("{max} runs"),
        false => format!("{min} to {max} runs, as captions say"),
    };
    let figures = match (max, published(report, "s")) {
        (1, Some(words)) => {
            format!("Figures are {words}, no interval; differences are not tested.")
        }
        (1, None) => {
            "Figures are single ones: they have no interval, and differences are not tested."
                .to_owned()
        }
        (2..6, _) => format!("Figures are the {of} of {runs}, too few for intervals."),
        _ => format!("Figures are the {of} of {runs}, ± half of its 95% interval."),
    };
    match report.usual_variants() {
        none if none.is_empty() => figures,
        variants => format!("{figures} {variants}"),
    }
}
