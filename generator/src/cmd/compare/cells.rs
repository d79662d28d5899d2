//! Cells that the text and the Markdown form show alike.

use crate::report::{Cell, ComparedRow, p_text};
use crate::stats::Verdict;
use crate::unit::Scale;

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
    match (estimate, cell.and_then(Cell::interval)) {
        (Some(estimate), Some(interval)) => {
            format!("±{:.1}%", interval.relative_half_width(estimate) * 100.0)
        }
        _ => String::new(),
    }
}

pub(super) fn ratio(row: &ComparedRow) -> String {
    let ratio = row.comparison.map(|c| format!("{:.3}", c.change.ratio));
    ratio.unwrap_or_default()
}

pub(super) fn p(row: &ComparedRow) -> String {
    row.p().map_or_else(String::new, p_text)
}
