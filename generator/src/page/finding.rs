//! The key finding of a report.

use super::{Part, join};
use crate::report::Report;
use crate::unit::Better;

/// The key finding in a sentence: the report's own, or who leads where.
pub fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let part = Part::of(&report.data, report.manifest.estimator, |_| true);
    let mut wins = vec![0usize; report.data.implementations.len()];
    let mut contested = 0;
    for row in &part.rows {
        let columns: Vec<usize> = (0..wins.len())
            .filter(|c| part.estimate(row, *c).is_some())
            .collect();
        if columns.len() > 1 && row.unit.better() != Better::Unknown {
            contested += 1;
            if let Some(best) = part.best(row, &columns, row.unit.better()) {
                wins[best] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..wins.len()).filter(|c| wins[*c] > 0).collect();
    order.sort_by_key(|c| std::cmp::Reverse(wins[*c]));
    let mut phrases = order
        .iter()
        .take(3)
        .enumerate()
        .map(|(place, column)| match place {
            0 => format!(
                "{} is best in {} of {contested} scenarios",
                part.name(*column),
                wins[*column]
            ),
            _ => format!("{} in {}", part.name(*column), wins[*column]),
        });
    let Some(first) = phrases.next() else {
        let n = part.rows.len();
        let names: Vec<String> = (0..wins.len()).map(|c| part.name(c)).collect();
        return format!(
            "{n} figure{} of {}.",
            if n == 1 { "" } else { "s" },
            join(&names)
        );
    };
    let rest: Vec<String> = phrases.collect();
    if rest.is_empty() {
        format!("{first}.")
    } else {
        format!("{first}, {}.", join(&rest))
    }
}
