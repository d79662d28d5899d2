//! Groups observations into cells.

use super::branch::{CommitFigure, add_levels};
use super::{Cell, Dataset, Row};
use crate::base::limits::{CELLS, IMPLEMENTATIONS, SCENARIOS, exceeded};
use crate::model::distribution::Distribution;
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::{Better, Unit};
use crate::stats::Estimator;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A data set under construction.
#[derive(Default)]
pub(super) struct Grouping<'a> {
    dataset: Dataset,
    row_index: HashMap<(Scenario, Unit), usize>,
    /// The values of the file that is being added, by row, implementation and run.
    seen: HashMap<(usize, usize, u32), &'a Value>,
    /// The numbers of discarded second values of a run, by row and implementation.
    dropped: BTreeMap<(usize, usize), usize>,
    /// Distributions of one run: of the files of a folder, one per thread, or of the lines of one
    /// file.
    distributions: BTreeMap<(usize, usize, PathBuf), Vec<&'a Distribution>>,
    /// The figures of all commits of branches.
    commits: Vec<CommitFigure<'a>>,
}

impl<'a> Grouping<'a> {
    /// Creates a grouping whose first implementations have this order.
    pub(super) fn with_order(implementations: impl Iterator<Item = Implementation>) -> Self {
        let mut grouping = Self::default();
        grouping.dataset.implementations = implementations.collect();
        grouping
    }

    fn row(&mut self, scenario: &Scenario, unit: &Unit) -> usize {
        let rows = &mut self.dataset.rows;
        let row = self.row_index.entry((scenario.clone(), unit.clone()));
        let index = *row.or_insert_with(|| {
            rows.push(Row::new(scenario.clone(), unit.clone()));
            rows.len() - 1
        });
        // Not all files say the direction.
        if rows[index].unit.better() == Better::Unknown {
            rows[index].unit = unit.clone();
        }
        index
    }

    fn cell(&mut self, row: usize, implementation: usize) -> &mut Cell {
        let cells = &mut self.dataset.rows[row].cells;
        if cells.len() <= implementation {
            cells.resize_with(implementation + 1, || None);
        }
        cells[implementation].get_or_insert_default()
    }

    /// Returns the column of an implementation, which is added if new.
    pub(super) fn column(&mut self, implementation: &Implementation) -> usize {
        self.dataset.column(implementation)
    }

    /// Starts the next file, whose runs are others.
    pub(super) fn next_file(&mut self) {
        self.seen = HashMap::new();
    }

    /// Adds an observation of the implementation in `column` from the file at `path`. If a run in a
    /// file has several values of a scenario, the first is kept.
    pub(super) fn add(&mut self, column: usize, path: &Path, observation: &'a Observation) {
        let row = self.row(&observation.scenario, &observation.unit);
        // Split, so that a caveat that all figures share can be listed once.
        let caveats = observation.caveat.iter().flat_map(|c| c.split("; "));
        let caveats: Vec<String> = caveats.map(str::to_owned).collect();
        if let Value::Distribution(distribution) = &observation.value {
            let is_whole_file = observation.line == 0;
            let run = path.parent().filter(|_| is_whole_file).unwrap_or(path);
            let key = (row, column, run.to_owned());
            let of_run = self.distributions.entry(key).or_default();
            of_run.push(distribution);
            self.cell(row, column).add_caveats(&caveats);
            return;
        }
        let key = (row, column, observation.run);
        if let Some(first) = self.seen.get(&key) {
            if **first != observation.value {
                *self.dropped.entry((row, column)).or_default() += 1;
            }
            return;
        }
        self.seen.insert(key, &observation.value);
        let cell = self.cell(row, column);
        match &observation.value {
            Value::Number(value) => {
                cell.values.push(*value);
                cell.runs.push(observation.run);
            }
            Value::Unsupported(reason) => cell.unsupported = Some(reason.clone()),
            Value::Distribution(_) => {}
        }
        cell.add_caveats(&caveats);
    }

    /// Adds a figure of a commit of a branch to the history of its row.
    pub(super) fn add_commit(&mut self, commit: &'a Implementation, observation: &Observation) {
        if let Value::Number(value) = observation.value {
            let row = self.row(&observation.scenario, &observation.unit);
            self.commits.push((row, commit, value));
        }
    }

    /// Returns an error message if there are too many scenarios or implementations.
    pub(super) fn exceeded_limit(&self) -> Option<String> {
        let (rows, columns) = (self.dataset.rows.len(), self.dataset.implementations.len());
        if rows > SCENARIOS {
            Some(exceeded(SCENARIOS, "scenarios"))
        } else if columns > IMPLEMENTATIONS {
            Some(exceeded(IMPLEMENTATIONS, "implementations"))
        } else if rows * columns > CELLS {
            Some(exceeded(CELLS, "scenarios times implementations"))
        } else {
            None
        }
    }

