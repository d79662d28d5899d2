//! Observations grouped into cells: one for each scenario, unit and implementation.

use crate::distribution::Distribution;
use crate::implementation::Implementation;
use crate::observation::{Observation, Value};
use crate::scenario::{Percentile, Scenario};
use crate::stats::{Estimator, Interval, MEDIAN_CONFIDENCE, Sample};
use crate::unit::Unit;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// What one implementation did in one scenario.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// One value for each run, in base units, in the order of the runs.
    pub values: Vec<f64>,
    /// The tool's words where the implementation cannot do this.
    pub unsupported: Option<String>,
    /// All values of all runs, where each run has many.
    pub distribution: Option<Distribution>,
    /// What a reader must know, each once.
    pub caveats: Vec<String>,
}

/// A scenario in one unit, over all implementations.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was measured.
    pub scenario: Scenario,
    /// In what.
    pub unit: Unit,
    /// One cell an implementation, in the order of [`Dataset::implementations`]; `None` where
    /// there is no figure.
    pub cells: Vec<Option<Cell>>,
}

/// Everything measured in a report.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// In the order of their first rows, or of `report.toml`.
    pub implementations: Vec<Implementation>,
    /// Those of them that bar charts and gauges leave out.
    pub without_bars: Vec<Implementation>,
    /// In the order of their first rows.
    pub rows: Vec<Row>,
    /// Decisions that a reader should know of.
    pub notes: Vec<String>,
}

impl Cell {
    /// The values as a sample; `None` without values.
    pub fn sample(&self) -> Option<Sample> {
        Sample::new(self.values.clone())
    }

    fn add_caveat(&mut self, caveat: Option<&String>) {
        let new = caveat.filter(|c| !self.caveats.contains(c));
        self.caveats.extend(new.cloned());
    }

    /// The number that stands for the cell.
    pub fn estimate(&self, estimator: Estimator) -> Option<f64> {
        self.sample().map(|s| s.estimate(estimator))
    }

    /// The interval of the median, where there are enough runs.
    pub fn interval(&self) -> Option<Interval> {
        Interval::of_median(&self.sample()?, MEDIAN_CONFIDENCE)
    }
}

impl Row {
    /// The cell of an implementation, by its index.
    pub fn cell(&self, implementation: usize) -> Option<&Cell> {
        self.cells.get(implementation)?.as_ref()
    }
}

/// Puts observations into cells.
#[derive(Default)]
pub(super) struct Grouping {
    dataset: Dataset,
    implementation_index: HashMap<Implementation, usize>,
    row_index: HashMap<(Scenario, Unit), usize>,
    /// Value by row, implementation, file and run.
    seen: HashMap<(usize, usize, usize, u32), Value>,
    /// Second values of a run that were dropped, by row and implementation.
    dropped: BTreeMap<(usize, usize), Vec<f64>>,
    /// Distributions of one run, which is a folder with one file for each thread, or a file with
    /// lines of them.
    distributions: BTreeMap<(usize, usize, PathBuf), Vec<Distribution>>,
}

impl Grouping {
    /// A grouping whose implementations come in this order, others behind them.
    pub(super) fn with_order(implementations: impl IntoIterator<Item = Implementation>) -> Self {
        let mut grouping = Self::default();
        for implementation in implementations {
            grouping.implementation(&implementation);
        }
        grouping
    }

    fn implementation(&mut self, implementation: &Implementation) -> usize {
        if let Some(index) = self.implementation_index.get(implementation) {
            return *index;
        }
        let list = &mut self.dataset.implementations;
        *self
            .implementation_index
            .entry(implementation.clone())
            .or_insert_with_key(|new| {
                list.push(new.clone());
                list.len() - 1
            })
    }

    fn row(&mut self, scenario: &Scenario, unit: &Unit) -> usize {
        if let Some(index) = self.row_index.get(&(scenario.clone(), unit.clone())) {
            return *index;
        }
        let index = self.dataset.rows.len();
        self.row_index
            .insert((scenario.clone(), unit.clone()), index);
        self.dataset.rows.push(Row {
            scenario: scenario.clone(),
            unit: unit.clone(),
            cells: Vec::new(),
        });
        index
    }

    fn cell(&mut self, row: usize, implementation: usize) -> &mut Cell {
        let cells = &mut self.dataset.rows[row].cells;
        if cells.len() <= implementation {
            cells.resize_with(implementation + 1, || None);
        }
        cells[implementation].get_or_insert_default()
    }

    /// Adds one observation of `implementation` from the file at `path`. Within one run of one
    /// file, the first value of a scenario stays.
    pub(super) fn add(
        &mut self,
        implementation: &Implementation,
        file: usize,
        path: &Path,
        observation: &Observation,
    ) {
        let column = self.implementation(implementation);
        let row = self.row(&observation.scenario, &observation.unit);
        if let Value::Distribution(distribution) = &observation.value {
            let is_whole_file = observation.line == 0;
            let run = path.parent().filter(|_| is_whole_file).unwrap_or(path);
            let key = (row, column, run.to_owned());
            let of_run = self.distributions.entry(key).or_default();
            of_run.push((**distribution).clone());
            self.cell(row, column)
                .add_caveat(observation.caveat.as_ref());
            return;
        }
        let key = (row, column, file, observation.run);
        if let Some(first) = self.seen.get(&key) {
            if let (true, Value::Number(second)) = (*first != observation.value, &observation.value)
            {
                self.dropped.entry((row, column)).or_default().push(*second);
            }
            return;
        }
        self.seen.insert(key, observation.value.clone());
        let cell = self.cell(row, column);
        match &observation.value {
            Value::Number(value) => cell.values.push(*value),
            Value::Unsupported(reason) => cell.unsupported = Some(reason.clone()),
            Value::Distribution(_) => {}
        }
        cell.add_caveat(observation.caveat.as_ref());
    }

