//! Threads: the rate per thread over the number of threads, and its share of perfect scaling.

use super::lines::line_graph;
use super::{Graph, Part, Table, TableCell, join};
use crate::base::slug::slug;
use crate::chart::{Axis, Line, Point, XAxis};
use crate::model::scenario::Scenario;
use crate::model::unit::Scale;
use crate::report::Row;
use std::collections::BTreeMap;

/// Graphs of a page, of the first scenarios.
const MAX_GRAPHS: usize = 4;

impl Part<'_> {
    /// Returns the table of the most threads, and, folded, that of the others.
    pub(super) fn thread_tables(&self) -> Vec<Table> {
        let most = self.rows.iter().filter_map(|r| r.scenario.threads).max();
        let mut tables = Vec::new();
        let main = self.with(|row| row.scenario.threads == most);
        tables.extend(self.thread_table(&main, "Rate per thread"));
        let others = self.with(|row| row.scenario.threads != most);
        let others = self.thread_table(&others, "Rate per thread, fewer threads");
        tables.extend(others.map(Table::folded));
        tables
    }

    /// Returns the table of some of these rows; `None` without rows.
    fn thread_table(&self, shown: &Part<'_>, what: &str) -> Option<Table> {
        let scale = shown.scale()?;
        let fewest = self.rows.iter().filter_map(|r| r.scenario.threads).min();
        let base = match fewest? {
            1 => "one thread alone".to_owned(),
            n => format!("{n} threads, the fewest"),
        };
        let of_fewest: BTreeMap<Scenario, &Row> = self
            .with(|row| row.scenario.threads == fewest)
            .rows
            .iter()
            .map(|row| (without_threads(row), *row))
            .collect();
        let (columns, _) = self.split_columns();
        let table = shown.rows_by_builds(&columns, |row, column, caveats| {
            let rate = |r: &Row| Some(per_thread(r, self.estimate(r, column)?));
            let first = of_fewest.get(&without_threads(row));
            let compared = rate(row).zip(first.and_then(|r| rate(r)));
            let cell = row.cell(column);
            TableCell {
                detail: compared.map(|(rate, base)| format!("{:.0}%", rate / base * 100.0)),
                footnotes: cell.map_or_else(Vec::new, |c| caveats.numbers(c)),
                ..TableCell::figure(rate(row), &scale)
            }
        });
        Some(Table {
            about: Some("../method/#threads"),
            caption: format!(
                "{} The small percentage compares it with {base}: 100% is perfect scaling.",
                shown.caption(what, &scale)
            ),
            ..table
        })
    }

    /// Draws a line chart for each scenario with several numbers of threads, except those with the
    /// unbuffered API, client authentication or a named key-exchange group.
    pub(super) fn thread_graphs(&self) -> Vec<Graph> {
        let headline = self
            .with(|r| !r.scenario.unbuffered && !r.scenario.mutual && r.scenario.group.is_none());
        let mut graphs = Vec::new();
        for (base, series) in headline.by(without_threads) {
            if series.rows.len() > 1 && graphs.len() < MAX_GRAPHS {
                graphs.extend(series.thread_graph(base.label()));
            }
        }
        graphs
    }

    /// Returns a line of rates per thread for each implementation.
    fn thread_lines(&self, scale: &Scale) -> Vec<Line> {
        let mut lines = Vec::new();
        for column in self.columns() {
            let mut points = Vec::new();
            for row in &self.rows {
                let figure = row.cell(column).and_then(|cell| cell.figure.as_ref());
                if let (Some(threads), Some(figure)) = (row.scenario.threads, figure) {
                    let rate = |rate: f64| per_thread(row, rate / scale.factor);
                    points.push(Point {
                        x: f64::from(threads),
                        y: rate(figure.estimate),
                        interval: figure.interval.map(|i| (rate(i.low), rate(i.high))),
                        ..Point::default()
                    });
                }
            }
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            lines.push(Line {
                series: self.series_of(column),
                points,
                fit: None,
            });
        }
        lines
    }

    fn thread_graph(&self, label: String) -> Option<Graph> {
        let scale = self.scale()?;
        let lines = self.thread_lines(&scale);
        let max = self.rows.iter().filter_map(|r| r.scenario.threads).max()?;
        let names: Vec<String> = lines.iter().map(|line| line.series.label.clone()).collect();
        let alt = format!(
            "Line chart: {label}, {} per thread with 1 to {max} threads, for {}. A flat line is perfect scaling.",
            scale.symbol,
            join(&names)
        );
        let name = slug(&format!("threads {label}"));
        let x = XAxis {
            title: "threads".to_owned(),
            ticks: Vec::new(),
        };
        let y = Axis {
            unit: format!("{} per thread", scale.symbol),
            better: self.rows[0].unit.better(),
        };
        Some(line_graph(&name, label, alt, (x, y), lines))
    }
}

/// Returns a row's scenario without its number of threads.
fn without_threads(row: &Row) -> Scenario {
    Scenario {
        threads: None,
        ..row.scenario.clone()
    }
}

/// Returns the rate per thread from the rate of all threads.
fn per_thread(row: &Row, rate: f64) -> f64 {
    rate / f64::from(row.scenario.threads.unwrap_or(1))
}
