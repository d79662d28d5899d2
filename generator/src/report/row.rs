//! The rows of a report: what was measured of each build in a scenario and unit.

use super::NewLevel;
use crate::model::distribution::Distribution;
use crate::model::scale::Scale;
use crate::model::scenario::Scenario;
use crate::model::tidy::UNSUPPORTED;
use crate::model::unit::Unit;
use crate::stats::{Change, Interval, Sample};
use std::collections::BTreeSet;

/// A scenario in one unit, over all builds.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Its place among the rows of its report.
    pub index: usize,
    /// Its id on pages, distinct in its report.
    pub id: String,
    /// The number of its kind of work in its report.
    pub kind: usize,
    pub scenario: Scenario,
    pub unit: Unit,
    /// How its figures are shown, wherever they are.
    pub scale: Scale,
    /// One for each build; `None` without a figure.
    pub cells: Vec<Option<Cell>>,
    /// The factor by which a program differed from itself, if one was measured twice.
    pub control: Option<f64>,
    /// Where its level changed over the commits of a branch, the oldest first.
    pub levels: Vec<NewLevel>,
}

/// What is known of one build in one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// One value per run, in base units, in the order of the runs.
    pub values: Vec<f64>,
    /// The run of each value; empty if it is unknown.
    pub runs: Vec<u32>,
    /// `None` without values.
    pub figure: Option<Figure>,
    /// The tool's reason if the build does not support the scenario.
    pub unsupported: Option<String>,
    /// All values of all runs, if each run has many.
    pub distribution: Option<Distribution>,
    /// Caveats, without duplicates.
    pub caveats: Vec<String>,
    /// Whether its interval is wider than ±5 %: a mark beside it, which decides nothing.
    pub is_unsteady: bool,
}

/// What the values of a cell come to.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub sample: Sample,
    /// In base units.
    pub estimate: f64,
    /// The interval of the median; `None` if there are too few runs.
    pub interval: Option<Interval>,
    /// The estimate in the scale of its row: `11,276`.
    pub text: String,
}

/// What tells rows apart.
pub(crate) type Key<'a> = (&'a Scenario, &'a Unit);

impl Cell {
    /// Returns the values in ascending order; `None` without values.
    pub(crate) fn sample(&self) -> Option<&Sample> {
        self.figure.as_ref().map(|figure| &figure.sample)
    }

    /// Whether it has a figure or is marked unsupported.
    pub(crate) fn has_result(&self) -> bool {
        !self.values.is_empty() || self.unsupported.is_some()
    }

    /// Adds the runs of another cell.
    pub(super) fn join(&mut self, other: Self) {
        // Runs of several data sets have the same numbers.
        self.runs = match self.values.is_empty() {
            true => other.runs,
            false => Vec::new(),
        };
        self.values.extend(other.values);
        self.unsupported = self.unsupported.take().or(other.unsupported);
        self.add_caveats(&other.caveats);
        if let Some(distribution) = other.distribution {
            let known = self.distribution.get_or_insert_default();
            known.merge(&distribution);
        }
    }

    pub(super) fn add_caveats<'a>(&mut self, caveats: impl IntoIterator<Item = &'a String>) {
        for caveat in caveats {
            if !self.caveats.contains(caveat) {
                self.caveats.push(caveat.clone());
            }
        }
    }

    /// Returns `unsupported` with the tool's reason, if it gave one.
    pub(crate) fn unsupported(&self) -> Option<String> {
        self.unsupported
            .as_ref()
            .map(|reason| match reason.as_str() {
                UNSUPPORTED => reason.clone(),
                reason => format!("{UNSUPPORTED}: {reason}"),
            })
    }

    /// Returns the estimate, in base units; `None` without values.
    pub(crate) fn estimate(&self) -> Option<f64> {
        self.figure.as_ref().map(|figure| figure.estimate)
    }

    /// Returns the interval of the median; `None` if there are too few runs.
    pub(crate) fn interval(&self) -> Option<Interval> {
        self.figure.as_ref()?.interval
    }

    /// Returns half the interval relative to the estimate; `None` with too few runs.
    pub(crate) fn half_width(&self) -> Option<f64> {
        let figure = self.figure.as_ref()?;
        Some(figure.interval?.relative_half_width(figure.estimate))
    }
}

