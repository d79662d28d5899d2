//! Threads: the rate per thread over the number of threads, and its share of perfect scaling.

use super::caveats::Caveats;
use super::{Graph, Part, Table, TableCell, TableRow, join};
use crate::base::slug::slug;
use crate::chart::{Axis, Line, Lines, Point, Tick, XAxis};
use crate::model::scenario::Scenario;
use crate::model::unit::Scale;
use crate::report::Row;
use std::collections::BTreeSet;

/// More tick labels would overlap.
const MAX_TICKS: usize = 6;

/// Graphs of a page, of the first scenarios.
const MAX_GRAPHS: usize = 4;

impl<'a> Part<'a> {
    /// Groups rows that differ only in the number of threads.
    fn over_threads(&self) -> Vec<(Scenario, Part<'a>)> {
        self.by(|r| Scenario {
            threads: None,
            ..r.scenario.clone()
        })
    }

    /// Returns the table of the most threads, and, folded, that of all numbers of threads.
    pub(super) fn thread_tables(&self) -> Vec<Table> {
        let most = self.rows.iter().filter_map(|r| r.scenario.threads).max();
        let summary = self.thread_table("Rate per thread", |row| row.scenario.threads == most);
        let whole = self.thread_table("Rate per thread, all numbers of threads", |_| true);
        let is_more =
            |whole: &Table| Some(whole.rows.len()) > summary.as_ref().map(|s| s.rows.len());
        let mut whole = whole.filter(is_more).map(Table::folded);
        for row in whole.iter_mut().flat_map(|whole| &mut whole.rows) {
            row.id = row.id.take().filter(|id| {
                let mut shown = summary.iter().flat_map(|summary| &summary.rows);
                shown.all(|row| row.id.as_ref() != Some(id))
            });
        }
        summary.into_iter().chain(whole).collect()
    }

    /// Returns the table with one row per wanted scenario and number of threads.
    fn thread_table(&self, what: &str, wanted: impl Fn(&Row) -> bool) -> Option<Table> {
        let (columns, _) = self.split_columns();
        let scale = self.scale()?;
        let fewest = self.rows.iter().filter_map(|r| r.scenario.threads).min();
        let base = match fewest? {
            1 => "one thread alone".to_owned(),
            n => format!("{n} threads, the fewest"),
        };
        let mut caveats = Caveats::of(self);
        let mut rows = Vec::new();
        for (_, series) in self.over_threads() {
            let first = series.rows.iter().find(|r| r.scenario.threads == fewest);
            for row in series.rows.iter().filter(|row| wanted(row)) {
                let cells = columns.iter().map(|column| {
                    let rate = |r: &Row| Some(per_thread(r, self.estimate(r, *column)?));
                    let compared = rate(row).zip(first.and_then(|r| rate(r)));
                    let cell = row.cell(*column);
                    TableCell {
                        detail: compared.map(|(rate, base)| format!("{:.0}%", rate / base * 100.0)),
                        footnotes: cell.map_or_else(Vec::new, |c| caveats.numbers(c)),
                        ..TableCell::figure(rate(row), &scale)
                    }
                });
                let label = row.scenario.label();
                rows.push(TableRow::anchored(slug(&label), label, cells.collect()));
            }
        }
        (!rows.is_empty()).then(|| Table {
            class: "results",
            about: Some("../method/#threads"),
            caption: format!(
                "{} The small percentage compares it with {base}: 100% is perfect scaling.",
                self.caption(what, &scale)
            ),
            corner: "scenario",
            head: self.head(&columns),
            rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        })
    }

    /// Draws a line chart for each scenario with several numbers of threads, except those with the
    /// unbuffered API, client authentication or a named key-exchange group.
    pub(super) fn thread_graphs(&self) -> Vec<Graph> {
        let headline = self
            .with(|r| !r.scenario.unbuffered && !r.scenario.mutual && r.scenario.group.is_none());
        let mut graphs = Vec::new();
        for (base, series) in headline.over_threads() {
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
        Some(Graph::new(&name, label, alt, |caption| {
            let chart = Lines {
                caption,
                x: XAxis {
                    title: "threads".to_owned(),
                    ticks: self.thread_ticks(),
                },
                y: Axis {
                    unit: format!("{} per thread", scale.symbol),
                    better: self.rows[0].unit.better(),
                },
                lines,
            };
            chart.render()
        }))
    }

    /// Returns ticks at the measured numbers of threads; none if they are too many.
    fn thread_ticks(&self) -> Vec<Tick> {
        let counts = self.rows.iter().filter_map(|r| r.scenario.threads);
        let counts: BTreeSet<u32> = counts.collect();
        let shown = counts.iter().filter(|_| counts.len() <= MAX_TICKS);
        shown
            .map(|n| Tick::new(f64::from(*n), n.to_string()))
            .collect()
    }
}

/// Returns the rate per thread from the rate of all threads.
fn per_thread(row: &Row, rate: f64) -> f64 {
    rate / f64::from(row.scenario.threads.unwrap_or(1))
}
