//! Comparisons of two implementations, row by row, with verdicts.

use super::{Cell, Row, control_text};
use crate::model::scenario::Scenario;
use crate::model::unit::{Scale, Unit};
use crate::stats::{Change, Comparison, Estimator, Interval, Pair, Rules, Verdict, geometric_mean};
use std::collections::HashMap;

/// One scenario on both sides.
#[derive(Clone, Debug)]
pub(crate) struct ComparedRow<'a> {
    /// The place of the row in its report, and its id.
    pub index: usize,
    pub id: &'a str,
    pub scenario: &'a Scenario,
    pub unit: &'a Unit,
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
            index: row.index,
            id: &row.id,
            scenario: &row.scenario,
            unit: &row.unit,
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
        let (better, kind) = (self.unit.better(), self.unit.kind());
        let pair = Pair::new(old?, new?, estimator, better, kind)?;
        let pair = match self.cells {
            [Some(old), Some(new)] if self.is_paired => pair.paired(new.ratios(old)),
            _ => pair,
        };
        let is_unsteady = self.is_unsteady(&pair);
        Some(pair.unsteady(is_unsteady))
    }

    /// `None` if a side has no figure.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.comparison.map(|c| c.verdict)
    }

    /// Whether a difference is shown.
    pub(crate) fn is_change(&self) -> bool {
        self.verdict().is_some_and(Verdict::is_change)
    }

    /// Returns a footnote for a change that is no larger than the difference of the control.
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

    /// Returns the caveats that apply to both sides, to the baseline only, and to the candidate only.
    pub(crate) fn caveats(&self) -> [Vec<&'a String>; 3] {
        let [old, new] = self.cells.map(|cell| cell.map_or(&[][..], |c| &c.caveats));
        let (both, only_old) = old.iter().partition(|caveat| new.contains(caveat));
        let only_new = new.iter().filter(|caveat| !old.contains(caveat));
        [both, only_old, only_new.collect()]
    }

    /// Whether the row is a count with repeated runs on both sides.
    pub(crate) fn is_counted(&self) -> bool {
        let verdict = self.verdict().filter(|v| *v != Verdict::Untested);
        self.unit.kind().is_count() && verdict.is_some()
    }

    /// Returns the number of values of each side.
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

    /// `n = 30`, with no-break spaces.
    pub(crate) fn n_equation(&self) -> String {
        format!("n\u{a0}=\u{a0}{}", self.runs_text())
    }

    /// Returns the p-value to show: the one adjusted over the table, if there is one.
    pub(crate) fn p(&self) -> Option<f64> {
        let known = self.comparison?;
        known.adjusted_p.or(known.test.map(|t| t.p))
    }

    /// `0.978–0.992, p = 0.013, n = 30`: what is known of the ratio.
    pub(crate) fn evidence(&self) -> String {
        let parts = [
            self.interval_text(),
            self.p().map(p_equation),
            Some(self.n_equation()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Returns the interval of the ratio as `0.978–0.992`.
    pub(crate) fn interval_text(&self) -> Option<String> {
        let Interval { low, high } = self.comparison?.interval?;
        Some(format!("{low:.3}–{high:.3}"))
    }
}

impl<'a> ComparedTable<'a> {
    /// Creates a table with one scale per unit, or per row where times are unlike.
    pub(crate) fn new(rows: Vec<ComparedRow<'a>>) -> Self {
        let mut values: HashMap<&Unit, Vec<f64>> = HashMap::new();
        for row in &rows {
            let known = row.estimates.iter().flatten();
            values.entry(row.unit).or_default().extend(known);
        }
        let mut own_scales = HashMap::new();
        let unlike =
            |(unit, values): (_, &Vec<f64>)| Scale::is_per_row(unit, values.iter().copied());
        let unlike: HashMap<&Unit, bool> = values
            .iter()
            .map(|(unit, values)| (*unit, unlike((unit, values))))
            .collect();
        for row in rows.iter().filter(|row| unlike[row.unit]) {
            let known = row.estimates.iter().flatten().copied();
            own_scales.insert(row.scenario, Scale::of(row.unit, known));
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
        let own = self.own_scales.get(row.scenario);
        own.filter(|_| *row.unit == Unit::Time)
            .unwrap_or_else(|| &self.scales[row.unit])
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

    /// Returns the mean of the ratios of each unit with at least two common scenarios: its symbol,
    /// the number of scenarios, and the mean. A mean over units that improve in different
    /// directions would be meaningless.
    pub(crate) fn means(&self) -> Vec<(&str, usize, Change)> {
        let mut units: Vec<&Unit> = self.scales.keys().copied().collect();
        units.sort();
        let mut means = Vec::new();
        for unit in units {
            let of_unit = self.rows.iter().filter(|r| r.unit == unit);
            let changes: Vec<Change> = of_unit.filter_map(|r| Some(r.comparison?.change)).collect();
            let ratios: Vec<f64> = changes.iter().map(|c| c.ratio).collect();
            if let (Some(ratio), [first, _, ..]) = (geometric_mean(&ratios), &*changes) {
                let change = Change { ratio, ..*first };
                means.push((self.symbol(unit), changes.len(), change));
            }
        }
        means
    }
}

/// Judges the rows that have a figure on both sides; `None` if there are none.
pub(crate) fn compared<'a>(
    rows: impl IntoIterator<Item = (&'a Row, [Option<&'a Cell>; 2])>,
    estimator: Estimator,
    is_paired: bool,
) -> Option<ComparedTable<'a>> {
    let rows = rows.into_iter();
    let rows = rows.map(|(row, cells)| ComparedRow::new(row, cells, estimator).paired(is_paired));
    let mut rows: Vec<ComparedRow<'_>> = rows.collect();
    judge(&mut rows, estimator, &Rules::default());
    rows.retain(|row| row.comparison.is_some());
    (!rows.is_empty()).then(|| ComparedTable::new(rows))
}

/// `0.013`, or `<0.001`: with few runs, further digits are meaningless.
pub(crate) fn p_text(p: f64) -> String {
    match p {
        p if p < 0.001 => "<0.001".to_owned(),
        p => format!("{p:.3}"),
    }
}

/// `p = 0.013`, `p < 0.001`, with no-break spaces.
pub(crate) fn p_equation(p: f64) -> String {
    match p_text(p).split_at_checked(1) {
        Some(("<", limit)) => format!("p\u{a0}<\u{a0}{limit}"),
        _ => format!("p\u{a0}=\u{a0}{p:.3}"),
    }
}
