//! Groups observations into cells.

use super::{Build, Cell, Report, Row};
use crate::base::limits::{CELLS, IMPLEMENTATIONS, SCENARIOS, exceeded};
use crate::base::words::count;
use crate::model::distribution::Distribution;
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::{Better, Unit};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Builds and rows under construction.
#[derive(Default)]
pub(super) struct Grouping<'a> {
    implementations: Vec<Implementation>,
    rows: Vec<Row>,
    remarks: Vec<String>,
    row_index: HashMap<(Scenario, Unit), usize>,
    /// The row of the last observation.
    last_row: usize,
    /// The observations of the file that is being added, and the places among them by row,
    /// implementation and run: of a million, little more can be kept.
    observations: &'a [Observation],
    seen: HashMap<(u32, u32, u32), u32>,
    /// The rows and implementations of which a run has several values.
    dropped: BTreeSet<(usize, usize)>,
    /// Distributions of one run: of the files of a folder, one per thread, or of the lines of one
    /// file.
    distributions: BTreeMap<(usize, usize, PathBuf), Vec<&'a Distribution>>,
}

impl<'a> Grouping<'a> {
    fn row(&mut self, scenario: &Scenario, unit: &Unit) -> usize {
        let rows = &mut self.rows;
        // Runs follow each other, or have the same rows in the same order.
        let is_it = |place: &usize| {
            rows.get(*place)
                .is_some_and(|r| r.key() == (scenario, unit))
        };
        let likely = [self.last_row, self.last_row + 1].into_iter().find(is_it);
        let index = likely.unwrap_or_else(|| {
            let row = self.row_index.entry((scenario.clone(), unit.clone()));
            *row.or_insert_with(|| {
                rows.push(Row::new(scenario.clone(), unit.clone()));
                rows.len() - 1
            })
        });
        self.last_row = index;
        // Not all files say the direction.
        if rows[index].unit.better() == Better::Unknown {
            rows[index].unit = unit.clone();
        }
        index
    }

    fn cell(&mut self, row: usize, build: usize) -> &mut Cell {
        let cells = &mut self.rows[row].cells;
        if cells.len() <= build {
            cells.resize_with(build + 1, || None);
        }
        cells[build].get_or_insert_default()
    }

    /// Returns the place of a build, which is added if new.
    pub(super) fn build(&mut self, implementation: &Implementation) -> usize {
        let mut all = self.implementations.iter();
        let known = all.position(|one| one == implementation);
        known.unwrap_or_else(|| {
            self.implementations.push(implementation.clone());
            self.implementations.len() - 1
        })
    }

    /// Starts the next file, whose runs are others.
    pub(super) fn next_file(&mut self, observations: &'a [Observation]) {
        self.observations = observations;
        self.seen = HashMap::with_capacity(observations.len());
    }

    /// Adds the observation in a place of the file at `path`, of a build. If a run in a
    /// file has several values of a scenario, the first is kept.
    pub(super) fn add(&mut self, build: usize, path: &Path, place: usize) {
        let observation = &self.observations[place];
        let row = self.row(&observation.scenario, &observation.unit);
        let caveats = &observation.caveats;
        if let Value::Distribution(distribution) = &observation.value {
            let is_whole_file = observation.line == 0;
            let run = path.parent().filter(|_| is_whole_file).unwrap_or(path);
            let key = (row, build, run.to_owned());
            let of_run = self.distributions.entry(key).or_default();
            of_run.push(distribution);
            self.cell(row, build).add_caveats(caveats);
            return;
        }
        let key = (row as u32, build as u32, observation.run);
        let first = *self.seen.entry(key).or_insert(place as u32) as usize;
        if first != place {
            if self.observations[first].value != observation.value {
                self.dropped.insert((row, build));
            }
            return;
        }
        let cell = self.cell(row, build);
        match &observation.value {
            Value::Number(value) => {
                cell.values.push(*value);
                cell.runs.push(observation.run);
            }
            Value::Unsupported(reason) => cell.unsupported = Some(String::clone(reason)),
            Value::Distribution(_) => {}
        }
        cell.add_caveats(caveats);
    }

    /// Returns an error message if there are too many scenarios or implementations.
    pub(super) fn exceeded_limit(&self) -> Option<String> {
        let (rows, builds) = (self.rows.len(), self.implementations.len());
        let limits = [
            (rows, SCENARIOS, "scenarios"),
            (builds, IMPLEMENTATIONS, "implementations"),
            (rows * builds, CELLS, "scenarios times implementations"),
        ];
        let found = limits.into_iter().find(|(n, limit, _)| n > limit);
        found.map(|(_, limit, what)| exceeded(limit, what))
    }