    /// Returns the data set, with the figure of each cell.
    pub(super) fn finish(mut self, estimator: Estimator) -> Dataset {
        self.add_percentiles();
        let columns = self.dataset.implementations.len();
        for row in &mut self.dataset.rows {
            row.cells.resize_with(columns, || None);
            for cell in row.cells.iter_mut().flatten() {
                cell.summarize(estimator);
            }
        }
        add_levels(&mut self.dataset.rows, self.commits, estimator);
        for ((row, column), dropped) in self.dropped {
            let scenario = &self.dataset.rows[row].scenario;
            let implementation = &self.dataset.implementations[column];
            let runs = match dropped {
                1 => "one run".to_owned(),
                n => format!("each of {n} runs"),
            };
            self.dataset.notes.push(format!(
                "{scenario} of {implementation} has a second value in {runs}: the first is kept."
            ));
        }
        // Others are of older commits alone.
        let rows = &mut self.dataset.rows;
        rows.retain(|row| row.cells.iter().any(Option::is_some));
        self.dataset
    }

    /// Turns each run's distribution into one value per percentile, and keeps the merged
    /// distribution of all runs in the cell of the scenario itself.
    fn add_percentiles(&mut self) {
        for ((row, column, folder), threads) in std::mem::take(&mut self.distributions) {
            let (distribution, joined) = merge_threads(&threads);
            if joined {
                let folder = match folder.to_string_lossy() {
                    folder if folder.is_empty() => "the report's folder".into(),
                    folder => folder,
                };
                self.dataset.notes.push(format!(
                    "One of the latency files in {folder} holds the values of all the others: it is left out, so that none counts twice."
                ));
            }
            let Row { scenario, unit, .. } = &self.dataset.rows[row];
            let (scenario, unit) = (scenario.clone(), unit.clone());
            let caveats = self.cell(row, column).caveats.clone();
            for percentile in Percentile::ALL {
                let Some(value) = distribution.at(*percentile) else {
                    continue;
                };
                let point = self.row(&scenario.at(*percentile), &unit);
                let cell = self.cell(point, column);
                cell.values.push(value);
                cell.add_caveats(&caveats);
            }
            let whole = &mut self.cell(row, column).distribution;
            whole.get_or_insert_default().merge(&distribution);
        }
    }
}

impl Dataset {
    /// Joins the runs of several data sets. Implementations and rows are in order of appearance.
    pub(crate) fn joined(all: impl IntoIterator<Item = Self>, estimator: Estimator) -> Self {
        let mut grouping = Grouping::default();
        let mut paired = Vec::new();
        for data in all {
            let columns = data.implementations.iter();
            let columns: Vec<usize> = columns.map(|i| grouping.dataset.column(i)).collect();
            for from in data.rows {
                let row = grouping.row(&from.scenario, &from.unit);
                let control = &mut grouping.dataset.rows[row].control;
                *control = control.iter().copied().chain(from.control).reduce(f64::max);
                for (column, cell) in columns.iter().zip(from.cells) {
                    if let Some(cell) = cell {
                        grouping.cell(row, *column).join(cell);
                    }
                }
            }
            grouping.dataset.notes.extend(data.notes);
            paired.push(data.is_paired);
        }
        Dataset {
            is_paired: paired == [true],
            ..grouping.finish(estimator)
        }
    }
}

/// Merges all threads of a run. openssl-bench's makefile leaves a file with the values of all
/// threads beside the files of each; if there is one, it is left out and true is returned.
fn merge_threads(threads: &[&Distribution]) -> (Distribution, bool) {
    let merged = |parts: &[&[&Distribution]]| {
        let mut whole = Distribution::default();
        for distribution in parts.iter().copied().flatten() {
            whole.merge(distribution);
        }
        whole
    };
    let total: u64 = threads.iter().map(|d| d.count()).sum();
    let has_half = |d: &&Distribution| threads.len() > 2 && d.count() * 2 == total;
    if let Some(index) = threads.iter().position(has_half) {
        let (half, others) = (
            &threads[index],
            merged(&[&threads[..index], &threads[index + 1..]]),
        );
        // The count alone is not enough: one thread may have done half of all the work.
        if half.min() == others.min() && half.max() == others.max() {
            return (others, true);
        }
    }
    (merged(&[threads]), false)
}
