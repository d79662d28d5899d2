//! Data sets: figures in cells, one per scenario, unit and implementation.

use super::address;
use super::names::Name;
use super::{MAX_COMMITS, NewLevel};
use crate::model::distribution::Distribution;
use crate::model::implementation::{Implementation, variant_parts};
use crate::model::scale::{Scale, group_thousands};
use crate::model::scenario::Scenario;
use crate::model::tidy::UNSUPPORTED;
use crate::model::unit::Unit;
use crate::parse;
use crate::stats::{Estimator, Interval, Sample};
use jiff::civil::Date;
use regex::Regex;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// What the values of a cell come to.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub sample: Sample,
    /// In base units.
    pub estimate: f64,
    /// The interval of the median; `None` if there are too few runs.
    pub interval: Option<Interval>,
}

impl Figure {
    /// Shows the estimate in a scale, with no more digits than its own interval supports.
    pub(crate) fn shown(&self, scale: &Scale) -> String {
        let half_width = self.interval.map_or(0.0, |i| (i.high - i.low) / 2.0);
        scale.clone().limited_by(half_width).show(self.estimate)
    }
}

/// What is known of one implementation in one scenario.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// One value per run, in base units, in the order of the runs.
    pub values: Vec<f64>,
    /// The run of each value; empty if it is unknown.
    pub runs: Vec<u32>,
    /// `None` without values.
    pub figure: Option<Figure>,
    /// The tool's reason if the implementation does not support the scenario.
    pub unsupported: Option<String>,
    /// All values of all runs, if each run has many.
    pub distribution: Option<Distribution>,
    /// Caveats, without duplicates.
    pub caveats: Vec<String>,
    /// Whether its interval is wider than ±5 %: a mark beside it, which decides nothing.
    pub is_unsteady: bool,
}

/// A scenario in one unit, over all implementations.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Its place among the rows of its report.
    pub index: usize,
    /// Its id on pages, distinct in its report.
    pub id: String,
    pub scenario: Scenario,
    pub unit: Unit,
    /// One cell per implementation, in the order of [`Dataset::implementations`]; `None` without
    /// a figure.
    pub cells: Vec<Option<Cell>>,
    /// The factor by which a program differed from itself, if one was measured twice.
    pub control: Option<f64>,
    /// Where its level changed over the commits of a branch, the oldest first.
    pub levels: Vec<NewLevel>,
}

/// What tells rows apart.
pub(crate) type Key<'a> = (&'a Scenario, &'a Unit);

/// Everything measured in a report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dataset {
    /// In the order of their first rows, or of `report.toml`.
    pub implementations: Vec<Implementation>,
    /// The columns that bar charts and gauges leave out.
    pub without_bars: Vec<usize>,
    /// The columns that results leave out because there is a newer release, the oldest of each
    /// variant first.
    pub older: Vec<usize>,
    /// The libraries of all reports, in the order in which they were added; empty until the whole
    /// site is known.
    pub site_libraries: Arc<[String]>,
    /// Those of a report are sorted; others are in the order of the files.
    pub rows: Vec<Row>,
    /// The number of commits that were read of the longest branch.
    pub commits: usize,
    /// Sentences on data that was left out.
    pub notes: Vec<String>,
    /// Whether all implementations met the same disturbances in each run, so that runs are compared
    /// one by one.
    pub is_paired: bool,
    /// Computed once: each caption compares with it.
    pub run_counts: OnceLock<Option<(usize, usize)>>,
    /// The names of all columns, given each other.
    pub names: OnceLock<Vec<Name>>,
}

impl Cell {
    /// Computes the figure, once all values are known.
    pub(super) fn summarize(&mut self, estimator: Estimator) {
        self.figure = Sample::new(self.values.clone()).map(|sample| Figure {
            estimate: sample.estimate(estimator),
            interval: Interval::of_median(&sample),
            sample,
        });
    }

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
        self.is_unsteady |= other.is_unsteady;
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

    /// Returns the ratio to another cell in each run; empty unless both have the same runs.
    pub(super) fn ratios(&self, other: &Self) -> Vec<f64> {
        if self.runs != other.runs || self.runs.len() != self.values.len() {
            return Vec::new();
        }
        let runs = self.values.iter().zip(&other.values);
        runs.map(|(value, other)| value / other).collect()
    }

    /// Returns the interval of the median; `None` if there are too few runs.
    pub(crate) fn interval(&self) -> Option<Interval> {
        self.figure.as_ref()?.interval
    }
}

