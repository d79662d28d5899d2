//! Gauges: the headline figures of a report's subject beside those of its rivals.

use super::headline::{headlines, subject};
use super::phrases::joined;
use super::trend::{TrendView, trend};
use super::{Graph, Part, join};
use crate::chart::{Axis, Gauge, Reading};
use crate::report::{Report, Row};
use crate::slug::slug;
use crate::stats::{Change, Verdict};
use crate::unit::{Scale, Unit};
use serde::Serialize;

/// A gauge with its figures in words.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GaugeView {
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server, per second`
    pub detail: String,
    pub graph: Graph,
    pub rivals: Vec<Rival>,
    /// The figures of earlier reports of the machine.
    pub trend: Option<TrendView>,
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

/// Returns `1.38x faster` and `than`, or `as fast` and `as`.
pub(super) fn compared(change: &Change) -> (String, &'static str) {
    match change.word() {
        Verdict::None => ("as fast".to_owned(), "as"),
        _ => (change.to_string(), "than"),
    }
}

/// Returns the scale of a headline's figures; `None` if there are none.
pub(super) fn headline_scale(
    unit: &Unit,
    figures: impl Iterator<Item = f64> + Clone,
) -> Option<Scale> {
    let smallest = figures.clone().reduce(f64::min)?;
    Some(Scale::of(unit, figures).at_a_glance(smallest))
}

/// Returns a gauge for each headline scenario in which the subject has a figure. Trends include
/// those of `reports` that are of the same machine.
pub(crate) fn gauges(report: &Report, reports: &[&Report]) -> Vec<GaugeView> {
    let part = Part::of(report);
    let headlines = headlines(report);
    let rows = headlines.iter();
    // In the order of the data: a scenario may have figures in several units.
    let rows = rows.filter_map(|s| report.data.rows.iter().find(|r| r.scenario == *s));
    let mut history = reports.to_vec();
    history.retain(|r| r.shares_machine(report));
    history.sort_by_key(|r| r.when());
    let gauge = |row| {
        let gauge = part.gauge(row, subject(report))?;
        let trend = trend(row, &history);
        Some(GaugeView { trend, ..gauge })
    };
    rows.filter_map(gauge).collect()
}

impl Part<'_> {
    fn gauge(&self, row: &Row, subject: &str) -> Option<GaugeView> {
        let mut others = self.figures(row);
        others.retain(|f| self.has_bars(f.0));
        let scale = headline_scale(&row.unit, others.iter().map(|f| f.1))?;
        let is_ours = |f: &(usize, f64)| self.data.implementations[f.0].name == subject;
        let ours = others.remove(others.iter().position(is_ours)?);
        let reading = |(column, value): (usize, f64)| Reading {
            series: self.series_of(column),
            value: value / scale.factor,
            text: scale.show(value),
        };
        let rival = |(column, value): &(usize, f64)| {
            let change = Change::new(*value, ours.1, row.unit.better(), row.unit.kind())?;
            let (words, conjunction) = compared(&change);
            Some(Rival {
                name: self.name(*column),
                change: words,
                conjunction,
                class: change.word().word(),
            })
        };
        let label = row.scenario.label();
        let title = row.scenario.workload.word();
        let detail = joined([row.scenario.details(), scale.symbol.clone()]).unwrap_or_default();
        let figure = |f: &(usize, f64)| format!("{} for {}", scale.show(f.1), self.name(f.0));
        let against: Vec<String> = others.iter().map(figure).collect();
        let against = match against.is_empty() {
            true => String::new(),
            false => format!(", against {}", join(&against)),
        };
        let (name, value) = (self.name(ours.0), scale.show(ours.1));
        let alt = format!(
            "Gauge: {name} with {value} {} in {label}{against}.",
            scale.symbol
        );
        let graph = Graph::new(
            &format!("gauge-{}", slug(&label)),
            label.clone(),
            alt,
            |caption| {
                let chart = Gauge {
                    caption,
                    axis: Axis {
                        unit: scale.symbol.clone(),
                        better: row.unit.better(),
                    },
                    ours: reading(ours),
                    rivals: others.iter().map(|o| reading(*o)).collect(),
                };
                chart.render()
            },
        );
        Some(GaugeView {
            title: title.to_owned(),
            detail,
            graph: graph.untitled(),
            rivals: others.iter().filter_map(rival).collect(),
            trend: None,
        })
    }
}
