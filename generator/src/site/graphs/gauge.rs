//! Gauges: the headline figures of a report's subject beside those of its rivals. `index.md.tera`
//! draws them.

use crate::base::words::join;
use crate::model::scale::Scale;
use crate::model::scenario::Workload;
use crate::report::{Report, Row, Table, titles, words};
use crate::site::words::phrases::joined;
use crate::stats::Verdict;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Gauges in a row.
const MAX: usize = 4;

/// The end of a gauge, which starts at zero, relative to its largest figure.
const END: f64 = 1.1;

/// Whether a report has any gauge, found without a verdict.
pub(in crate::site) fn has_gauges(report: &Report) -> bool {
    let table = Table::of(report);
    let mut rows = candidates(report).into_iter();
    rows.any(|row| on_gauge(&table, row).is_some())
}

/// Returns the rows that may have a gauge, the most important first.
fn candidates(report: &Report) -> Vec<&Row> {
    [report.headlines(), report.usual_headlines()].concat()
}

/// Returns a gauge for each kind of work: in a headline scenario, or else in a default one. The
/// subject needs a steady figure and a rival.
pub(in crate::site) fn gauges(report: &Report) -> Vec<Json> {
    let table = Table::of(report);
    let mut gauges: Vec<(_, Json)> = Vec::new();
    for row in candidates(report) {
        let workload = &row.scenario.workload;
        let is_transfer = *workload == Workload::Transfer;
        let side = row.scenario.side.filter(|_| is_transfer);
        let kind = (is_transfer, side, workload.word());
        if gauges.iter().all(|(known, _)| *known != kind) {
            gauges.extend(gauge(&table, row).map(|gauge| (kind, gauge)));
        }
    }
    gauges.sort_by_key(|((is_transfer, side, _), _)| (*is_transfer, *side));
    let gauges = gauges.into_iter().map(|(_, gauge)| gauge);
    gauges.take(MAX).collect()
}

fn gauge(table: &Table<'_>, row: &Row) -> Option<Json> {
    let shown = on_gauge(table, row)?;
    let figures = || shown.iter().map(|of| of.1);
    let (least, largest) = (figures().reduce(f64::min)?, figures().reduce(f64::max)?);
    let scale = Scale::of(&row.unit, figures()).with_three_digits(least);
    let mut readings = Vec::new();
    for (column, value) in &shown {
        let look = table.data.look_of(&table.build(*column).name);
        let (change, class) = change_from(table, row, *column, shown[0].0);
        readings.push(json!({
            "name": table.name(*column),
            "figure": scale.show(*value),
            "color": look.color(),
            "marker": look.marker(),
            "turn": format!("{:.1}", 180.0 * value / (END * largest)),
            "change": change,
            "class": class,
        }));
    }
    let in_words = |(column, value): &(usize, f64)| (table.name(*column), scale.show(*value));
    let (ours, figure) = in_words(&shown[0]);
    let rivals = shown[1..].iter().map(in_words);
    let rivals: Vec<String> = rivals.map(|(name, v)| format!("{v} for {name}")).collect();
    let (label, symbol) = (titles::title(&row.scenario), &scale.symbol);
    let unit = format!("{symbol}{}", row.unit.better().suffix());
    Some(json!({
        "title": titles::work(&row.scenario),
        "detail": joined([titles::parts(&row.scenario)[1..].join(", "), unit]),
        "name": format!("{ours} with {figure} {symbol} in {label}, against {}", join(&rivals)),
        "readings": readings,
    }))
}

/// Returns the subject compared with a rival, `1.38x faster than`, `as fast as`, and its CSS class;
/// nothing if no difference is shown.
fn change_from(
    table: &Table<'_>,
    row: &Row,
    rival: usize,
    subject: usize,
) -> (String, &'static str) {
    let known = table.report.verdict(row, [rival, subject]);
    match known.map(|known| (known.verdict, known)) {
        None | Some((Verdict::NotShown, _)) => Default::default(),
        Some((Verdict::Same, _)) => ("as fast as".to_owned(), "even"),
        Some((_, known)) => (
            format!("{} than", known.change),
            words::verdict_class(&known),
        ),
    }
}

/// Returns the figure of the subject's newest release, and those of its rivals: one build of each
/// other library, or the other builds of the only one. `None` without one of either.
fn on_gauge(table: &Table<'_>, row: &Row) -> Option<Vec<(usize, f64)>> {
    let library = |column: usize| &*table.build(column).name;
    let subject = table.report.subject();
    let mut shown = row.estimates();
    shown.retain(|(column, _)| {
        let is_drawn = !table.data.without_bars.contains(column);
        let is_final = !table.build(*column).version.is_pre_release();
        is_drawn && is_final && !table.data.is_older(*column)
    });
    let place = shown.iter().position(|of| library(of.0) == subject)?;
    let ours = shown.remove(place);
    let mut seen = BTreeSet::from([subject]);
    if shown.iter().any(|of| library(of.0) != subject) {
        shown.retain(|of| seen.insert(library(of.0)));
    }
    shown.insert(0, ours);
    (shown.len() > 1).then_some(shown)
}
