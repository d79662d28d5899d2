//! What a reader sees of a report: sections of tables and graphs, with finished figures and
//! words. Templates only lay them out.

mod bars;
mod capacity;
mod card;
mod caveats;
mod compared;
mod extra;
mod footprint;
mod trend;
mod gauge;
mod headline;
mod highlights;
mod history;
mod latency;
mod lines;
mod machines;
mod matrix;
mod memory;
mod method;
mod phrases;
mod provenance;
mod ratios;
mod releases;
mod sections;
mod sizes;
mod span;
mod table;
mod threads;
mod why;
mod writes;

pub(crate) use capacity::{CapacityView, capacity};
pub(crate) use card::card;
pub(crate) use compared::{Changes, changes, comparisons, untested};
pub(crate) use extra::extra;
pub(crate) use gauge::{GaugeView, gauges};
pub(crate) use headline::{finding, subject as subject_of, title};
pub(crate) use highlights::{Highlights, feed_summary};
pub(crate) use history::{
    ChangePointView, HistoryView, implementation, implementations, scenario, scenarios,
};
pub(crate) use machines::machines;
pub(crate) use method::method;
pub(crate) use phrases::{count, join};
pub(crate) use provenance::{inputs, versions};
pub(crate) use releases::{MAX_RELEASES, Releases, neighbours, release_steps, releases};
pub(crate) use sections::{Block, Section, headline_section, is_split, sections, sections_of};
pub(crate) use span::{Span, YearLink};
pub(crate) use table::{Graph, Head, Table, TableCell, TableRow};
pub(crate) use why::whys;

use crate::implementation::Implementation;
use crate::report::{Dataset, Report, Row, common_scale};
use crate::stats::{Estimator, Interval};
use crate::unit::Scale;
use std::collections::BTreeMap;

/// The part of a report that a section is made of.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    /// The whole report's implementations.
    pub data: &'a Dataset,
    /// Some of its rows, in the order of scenarios.
    pub rows: Vec<&'a Row>,
    /// How cells become numbers.
    pub estimator: Estimator,
    /// The name of the implementation that the report is about.
    subject: &'a str,
}

/// More builds than these and the scenario do not fit side by side at 1280 px.
const MAX_BUILDS: usize = 7;

impl<'a> Part<'a> {
    /// All of a report.
    pub(crate) fn of(report: &'a Report) -> Self {
        let mut rows: Vec<&Row> = report.data.rows.iter().collect();
        rows.sort_by(|a, b| (&a.scenario, &a.unit).cmp(&(&b.scenario, &b.unit)));
        Self {
            data: &report.data,
            rows,
            estimator: report.manifest.estimator,
            subject: subject_of(report),
        }
    }

    /// The same with some of its rows.
    pub(crate) fn with(&self, wanted: impl Fn(&Row) -> bool) -> Self {
        Self {
            rows: self.rows.iter().copied().filter(|r| wanted(r)).collect(),
            ..*self
        }
    }

    /// Rows that share a key, in the order of keys.
    fn by<K: Ord>(&self, key: impl Fn(&Row) -> K) -> Vec<(K, Self)> {
        let mut parts = BTreeMap::new();
        for row in &self.rows {
            let empty = || Self {
                rows: Vec::new(),
                ..*self
            };
            let part: &mut Self = parts.entry(key(row)).or_insert_with(empty);
            part.rows.push(row);
        }
        parts.into_iter().collect()
    }

    /// The implementations that have a figure, or are said to be unable to, in these rows; without
    /// releases that a newer one stands for.
    fn columns(&self) -> Vec<usize> {
        let has = |column: &usize| self.rows.iter().any(|r| r.cell(*column).is_some());
        let columns = 0..self.data.implementations.len();
        columns
            .filter(|c| !self.data.is_older(*c) && has(c))
            .collect()
    }

    /// Those of them that stand in the first table and in charts, and the others. Where there are
    /// many, the subject, the release before it and one build of each rival come first.
    fn placed(&self) -> (Vec<usize>, Vec<usize>) {
        let columns = self.columns();
        if columns.len() <= MAX_BUILDS {
            return (columns, Vec::new());
        }
        let build = |column: usize| &self.data.implementations[column];
        let subject = columns.iter().find(|c| build(**c).name == self.subject);
        let before = subject.and_then(|c| self.release_before(*c));
        let mut first: Vec<usize> = subject.copied().into_iter().chain(before).collect();
        for column in &columns {
            if !first.iter().any(|c| build(*c).name == build(*column).name) {
                first.push(*column);
            }
        }
        let others = columns.iter().filter(|c| !first.contains(c));
        let others: Vec<usize> = others.copied().collect();
        first.extend(others);
        let others = first.split_off(MAX_BUILDS);
        (first, others)
    }

    /// The newest of the releases that this one stands for, if it has a figure here.
    fn release_before(&self, column: usize) -> Option<usize> {
        let build = &self.data.implementations[column];
        let same = |i: &&Implementation| i.name == build.name && i.variant == build.variant;
        let before = self.data.older.iter().rfind(same)?;
        let before = self.data.implementations.iter().position(|i| i == before)?;
        let has_figure = self.rows.iter().any(|r| r.cell(before).is_some());
        has_figure.then_some(before)
    }

    /// Those that charts with bars show.
    fn shown(&self) -> Vec<usize> {
        let (mut columns, _) = self.placed();
        columns.retain(|c| {
            let build = &self.data.implementations[*c];
            !self.data.without_bars.contains(build)
        });
        columns
    }

    /// Whether an implementation is meant to have bars.
    fn has_bars(&self, column: usize) -> bool {
        let implementation = &self.data.implementations[column];
        !self.data.is_older(column) && !self.data.without_bars.contains(implementation)
    }

    fn estimate(&self, row: &Row, column: usize) -> Option<f64> {
        row.cell(column)?.estimate(self.estimator)
    }

    /// Each implementation with a figure in this row, and the figure.
    fn figures(&self, row: &Row) -> Vec<(usize, f64)> {
        let figure = |column| Some((column, self.estimate(row, column)?));
        (0..row.cells.len()).filter_map(figure).collect()
    }

    /// The name of a column: the release, and what else is needed to tell it from the others.
    fn name(&self, column: usize) -> String {
        let one = &self.data.implementations[column];
        joined([one.release(), self.distinction(column)])
    }

    fn names(&self, columns: &[usize]) -> Vec<String> {
        columns.iter().map(|c| self.name(*c)).collect()
    }

    /// The parts of the variant that another implementation of the same release has not.
    fn distinction(&self, column: usize) -> String {
        let one = &self.data.implementations[column];
        let alike = |i: &&Implementation| i.name == one.name && i.version == one.version;
        let alike: Vec<_> = self.data.implementations.iter().filter(alike).collect();
        let mut telling = one.variant.clone();
        telling.retain(|part| alike.iter().any(|i| !i.variant.contains(part)));
        telling.join(", ")
    }
}

/// The parts that are not empty, with commas.
fn joined(parts: [String; 2]) -> String {
    let mut parts = parts.to_vec();
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// The ends of an interval as a chart takes them.
fn ends(interval: Option<Interval>, scale: &Scale) -> Option<(f64, f64)> {
    interval.map(|i| (i.low / scale.factor, i.high / scale.factor))
}
