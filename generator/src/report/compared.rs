//! Two implementations side by side: every row with what may be said of its difference.

use super::{Cell, Row, control_text};
use crate::implementation::Implementation;
use crate::profile::{Profiles, Why};
use crate::scenario::Scenario;
use crate::stats::{Change, Comparison, Estimator, Interval, Pair, Rules, Verdict, geometric_mean};
use crate::unit::{Scale, Unit};
use std::collections::HashMap;

/// One scenario on both sides.
#[derive(Clone, Debug)]
pub(crate) struct ComparedRow<'a> {
    pub scenario: &'a Scenario,
    pub unit: &'a Unit,
    /// The baseline and the candidate; `None` where a side has no such scenario.
    pub cells: [Option<&'a Cell>; 2],
    /// The estimates of both, where there are figures.
    pub estimates: [Option<f64>; 2],
    /// By which factor a program differed from itself, if one was measured twice.
    pub control: Option<f64>,
    /// What is known of the difference; `None` where a side has no figure.
    pub comparison: Option<Comparison>,
}

/// The rows of one comparison, whatever it is written as.
#[derive(Clone, Debug)]
pub(crate) struct ComparedTable<'a> {
    pub rows: Vec<ComparedRow<'a>>,
    /// The runs of every row with a test, if they are the same in all; empty without tests.
    pub runs: String,
    scales: HashMap<&'a Unit, Scale>,
}

/// How counts are judged.
pub(crate) const COUNTS_RULE: &str = "Counts hardly vary by chance, so they are not tested: a change is a gap between the runs of the two sides that is wider than 0.2% and than the range of either side.";

/// The mean of the ratios of one unit. A mean over units that improve in different directions
/// would say nothing.
#[derive(Debug)]
pub(crate) struct Mean<'a> {
    pub unit: &'a Unit,
    pub n: usize,
    pub change: Change,
}

/// Judges the rows of one table: both cells of each.
pub(crate) fn judge<'a>(
    rows: impl IntoIterator<Item = (&'a Row, [Option<&'a Cell>; 2])>,
    estimator: Estimator,
    rules: &Rules,
) -> Vec<ComparedRow<'a>> {
    let rows = rows.into_iter();
    let rows: Vec<_> = rows
        .map(|(row, cells)| (row, cells, cells.map(|cell| cell.and_then(Cell::sample))))
        .collect();
    let pairs = rows.iter().map(|(row, _, samples)| match samples {
        [Some(old), Some(new)] => {
            Pair::new(old, new, estimator, row.unit.better(), row.unit.kind())
        }
        _ => None,
    });
    let pairs: Vec<Option<Pair>> = pairs.collect();
    let of_pairs: Vec<Pair> = pairs.iter().flatten().copied().collect();
    let mut comparisons = rules.judge(&of_pairs).into_iter();
    let known = pairs
        .iter()
        .map(|pair| pair.and_then(|_| comparisons.next()));
    let judged = rows.iter().zip(known);
    judged
        .map(|((row, cells, samples), comparison)| ComparedRow {
            scenario: &row.scenario,
            unit: &row.unit,
            control: row.control,
            cells: *cells,
            estimates: samples
                .each_ref()
                .map(|s| Some(s.as_ref()?.estimate(estimator))),
            comparison,
        })
        .collect()
}

impl ComparedRow<'_> {
    /// What may be said; `None` where a side has no figure.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.comparison.map(|c| c.verdict)
    }

    /// Whether a difference is shown.
    pub(crate) fn is_change(&self) -> bool {
        self.verdict().is_some_and(Verdict::is_change)
    }

    /// `within the control: the same program differed by 1.8%`, of a change that is no larger.
    pub(crate) fn control_mark(&self) -> Option<String> {
        let factor = self.control?;
        let size = self.comparison.filter(|_| self.is_change())?.change.size();
        let is_within = size <= factor;
        is_within.then(|| {
            format!(
                "within the control: the same program, measured twice, differed by {}",
                control_text(factor)
            )
        })
    }

    /// Whether it is a count that both sides repeat.
    pub(crate) fn is_counted(&self) -> bool {
        let verdict = self.verdict().filter(|v| *v != Verdict::Untested);
        self.unit.kind().is_count() && verdict.is_some()
    }

    /// How many values each side has.
    pub(crate) fn runs(&self) -> [usize; 2] {
        self.cells.map(|cell| cell.map_or(0, |c| c.values.len()))
    }

    /// `30`, or `30+29` where the sides differ.
    pub(crate) fn runs_text(&self) -> String {
        match self.runs() {
            [old, new] if old == new => old.to_string(),
            [old, new] => format!("{old}+{new}"),
        }
    }

    /// `n = 30`, with spaces at which no line breaks.
    pub(crate) fn n_equation(&self) -> String {
        format!("n\u{a0}=\u{a0}{}", self.runs_text())
    }

    /// The p that is shown: adjusted over the table where the row took part in that.
    pub(crate) fn p(&self) -> Option<f64> {
        let known = self.comparison?;
        known.adjusted_p.or(known.test.map(|t| t.p))
    }

    /// The interval of the ratio as `0.978–0.992`.
    pub(crate) fn interval_text(&self) -> Option<String> {
        let Interval { low, high } = self.comparison?.interval?;
        Some(format!("{low:.3}–{high:.3}"))
    }
}