    /// All cells.
    pub(super) fn finish(mut self) -> Dataset {
        self.spread_distributions();
        let columns = self.dataset.implementations.len();
        for row in &mut self.dataset.rows {
            row.cells.resize_with(columns, || None);
        }
        for ((row, column), values) in std::mem::take(&mut self.dropped) {
            let row = &self.dataset.rows[row];
            let n = values.len();
            let second = Sample::new(values).map(|s| row.unit.print(s.estimate(Estimator::Median)));
            self.dataset.notes.push(format!(
                "{} of {} has a second value in {}: the first is kept (the second would be {} {}).",
                row.scenario,
                self.dataset.implementations[column],
                if n == 1 {
                    "one run".to_owned()
                } else {
                    format!("each of {n} runs")
                },
                second.unwrap_or_default(),
                row.unit,
            ));
        }
        self.dataset
    }

    /// Each run's distribution becomes one value for each percentile; all runs together stay
    /// as the distribution of the scenario itself.
    fn spread_distributions(&mut self) {
        for ((row, column, folder), threads) in std::mem::take(&mut self.distributions) {
            let (distribution, joined) = merge_threads(threads);
            if joined {
                self.dataset.notes.push(format!(
                    "One of the latency files in {} holds the values of all the others: it is left out, so that none counts twice.",
                    if folder.as_os_str().is_empty() { "the report's folder".into() } else { folder.display().to_string() },
                ));
            }
            let Row { scenario, unit, .. } = self.dataset.rows[row].clone();
            let caveats = self.cell(row, column).caveats.clone();
            for percentile in Percentile::ALL {
                let Some(value) = distribution.at(*percentile) else {
                    continue;
                };
                let point = self.row(&scenario.at(*percentile), &unit);
                let cell = self.cell(point, column);
                cell.values.push(value);
                caveats.iter().for_each(|c| cell.add_caveat(Some(c)));
            }
            let whole = &mut self.cell(row, column).distribution;
            whole.get_or_insert_default().merge(&distribution);
        }
    }
}

/// All threads of one run as one. openssl-bench's makefile leaves a file that joins those of
/// all threads beside them; such a one is left out, and true is returned.
fn merge_threads(threads: Vec<Distribution>) -> (Distribution, bool) {
    let total: u64 = threads.iter().map(Distribution::count).sum();
    let joins_others = |d: &Distribution| threads.len() > 2 && d.count() * 2 == total;
    let joined = threads.iter().position(joins_others);
    let mut whole = Distribution::default();
    for (_, thread) in threads
        .iter()
        .enumerate()
        .filter(|(index, _)| Some(*index) != joined)
    {
        whole.merge(thread);
    }
    // By count alone, a thread that did half of all the work would look like a joined file.
    match joined.map(|index| &threads[index]) {
        Some(file) if file.min() == whole.min() && file.max() == whole.max() => (whole, true),
        Some(file) => {
            whole.merge(file);
            (whole, false)
        }
        None => (whole, false),
    }
}

impl Dataset {
    /// The row of a scenario in a unit.
    pub fn row(&self, scenario: &Scenario, unit: &Unit) -> Option<&Row> {
        self.rows
            .iter()
            .find(|r| r.scenario == *scenario && r.unit == *unit)
    }

    /// Puts the columns in the order of names, versions and variants, for want of one that an
    /// author chose.
    pub fn sort_columns(&mut self) {
        let mut order: Vec<usize> = (0..self.implementations.len()).collect();
        order.sort_by_cached_key(|column| {
            let implementation = self.implementations[*column].clone();
            (implementation.name.to_lowercase(), implementation)
        });
        self.implementations = order
            .iter()
            .map(|c| self.implementations[*c].clone())
            .collect();
        for row in &mut self.rows {
            row.cells = order.iter().map(|c| row.cells[*c].take()).collect();
        }
    }

    /// Rows by scenario and unit, for many look-ups.
    pub fn by_key(&self) -> HashMap<(&Scenario, &Unit), &Row> {
        self.rows
            .iter()
            .map(|r| ((&r.scenario, &r.unit), r))
            .collect()
    }

    /// All implementations, for messages.
    pub fn names(&self) -> String {
        let names = self.implementations.iter().map(ToString::to_string);
        names.collect::<Vec<_>>().join("; ")
    }
}

/// The number of runs of each cell with values: least and greatest.
pub fn run_counts<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<(usize, usize)> {
    let cells = rows.into_iter().flat_map(|r| r.cells.iter().flatten());
    let counts = cells.map(|c| c.values.len()).filter(|n| *n > 0);
    counts.fold(None, |known, n| {
        let (min, max) = known.unwrap_or((n, n));
        Some((min.min(n), max.max(n)))
    })
}