impl Row {
    /// Creates a row without figures, which a report has yet to finish.
    pub(super) fn new(scenario: Scenario, unit: Unit) -> Self {
        Self {
            index: 0,
            id: String::new(),
            kind: 0,
            scale: Scale::of(&unit, []),
            scenario,
            unit,
            cells: Vec::new(),
            control: None,
            levels: Vec::new(),
        }
    }

    /// Returns its place in the order of rows: counts come after times and rates, because the first
    /// row of a scenario represents it.
    pub(crate) fn place(&self) -> (&Scenario, bool, &Unit) {
        (&self.scenario, self.unit.kind().is_count(), &self.unit)
    }

    pub(crate) fn key(&self) -> Key<'_> {
        (&self.scenario, &self.unit)
    }

    pub(crate) fn cell(&self, build: usize) -> Option<&Cell> {
        self.cells.get(build)?.as_ref()
    }

    pub(crate) fn figure(&self, build: usize) -> Option<&Figure> {
        self.cell(build)?.figure.as_ref()
    }

    /// Returns the estimate of a build, in base units.
    pub(crate) fn estimate(&self, build: usize) -> Option<f64> {
        self.figure(build).map(|figure| figure.estimate)
    }

    /// Returns the builds that have a figure, the best first; the lowest if neither way is better.
    pub(crate) fn best_first(&self) -> Vec<usize> {
        let mut figures: Vec<(usize, &Figure)> = self.figures().collect();
        let better = self.unit.better();
        figures.sort_by(|(_, a), (_, b)| better.best_first(a.estimate, b.estimate));
        figures.into_iter().map(|(build, _)| build).collect()
    }

    /// Returns a change of its figures by this ratio.
    pub(crate) fn change(&self, ratio: f64) -> Change {
        Change {
            ratio,
            better: self.unit.better(),
            kind: self.unit.kind(),
        }
    }

    /// Returns the builds that have a figure, with the figures.
    pub(crate) fn figures(&self) -> impl Iterator<Item = (usize, &Figure)> {
        let builds = 0..self.cells.len();
        builds.filter_map(|build| Some((build, self.figure(build)?)))
    }
}

/// Returns the scale of each of these rows, which share a unit unless they are too unlike; all figures
/// of a row have the decimals that the widest of their intervals supports, but three digits at least.
pub(crate) fn scales(rows: &[&Row]) -> Vec<Scale> {
    let estimates = |row: &Row| row.figures().map(|(_, figure)| figure.estimate).collect();
    let all: Vec<Vec<f64>> = rows.iter().map(|row| estimates(row)).collect();
    let flat = || all.iter().flatten().copied();
    let shared = rows
        .first()
        .filter(|row| !Scale::is_per_row(&row.unit, flat()));
    let shared = shared.map(|row| Scale::of(&row.unit, flat()));
    let mut scales = Vec::new();
    for (row, own) in rows.iter().zip(all.iter().cloned()) {
        let positive = own.iter().copied().filter(|value| *value > 0.0);
        let smallest = positive.fold(f64::INFINITY, f64::min);
        let scale = match &shared {
            Some(shared) => shared.fitted(&row.unit, own),
            None => Scale::of(&row.unit, own),
        };
        let intervals = row.figures().filter_map(|(_, figure)| figure.interval);
        let widths = intervals.map(|interval| (interval.high - interval.low) / 2.0);
        scales.push(scale.supported(widths.fold(0.0, f64::max), smallest));
    }
    scales
}

/// Returns the builds that have a figure in some of these rows, in the order of their report.
pub(crate) fn builds_of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<usize> {
    let figures = rows.into_iter().flat_map(Row::figures);
    let builds: BTreeSet<usize> = figures.map(|(build, _)| build).collect();
    Vec::from_iter(builds)
}

/// Returns the lowest and the highest number of runs of cells with values.
pub(crate) fn run_counts<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<(usize, usize)> {
    let cells = rows.into_iter().flat_map(|r| r.cells.iter().flatten());
    let counts = cells.map(|c| c.values.len()).filter(|n| *n > 0);
    counts.fold(None, |known, n| {
        let (min, max) = known.unwrap_or((n, n));
        Some((min.min(n), max.max(n)))
    })
}

#[cfg(test)]
impl Row {
    /// Creates a row of handshake rates without figures.
    pub(crate) fn example(label: &str) -> Self {
        let scenario = Scenario::from_label(label).expect("a scenario");
        Self::new(scenario, Unit::HandshakeRate)
    }
}
