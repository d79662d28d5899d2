//! The words for verdicts, intervals, spreads and numbers of runs: the same in the terminal, on
//! pages, in pull requests and in feeds.

use super::{ComparedRow, Figure, Mean};
use crate::base::words::count;
use crate::stats::{Change, Comparison, Interval, Rules, Verdict};

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

/// `1.54x slower`, `1.54x slower *` if that is not tested, `no difference`, or `~`.
pub(crate) fn verdict(known: &Comparison) -> String {
    worded(known, ["no difference", "~", " *"])
}

/// The verdict beside a mark, which needs no sign.
pub(crate) fn verdict_beside(known: &Comparison) -> String {
    worded(known, ["no difference", "not shown", " *"])
}

/// The verdict in a narrow cell: `1.54x slower`, `=` or `~`.
pub(crate) fn verdict_sign(known: &Comparison) -> String {
    worded(known, ["=", "~", " *"])
}

/// The verdict as a part of a sentence: `1.54x slower`, `no difference of 1%`,
/// `no difference shown`.
pub(crate) fn verdict_in_words(known: &Comparison) -> String {
    let same = format!("no difference of {}%", threshold_percent());
    worded(known, [&same, "no difference shown", ", untested"])
}

/// The noise floor in percent: 1.
pub(crate) fn threshold_percent() -> f64 {
    Rules::default().threshold * 100.0
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
pub(crate) fn evidence(row: &ComparedRow<'_>, known: &Comparison) -> String {
    match interval(known) {
        Some(interval) => format!("{interval}, {}", test(row, known)),
        None => test(row, known),
    }
}

/// `p < 0.001, n = 30`
pub(crate) fn test(row: &ComparedRow<'_>, known: &Comparison) -> String {
    match known.p() {
        Some(p) => format!("{}, {}", p_equation(p), n_equation(row)),
        None => n_equation(row),
    }
}

/// A geometric mean: `1.15x faster over 8 scenarios of full handshakes`
pub(crate) fn mean(mean: &Mean) -> String {
    format!("{} {}", mean.change, mean_over(mean))
}

/// Over what a geometric mean is: `over 8 scenarios of full handshakes`
pub(crate) fn mean_over(mean: &Mean) -> String {
    format!("over {} scenarios of {}", mean.rows, mean.work)
}

/// `±0.3%`; `None` if all runs gave the same value, the figure is 0, or runs are too few for an interval.
pub(crate) fn spread(figure: &Figure) -> Option<String> {
    let is_share = |i: &Interval| i.low < i.high && figure.estimate != 0.0;
    let wide = figure.interval.filter(is_share)?;
    Some(format!("±{}", wide.half_width_text(figure.estimate)))
}

/// `n = 30`, with no-break spaces.
pub(crate) fn n_equation(row: &ComparedRow<'_>) -> String {
    format!("n\u{a0}=\u{a0}{}", both_runs(row.runs()))
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

/// `p = 0.013`, `p < 0.001`, with no-break spaces.
pub(crate) fn p_equation(p: f64) -> String {
    match p < 0.001 {
        true => "p\u{a0}<\u{a0}0.001".to_owned(),
        false => format!("p\u{a0}=\u{a0}{p:.3}"),
    }
}

/// The class of a verdict, for its colour: `good`, `bad`, `even`, or `unknown` for one that is not
/// tested.
pub(crate) fn verdict_class(known: &Comparison) -> &'static str {
    match known.verdict {
        Verdict::Better => "good",
        Verdict::Worse => "bad",
        Verdict::Untested => "unknown",
        Verdict::Differs | Verdict::Same | Verdict::NotShown => "even",
    }
}

/// The class of a tested change.
pub(crate) fn change_class(change: &Change) -> &'static str {
    match change.direction() {
        Verdict::Better => "good",
        Verdict::Worse => "bad",
        _ => "even",
    }
}

/// All verdicts, in the order in which they are counted.
pub(crate) const VERDICTS: [Verdict; 6] = [
    Verdict::Better,
    Verdict::Worse,
    Verdict::Differs,
    Verdict::Same,
    Verdict::NotShown,
    Verdict::Untested,
];

/// What a comparison counts as: `faster`, `not shown`.
pub(crate) fn outcome(known: &Comparison) -> &'static str {
    match known.verdict {
        Verdict::Same => "without a difference",
        Verdict::NotShown => "not shown (~)",
        Verdict::Untested => "not tested (*)",
        Verdict::Better | Verdict::Worse | Verdict::Differs => known.change.word(),
    }
}

/// The verdict in data files: the word of the direction, or `same`, `not-shown`, `untested`.
pub(crate) fn verdict_word(known: &Comparison) -> &'static str {
    match known.verdict {
        Verdict::Same => "same",
        Verdict::NotShown => "not-shown",
        Verdict::Untested => "untested",
        Verdict::Better | Verdict::Worse | Verdict::Differs => known.change.word(),
    }
}

/// By how much a program differed from itself: `1.8%`.
pub(crate) fn control(factor: f64) -> String {
    format!("{:.1}%", (factor - 1.0) * 100.0)
}
