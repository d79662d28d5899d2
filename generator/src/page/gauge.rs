//! Gauges: the headline figures of a report's subject beside those of the others.

use super::headline::{headlines, subject};
use super::{Graph, Part, join};
use crate::chart::{Axis, Caption, Gauge, Reading, Series};
use crate::report::Report;
use crate::scenario::Scenario;
use crate::slug::slug;
use crate::stats::{Change, Word};
use crate::unit::{Scale, Unit};
use serde::Serialize;

/// A gauge with its figures in words.
#[derive(Clone, Debug, Serialize)]
pub struct GaugeView {
    /// What it shows.
    #[serde(skip)]
    pub scenario: Scenario,
    /// In what.
    #[serde(skip)]
    pub unit: Unit,
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server, per second`
    pub detail: String,
    /// Its graph.
    pub graph: Graph,
    /// Ours.
    pub value: String,
    /// Whose.
    pub name: String,
    /// The others.
    pub rivals: Vec<Rival>,
}

/// A rival on a gauge.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// Its release.
    pub name: String,
    /// Its figure.
    pub value: String,
    /// Ours against it: `1.38x faster`, `as fast`.
    pub change: String,
    /// Between the change and the name: `than`, `as`.
    pub conjunction: &'static str,
    /// The word alone.
    pub class: &'static str,
}

/// The gauges of a report: its headline scenarios that the subject has a figure for.
pub fn gauges(report: &Report) -> Vec<GaugeView> {
    headlines(report)
        .iter()
        .filter_map(|s| gauge(report, s))
        .collect()
}

fn gauge(report: &Report, scenario: &Scenario) -> Option<GaugeView> {
    let estimator = report.manifest.estimator;
    let row = report.data.rows.iter().find(|r| r.scenario == *scenario)?;
    let part = Part {
        data: &report.data,
        rows: vec![row],
        estimator,
    };
    let subject = subject(report);
    let figures: Vec<(usize, f64)> = part
        .shown()
        .into_iter()
        .filter_map(|c| Some((c, part.estimate(row, c)?)))
        .collect();
    let ours = *figures
        .iter()
        .find(|(c, _)| report.data.implementations[*c].name == subject)?;
    let scale = Scale {
        decimals: 0,
        ..Scale::of(&row.unit, figures.iter().map(|f| f.1))
    };
    let reading = |(column, value): (usize, f64)| Reading {
        series: Series {
            label: part.name(column),
            implementation: report.data.implementations[column].name.clone(),
        },
        value: value / scale.factor,
        text: scale.show(value),
    };
    let others: Vec<(usize, f64)> = figures.iter().copied().filter(|f| f.0 != ours.0).collect();
    let rivals = others.iter().filter_map(|(column, value)| {
        let change = Change::new(*value, ours.1, row.unit.better(), false)?;
        let word = change.word();
        let (text, conjunction) = match word {
            Word::None => ("as fast".to_owned(), "as"),
            _ => (change.to_string(), "than"),
        };
        Some(Rival {
            name: part.name(*column),
            value: scale.show(*value),
            change: text,
            conjunction,
            class: word.word(),
        })
    });
    let rivals: Vec<Rival> = rivals.collect();
    let label = scenario.label();
    let (title, detail) = label.split_once(", ").unwrap_or((&label, ""));
    let against = rivals
        .iter()
        .map(|r| format!("{} of {}", r.value, r.name))
        .collect::<Vec<_>>();
    let alt = format!(
        "Gauge: {} with {} {} in {label}, against {}.",
        part.name(ours.0),
        scale.show(ours.1),
        scale.symbol,
        join(&against)
    );
    let file = format!("gauge-{}", slug(&label));
    let chart = Gauge {
        caption: Caption {
            title: label.clone(),
            description: alt.clone(),
        },
        axis: Axis {
            unit: scale.symbol.clone(),
            better: row.unit.better(),
        },
        ours: reading(ours),
        rivals: others.iter().map(|o| reading(*o)).collect(),
    };
    Some(GaugeView {
        scenario: scenario.clone(),
        unit: row.unit.clone(),
        title: title.to_owned(),
        detail: format!("{detail}, {}", scale.symbol),
        graph: Graph {
            title: String::new(),
            file: format!("{file}.svg"),
            alt,
            drawing: chart.render(),
        },
        value: scale.show(ours.1),
        name: part.name(ours.0),
        rivals,
    })
}
