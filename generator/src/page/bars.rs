//! Bar charts of rates and other single figures.

use super::{Graph, Part, join};
use crate::chart::{Axis, Bar, Bars, Caption, Group, Series};
use crate::report::{Cell, Row};
use crate::slug::slug;
use crate::unit::{Better, Scale};

/// With more bars nobody reads a graph to the end.
const MAX_BARS: usize = 36;

/// More names are tiring to listen to; the table below the graph has them.
const MAX_NAMED: usize = 4;

impl Part<'_> {
    /// Bar charts of all rows, which share one unit: one for the usual scenarios and one for
    /// each other way of using the library, split where there are too many bars.
    pub(super) fn bars(&self, name: &str, what: &str) -> Vec<Graph> {
        let Some(scale) = self.scale() else {
            return Vec::new();
        };
        let columns = self.shown();
        if columns.is_empty() {
            return Vec::new();
        }
        let max_rows = (MAX_BARS / columns.len()).max(3);
        let mode = |row: &Row| {
            (
                row.scenario.mutual,
                row.scenario.unbuffered,
                row.scenario.fragment,
                row.scenario.write_size,
            )
        };
        let chunks = self
            .rows
            .chunk_by(|a, b| mode(a) == mode(b))
            .flat_map(|rows| even_chunks(rows, max_rows));
        chunks
            .enumerate()
            .map(|(index, rows)| {
                let file = if index == 0 {
                    slug(name)
                } else {
                    format!("{}-{}", slug(name), index + 1)
                };
                let part = Part {
                    rows: rows.to_vec(),
                    ..self.clone()
                };
                part.bar_chart(&file, what, &part.shown(), &scale)
            })
            .collect()
    }

    /// The columns of bar charts and gauges.
    pub(super) fn shown(&self) -> Vec<usize> {
        let mut columns = self.columns();
        columns.retain(|c| self.has_bars(*c));
        columns
    }

    /// Whether an implementation is meant to have bars.
    pub(super) fn has_bars(&self, column: usize) -> bool {
        let implementation = &self.data.implementations[column];
        !self.data.without_bars.contains(implementation)
    }

    fn bar_chart(&self, file: &str, what: &str, columns: &[usize], scale: &Scale) -> Graph {
        let names: Vec<String> = columns.iter().map(|c| self.name(*c)).collect();
        let better = self.rows[0].unit.better();
        let of = match names.len() {
            n if n > MAX_NAMED => format!("{n} implementations"),
            _ => join(&names),
        };
        let alt = format!(
            "Bar chart: {what} of {of}, in {}. {}",
            scale.symbol,
            self.leaders(columns, better)
        );
        let bars = Bars {
            caption: Caption {
                title: what.to_owned(),
                description: alt.clone(),
            },
            axis: Axis {
                unit: scale.symbol.clone(),
                better,
            },
            series: self.series(columns),
            groups: self
                .rows
                .iter()
                .map(|row| self.group(row, columns, scale))
                .collect(),
        };
        Graph {
            title: String::new(),
            file: format!("{file}.svg"),
            alt,
            drawing: bars.render(),
        }
    }

    pub(super) fn series(&self, columns: &[usize]) -> Vec<Series> {
        columns.iter().map(|c| self.series_of(*c)).collect()
    }

    pub(super) fn series_of(&self, column: usize) -> Series {
        Series {
            label: self.name(column),
            implementation: self.data.implementations[column].name.clone(),
        }
    }

    fn group(&self, row: &Row, columns: &[usize], scale: &Scale) -> Group {
        // Labels of a section all start with its name, and the other ways of use end alike.
        let label = row.scenario.label();
        let short = label
            .split_once(", ")
            .map_or(label.as_str(), |(_, rest)| rest);
        let bar = |column: &usize| match (row.cell(*column), self.estimate(row, *column)) {
            (Some(cell), Some(value)) => Bar {
                value: Some(value / scale.factor),
                interval: interval(cell, scale),
                text: scale.show(value),
            },
            (Some(cell), None) if cell.unsupported.is_some() => Bar::without("unsupported"),
            _ => Bar::without("–"),
        };
        Group {
            label: short.to_owned(),
            bars: columns.iter().map(bar).collect(),
        }
    }

    /// `rustls 0.23.37 leads in 13 of 16.`
    fn leaders(&self, columns: &[usize], better: Better) -> String {
        let best: Vec<usize> = self
            .rows
            .iter()
            .filter_map(|r| self.best(r, columns, better))
            .collect();
        let mut counts: Vec<(usize, usize)> = columns
            .iter()
            .map(|c| (best.iter().filter(|b| *b == c).count(), *c))
            .collect();
        counts.sort_by_key(|c| std::cmp::Reverse(c.0));
        match counts.first() {
            Some((wins, column)) if *wins > 0 => format!(
                "{} leads in {wins} of {}.",
                self.name(*column),
                self.rows.len()
            ),
            _ => String::new(),
        }
    }
}

pub(super) fn interval(cell: &Cell, scale: &Scale) -> Option<(f64, f64)> {
    cell.interval()
        .map(|i| (i.low / scale.factor, i.high / scale.factor))
}

/// Chunks of at most `max` rows, all about as long.
fn even_chunks<T>(rows: &[T], max: usize) -> impl Iterator<Item = &[T]> {
    let count = rows.len().div_ceil(max).max(1);
    rows.chunks(rows.len().div_ceil(count).max(1))
}
