//! The usual table of results: a scenario a row, an implementation a column.

use super::anchor::anchor;
use super::phrases::{plus_minus, runs};
use super::{Head, Part, Table, TableCell, TableRow, distinction};
use crate::report::{Cell, Row};
use crate::stats::Interval;
use crate::unit::{Better, Scale};

impl Part<'_> {
    /// One scale for all figures, with no more decimals than the tightest interval supports.
    pub(super) fn scale(&self) -> Option<Scale> {
        let columns = self.columns();
        let estimates = self
            .rows
            .iter()
            .flat_map(|r| columns.iter().filter_map(|c| self.estimate(r, *c)));
        let scale = Scale::of(&self.rows.first()?.unit, estimates);
        let intervals = self
            .rows
            .iter()
            .flat_map(|r| r.cells.iter().flatten())
            .filter_map(Cell::interval);
        let tightest = intervals
            .map(|i| (i.high - i.low) / 2.0)
            .filter(|w| *w > 0.0)
            .min_by(f64::total_cmp);
        Some(match tightest {
            Some(half_width) => scale.limited_by(half_width),
            None => scale,
        })
    }

    /// Headings of these columns.
    pub(super) fn head(&self, columns: &[usize]) -> Vec<Head> {
        let head = |column: &usize| {
            let one = &self.data.implementations[*column];
            let parts = [
                one.version.to_string(),
                distinction(&self.data.implementations, one),
            ];
            let detail = parts
                .into_iter()
                .filter(|p| !p.is_empty())
                .collect::<Vec<_>>()
                .join(", ");
            Head {
                text: one.name.clone(),
                detail,
            }
        };
        columns.iter().map(head).collect()
    }

    /// The table of all rows, which share one unit. `None` without rows.
    pub(super) fn matrix(&self, what: &str) -> Option<Table> {
        let scale = self.scale()?;
        let columns = self.columns();
        let better = self.rows[0].unit.better();
        let mut table = Table {
            class: "results",
            about: "figures",
            caption: self.caption(what, &scale),
            corner: "scenario",
            head: self.head(&columns),
            ..Table::default()
        };
        let reach = self.reach(&columns);
        if reach > 0.0 {
            table.caption += " Marks below the figures draw these intervals, all on one scale.";
        }
        for row in &self.rows {
            let best = self.best(row, &columns, better);
            let label = row.scenario.label();
            let cells = columns
                .iter()
                .map(|c| TableCell {
                    spread: self.spread(row, *c, reach),
                    ..self.cell(row, *c, &scale, best, &mut table)
                })
                .collect();
            table.rows.push(TableRow {
                id: anchor(&row.scenario, &row.unit),
                label,
                href: String::new(),
                cells,
            });
        }
        Some(table)
    }

    /// The widest that any of these intervals reaches from its estimate, as a share of it: all are
    /// drawn on this one scale, so that a wider mark is a less certain figure.
    fn reach(&self, columns: &[usize]) -> f64 {
        let cells = self.rows.iter().flat_map(|row| {
            columns
                .iter()
                .filter_map(|c| Some((row.cell(*c)?.interval()?, self.estimate(row, *c)?)))
        });
        cells
            .map(|(i, estimate)| (estimate - i.low).max(i.high - estimate) / estimate)
            .filter(|share| share.is_finite())
            .fold(0.0, f64::max)
    }

    fn spread(&self, row: &Row, column: usize, reach: f64) -> String {
        let interval = row.cell(column).and_then(Cell::interval);
        match (interval, self.estimate(row, column)) {
            (Some(interval), Some(estimate)) if reach > 0.0 => whisker(&interval, estimate, reach),
            _ => String::new(),
        }
    }

    /// `Transfer in MiB/s, higher is better. Median of 30 runs; ± is half of its 95% interval.`
    pub(super) fn caption(&self, what: &str, scale: &Scale) -> String {
        let first = self.rows.first();
        let direction = first.map_or("", |r| r.unit.better().suffix());
        format!("{what} in {}{direction}. {}", scale.symbol, runs(self))
    }

    /// The column with the best figure, if there is something to choose from.
    pub(super) fn best(&self, row: &Row, columns: &[usize], better: Better) -> Option<usize> {
        let figures: Vec<(usize, f64)> = columns
            .iter()
            .filter_map(|c| Some((*c, self.estimate(row, *c)?)))
            .collect();
        let by_value = |a: &&(usize, f64), b: &&(usize, f64)| a.1.total_cmp(&b.1);
        let best = match better {
            Better::Higher => figures.iter().max_by(by_value),
            Better::Lower => figures.iter().min_by(by_value),
            Better::Unknown => None,
        }?;
        (figures.iter().filter(|f| f.1 == best.1).count() < figures.len()).then_some(best.0)
    }

    fn cell(
        &self,
        row: &Row,
        column: usize,
        scale: &Scale,
        best: Option<usize>,
        table: &mut Table,
    ) -> TableCell {
        let Some(cell) = row.cell(column) else {
            return TableCell::missing();
        };
        let mut footnotes: Vec<usize> = cell
            .caveats
            .iter()
            .map(|c| table.footnotes.number(c))
            .collect();
        let Some(estimate) = cell.estimate(self.estimator) else {
            footnotes.extend(
                cell.unsupported
                    .iter()
                    .map(|reason| table.footnotes.number(reason)),
            );
            return match cell.unsupported {
                Some(_) => TableCell {
                    text: "unsupported".to_owned(),
                    class: "unsupported",
                    footnotes,
                    ..TableCell::default()
                },
                None => TableCell::missing(),
            };
        };
        let interval = cell.interval();
        let n = cell.values.len();
        TableCell {
            text: scale.show(estimate),
            detail: plus_minus(interval, estimate),
            title: interval.map_or_else(String::new, |i| {
                format!(
                    "{:.1}% interval {} to {}, n = {n}",
                    i.confidence * 100.0,
                    scale.show(i.low),
                    scale.show(i.high)
                )
            }),
            class: if best == Some(column) { "best" } else { "" },
            footnotes,
            ..TableCell::default()
        }
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
