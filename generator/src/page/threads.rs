//! Threads: the rate of each thread over their number, and how much of perfect scaling it is.

use super::bars::interval;
use super::{Graph, Head, Part, Table, TableCell, TableRow, join};
use crate::chart::{Axis, Caption, Line, Lines, Point, Tick, XAxis};
use crate::report::Row;
use crate::scenario::Scenario;
use crate::slug::slug;
use crate::stats::Scalability;
use crate::unit::{Scale, group_thousands};
use std::collections::BTreeSet;

/// More labels run into one another below a chart.
const MAX_TICKS: usize = 6;

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
            about: "threads",
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
                    href: String::new(),
                    cells,
                });
            }
        }
        std::iter::once(table).chain(self.scalability()).collect()
    }

    /// The Universal Scalability Law through each series over threads.
    fn scalability(&self) -> Option<Table> {
        let mut table = Table {
            class: "fit",
            about: "threads",
            caption: "Universal Scalability Law through these rates. σ is the part of the work that only one thread can do at a time; κ is what each pair of threads loses by keeping in step, so that beyond the peak more threads are slower.".to_owned(),
            corner: "scenario",
            head: ["implementation", "one thread", "σ", "κ", "peak", "R²"].map(Head::new).to_vec(),
            ..Table::default()
        };
        let scale = self.scale()?;
        for series in self.series_over_threads() {
            for column in series.columns() {
                let point =
                    |r: &&Row| Some((f64::from(r.scenario.threads?), series.estimate(r, column)?));
                let points: Vec<(f64, f64)> = series.rows.iter().filter_map(point).collect();
                let Some(fit) = Scalability::through(&points) else {
                    continue;
                };
                let peak = fit.peak().map_or_else(
                    || "none".to_owned(),
                    |n| group_thousands(&format!("{n:.0} threads")),
                );
                table.rows.push(TableRow {
                    label: base(series.rows[0]).label(),
                    cells: vec![
                        TableCell {
                            class: "words",
                            ..TableCell::text(self.name(column))
                        },
                        TableCell::text(format!("{} {}", scale.show(fit.lambda), scale.symbol)),
                        TableCell::text(format!("{:.2}%", fit.sigma * 100.0)),
                        TableCell::text(format!("{:.4}%", fit.kappa * 100.0)),
                        TableCell::text(peak),
                        TableCell::text(format!("{:.4}", fit.r_squared)),
                    ],
                    ..TableRow::default()
                });
            }
        }
        (!table.rows.is_empty()).then_some(table)
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
        let headline = self.with(|r| {
            !r.scenario.unbuffered && !r.scenario.mutual && !r.scenario.label().contains("25519")
        });
        headline
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
        let max = self.rows.iter().filter_map(|r| r.scenario.threads).max()?;
        let alt = format!(
            "Line chart: {label}, {} of each thread with 1 to {max} threads, for {}. A flat line is perfect scaling.",
            scale.symbol,
            join(&names)
        );
        let file = slug(&format!("threads {label}"));
        let lines = columns.iter().map(|column| Line {
            series: self.series_of(*column),
            points: self
                .rows
                .iter()
                .filter_map(|r| self.thread_point(r, *column, &scale))
                .collect(),
            fit: None,
        });
        let chart = Lines {
            caption: Caption {
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
            annotations: Vec::new(),
        };
        Some(Graph {
            title: label,
            file: format!("{file}.svg"),
            alt,
            drawing: chart.render(),
        })
    }

    /// The numbers of threads that were measured, where they have room.
    fn thread_ticks(&self) -> Vec<Tick> {
        let counts: BTreeSet<u32> = self
            .rows
            .iter()
            .filter_map(|r| r.scenario.threads)
            .collect();
        if counts.len() > MAX_TICKS {
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
