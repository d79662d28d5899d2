//! The key finding of a report.

use super::{Part, count, join};
use crate::report::Report;
use crate::unit::Better;
use std::cmp::Reverse;

/// The key finding in a sentence: the report's own, or who leads where.
pub fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let part = Part::of(report);
    let columns: Vec<usize> = (0..report.data.implementations.len()).collect();
    let mut wins = vec![0usize; columns.len()];
    let mut contested = part.rows.clone();
    contested.retain(|r| part.figures(r).len() > 1 && r.unit.better() != Better::Unknown);
    for best in contested.iter().filter_map(|r| part.best(r, &columns)) {
        wins[best] += 1;
    }
    let mut leaders = columns.clone();
    leaders.retain(|c| wins[*c] > 0);
    leaders.sort_by_key(|c| Reverse(wins[*c]));
    let wins_of = |c: &usize| format!("{} in {}", part.name(*c), wins[*c]);
    let others: Vec<String> = leaders.iter().skip(1).take(2).map(wins_of).collect();
    let Some(first) = leaders.first() else {
        let figures = count(part.rows.len(), "figure");
        return format!("{figures} of {}.", join(&part.names(&columns)));
    };
    let comma = if others.is_empty() { "" } else { ", " };
    format!(
        "{} is best in {} of {} scenarios{comma}{}.",
        part.name(*first),
        wins[*first],
        contested.len(),
        join(&others)
    )
}
