//! What the text and the Markdown form say alike.

use super::table::{Mean, Party, Table};
use crate::cli::Compare;
use crate::report::{Cell, ComparedRow, p_text};
use crate::stats::{Interval, LEAST_FOR_BOOTSTRAP, Verdict};
use crate::unit::Scale;

/// The rows that are asked for.
pub(super) fn shown<'a, 't>(
    table: &'t Table<'a>,
    arguments: &Compare,
) -> impl Iterator<Item = &'t ComparedRow<'a>> + use<'a, 't> {
    let all = !arguments.only_changed;
    table.rows.iter().filter(move |r| all || r.is_change())
}

/// What a reader must know of a row besides its figures.
pub(super) fn remarks(row: &ComparedRow) -> Vec<String> {
    let mut remarks = Vec::new();
    let sides = [("baseline", row.old), ("candidate", row.new)];
    for (name, cell) in sides {
        match cell {
            None => remarks.push(format!("not in the {name}")),
            Some(Cell {
                values,
                unsupported: None,
                ..
            }) if values.is_empty() => {
                remarks.push(format!("no figure in the {name}"));
            }
            Some(cell) => {
                let reason = cell.unsupported.iter();
                remarks.extend(reason.map(|r| match r.as_str() {
                    "unsupported" => format!("{name}: unsupported"),
                    reason => format!("{name} unsupported: {reason}"),
                }));
            }
        }
    }
    match sides.map(|(_, cell)| cell.map_or(&[][..], |c| &c.caveats)) {
        [old, new] if old == new => remarks.extend(old.iter().map(|c| format!("both sides: {c}"))),
        [old, new] => {
            remarks.extend(old.iter().map(|c| format!("baseline: {c}")));
            remarks.extend(new.iter().map(|c| format!("candidate: {c}")));
        }
    }
    if row.comparison.is_none() && row.estimates.iter().all(Option::is_some) {
        remarks.push("the figures are too far apart for a ratio".to_owned());
    }
    remarks
}

/// Why a row's verdict is not what its ratio or its p seem to say.
pub(super) fn footnote(row: &ComparedRow, arguments: &Compare) -> Option<String> {
    let known = row.comparison.as_ref()?;
    let alpha = arguments.alpha;
    match (known.verdict, known.adjusted_p) {
        (Verdict::Untested, _) => Some(
            "untested, because a side has a single value, and nothing tells a change from noise"
                .to_owned(),
        ),
        (Verdict::TooFew, None) => Some(format!(
            "too few runs, with which p stays above {alpha} whatever the figures are"
        )),
        (Verdict::TooFew, Some(_)) => Some(format!(
            "too few runs, because the sides do not even overlap, and still p stays above {alpha} in so many rows"
        )),
        (Verdict::None, Some(p)) if p <= alpha => Some(format!(
            "significant, but less than {}%",
            arguments.threshold
        )),
        _ => None,
    }
}

/// `1.54x slower`, `~`, or `–` where there is nothing to compare.
pub(super) fn change(row: &ComparedRow) -> String {
    match row.comparison {
        None => "–".to_owned(),
        Some(c) if c.verdict.is_change() || c.verdict == Verdict::Untested => c.change.to_string(),
        Some(_) => "~".to_owned(),
    }
}

/// A side's figure in the table's scale.
pub(super) fn figure(scale: &Scale, estimate: Option<f64>, cell: Option<&Cell>) -> String {
    match (estimate, cell.and_then(|c| c.unsupported.as_ref())) {
        (Some(estimate), _) => scale.show(estimate),
        (None, Some(_)) => "unsupported".to_owned(),
        (None, None) => "–".to_owned(),
    }
}

/// `±0.3%`: half the interval of the median.
pub(super) fn spread(estimate: Option<f64>, cell: Option<&Cell>) -> String {
    let share = |(estimate, interval): (f64, Interval)| {
        format!("±{:.1}%", interval.relative_half_width(estimate) * 100.0)
    };
    estimate
        .zip(cell.and_then(Cell::interval))
        .map_or_else(String::new, share)
}

/// `1.52–1.56`
pub(super) fn interval(row: &ComparedRow) -> String {
    let interval = row.comparison.and_then(|c| c.interval);
    interval.map_or_else(String::new, |i| format!("{:.3}–{:.3}", i.low, i.high))
}

pub(super) fn ratio(row: &ComparedRow) -> String {
    row.comparison
        .map_or_else(String::new, |c| format!("{:.3}", c.change.ratio))
}

pub(super) fn p(row: &ComparedRow) -> String {
    let known = row.comparison.as_ref();
    known
        .and_then(|c| c.adjusted_p.or(c.test.map(|t| t.p)))
        .map_or_else(String::new, p_text)
}

/// The implementation, with the label where the user gave one or the label is needed to tell
/// the sides apart.
pub(super) fn party(party: &Party, other: &Party) -> String {
    let name = party.implementation.to_string();
    if party.implementation == other.implementation && party.label != other.label {
        format!("{name} ({})", party.label)
    } else {
        name
    }
}

/// `geometric mean over 8 scenarios in MiB/s 1.15x faster`
pub(super) fn mean(mean: &Mean) -> String {
    let unit = match mean.unit.symbol() {
        "handshakes/s" => "hs/s",
        symbol => symbol,
    };
    format!(
        "geometric mean over {} scenarios in {unit} {}",
        mean.n, mean.change
    )
}

/// How the table was made, in a sentence or two.
pub(super) fn method(table: &Table, arguments: &Compare) -> String {
    let tested = table.tested();
    if tested == 0 {
        return String::new();
    }
    let mut method = format!(
        "p: Mann-Whitney U, adjusted over {} (Benjamini-Hochberg); ~ no difference shown at p ≤ {} and {}%.",
        rows(tested),
        arguments.alpha,
        arguments.threshold
    );
    let lacks = |r: &ComparedRow| {
        r.comparison
            .is_some_and(|c| c.test.is_some() && c.interval.is_none())
    };
    if table.rows.iter().any(lacks) {
        method += &format!(" The interval of a ratio takes {LEAST_FOR_BOOTSTRAP} runs a side.");
    }
    method
}

/// `3 of 20 rows changed significantly: 1 faster, 2 slower.`
pub(super) fn count(table: &Table) -> String {
    let of = |verdict: Verdict| {
        let n = table
            .rows
            .iter()
            .filter(|r| r.verdict() == Some(verdict))
            .count();
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    };
    let changes = [
        Verdict::Faster,
        Verdict::Slower,
        Verdict::Less,
        Verdict::More,
    ];
    let changes: Vec<String> = changes.into_iter().filter_map(of).collect();
    let changed = table.rows.iter().filter(|r| r.is_change()).count();
    let compared = table.rows.iter().filter(|r| r.comparison.is_some()).count();
    let counted = match changed {
        0 => format!("None of {} changed significantly", rows(compared)),
        _ => format!(
            "{changed} of {} changed significantly: {}",
            rows(compared),
            changes.join(", ")
        ),
    };
    let untested = compared - table.tested();
    match untested {
        0 => format!("{counted}."),
        _ if untested == compared => format!("{} compared, not tested.", rows(compared)),
        _ => format!("{counted}; {untested} could not be tested."),
    }
}

/// `1 row`, `20 rows`
pub(super) fn rows(n: usize) -> String {
    if n == 1 {
        "1 row".to_owned()
    } else {
        format!("{n} rows")
    }
}
