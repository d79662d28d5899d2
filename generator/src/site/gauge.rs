//! Gauges: the headline figures of a report's subject beside those of its rivals. `index.md.tera` draws them.

use super::phrases::joined;
use super::{Part, join};
use crate::model::scenario::Workload;
use crate::model::unit::Scale;
use crate::report::{Report, Row};
use crate::stats::Verdict;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Gauges in a row.
const MAX: usize = 4;

/// The end of a gauge, which starts at zero, relative to its largest figure.
const END: f64 = 1.1;

/// Whether a report has any gauge, found without a verdict.
pub(super) fn has_gauges(report: &Report) -> bool {
    let part = Part::of(report);
    let mut rows = candidates(report).into_iter();
    rows.any(|row| part.on_gauge(row).is_some())
}

/// Returns the rows that may have a gauge, the most important first.
fn candidates(report: &Report) -> Vec<&Row> {
    [report.headlines(), report.usual_headlines()].concat()
}

/// Returns a gauge for each kind of work: in a headline scenario, or else in a default one. The subject
/// needs a steady figure and a rival.
pub(super) fn gauges(report: &Report) -> Vec<Json> {
    let part = Part::of(report);
    let mut gauges: Vec<(_, Json)> = Vec::new();
    for row in candidates(report) {
        let workload = &row.scenario.workload;
        let is_transfer = *workload == Workload::Transfer;
        let side = row.scenario.side.filter(|_| is_transfer);
        let kind = (is_transfer, side, workload.word());
        if gauges.iter().all(|(known, _)| *known != kind) {
            gauges.extend(part.gauge(row).map(|gauge| (kind, gauge)));
        }
    }
    gauges.sort_by_key(|((is_transfer, side, _), _)| (*is_transfer, *side));
    let gauges = gauges.into_iter().map(|(_, gauge)| gauge);
    gauges.take(MAX).collect()
}

impl Part<'_> {
    fn gauge(&self, row: &Row) -> Option<Json> {
        let shown = self.on_gauge(row)?;
        let figures = || shown.iter().map(|of| of.1);
        let (least, largest) = (figures().reduce(f64::min)?, figures().reduce(f64::max)?);
        let scale = Scale::of(&row.unit, figures()).at_a_glance(least);
        let reading = |(column, value): &(usize, f64)| {
            let look = self.data.look_of(&self.build(*column).name);
            let (change, class) = self.change_from(row, *column, shown[0].0);
            json!({
                "name": self.name(*column),
                "figure": scale.show(*value),
                "color": look.color(),
                "marker": look.marker(),
                "turn": format!("{:.1}", 180.0 * value / (END * largest)),
                "change": change,
                "class": class,
            })
        };
        let in_words = |(column, value): &(usize, f64)| (self.name(*column), scale.show(*value));
        let (ours, figure) = in_words(&shown[0]);
        let rivals = shown[1..].iter().map(in_words);
        let rivals: Vec<String> = rivals.map(|(name, v)| format!("{v} for {name}")).collect();
        let (label, symbol) = (row.scenario.label(), &scale.symbol);
        let unit = format!("{symbol}{}", row.unit.better().suffix());
        Some(json!({
            "title": row.scenario.workload.word(),
            "detail": joined([row.scenario.details(), unit]),
            "name": format!("{ours} with {figure} {symbol} in {label}, against {}", join(&rivals)),
            "readings": shown.iter().map(reading).collect::<Json>(),
        }))
    }

    /// Returns the subject compared with a rival, `1.38x faster than`, `as fast as`, and its CSS class;
    /// nothing if it is too noisy to say.
    fn change_from(&self, row: &Row, rival: usize, subject: usize) -> (String, &'static str) {
        let Some(known) = self.report.verdict(row, [rival, subject]) else {
            return Default::default();
        };
        match (known.verdict, known.change.word()) {
            (Verdict::TooFew | Verdict::Unsteady, _) => Default::default(),
            (Verdict::None, _) | (_, Verdict::None) => ("as fast as".to_owned(), "none"),
            (verdict, _) => (format!("{} than", known.change), verdict.word()),
        }
    }

    /// Returns the steady figure of the subject's newest release, and those of its rivals: one build of
    /// each other library, or the other builds of the only one. `None` without one of either.
    fn on_gauge(&self, row: &Row) -> Option<Vec<(usize, f64)>> {
        let name_of = |column: usize| &*self.build(column).name;
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
