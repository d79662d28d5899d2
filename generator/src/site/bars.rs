//! Bar charts of rates and other single figures.

use super::{Graph, Part, count, ends, join};
use crate::base::slug::slug;
use crate::chart::{Axis, ChartRow, RowAxis, RowGroup, Rows, Series};
use crate::model::unit::Scale;
use crate::report::{Cell, Row};
use std::cmp::Reverse;

/// Bars of one graph; with more it is too long to read.
pub(super) const MAX_BARS: usize = 36;

/// Names in the alternative text, which is read aloud; the table below the graph has them all.
const MAX_NAMED: usize = 4;

impl Part<'_> {
    /// Draws bar charts of all rows, which share one unit: one chart per mode of use (client
    /// authentication, API, fragment and write size), split if there are too many bars.
    pub(super) fn bars(&self, name: &str, what: &str) -> Vec<Graph> {
        let columns = self.shown().len();
        let Some(scale) = self.scale().filter(|_| columns > 0) else {
            return Vec::new();
        };
        let max_rows = (MAX_BARS / columns).max(3);
        let mode = |row: &Row| {
            let s = &row.scenario;
            (s.mutual, s.unbuffered, s.fragment, s.write_size)
        };
        let of_a_mode = self.rows.chunk_by(|a, b| mode(a) == mode(b));
        let chunks = of_a_mode.flat_map(|rows| even_chunks(rows, max_rows));
        let graph = |(index, rows): (usize, &[&_])| {
            let rows = rows.to_vec();
            let file = match index {
                0 => slug(name),
                _ => format!("{}-{}", slug(name), index + 1),
            };
            let part = Part { rows, ..*self };
            part.bar_chart(&file, what, &scale, part.rows.len() < self.rows.len())
        };
        chunks.enumerate().map(graph).collect()
    }

    /// Draws one chart. Of several, each names its first scenario.
    fn bar_chart(&self, name: &str, what: &str, scale: &Scale, is_one_of_several: bool) -> Graph {
        let (columns, compared) = (self.shown(), self.table_columns());
        let of = match columns.len() {
            n if n > MAX_NAMED => format!("{n} implementations"),
            _ => join(&self.names(&columns)),
        };
        let leader = self.leader(&compared);
        let from = match is_one_of_several {
            true => format!(" (from {})", self.rows[0].scenario),
            false => String::new(),
        };
        let alt = format!(
            "Bar chart: {what}{from} of {of}, in {}. {leader}",
            scale.symbol
        );
        let alt = alt.trim_end().to_owned();
        let axis = Axis {
            unit: scale.symbol.clone(),
            better: self.rows[0].unit.better(),
        };
        let group = |row: &&Row| self.group(row, &columns, &compared, scale);
        let graph = Graph::new(name, what.to_owned(), alt, |caption| {
            let chart = Rows {
                caption,
                axis: RowAxis::Bars,
                note: axis.note(),
                series: columns.iter().map(|c| self.series_of(*c)).collect(),
                groups: self.rows.iter().map(group).collect(),
            };
            chart.render()
        });
        graph.untitled()
    }

    pub(super) fn series_of(&self, column: usize) -> Series {
        Series {
            label: self.name(column),
            look: self.data.look_of(&self.data.implementations[column].name),
        }
    }

    /// Draws a row's bars of `columns`; the best is that of all `compared` columns.
    fn group(&self, row: &Row, columns: &[usize], compared: &[usize], scale: &Scale) -> RowGroup {
        // In most sections all labels start with the workload, which the title has already.
        let workload = &row.scenario.workload;
        let is_mixed = self.rows.iter().any(|r| r.scenario.workload != *workload);
        let label = match row.scenario.details() {
            details if is_mixed || details.is_empty() => row.scenario.label(),
            details => details,
        };
        let best = self.best(row, compared);
        let bar = |column: &usize| self.bar(row, *column, &best, scale);
        RowGroup {
            label,
            rows: columns.iter().map(bar).collect(),
        }
    }

    fn bar(&self, row: &Row, column: usize, best: &[usize], scale: &Scale) -> ChartRow {
        match (row.cell(column), self.estimate(row, column)) {
            (Some(cell), Some(value)) => ChartRow {
                value: Some(value / scale.factor),
                interval: ends(cell.interval(), scale),
                text: match best.contains(&column) {
                    true => format!("{} ★", scale.show(value)),
                    false => scale.show(value),
                },
                tooltip: self.tooltip(cell, column, scale),
            },
            (Some(cell), None) if cell.unsupported.is_some() => ChartRow::without("unsupported"),
            _ => ChartRow::without("–"),
        }
    }

    /// `rustls 0.23.37: 95% interval 8,120.10 to 8,150.00 MiB/s`, without the figure, which is
    /// printed after the bar.
    fn tooltip(&self, cell: &Cell, column: usize, scale: &Scale) -> String {
        let name = self.name(column);
        cell.interval().map_or(name.clone(), |i| {
            let [low, high] = [i.low, i.high].map(|end| scale.show(end));
            format!("{name}: 95% interval {low} to {high} {}", scale.symbol)
        })
    }

    /// `rustls 0.23.37 leads in 13 of 16.` The section says how many scenarios there are, so rows
    /// are named only where they differ.
    pub(super) fn leader(&self, columns: &[usize]) -> String {
        let Some((column, wins)) = self.wins(columns).first().copied() else {
            return String::new();
        };
        let of = match self.rows.len() {
            n if n == self.by(|r| r.scenario.clone()).len() => n.to_string(),
            n => count(n, "row"),
        };
        format!("{} leads in {wins} of {of}.", self.name(column))
    }

    /// Returns the columns with the number of rows in which each alone is best, most first; ties
    /// keep the order of `columns`.
    pub(super) fn wins(&self, columns: &[usize]) -> Vec<(usize, usize)> {
        let best: Vec<_> = self.rows.iter().map(|r| self.best(r, columns)).collect();
        let wins = |column: &usize| best.iter().filter(|b| **b == [*column]).count();
        let mut wins: Vec<_> = columns.iter().map(|c| (*c, wins(c))).collect();
        wins.retain(|(_, wins)| *wins > 0);
        wins.sort_by_key(|(_, wins)| Reverse(*wins));
        wins
    }
}

/// Splits rows into chunks of at most `max`, of about equal length.
pub(super) fn even_chunks<T>(rows: &[T], max: usize) -> impl Iterator<Item = &[T]> {
    let count = rows.len().div_ceil(max).max(1);
    rows.chunks(rows.len().div_ceil(count).max(1))
}
