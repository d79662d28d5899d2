//! The usual table of results: a scenario a row, an implementation a column.

use super::caveats::Caveats;
use super::phrases::{plus_minus, runs};
use super::{Head, Part, Table, TableCell, TableRow, common_scale, joined};
use crate::report::{Cell, Row, control_note};
use crate::scenario::{Scenario, Workload};
use crate::slug::slug;
use crate::stats::Interval;
use crate::unit::{Better, Scale, Unit};

impl Part<'_> {
    /// One scale for all figures, which share one unit.
    pub(super) fn scale(&self) -> Option<Scale> {
        let cells = self.rows.iter().flat_map(|r| r.cells.iter().flatten());
        let figures = cells.filter_map(|c| Some((c.estimate(self.estimator)?, c.interval())));
        let figures: Vec<_> = figures.collect();
        Some(common_scale(&self.rows.first()?.unit, &figures))
    }
    pub(super) fn head(&self, columns: &[usize]) -> Vec<Head> {
        let head = |column: &usize| {
            let one = &self.data.implementations[*column];
            Head {
                text: one.name.clone(),
                detail: joined([one.version.to_string(), self.distinction(*column)]),
                ..Head::default()
            }
        };
        columns.iter().map(head).collect()
    }

    /// The table of all rows, which share one unit. `None` without rows.
    pub(super) fn matrix(&self, what: &str) -> Option<Table> {
        let scale = self.scale()?;
        let columns = self.columns();
        let reach = self.reach();
        let mut caveats = Caveats::of(self);
        let row = |row: &&Row| {
            let best = self.best(row, &columns);
            let cell = |column: &usize| match row.cell(*column) {
                None => TableCell::missing(),
                Some(cell) if best == Some(*column) => TableCell {
                    class: "best",
                    ..self.cell(cell, &scale, reach, &mut caveats)
                },
                Some(cell) => self.cell(cell, &scale, reach, &mut caveats),
            };
            let cells = columns.iter().map(cell).collect();
            let id = anchor(&row.scenario, &row.unit);
            TableRow::anchored(id, row.scenario.label(), cells)
        };
        let marks = match reach {
            0.0 => "",
            _ => " The marks below the figures show these intervals, all on one scale.",
        };
        let control = control_note(self.rows.iter().map(|r| r.control));
        Some(Table {
            class: "results",
            about: "../method/#figures",
            caption: self.caption(what, &scale) + marks,
            corner: "scenario",
            head: self.head(&columns),
            rows: self.rows.iter().map(row).collect(),
            note: [caveats.note(), control.unwrap_or_default()]
                .join(" ")
                .trim()
                .to_owned(),
            footnotes: caveats.footnotes,
        })
    }

    /// The widest that any of these intervals reaches from its estimate, as a share of it: all are
    /// drawn on this one scale, so that a wider mark is a less certain figure.
    fn reach(&self) -> f64 {
        let cells = self.rows.iter().flat_map(|r| r.cells.iter().flatten());
        cells
            .filter_map(|c| Some((c.interval()?, c.estimate(self.estimator)?)))
            .map(|(i, estimate)| (estimate - i.low).max(i.high - estimate) / estimate)
            .filter(|share| share.is_finite())
            .fold(0.0, f64::max)
    }

    /// `Transfer in MiB/s, higher is better. Median of 30 runs; ± is half of its 95% interval.`
    pub(super) fn caption(&self, what: &str, scale: &Scale) -> String {
        let better = self.rows[0].unit.better().suffix();
        format!("{what} in {}{better}. {}", scale.symbol, runs(self))
    }

    /// The column with the best figure, if there is something to choose from.
    pub(super) fn best(&self, row: &Row, columns: &[usize]) -> Option<usize> {
        let mut figures = self.figures(row);
        figures.retain(|f| columns.contains(&f.0));
        let by_value = |a: &&(usize, f64), b: &&(usize, f64)| a.1.total_cmp(&b.1);
        let best = match row.unit.better() {
            Better::Higher => figures.iter().max_by(by_value),
            Better::Lower => figures.iter().min_by(by_value),
            Better::Unknown => None,
        }?;
        figures.iter().any(|f| f.1 != best.1).then_some(best.0)
    }

    /// A figure with its spread, which is drawn where `reach` says how wide the widest is.
    pub(super) fn cell(
        &self,
        cell: &Cell,
        scale: &Scale,
        reach: f64,
        caveats: &mut Caveats,
    ) -> TableCell {
        let mut numbers = caveats.numbers(cell);
        let Some(estimate) = cell.estimate(self.estimator) else {
            let Some(reason) = &cell.unsupported else {
                return TableCell::missing();
            };
            numbers.push(caveats.footnotes.number(reason));
            return TableCell {
                class: "unsupported",
                footnotes: numbers,
                ..TableCell::text("unsupported")
            };
        };
        let interval = cell.interval();
        let title = interval.map(|i| {
            format!(
                "{:.1}% interval {} to {}, n = {}",
                i.confidence * 100.0,
                scale.show(i.low),
                scale.show(i.high),
                cell.values.len()
            )
        });
        let drawn = interval.filter(|_| reach > 0.0);
        TableCell {
            detail: plus_minus(interval, estimate),
            title: title.unwrap_or_default(),
            spread: drawn.map_or_else(String::new, |i| whisker(&i, estimate, reach)),
            footnotes: numbers,
            ..TableCell::text(scale.show(estimate))
        }
    }
}

/// The anchor of a row. A benchmark of another name could have that of a heading, and what puts
/// bytes on the wire has a rate or a time as well.
pub(super) fn anchor(scenario: &Scenario, unit: &Unit) -> String {
    let slug = slug(&scenario.label());
    match (&scenario.workload, unit) {
        (Workload::Other(_), _) => format!("benchmark-{slug}"),
        (_, unit) if *unit == Unit::TRAFFIC => format!("{slug}-bytes"),
        (_, Unit::Count(name)) => format!("{slug}-{}", name.replace(' ', "-")),
        _ => slug,
    }
}

/// A line from end to end of an interval with a cap at each, and a tick at the estimate, in a
/// box of 64 by 8 px that reaches as far as `reach` to either side.
fn whisker(interval: &Interval, estimate: f64, reach: f64) -> String {
    let x = |value: f64| 32.0 + (value - estimate) / estimate / reach * 31.0;
    let (low, high) = (x(interval.low), x(interval.high));
    // `31.0` as `31`: there is one of these for each figure of a page.
    let tenths = |x: f64| (x * 10.0).round() / 10.0;
    format!("M{} 1v6m0-3H{}m0-3v6M32 0v8", tenths(low), tenths(high))
}
