//! Gauges: the headline figures of a report's subject beside those of its rivals. `index.md.tera` draws them.

use super::headline::{headlines, usual_headlines};
use super::phrases::joined;
use super::{Part, join};
use crate::model::scenario::Workload;
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
    title: String,
    /// `1.3, rsa, server, hs/s, higher is better`
    detail: String,
    /// Accessible name of the drawing.
    name: String,
    /// The subject, then its rivals.
    readings: Vec<Reading>,
}

/// A figure on a gauge.
#[derive(Clone, Debug, Serialize)]
struct Reading {
    /// The release.
    name: String,
    figure: String,
    /// The library's colour and marker.
    color: String,
    marker: String,
    /// Degrees from the left end of the arc.
    turn: String,
    /// Of a rival: the subject compared with it, `1.38x faster than`, `as fast as`; empty if it is too
    /// noisy to say.
    change: String,
    class: &'static str,
}

/// Whether a report has any gauge, found without a verdict.
pub(super) fn has_gauges(report: &Report) -> bool {
    let part = Part::of(report);
    let mut rows = candidates(report).into_iter();
    rows.any(|row| part.on_gauge(row).is_some())
}

/// Returns the rows that may have a gauge, the most important first.
fn candidates(report: &Report) -> Vec<&Row> {
    [headlines(report), usual_headlines(report)].concat()
}

/// Returns a gauge for each kind of work: in a headline scenario, or else in a default one. The subject
/// needs a steady figure and a rival.
pub(crate) fn gauges(report: &Report) -> Vec<Gauge> {
    let part = Part::of(report);
    let mut gauges: Vec<(_, Gauge)> = Vec::new();
    for row in candidates(report) {
        let workload = &row.scenario.workload;
        let is_transfer = *workload == Workload::Transfer;
        let kind = (
            is_transfer,
            row.scenario.side.filter(|_| is_transfer),
            workload,
        );
        if gauges.iter().all(|(known, _)| *known != kind) {
            gauges.extend(part.gauge(row).map(|gauge| (kind, gauge)));
        }
    }
    gauges.sort_by_key(|((is_transfer, side, _), _)| (*is_transfer, *side));
    let gauges = gauges.into_iter().map(|(_, gauge)| gauge);
    gauges.take(MAX).collect()
}

impl Part<'_> {
    fn gauge(&self, row: &Row) -> Option<Gauge> {
        let shown = self.on_gauge(row)?;
        let figures = || shown.iter().map(|of| of.1);
        let scale = Scale::of(&row.unit, figures()).at_a_glance(figures().reduce(f64::min)?);
        let end = end(figures());
        let reading = |(column, value): &(usize, f64)| {
            let look = self.data.look_of(&self.data.implementations[*column].name);
            let known = self.report.verdict(row, [*column, shown[0].0]);
            let (change, class) = known.map_or_else(Default::default, |known| words(&known));
            Reading {
                name: self.name(*column),
                figure: scale.show(*value),
                color: look.color.to_string(),
                marker: look.marker.svg(),
                turn: format!("{:.1}", 180.0 * value / end),
                change,
                class,
            }
        };
        let readings: Vec<Reading> = shown.iter().map(reading).collect();
        let (ours, rivals) = readings.split_first()?;
        let against = rivals
            .iter()
            .map(|r| format!("{} for {}", r.figure, r.name));
        let name = format!(
            "{} with {} {} in {}, against {}",
            ours.name,
            ours.figure,
            scale.symbol,
            row.scenario.label(),
            join(&against.collect::<Vec<_>>())
        );
        let unit = format!("{}{}", scale.symbol, row.unit.better().suffix());
        Some(Gauge {
            title: row.scenario.workload.word().to_owned(),
            detail: joined([row.scenario.details(), unit]).unwrap_or_default(),
            name,
            readings,
        })
    }

    /// Returns the steady figure of the subject's newest release, and those of its rivals: one build of
    /// each other library, or the other builds of the only one. `None` without one of either.
    fn on_gauge(&self, row: &Row) -> Option<Vec<(usize, f64)>> {
        let name_of = |column: usize| &*self.data.implementations[column].name;
        let mut shown = self.figures(row);
        shown.retain(|(column, _)| {
            let is_shown = self.has_bars(*column) && !self.data.is_older(*column);
            is_shown && self.data.is_ranked(row, *column)
        });
        let subject = shown.iter().position(|of| name_of(of.0) == self.subject)?;
        let ours = shown.remove(subject);
        let mut seen = BTreeSet::from([self.subject]);
        if shown.iter().any(|of| name_of(of.0) != self.subject) {
            shown.retain(|of| seen.insert(name_of(of.0)));
        }
        shown.insert(0, ours);
        (shown.len() > 1).then_some(shown)
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

/// The end of a gauge from zero that holds these values: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 of a power
/// of ten.
fn end(values: impl Iterator<Item = f64>) -> f64 {
    let largest = values.fold(f64::MIN_POSITIVE, f64::max);
    let power = 10f64.powf(largest.log10().floor());
    let mut steps = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0].into_iter();
    steps.find(|step| step * power >= largest).unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn a_gauge_ends_at_a_round_number() {
        for (largest, expected) in [(9909.0, 10_000.0), (12.0, 12.0), (0.31, 0.4), (5.1, 6.0)] {
            let found = end([0.1, largest].into_iter());
            assert!((found - expected).abs() < 1e-9 * expected, "{largest}");
        }
    }
}