impl<'a> ComparedTable<'a> {
    /// With one scale for each unit.
    pub(crate) fn new(rows: Vec<ComparedRow<'a>>) -> Self {
        let mut values: HashMap<&Unit, Vec<f64>> = HashMap::new();
        for row in &rows {
            let known = row.estimates.iter().flatten();
            values.entry(row.unit).or_default().extend(known);
        }
        let scales = values.into_iter();
        let scales = scales
            .map(|(unit, values)| (unit, Scale::of(unit, values)))
            .collect();
        let tested = |row: &&ComparedRow| row.p().is_some() || row.is_counted();
        let tested = rows.iter().filter(tested);
        let mut runs: Vec<String> = tested.map(ComparedRow::runs_text).collect();
        runs.dedup();
        Self {
            runs: <[String; 1]>::try_from(runs).map_or_else(|_| String::new(), |[same]| same),
            rows,
            scales,
        }
    }

    /// How a row's figures are shown.
    pub(crate) fn scale(&self, row: &ComparedRow) -> &Scale {
        &self.scales[row.unit]
    }

    /// The unit that a unit's figures are shown in.
    pub(crate) fn symbol(&self, unit: &Unit) -> &str {
        &self.scales[unit].symbol
    }

    /// How many rows have a figure on both sides.
    pub(crate) fn compared(&self) -> usize {
        let compared = |r: &&ComparedRow| r.comparison.is_some();
        self.rows.iter().filter(compared).count()
    }

    /// How many rows were tested, so that their p were adjusted together.
    pub(crate) fn tested(&self) -> usize {
        let tested = |r: &&ComparedRow| r.comparison.is_some_and(|c| c.adjusted_p.is_some());
        self.rows.iter().filter(tested).count()
    }

    /// How many rows are of counts that both sides repeat, which no test is to judge.
    pub(crate) fn counted(&self) -> usize {
        self.rows.iter().filter(|r| r.is_counted()).count()
    }

    /// A mean for each unit with two common scenarios or more.
    pub(crate) fn means(&self) -> Vec<Mean<'a>> {
        let mut units: Vec<&Unit> = self.rows.iter().map(|r| r.unit).collect();
        units.sort();
        units.dedup();
        let mean = |unit: &'a Unit| {
            let of_unit = self.rows.iter().filter(|r| r.unit == unit);
            let changes: Vec<Change> = of_unit.filter_map(|r| Some(r.comparison?.change)).collect();
            let ratios: Vec<f64> = changes.iter().map(|c| c.ratio).collect();
            let n = ratios.len();
            let ratio = geometric_mean(&ratios).filter(|_| n > 1)?;
            let change = Change {
                ratio,
                ..changes[0]
            };
            Some(Mean { unit, n, change })
        };
        units.into_iter().filter_map(mean).collect()
    }
}

/// What accounts for the largest changes of instructions, where both sides were profiled.
pub(crate) fn whys<'r, 'a>(
    sides: [(&Profiles, &Implementation); 2],
    rows: impl Iterator<Item = &'r ComparedRow<'a>>,
    most: usize,
) -> Vec<(&'r ComparedRow<'a>, Why)> {
    let is_meant = |row: &&ComparedRow| *row.unit == Unit::INSTRUCTIONS && row.is_change();
    let mut rows: Vec<_> = rows.filter(is_meant).collect();
    let size = |row: &ComparedRow| row.comparison.map_or(0.0, |c| c.change.size());
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let known = rows.into_iter();
    let known = known.filter_map(|row| Some((row, Profiles::why(sides, row.scenario)?)));
    known.take(most).collect()
}

/// `0.013`, or `<0.001`: with so few runs the digits beyond mean nothing.
pub(crate) fn p_text(p: f64) -> String {
    match p {
        p if p < 0.001 => "<0.001".to_owned(),
        p => format!("{p:.3}"),
    }
}

/// `p = 0.013`, `p < 0.001`, with spaces at which no line breaks.
pub(crate) fn p_equation(p: f64) -> String {
    match p_text(p).split_at_checked(1) {
        Some(("<", limit)) => format!("p\u{a0}<\u{a0}{limit}"),
        _ => format!("p\u{a0}=\u{a0}{p:.3}"),
    }
}
