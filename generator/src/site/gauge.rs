//! Gauges: the headline figures of a report's subject beside those of its rivals.

use super::headline::{default_headlines, headlines};
use super::phrases::joined;
use super::{Graph, Part, join};
use crate::base::slug::slug;
use crate::chart::{self, Axis, Reading, Series};
use crate::model::scenario::{Side, Workload};
use crate::model::unit::Scale;
use crate::report::{Report, Row};
use crate::stats::{Comparison, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;

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
    /// `than OpenSSL`, `as OpenSSL`
    pub name: String,
    /// The subject compared with it: `1.38x faster`, `as fast`.
    pub change: String,
    pub class: &'static str,
}

/// Returns a gauge for each kind of work: in a headline scenario, or else in a default one. The subject
/// needs a steady figure and a rival.
pub(crate) fn gauges(report: &Report) -> Vec<Gauge> {
    let part = Part::of(report);
    let mut gauges: Vec<((Workload, Option<Side>), Gauge)> = Vec::new();
    for scenario in headlines(report)
        .into_iter()
        .chain(default_headlines(report))
    {
        let is_transfer = scenario.workload == Workload::Transfer;
        let kind = (
            scenario.workload.clone(),
            scenario.side.filter(|_| is_transfer),
        );
        if gauges.iter().any(|(known, _)| *known == kind) {
            continue;
        }
        // In the order of the data: a scenario may have figures in several units.
        let row = report.data.rows.iter().find(|r| r.scenario == scenario);
        let gauge = row.and_then(|row| part.gauge(report, row));
        gauges.extend(gauge.map(|gauge| (kind, gauge)));
    }
    gauges.sort_by_key(|((workload, side), _)| (*workload == Workload::Transfer, *side));
    gauges.into_iter().map(|(_, gauge)| gauge).take(4).collect()
}

impl Part<'_> {
    fn gauge(&self, report: &Report, row: &Row) -> Option<Gauge> {
        let name_of = |column: usize| &*self.data.implementations[column].name;
        let mut others = self.figures(row);
        others.retain(|(column, _)| {
            let is_shown = self.has_bars(*column) && !self.data.is_older(*column);
            is_shown && self.data.is_ranked(row, *column)
        });
        let subject = others.iter().position(|f| name_of(f.0) == self.subject)?;
        let ours = others.remove(subject);
        // One build of each library, the first, if there are several libraries.
        let mut seen = BTreeSet::from([self.subject]);
        if others.iter().any(|f| name_of(f.0) != self.subject) {
            others.retain(|f| seen.insert(name_of(f.0)));
        }
        let figures = || others.iter().chain([&ours]).map(|f| f.1);
        let smallest = figures().reduce(f64::min).filter(|_| !others.is_empty())?;
        let scale = Scale::of(&row.unit, figures()).at_a_glance(smallest);
        let is_of_one_library = seen.len() == 1;
        let name = |column: usize| match is_of_one_library {
            true => self.name(column),
            false => self.data.implementations[column].release(),
        };
        let reading = |(column, value): (usize, f64)| Reading {
            series: Series {
                label: match is_of_one_library {
                    true => self.distinction(column),
                    false => name_of(column).to_owned(),
                },
                ..self.series_of(column)
            },
            value: value / scale.factor,
            text: scale.show(value),
        };
        let (mut rivals, mut readings, mut against) = (Vec::new(), Vec::new(), Vec::new());
        for (column, value) in others {
            readings.push(reading((column, value)));
            against.push(format!("{} for {}", scale.show(value), name(column)));
            let known = report.verdict(row, [column, ours.0]);
            rivals.extend(known.and_then(|known| Rival::new(&name(column), &known)));
        }
        let against = match against.as_slice() {
            [] => String::new(),
            some => format!(", against {}", join(some)),
        };
        let label = row.scenario.label();
        let (name, value) = (name(ours.0), scale.show(ours.1));
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
                ours: {
                    let mut ours = reading(ours);
                    ours.series.label = name;
                    ours
                },
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
    /// `None` if nothing can be said.
    fn new(name: &str, known: &Comparison) -> Option<Self> {
        let change = known.change;
        let (words, conjunction, class) = match known.verdict {
            Verdict::TooFew | Verdict::Unsteady => return None,
            Verdict::Untested if change.word() != Verdict::None => {
                (change.to_string(), "than", "untested")
            }
            Verdict::None | Verdict::Untested => ("as fast".to_owned(), "as", "none"),
            verdict => (change.to_string(), "than", verdict.word()),
        };
        Some(Self {
            name: format!("{conjunction} {name}"),
            change: words,
            class,
        })
    }
}
