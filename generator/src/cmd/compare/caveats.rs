//! What a reader must know of a row besides its figures, in words.

use crate::cli::Compare;
use crate::report::{Cell, ComparedRow};
use crate::stats::Verdict;

/// All that stands below a table for people.
pub(super) fn footnotes(row: &ComparedRow, arguments: &Compare) -> Vec<String> {
    let mut all = caveats(row);
    all.extend(reason(row, arguments));
    all
}

/// What the sides lack, and what their files say of the figures.
pub(super) fn caveats(row: &ComparedRow) -> Vec<String> {
    let mut caveats = Vec::new();
    for (name, cell) in ["baseline", "candidate"].into_iter().zip(row.cells) {
        match cell {
            None => caveats.push(format!("not in the {name}")),
            Some(Cell {
                values,
                unsupported: None,
                ..
            }) if values.is_empty() => {
                caveats.push(format!("no figure in the {name}"));
            }
            Some(cell) => {
                let reason = cell.unsupported.iter();
                caveats.extend(reason.map(|r| match r.as_str() {
                    "unsupported" => format!("{name}: unsupported"),
                    reason => format!("{name} unsupported: {reason}"),
                }));
            }
        }
    }
    match row.cells.map(|cell| cell.map_or(&[][..], |c| &c.caveats)) {
        [old, new] if old == new => caveats.extend(old.iter().map(|c| format!("both sides: {c}"))),
        [old, new] => {
            caveats.extend(old.iter().map(|c| format!("baseline: {c}")));
            caveats.extend(new.iter().map(|c| format!("candidate: {c}")));
        }
    }
    if row.comparison.is_none() && row.estimates.iter().all(Option::is_some) {
        caveats.push("the figures are too far apart for a ratio".to_owned());
    }
    caveats
}

/// Why a row's verdict is not what its ratio or its p seem to say.
fn reason(row: &ComparedRow, arguments: &Compare) -> Option<String> {
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
