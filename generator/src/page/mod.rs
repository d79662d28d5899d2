//! What a reader sees of a report: sections of tables and graphs, with finished figures and
//! words. Templates only lay them out.

mod anchor;
mod bars;
mod card;
mod changes;
mod compared;
mod comparisons;
mod finding;
mod front;
mod gauge;
mod headline;
mod highlights;
mod history;
mod latency;
mod matrix;
mod memory;
mod method;
mod phrases;
mod provenance;
mod sections;
mod table;
mod threads;
mod title;
mod writes;

pub use card::card;
pub use changes::{changes, untested};
pub use comparisons::comparisons;
pub use finding::finding;
pub use front::{TrendView, trend};
pub use gauge::{GaugeView, gauges};
pub use headline::subject as subject_of;
pub use highlights::{Highlights, changes_in_words};
pub use history::{
    ChangePointView, ImplementationView, MachineView, ScenarioView, implementation,
    implementations, scenario, scenarios,
};
pub use method::method;
pub use phrases::join;
pub use provenance::{files, versions};
pub use sections::{Section, sections};
pub use table::{Graph, Head, Table, TableCell, TableRow};
pub use title::title;

use crate::implementation::Implementation;
use crate::report::{Dataset, Row};
use crate::stats::Estimator;

/// The part of a report that a section is made of.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The whole report's implementations.
    pub data: &'a Dataset,
    /// Some of its rows, in the order of scenarios.
    pub rows: Vec<&'a Row>,
    /// How cells become numbers.
    pub estimator: Estimator,
}

impl<'a> Part<'a> {
    /// All rows of a report that `wanted` accepts by their label.
    pub fn of(data: &'a Dataset, estimator: Estimator, wanted: impl Fn(&str) -> bool) -> Self {
        let mut rows: Vec<&Row> = data
            .rows
            .iter()
            .filter(|r| wanted(&r.scenario.label()))
            .collect();
        rows.sort_by(|a, b| (&a.scenario, &a.unit).cmp(&(&b.scenario, &b.unit)));
        Self {
            data,
            rows,
            estimator,
        }
    }

    /// The same with some of its rows.
    fn with(&self, wanted: impl Fn(&Row) -> bool) -> Self {
        Self {
            rows: self.rows.iter().copied().filter(|r| wanted(r)).collect(),
            ..self.clone()
        }
    }

    /// The implementations that have a figure, or are said to be unable to, in these rows.
    fn columns(&self) -> Vec<usize> {
        let has = |column: &usize| self.rows.iter().any(|r| r.cell(*column).is_some());
        (0..self.data.implementations.len()).filter(has).collect()
    }

    fn estimate(&self, row: &Row, column: usize) -> Option<f64> {
        row.cell(column)?.estimate(self.estimator)
    }

    /// The name of a column: the release, and what else is needed to tell it from the others.
    fn name(&self, column: usize) -> String {
        let implementation = &self.data.implementations[column];
        match distinction(&self.data.implementations, implementation).as_str() {
            "" => implementation.release(),
            more => format!("{}, {more}", implementation.release()),
        }
    }
}

/// The parts of the variant that another implementation of the same release has not.
fn distinction(all: &[Implementation], one: &Implementation) -> String {
    let alike: Vec<&Implementation> = all
        .iter()
        .filter(|i| i.name == one.name && i.version == one.version)
        .collect();
    let tells = |part: &&String| alike.iter().any(|i| !i.variant.contains(part));
    let telling: Vec<&str> = one
        .variant
        .iter()
        .filter(tells)
        .map(String::as_str)
        .collect();
    telling.join(", ")
}