impl Row {
    /// Creates a row without figures, which a report has yet to identify.
    pub(crate) fn new(scenario: Scenario, unit: Unit) -> Self {
        Self {
            index: 0,
            id: String::new(),
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

    /// Returns the cell of an implementation, by its index.
    pub(crate) fn cell(&self, implementation: usize) -> Option<&Cell> {
        self.cells.get(implementation)?.as_ref()
    }
}

impl Dataset {
    /// Fails if it would take too long to match these patterns with all labels.
    pub(crate) fn check_filters<'a>(
        &self,
        filters: impl IntoIterator<Item = &'a Regex>,
    ) -> Result<(), String> {
        let labels = self.rows.iter().map(|row| row.scenario.label().len());
        parse::check_matches(filters.into_iter().map(Regex::as_str), labels.sum())
    }

    /// Whether results leave out a column because there is a newer release.
    pub(crate) fn is_older(&self, column: usize) -> bool {
        self.older.contains(&column)
    }

    /// Returns the columns that have a result in these rows, without older releases.
    pub(crate) fn newest_columns<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row> + Clone,
    ) -> Vec<usize> {
        let has_result = |c| rows.clone().into_iter().any(|row| row.cell(c).is_some());
        let all = 0..self.implementations.len();
        all.filter(|c| !self.is_older(*c) && has_result(*c))
            .collect()
    }

    /// Returns the newest older release of a column's variant.
    pub(crate) fn release_before(&self, column: usize) -> Option<usize> {
        let Implementation { name, variant, .. } = &self.implementations[column];
        let same = |column: &&usize| {
            let other = &self.implementations[**column];
            other.name == *name && other.variant == *variant
        };
        self.older.iter().rfind(same).copied()
    }

    /// Returns the column of an implementation, which is added if new.
    pub(super) fn column(&mut self, implementation: &Implementation) -> usize {
        let mut all = self.implementations.iter();
        let known = all.position(|i| i == implementation);
        known.unwrap_or_else(|| {
            self.implementations.push(implementation.clone());
            self.implementations.len() - 1
        })
    }

    /// Keeps only these implementations, by their indices, and the rows in which they have a cell.
    pub(crate) fn only(mut self, columns: &[usize]) -> Self {
        self.take_columns(columns);
        self.rows
            .retain(|row| row.cells.iter().any(Option::is_some));
        self
    }

    /// Keeps these columns in this order.
    fn take_columns(&mut self, columns: &[usize]) {
        let all = std::mem::take(&mut self.implementations);
        self.implementations = columns.iter().map(|c| all[*c].clone()).collect();
        self.run_counts = OnceLock::new();
        self.names = OnceLock::new();
        for row in &mut self.rows {
            row.cells = columns.iter().map(|c| row.cells[*c].take()).collect();
        }
    }

    /// Sorts the columns by name, version and variant, for reports without declared order.
    pub(crate) fn sort_columns(&mut self) {
        let all = &self.implementations;
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_cached_key(|c| (all[*c].name.to_lowercase(), all[*c].clone()));
        self.take_columns(&order);
    }

    /// Returns the implementations that match a selector such as `rustls`, `rustls 0.23.37`,
    /// `rustls@0.23.37+ring` or `rustls_0.22.0_aws-lc`: by name, and by version and variant if
    /// the selector has them.
    pub(crate) fn find(&self, selector: &str) -> Vec<usize> {
        let by_file_name = Implementation::from_file_name(selector);
        let mut wanted = Vec::from_iter(by_file_name.filter(|_| selector.contains('_')));
        if wanted.is_empty() {
            let heading =
                |parts: &[&str]| Implementation::from_heading(&parts.join(",").replace('@', " "));
            let parts = variant_parts(selector);
            wanted.push(heading(&parts));
            // The version of unreleased sources has a `+` too.
            if let [version, revision, variant @ ..] = &parts[..] {
                let version = format!("{version}+{revision}");
                wanted.push(heading(&[&[&*version], variant].concat()));
            }
        }
        let fits = |i: &Implementation| {
            wanted.iter().any(|wanted| {
                let is_any = wanted.version.is_empty() && i.name.eq_ignore_ascii_case(&wanted.name);
                (is_any || i.is_release(wanted)) && i.has_variant(wanted)
            })
        };
        let all = &self.implementations;
        match all.iter().position(|i| i.to_string() == selector) {
            Some(exact) => vec![exact],
            None => (0..all.len()).filter(|i| fits(&all[*i])).collect(),
        }
    }

    /// Returns the lowest and the highest number of runs of cells with values. The rows are final.
    pub(crate) fn run_counts(&self) -> Option<(usize, usize)> {
        *self.run_counts.get_or_init(|| run_counts(&self.rows))
    }

    /// Sorts the rows by scenario, whatever the order of files, and identifies them.
    pub(super) fn sort_rows(&mut self) {
        self.rows.sort_by(|a, b| a.place().cmp(&b.place()));
        self.identify_rows();
    }

    pub(super) fn identify_rows(&mut self) {
        let ids = address::rows(&self.rows);
        for (index, (row, id)) in self.rows.iter_mut().zip(ids).enumerate() {
            (row.index, row.id) = (index, id);
        }
    }

