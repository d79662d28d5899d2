//! Threads: the rate of each thread over their number, and how much of perfect scaling it is.

use super::bars::interval;
use super::words::{join, slug};
use super::{Graph, Part, Table, TableCell, TableRow};
use crate::chart::{Axis, Caption, Line, Lines, Point, Series, Tick, XAxis};
use crate::report::Row;
use crate::scenario::Scenario;
use crate::unit::Scale;
use std::collections::BTreeSet;

/// More labels than this run into one another below a chart.
const MOST_TICKS: usize = 6;

/// The rate per thread in these charts' rows.
fn per_thread(row: &Row, total: f64) -> f64 {
    total / f64::from(row.scenario.threads.unwrap_or(1))
}

impl Part<'_> {
    /// Rows that differ in the number of threads alone.
    fn series_over_threads(&self) -> Vec<Part<'_>> {
        let mut bases: Vec<Scenario> = self.rows.iter().map(|r| base(r)).collect();
        bases.sort();
        bases.dedup();
        bases.iter().map(|b| self.with(|r| base(r) == *b)).collect()
    }

    /// The table: a row for each scenario and number of threads.
    pub(super) fn thread_tables(&self) -> Vec<Table> {
        let columns = self.columns();
        let Some(scale) = self.scale() else {
            return Vec::new();
        };
        let mut table = Table {
            class: "results",
            caption: format!(
                "{} Each thread's share is small beside it: 100% is what one thread reaches alone.",
                self.caption("Rate of each thread", &scale)
            ),
            corner: "scenario",
            head: self.head(&columns),
            ..Table::default()
        };
        for series in self.series_over_threads() {
            for row in &series.rows {
                let label = row.scenario.label();
                let cells = columns
                    .iter()
                    .map(|c| series.thread_cell(row, *c, &scale))
                    .collect();
                table.rows.push(TableRow {
                    id: slug(&label),
                    label,
                    cells,
                });
            }
        }
        vec![table]
    }

    fn thread_cell(&self, row: &Row, column: usize, scale: &Scale) -> TableCell {
        let Some(total) = self.estimate(row, column) else {
            return TableCell::missing();
        };
        let alone = self
            .rows
            .iter()
            .find(|r| r.scenario.threads == Some(1))
            .and_then(|r| self.estimate(r, column));
        let rate = per_thread(row, total);
        TableCell {
            text: scale.show(rate),
            detail: alone.map_or_else(String::new, |a| format!("{:.0}%", rate / a * 100.0)),
            title: format!("{} {} in all", scale.show(total), scale.symbol),
            ..TableCell::default()
        }
    }

    /// A line chart for each scenario that was measured with several numbers of threads, in
    /// the usual manner of use.
    pub(super) fn thread_graphs(&self) -> Vec<Graph> {
        let usual = self.with(|r| {
            !r.scenario.unbuffered && !r.scenario.mutual && !r.scenario.label().contains("25519")
        });
        usual
            .series_over_threads()
            .iter()
            .filter(|s| s.rows.len() > 1)
            .filter_map(Part::thread_graph)
            .collect()
    }

    fn thread_graph(&self) -> Option<Graph> {
        let label = base(self.rows[0]).label();
        let columns = self.columns();
        let scale = self.scale()?;
        let names: Vec<String> = columns.iter().map(|c| self.name(*c)).collect();
        let most = self.rows.iter().filter_map(|r| r.scenario.threads).max()?;
        let alt = format!(
            "Line chart: {label}, {} of each thread with 1 to {most} threads, for {}. A flat line is perfect scaling.",
            scale.symbol,
            join(&names)
        );
        let file = slug(&format!("threads {label}"));
        let lines = columns.iter().map(|column| Line {
            series: Series {
                label: self.name(*column),
                implementation: self.data.implementations[*column].name.clone(),
            },
            points: self
                .rows
                .iter()
                .filter_map(|r| self.thread_point(r, *column, &scale))
                .collect(),
            fit: None,
        });
        let chart = Lines {
            caption: Caption {
                slug: file.clone(),
                title: label.clone(),
                description: alt.clone(),
            },
            x: XAxis {
                title: "threads".to_owned(),
                ticks: self.thread_ticks(),
                rows: Vec::new(),
            },
            y: Axis {
                unit: format!("{} of each thread", scale.symbol),
                better: self.rows[0].unit.better(),
            },
            lines: lines.collect(),
            marks: Vec::new(),
        };
        Some(Graph {
            title: label,
            file: format!("{file}.svg"),
            alt,
            svg: chart.render().ok()?,
        })
    }

    /// The numbers of threads that were measured, where they have room.
    fn thread_ticks(&self) -> Vec<Tick> {
        let counts: BTreeSet<u32> = self
            .rows
            .iter()
            .filter_map(|r| r.scenario.threads)
            .collect();
        if counts.len() > MOST_TICKS {
            return Vec::new();
        }
        counts
            .into_iter()
            .map(|n| Tick {
                at: f64::from(n),
                label: n.to_string(),
            })
            .collect()
    }

    fn thread_point(&self, row: &Row, column: usize, scale: &Scale) -> Option<Point> {
        let threads = f64::from(row.scenario.threads?);
        let interval =
            interval(row.cell(column)?, scale).map(|(low, high)| (low / threads, high / threads));
        Some(Point {
            x: threads,
            y: self.estimate(row, column)? / scale.factor / threads,
            interval,
        })
    }
}

fn base(row: &Row) -> Scenario {
    Scenario {
        threads: None,
        ..row.scenario.clone()
    }
}
