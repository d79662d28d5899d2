//! Gauges: the headline figures of a report's subject beside those of its rivals.

use super::headline::{headlines, usual_headlines};
use super::phrases::joined;
use super::{Part, join};
use crate::chart::{self, look::Look};
use crate::model::scenario::{Side, Workload};
use crate::model::unit::Scale;
use crate::report::{Report, Row};
use crate::stats::{Comparison, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;

/// Gauges in a row.
const MAX: usize = 4;

/// A gauge with its figures in words.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Gauge {
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server, hs/s, higher is better`
    pub detail: String,
    /// The drawing.
    pub svg: String,
    pub ours: Reading,
    pub rivals: Vec<Reading>,
}

/// A figure on a gauge.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Reading {
    /// The library's marker.
    pub key: String,
    /// Its release.
    pub name: String,
    pub figure: String,
    /// Of a rival: the subject compared with it, `1.38x faster than`, `as fast as`; empty if it is too
    /// noisy to say.
    pub change: String,
    pub class: &'static str,
}

/// Returns a gauge for each kind of work: in a headline scenario, or else in a default one. The subject
/// needs a steady figure and a rival.
pub(crate) fn gauges(report: &Report) -> Vec<Gauge> {
    let part = Part::of(report);
    let mut gauges: Vec<((Workload, Option<Side>), Gauge)> = Vec::new();
    for row in [headlines(report), usual_headlines(report)].concat() {
        let scenario = &row.scenario;
        let is_transfer = scenario.workload == Workload::Transfer;
        let side = scenario.side.filter(|_| is_transfer);
        let kind = (scenario.workload.clone(), side);
        if gauges.iter().any(|(known, _)| *known == kind) {
            continue;
        }
        gauges.extend(part.gauge(report, row).map(|gauge| (kind, gauge)));
    }
    gauges.sort_by_key(|((workload, side), _)| (*workload == Workload::Transfer, *side));
    let gauges = gauges.into_iter().map(|(_, gauge)| gauge);
    gauges.take(MAX).collect()
}

impl Part<'_> {
    fn gauge(&self, report: &Report, row: &Row) -> Option<Gauge> {
        let [ours, others @ ..] = &*self.readings(row) else {
            return None;
        };
        let figures = || others.iter().chain([ours]).map(|f| f.1);
        let smallest = figures().reduce(f64::min).filter(|_| !others.is_empty())?;
        let scale = Scale::of(&row.unit, figures()).at_a_glance(smallest);
        let end = chart::end(figures());
        let reading = |(column, value): &(usize, f64)| Reading {
            key: chart::key(self.look(*column)),
            name: self.name(*column),
            figure: scale.show(*value),
            change: String::new(),
            class: "",
        };
        let mut rivals = Vec::new();
        for other in others {
            let known = report.verdict(row, [other.0, ours.0]);
            let (change, class) = known.map_or_else(Default::default, |known| words(&known));
            rivals.push(Reading {
                change,
                class,
                ..reading(other)
            });
        }
        let ours_read = reading(ours);
        let against: Vec<String> = rivals
            .iter()
            .map(|r| format!("{} for {}", r.figure, r.name))
            .collect();
        let drawing = chart::Gauge {
            name: format!(
                "{} with {} {} in {}, against {}",
                ours_read.name,
                ours_read.figure,
                scale.symbol,
                row.scenario.label(),
                join(&against)
            ),
            ours: (self.look(ours.0), ours.1 / end),
            rivals: others
                .iter()
                .map(|(c, value)| (self.look(*c), value / end))
                .collect(),
        };
        let unit = format!("{}{}", scale.symbol, row.unit.better().suffix());
        Some(Gauge {
            title: row.scenario.workload.word().to_owned(),
            detail: joined([row.scenario.details(), unit]).unwrap_or_default(),
            svg: drawing.svg(),
            ours: ours_read,
            rivals,
        })
    }

    /// Returns the steady figure of the subject's newest release, and those of its rivals: one build of
    /// each other library, or the other builds of the only one. Empty without the subject's.
    fn readings(&self, row: &Row) -> Vec<(usize, f64)> {
        let name_of = |column: usize| &*self.data.implementations[column].name;
        let mut others = self.figures(row);
        others.retain(|(column, _)| {
            let is_shown = self.has_bars(*column) && !self.data.is_older(*column);
            is_shown && self.data.is_ranked(row, *column)
        });
        let Some(subject) = others.iter().position(|f| name_of(f.0) == self.subject) else {
            return Vec::new();
        };
        let ours = others.remove(subject);
        let mut seen = BTreeSet::from([self.subject]);
        if others.iter().any(|f| name_of(f.0) != self.subject) {
            others.retain(|f| seen.insert(name_of(f.0)));
        }
        others.insert(0, ours);
        others
    }

    fn look(&self, column: usize) -> Look {
        self.data.look_of(&self.data.implementations[column].name)
    }
}

/// Returns the subject compared with a rival in words, and their CSS class.
fn words(known: &Comparison) -> (String, &'static str) {
    let change = known.change;
    match known.verdict {
        Verdict::TooFew | Verdict::Unsteady => (String::new(), ""),
        Verdict::Untested if change.word() != Verdict::None => {
            (format!("{change} than"), "untested")
        }
        Verdict::None | Verdict::Untested => ("as fast as".to_owned(), "none"),
        verdict => (format!("{change} than"), verdict.word()),
    }
}