    /// Completes a report with what was grouped.
    pub(super) fn finish_into(mut self, report: &mut Report) {
        self.next_file(&[]);
        self.add_percentiles();
        if let Some((row, build)) = self.dropped.first() {
            let (scenario, implementation) =
                (&self.rows[*row].scenario, &self.implementations[*build]);
            let others = match self.dropped.len() - 1 {
                0 => " has".to_owned(),
                n => format!(", and {}, have", count(n, "other figure")),
            };
            self.remarks.push(format!(
                "{scenario} of {implementation}{others} several values in a run: the first is kept."
            ));
        }
        let build = |implementation| Build {
            implementation,
            ..Build::default()
        };
        report.builds = self.implementations.into_iter().map(build).collect();
        report.rows = self.rows;
        report.remarks.extend(self.remarks);
        report.finish();
    }

    /// Turns each run's distribution into one value per percentile, and keeps the merged
    /// distribution of all runs in the cell of the scenario itself.
    fn add_percentiles(&mut self) {
        for ((row, build, folder), threads) in std::mem::take(&mut self.distributions) {
            let (distribution, joined) = merge_threads(&threads);
            if joined {
                let folder = match folder.to_string_lossy() {
                    folder if folder.is_empty() => "the report's folder".into(),
                    folder => folder,
                };
                self.remarks.push(format!(
                    "One of the latency files in {folder} holds the values of all the others: it is left out, so that none counts twice."
                ));
            }
            let Row { scenario, unit, .. } = &self.rows[row];
            let (scenario, unit) = (scenario.clone(), unit.clone());
            let caveats = self.cell(row, build).caveats.clone();
            for percentile in Percentile::ALL {
                let Some(value) = distribution.at(*percentile) else {
                    continue;
                };
                let point = self.row(&scenario.at(*percentile), &unit);
                let cell = self.cell(point, build);
                cell.values.push(value);
                cell.add_caveats(&caveats);
            }
            let whole = &mut self.cell(row, build).distribution;
            whole.get_or_insert_default().merge(&distribution);
        }
    }
}

impl Report {
    /// Joins the runs of builds of several reports, such as those under one label, into one report with the
    /// metadata of the first.
    pub(crate) fn joined(parts: &[(&Self, Vec<usize>)]) -> Self {
        let (first, _) = parts[0];
        let mut whole = Self {
            builds: Vec::new(),
            rows: Vec::new(),
            remarks: Vec::new(),
            ..first.clone()
        };
        // Runs of different executions met different disturbances.
        whole.manifest.paired = false;
        let mut grouping = Grouping::default();
        for (report, builds) in parts {
            let places = builds
                .iter()
                .map(|build| grouping.build(report.build(*build)));
            let places = Vec::from_iter(places);
            for from in &report.rows {
                for (build, place) in builds.iter().zip(&places) {
                    if let Some(cell) = from.cell(*build) {
                        let row = grouping.row(&from.scenario, &from.unit);
                        let control = &mut grouping.rows[row].control;
                        *control = control.iter().copied().chain(from.control).reduce(f64::max);
                        grouping.cell(row, *place).join(cell.clone());
                    }
                }
            }
            grouping.remarks.extend(report.remarks.iter().cloned());
            let machines = [first, *report].map(|report| &report.manifest.machine);
            if let [Some(first), Some(machine)] = machines
                && first != machine
            {
                grouping.remarks.push(format!(
                    "Runs of different machines, {first} and {machine}, are joined."
                ));
            }
        }
        grouping.finish_into(&mut whole);
        whole
    }
}

/// Merges all threads of a run. openssl-bench's makefile leaves a file with the values of all
/// threads beside the files of each; if there is one, it is left out and true is returned.
fn merge_threads(threads: &[&Distribution]) -> (Distribution, bool) {
    let merged = |without: Option<usize>| {
        let mut whole = Distribution::default();
        for (index, distribution) in threads.iter().enumerate() {
            if Some(index) != without {
                whole.merge(distribution);
            }
        }
        whole
    };
    let total: u64 = threads.iter().map(|d| d.count()).sum();
    let has_half = |d: &&Distribution| threads.len() > 2 && d.count() * 2 == total;
    if let Some(index) = threads.iter().position(has_half) {
        let (half, others) = (&threads[index], merged(Some(index)));
        // The count alone is not enough: one thread may have done half of all the work.
        if half.min() == others.min() && half.max() == others.max() {
            return (others, true);
        }
    }
    (merged(None), false)
}
