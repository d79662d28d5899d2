//! Comparisons of two implementations, row by row, with verdicts.

use super::kinds::one_of_each_kind;
use super::{Cell, Row, words};
use crate::model::scale::Scale;
use crate::model::scenario::{Scenario, Workload};
use crate::model::unit::Unit;
use crate::stats::{Change, Comparison, Estimator, Pair, Rules, Verdict, geometric_mean};
use std::collections::HashMap;

/// One scenario on both sides.
#[derive(Clone, Debug)]
pub(crate) struct ComparedRow<'a> {
    pub row: &'a Row,
    /// Baseline and candidate; `None` if a side lacks the scenario.
    pub cells: [Option<&'a Cell>; 2],
    /// The estimates of both sides in base units; `None` without a figure.
    pub estimates: [Option<f64>; 2],
    /// The factor by which a program differed from itself, if one was measured twice.
    pub control: Option<f64>,
    /// Whether both sides are of one data set whose runs are paired.
    pub is_paired: bool,
    /// `None` if a side has no figure, or before the row is judged.
    pub comparison: Option<Comparison>,
}

/// The rows of one comparison.
#[derive(Clone, Debug)]
pub(crate) struct ComparedTable<'a> {
    pub rows: Vec<ComparedRow<'a>>,
    /// The number of runs, if it is the same in all tested rows; else empty.
    pub runs: String,
    scales: HashMap<&'a Unit, Scale>,
    /// Scales of rows whose times are too unlike those of others.
    own_scales: HashMap<&'a Scenario, Scale>,
}

/// A judged row with its verdict.
pub(crate) type Known<'t, 'a> = (&'t ComparedRow<'a>, Comparison);

/// Explains how counts are judged.
pub(crate) const COUNTS_RULE: &str = "Counts hardly vary by chance, so they are not tested: a change is a gap between the runs of the two sides that is wider than both 0.2% and the range of either side.";

/// Judges the rows of one table in place.
pub(crate) fn judge<'r, 'a: 'r>(
    rows: impl IntoIterator<Item = &'r mut ComparedRow<'a>>,
    estimator: Estimator,
    rules: &Rules,
) {
    let mut pairs = Vec::new();
    let mut with_pair = Vec::new();
    for row in rows {
        if let Some(pair) = row.pair(estimator) {
            pairs.push(pair);
            with_pair.push(row);
        }
    }
    for (row, comparison) in with_pair.into_iter().zip(rules.judge(&pairs)) {
        row.comparison = Some(comparison);
    }
}

impl<'a> ComparedRow<'a> {
    /// Creates a row that is not judged yet.
    pub(crate) fn new(row: &'a Row, cells: [Option<&'a Cell>; 2], estimator: Estimator) -> Self {
        Self {
            row,
            control: row.control,
            cells,
            estimates: cells.map(|cell| Some(cell?.sample()?.estimate(estimator))),
            is_paired: false,
            comparison: None,
        }
    }

    /// Compares run by run, if both sides have the same runs.
    pub(crate) fn paired(self, is_paired: bool) -> Self {
        Self { is_paired, ..self }
    }

    fn pair(&self, estimator: Estimator) -> Option<Pair<'a>> {
        let [old, new] = self.cells.map(|cell| cell.and_then(Cell::sample));
        let unit = &self.row.unit;
        let pair =
            Pair::new(old?, new?, estimator, unit.better(), unit.kind())?.controlled(self.control);
        Some(match self.cells {
            [Some(old), Some(new)] if self.is_paired => pair.paired(new.ratios(old)),
            _ => pair,
        })
    }

    /// `None` if a side has no figure.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.comparison.map(|c| c.verdict)
    }

    /// Whether a difference is shown.
    pub(crate) fn is_change(&self) -> bool {
        self.verdict().is_some_and(Verdict::is_change)
    }

    /// Returns the caveats that apply to both sides, to the baseline only, and to the candidate only.
    pub(crate) fn caveats(&self) -> [Vec<&'a String>; 3] {
        let [old, new] = self.cells.map(|cell| cell.map_or(&[][..], |c| &c.caveats));
        let (both, only_old) = old.iter().partition(|caveat| new.contains(caveat));
        let only_new = new.iter().filter(|caveat| !old.contains(caveat));
        [both, only_old, only_new.collect()]
    }

    /// Whether the row is a count with repeated runs on both sides.
    pub(crate) fn is_counted(&self) -> bool {
        let is_judged = self.verdict().is_some_and(|v| v != Verdict::Untested);
        self.row.unit.kind().is_count() && is_judged
    }

    /// Returns the number of values of each side.
    pub(crate) fn runs(&self) -> [usize; 2] {
        self.cells.map(|cell| cell.map_or(0, |c| c.values.len()))
    }
}

