//! Rows of two implementations side by side, with what may be said of their difference.

use super::{Cell, Row};
use crate::scenario::Scenario;
use crate::stats::{Comparison, Estimator, Pair, Rules, Sample, Verdict};
use crate::unit::{Scale, Unit};
use std::collections::HashMap;

/// One scenario on both sides.
#[derive(Clone, Debug)]
pub struct ComparedRow<'a> {
    /// What was measured.
    pub scenario: &'a Scenario,
    /// In what.
    pub unit: &'a Unit,
    /// The baseline; `None` where it has no such scenario.
    pub old: Option<&'a Cell>,
    /// The candidate, likewise.
    pub new: Option<&'a Cell>,
    /// The estimates of both, where there are figures.
    pub estimates: [Option<f64>; 2],
    /// What is known of the difference; `None` where a side has no figure.
    pub comparison: Option<Comparison>,
}

/// Judges the rows of one table: both cells of each. Rows without any figure, and without the
/// word that there can be none, are left out.
pub fn judge<'a>(
    rows: impl IntoIterator<Item = (&'a Row, Option<&'a Cell>, Option<&'a Cell>)>,
    estimator: Estimator,
    rules: &Rules,
) -> Vec<ComparedRow<'a>> {
    let told = |cell: &Option<&Cell>| {
        cell.is_some_and(|c| !c.values.is_empty() || c.unsupported.is_some())
    };
    let rows: Vec<_> = rows
        .into_iter()
        .filter(|(_, old, new)| told(old) || told(new))
        .collect();
    let samples: Vec<[Option<Sample>; 2]> = rows
        .iter()
        .map(|(_, old, new)| [*old, *new].map(|cell| cell.and_then(Cell::sample)))
        .collect();
    let pairs: Vec<Option<Pair>> = rows
        .iter()
        .zip(&samples)
        .map(|((row, ..), samples)| {
            let [Some(old), Some(new)] = samples else {
                return None;
            };
            let as_percent = row.unit == Unit::Memory;
            Pair::new(old, new, estimator, row.unit.better(), as_percent)
        })
        .collect();
    let of_pairs: Vec<Pair> = pairs.iter().flatten().copied().collect();
    let mut comparisons = rules.judge(&of_pairs).into_iter();
    rows.into_iter()
        .zip(&samples)
        .zip(pairs)
        .map(|(((row, old, new), samples), pair)| ComparedRow {
            scenario: &row.scenario,
            unit: &row.unit,
            old,
            new,
            estimates: [0, 1].map(|i| samples[i].as_ref().map(|s| s.estimate(estimator))),
            comparison: pair.and_then(|_| comparisons.next()),
        })
        .collect()
}

impl ComparedRow<'_> {
    /// What may be said; `None` where a side has no figure.
    pub fn verdict(&self) -> Option<Verdict> {
        self.comparison.map(|c| c.verdict)
    }

    /// How many values each side has.
    pub fn runs(&self) -> [usize; 2] {
        [self.old, self.new].map(|cell| cell.map_or(0, |c| c.values.len()))
    }

    /// `30`, or `30+29` where the sides differ.
    pub fn runs_text(&self) -> String {
        match self.runs() {
            [old, new] if old == new => old.to_string(),
            [old, new] => format!("{old}+{new}"),
        }
    }

    /// Whether a difference is shown.
    pub fn is_change(&self) -> bool {
        self.verdict().is_some_and(Verdict::is_change)
    }
}

/// One scale for each unit of a table.
pub fn scales<'a>(rows: &[ComparedRow<'a>]) -> HashMap<&'a Unit, Scale> {
    let mut values: HashMap<&Unit, Vec<f64>> = HashMap::new();
    for row in rows {
        let known = row.estimates.iter().flatten();
        values.entry(row.unit).or_default().extend(known);
    }
    values
        .into_iter()
        .map(|(unit, values)| (unit, Scale::of(unit, values)))
        .collect()
}

/// `0.013`, or `<0.001`: no test of so few runs tells the digits beyond.
pub fn p_text(p: f64) -> String {
    if p < 0.001 {
        "<0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// `p = 0.013`, `p < 0.001`, with spaces at which no line breaks.
pub fn equation(name: &str, p: f64) -> String {
    match p_text(p).strip_prefix('<') {
        Some(bound) => format!("{name}\u{a0}<\u{a0}{bound}"),
        None => format!("{name}\u{a0}=\u{a0}{}", p_text(p)),
    }
}