    /// Returns a map of the rows by scenario and unit.
    pub(crate) fn by_key(&self) -> HashMap<Key<'_>, &Row> {
        let rows = self.rows.iter();
        rows.map(|r| ((&r.scenario, &r.unit), r)).collect()
    }

    /// Returns the day of the newest commit of a branch.
    pub(super) fn last_commit(&self) -> Option<Date> {
        let builds = self.implementations.iter();
        let days = builds.filter_map(|build| build.version.branch_day());
        days.max()?.parse().into_iter().next()
    }

    /// Says that pages do not show all commits of a branch.
    pub(crate) fn branch_note(&self) -> Option<String> {
        (self.commits > MAX_COMMITS).then(|| {
            let all = group_thousands(&self.commits.to_string());
            format!(
                "Of {all} commits the newest {MAX_COMMITS} are shown. New levels are those of the whole history."
            )
        })
    }

    /// Returns a list of all implementations for messages.
    pub(crate) fn list(&self) -> String {
        let names = self.implementations.iter().map(ToString::to_string);
        names.collect::<Vec<_>>().join("; ")
    }
}

/// Returns one scale for all figures, with no more decimals than the tightest interval supports.
pub(crate) fn common_scale<'a>(
    unit: &Unit,
    figures: impl IntoIterator<Item = &'a Figure>,
) -> Scale {
    let mut estimates = Vec::new();
    let mut tightest: Option<f64> = None;
    for figure in figures {
        estimates.push(figure.estimate);
        let half_width = figure.interval.map_or(0.0, |i| (i.high - i.low) / 2.0);
        if half_width > 0.0 {
            tightest = Some(tightest.map_or(half_width, |known| known.min(half_width)));
        }
    }
    let scale = Scale::of(unit, estimates);
    match tightest {
        Some(tightest) => scale.limited_by(tightest),
        None => scale,
    }
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
impl Cell {
    /// Creates a cell with the median of these values.
    pub(crate) fn of(values: Vec<f64>) -> Self {
        let mut cell = Self {
            values,
            ..Self::default()
        };
        cell.summarize(Estimator::Median);
        cell
    }
}

#[cfg(test)]
impl Row {
    /// Creates a row of handshake rates without figures.
    pub(crate) fn example(label: &str) -> Self {
        let scenario = Scenario::from_label(label).expect("a scenario");
        Self::new(scenario, Unit::HandshakeRate)
    }
}

#[cfg(test)]
impl Dataset {
    /// Creates handshake rates of one run: labels with one value per implementation.
    pub(crate) fn example(implementations: &[&str], rows: &[(&str, &[Option<f64>])]) -> Self {
        let cell = |value: &Option<f64>| value.map(|v| Cell::of(vec![v]));
        let row = |(label, values): &(&str, &[Option<f64>])| Row {
            cells: values.iter().map(cell).collect(),
            ..Row::example(label)
        };
        let named = |name: &&str| Implementation::from_heading(name);
        Self {
            implementations: implementations.iter().map(named).collect(),
            rows: rows.iter().map(row).collect(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors() {
        let names = [
            "OpenSSL 3.2.0, gcc",
            "OpenSSL 3.2.0, clang",
            "rustls 0.22.0, aws-lc",
            "BoringSSL r0",
            "rustls 0.24.0-dev.2+6868ee8, aws-lc",
            "rustls 0.24.0-dev.2+6868ee8.dirty, ring",
        ];
        let data = Dataset::example(&names, &[]);
        for (selector, found) in [
            ("rustls", &[2, 4, 5][..]),
            ("RUSTLS", &[2, 4, 5]),
            ("rustls@0.22.0", &[2]),
            ("rustls@0.22.0+aws-lc", &[2]),
            ("rustls 0.23.0", &[]),
            ("openssl", &[0, 1]),
            ("OpenSSL 3.2.0, clang", &[1]),
            ("openssl_3.2.0_gcc", &[0]),
            ("rustls, ring", &[5]),
            ("rustls, graviola", &[]),
            ("boringssl@r0", &[3]),
            // What `run` writes of sources.
            ("rustls@0.24.0-dev.2+6868ee8", &[4]),
            ("rustls@0.24.0-dev.2+6868ee8.dirty+ring", &[5]),
            ("rustls@0.24.0-dev.2", &[]),
        ] {
            assert_eq!(data.find(selector), found, "{selector}");
        }
    }

    #[test]
    fn runs_are_joined() {
        let (full, resumed) = (
            "full handshakes, 1.3, rsa, client",
            "resumed handshakes, 1.3, client",
        );
        let first = Dataset::example(&["rustls 1.0"], &[(full, &[Some(1.0)])]);
        let second = Dataset::example(
            &["OpenSSL 3.0", "rustls 1.0"],
            &[(resumed, &[Some(5.0), None]), (full, &[None, Some(2.0)])],
        );
        let data = Dataset::joined([first, second], Estimator::Median);
        assert_eq!(data.implementations.len(), 2);
        let values =
            |row: usize, column: usize| data.rows[row].cell(column).map(|c| c.values.clone());
        assert_eq!(values(0, 0), Some(vec![1.0, 2.0]));
        assert_eq!([values(0, 1), values(1, 0)], [None, None]);
        assert_eq!(values(1, 1), Some(vec![5.0]));
        let only = data.only(&[1]);
        assert_eq!(only.rows.len(), 1);
        assert_eq!(only.rows[0].scenario.label(), resumed);
    }
}