impl<'a> ComparedTable<'a> {
    /// Creates a table with one scale per unit, or per row where times are unlike.
    pub(crate) fn new(rows: Vec<ComparedRow<'a>>) -> Self {
        let mut values: HashMap<&Unit, Vec<f64>> = HashMap::new();
        for row in &rows {
            let known = row.estimates.iter().flatten();
            values.entry(&row.row.unit).or_default().extend(known);
        }
        let mut own_scales = HashMap::new();
        let unlike =
            |(unit, values): (_, &Vec<f64>)| Scale::is_per_row(unit, values.iter().copied());
        let unlike: HashMap<&Unit, bool> = values
            .iter()
            .map(|(unit, values)| (*unit, unlike((unit, values))))
            .collect();
        for row in rows.iter().filter(|row| unlike[&row.row.unit]) {
            let known = row.estimates.iter().flatten().copied();
            own_scales.insert(&row.row.scenario, Scale::of(&row.row.unit, known));
        }
        let scales = values.into_iter();
        let scales = scales
            .map(|(unit, values)| (unit, Scale::of(unit, values)))
            .collect();
        let has_p = |row: &ComparedRow| row.comparison.is_some_and(|known| known.p().is_some());
        let tested = |row: &&ComparedRow| has_p(row) || row.is_counted();
        let tested = rows.iter().filter(tested);
        let mut runs: Vec<String> = tested.map(|row| words::both_runs(row.runs())).collect();
        runs.dedup();
        Self {
            runs: <[String; 1]>::try_from(runs).map_or_else(|_| String::new(), |[same]| same),
            rows,
            scales,
            own_scales,
        }
    }

    /// Returns the rows that have a figure on both sides, with their comparisons.
    pub(crate) fn known(&self) -> impl Iterator<Item = Known<'_, 'a>> {
        let rows = self.rows.iter();
        rows.filter_map(|row| Some((row, row.comparison?)))
    }

    /// Returns the scale of a row's figures.
    pub(crate) fn scale(&self, row: &ComparedRow) -> &Scale {
        let own = self.own_scales.get(&row.row.scenario);
        own.filter(|_| row.row.unit == Unit::Time)
            .unwrap_or_else(|| &self.scales[&row.row.unit])
    }

    /// Returns the symbol of the scale that a unit's figures are shown in.
    pub(crate) fn symbol(&self, unit: &Unit) -> &str {
        &self.scales[unit].symbol
    }

    /// Returns the number of rows that have a figure on both sides.
    pub(crate) fn compared(&self) -> usize {
        let compared = |r: &&ComparedRow| r.comparison.is_some();
        self.rows.iter().filter(compared).count()
    }

    /// Returns the number of tested rows, the family over which p-values are adjusted.
    pub(crate) fn tested(&self) -> usize {
        let tested = |r: &&ComparedRow| r.comparison.is_some_and(|c| c.adjusted_p.is_some());
        self.rows.iter().filter(tested).count()
    }

    /// Returns the number of rows of counts with repeated runs on both sides, which are not tested.
    pub(crate) fn counted(&self) -> usize {
        self.rows.iter().filter(|r| r.is_counted()).count()
    }

    /// Returns the mean of the ratios of each kind of work and unit with at least two scenarios. A mean over
    /// units that improve in different directions would be meaningless, and so would one over the
    /// variations of one scenario.
    pub(crate) fn means(&self) -> Vec<Mean> {
        let known: Vec<Known<'_, '_>> = self.known().collect();
        let keys = known
            .iter()
            .map(|(row, _)| (&row.row.scenario, &row.row.unit));
        let mut groups: Vec<(&Workload, &Unit, Vec<Change>)> = Vec::new();
        for place in one_of_each_kind(keys) {
            let (ComparedRow { row, .. }, comparison) = known[place];
            let group = groups.iter_mut().find(|(workload, unit, _)| {
                is_same_work(workload, &row.scenario.workload) && **unit == row.unit
            });
            match group {
                Some((.., changes)) => changes.push(comparison.change),
                None => {
                    let group = (&row.scenario.workload, &row.unit, vec![comparison.change]);
                    groups.push(group);
                }
            }
        }
        let mut means = Vec::new();
        for (workload, unit, changes) in groups {
            let ratios: Vec<f64> = changes.iter().map(|change| change.ratio).collect();
            if let (Some(ratio), [first, _, ..]) = (geometric_mean(&ratios), &*changes) {
                means.push(Mean {
                    workload: workload.clone(),
                    work: match workload {
                        Workload::Other(_) => format!("benchmarks in {}", self.symbol(unit)),
                        known => known.word().to_owned(),
                    },
                    unit: unit.clone(),
                    rows: changes.len(),
                    change: Change { ratio, ..*first },
                });
            }
        }
        means
    }
}

/// A geometric mean of ratios.
#[derive(Clone, Debug)]
pub(crate) struct Mean {
    workload: Workload,
    unit: Unit,
    /// `full handshakes`
    pub work: String,
    /// The number of ratios.
    pub rows: usize,
    pub change: Change,
}

impl Mean {
    /// The mean of the swapped comparisons.
    pub(crate) fn reversed(&self) -> Self {
        let mut reversed = self.clone();
        reversed.change.ratio = 1.0 / self.change.ratio;
        reversed
    }

    /// Whether rows like this one are among those of the mean.
    pub(crate) fn is_over(&self, row: &Row) -> bool {
        is_same_work(&self.workload, &row.scenario.workload) && self.unit == row.unit
    }
}

/// Whether two kinds of work share a mean: all benchmarks of free names do.
fn is_same_work(one: &Workload, other: &Workload) -> bool {
    one == other || matches!((one, other), (Workload::Other(_), Workload::Other(_)))
}

/// A table of the rows that have a figure on both sides; `None` if there are none.
pub(crate) fn of_judged(mut rows: Vec<ComparedRow<'_>>) -> Option<ComparedTable<'_>> {
    rows.retain(|row| row.comparison.is_some());
    (!rows.is_empty()).then(|| ComparedTable::new(rows))
}
