//! Bar charts of rates and other single figures, and who leads in them.

use super::matrix::label_below;
use super::{Graph, Part, count, ends, join};
use crate::chart::{Bar, BarPanel, Bars, Series};
use crate::model::unit::Scale;
use crate::report::{Cell, Row};
use std::cmp::Reverse;

/// Bars of one graph; the table below it has all figures.
pub(super) const MAX_BARS: usize = 32;

impl<'a> Part<'a> {
    /// Draws a panel of bars for each row, which share one unit; `None` if there is nothing to
    /// compare. Of many rows it shows the first. `file` is the graph's name without the extension.
    pub(super) fn bars(&self, file: &str, what: &str) -> Option<Graph> {
        let has_figure = |row: &Row, column: &&usize| self.estimate(row, **column).is_some();
        let columns = self.shown();
        let measured = |row: &Row| columns.iter().filter(|c| has_figure(row, c)).count();
        let mut part = self.with(|row| measured(row) > 1);
        part.rows
            .truncate((MAX_BARS / part.shown().len().max(1)).max(1));
        let scale = part.scale()?;
        let shown = part.shown();
        let alt = format!(
            "Bar chart: {what} of {}, in {}. {}",
            join(&part.names(&shown)),
            scale.symbol,
            part.leader(&shown)
        );
        let panels = part
            .rows
            .iter()
            .map(|row| part.panel(row, what, &scale))
            .collect();
        let graph = Graph::new(
            file,
            what.to_owned(),
            alt.trim_end().to_owned(),
            |title, alt| Bars { panels }.render(title, alt),
        );
        Some(graph.untitled())
    }

    pub(super) fn series_of(&self, column: usize) -> Series {
        Series {
            label: self.name(column),
            look: self.data.look_of(&self.build(column).name),
        }
    }

    /// Draws a row's bars, the best first, then those that are not ranked.
    fn panel(&self, row: &'a Row, title: &str, scale: &Scale) -> BarPanel {
        let figure = |column: usize| {
            let cell = row.cell(column)?;
            Some((column, cell.estimate()?, cell))
        };
        let mut bars: Vec<_> = self.shown().into_iter().filter_map(figure).collect();
        let better = row.unit.better();
        bars.sort_by(|a, b| better.best_first(a.1, b.1));
        bars.sort_by_key(|(_, _, cell)| cell.is_unsteady);
        let bar = |(column, value, cell)| self.bar(column, value, cell, scale);
        BarPanel {
            title: label_below(row, title),
            bars: bars.into_iter().map(bar).collect(),
        }
    }

    /// Its tooltip is `rustls 0.23.37: 8,133 MiB/s, 95% interval 8,120 to 8,150, 30 runs`.
    fn bar(&self, column: usize, value: f64, cell: &Cell, scale: &Scale) -> Bar {
        let interval = cell.interval().map_or_else(String::new, |i| {
            let [low, high] = [i.low, i.high].map(|end| scale.show(end));
            format!(", 95% interval {low} to {high}")
        });
        let (series, mut text) = (self.series_of(column), scale.show(value));
        let (label, symbol) = (&series.label, &scale.symbol);
        let runs = count(cell.values.len(), "run");
        let mut tooltip = format!("{label}: {text} {symbol}{interval}, {runs}");
        if cell.is_unsteady {
            text += " unsteady";
            tooltip += ", too noisy to be ranked";
        }
        Bar {
            series,
            value: value / scale.factor,
            interval: ends(cell.interval(), scale),
            text,
            tooltip,
        }
    }

    /// `rustls 0.23.37 leads in 13 of 16.` Rows are named only where one scenario has several.
    pub(super) fn leader(&self, columns: &[usize]) -> String {
        let Some((column, wins)) = self.wins(columns).first().copied() else {
            return String::new();
        };
        format!(
            "{} leads in {wins} of {}.",
            self.name(column),
            self.rows_in_words(self.rows.len())
        )
    }

    /// `16 scenarios`, or `16 rows` if some scenarios have several units.
    pub(super) fn rows_in_words(&self, rows: usize) -> String {
        let scenarios = self.by(|r| r.scenario.clone()).len();
        match scenarios == self.rows.len() {
            true => count(rows, "scenario"),
            false => count(rows, "row"),
        }
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
