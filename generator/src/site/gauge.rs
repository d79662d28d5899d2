//! Gauges: the headline figures of a report's subject beside those of its rivals.

use super::headline::{headlines, subject};
use super::phrases::joined;
use super::{Graph, Part, join};
use crate::base::slug::slug;
use crate::chart::{self, Axis, Reading};
use crate::model::unit::Scale;
use crate::report::{Report, Row};
use crate::stats::{Change, Verdict};
use serde::Serialize;

/// A gauge with its figures in words.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Gauge {
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server, per second`
    pub detail: String,
    pub graph: Graph,
    pub rivals: Vec<Rival>,
}

/// A rival on a gauge.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rival {
    /// Its release.
    pub name: String,
    /// The subject compared with it: `1.38x faster`, `as fast`.
    pub change: String,
    /// The word between the change and the name: `than`, `as`.
    pub conjunction: &'static str,
    pub class: &'static str,
}

/// Returns a gauge for each headline scenario in which the subject has a figure.
pub(crate) fn gauges(report: &Report) -> Vec<Gauge> {
    let part = Part::of(report);
    let mut gauges = Vec::new();
    for scenario in headlines(report) {
        // In the order of the data: a scenario may have figures in several units.
        let row = report.data.rows.iter().find(|r| r.scenario == scenario);
        gauges.extend(row.and_then(|row| part.gauge(row, subject(report))));
    }
    gauges
}

impl Part<'_> {
    fn gauge(&self, row: &Row, subject: &str) -> Option<Gauge> {
        let mut others = self.figures(row);
        others.retain(|(column, _)| {
            let is_shown = self.has_bars(*column) && !self.data.is_older(*column);
            is_shown && self.data.is_ranked(row, *column)
        });
        let figures = others.iter().map(|f| f.1);
        let smallest = figures.clone().reduce(f64::min)?;
        let scale = Scale::of(&row.unit, figures).at_a_glance(smallest);
        let is_ours = |f: &(usize, f64)| self.data.implementations[f.0].name == subject;
        let ours = others.remove(others.iter().position(is_ours)?);
        let reading = |(column, value): (usize, f64)| Reading {
            series: self.series_of(column),
            value: value / scale.factor,
            text: scale.show(value),
        };
        let (mut rivals, mut readings, mut against) = (Vec::new(), Vec::new(), Vec::new());
        for (column, value) in others {
            let name = self.name(column);
            readings.push(reading((column, value)));
            against.push(format!("{} for {name}", scale.show(value)));
            let change = Change::new(value, ours.1, row.unit.better(), row.unit.kind());
            rivals.extend(change.map(|change| Rival::new(name, &change)));
        }
        let against = match against.as_slice() {
            [] => String::new(),
            some => format!(", against {}", join(some)),
        };
        let label = row.scenario.label();
        let (name, value) = (self.name(ours.0), scale.show(ours.1));
        let unit = scale.symbol.clone();
        let alt = format!("Gauge: {name} with {value} {unit} in {label}{against}.");
        let file = format!("gauge-{}", slug(&label));
        let graph = Graph::new(&file, label, alt, |caption| {
            let chart = chart::Gauge {
                caption,
                axis: Axis {
                    unit: unit.clone(),
                    better: row.unit.better(),
                },
                ours: reading(ours),
                rivals: readings,
            };
            chart.render()
        });
        Some(Gauge {
            title: row.scenario.workload.word().to_owned(),
            detail: joined([row.scenario.details(), unit]).unwrap_or_default(),
            graph: graph.untitled(),
            rivals,
        })
    }
}

impl Rival {
    fn new(name: String, change: &Change) -> Self {
        let (words, conjunction) = match change.word() {
            Verdict::None => ("as fast".to_owned(), "as"),
            _ => (change.to_string(), "than"),
        };
        Self {
            name,
            change: words,
            conjunction,
            class: change.word().word(),
        }
    }
}
