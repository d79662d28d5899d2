//! Writing several buffers: percentiles of each way of doing it.

use super::{Graph, Head, Part, Table, TableCell, TableRow, latency};
use crate::chart::{self, Caption, PercentileGroup, Percentiles, Series};
use crate::scenario::{Buffers, Percentile, Scenario, WriteMethod};
use crate::slug::slug;
use crate::unit::Scale;

/// The columns of a table.
const COLUMNS: &[Percentile] = &[
    Percentile::Min,
    Percentile::P50,
    Percentile::P90,
    Percentile::P99,
    Percentile::P999,
    Percentile::Max,
];

impl Part<'_> {
    /// For each implementation a row for each case, a column for each percentile.
    pub(super) fn write_tables(&self) -> Vec<Table> {
        let scale = self.write_scale();
        let shown: Vec<Percentile> = COLUMNS
            .iter()
            .copied()
            .filter(|p| self.rows.iter().any(|r| r.scenario.percentile == Some(*p)))
            .collect();
        self.columns()
            .into_iter()
            .map(|column| {
                let rows = self.distributions().into_iter().map(|base| {
                    let cells = shown.iter().map(|p| {
                        let figure = self.at(&base, *p).and_then(|r| self.estimate(r, column));
                        figure.map_or_else(TableCell::missing, |v| TableCell::text(scale.show(v)))
                    });
                    let label = base.label();
                    TableRow {
                        id: slug(&format!("{label} {}", self.name(column))),
                        href: String::new(),
                        cells: cells.collect(),
                        label,
                    }
                });
                Table {
                    class: "results",
                    caption: format!(
                        "{}: time of writing buffers of these sizes, in {}, lower is better.",
                        self.name(column),
                        scale.symbol
                    ),
                    corner: "buffers and method",
                    head: shown.iter().map(|p| Head::new(p.word())).collect(),
                    rows: rows.collect(),
                    about: "latency",
                    ..Table::default()
                }
            })
            .collect()
    }

    fn write_scale(&self) -> Scale {
        Scale {
            factor: 1e-9,
            symbol: "ns".to_owned(),
            decimals: 0,
        }
    }

    /// For each implementation a chart of all cases, the methods side by side.
    pub(super) fn write_graphs(&self) -> Vec<Graph> {
        self.columns()
            .into_iter()
            .map(|column| self.write_graph(column))
            .collect()
    }

    fn write_graph(&self, column: usize) -> Graph {
        let scale = self.write_scale();
        let mut cases: Vec<&Buffers> = self
            .rows
            .iter()
            .filter_map(|r| r.scenario.buffers.as_ref())
            .collect();
        cases.sort();
        cases.dedup();
        let percentile = |case: &Buffers, method: WriteMethod, percentile: Percentile| {
            let wanted = |s: &Scenario| {
                s.buffers.as_ref() == Some(case)
                    && s.method == Some(method)
                    && s.percentile == Some(percentile)
            };
            let row = self.rows.iter().find(|r| wanted(&r.scenario))?;
            let value = self.estimate(row, column)?;
            Some(chart::Percentile {
                name: percentile.word().to_owned(),
                value,
                text: format!("{} ns", scale.show(value)),
            })
        };
        let groups = cases.iter().map(|case| PercentileGroup {
            label: case.to_string(),
            rows: WriteMethod::ALL
                .iter()
                .map(|m| {
                    latency::SHOWN
                        .iter()
                        .filter_map(|p| percentile(case, *m, *p))
                        .collect()
                })
                .collect(),
        });
        let groups: Vec<PercentileGroup> = groups.collect();
        let alt = format!(
            "Range chart: median to 99.9th percentile of the time of writing {} lists of buffers with {}, by {}.",
            groups.len(),
            self.name(column),
            super::join(
                &WriteMethod::ALL
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
            ),
        );
        let file = slug(&format!("writes {}", self.name(column)));
        let chart = Percentiles {
            caption: Caption {
                title: "Time of writing several buffers".to_owned(),
                description: alt.clone(),
            },
            series: WriteMethod::ALL
                .iter()
                .map(|m| Series {
                    label: m.to_string(),
                    implementation: m.to_string(),
                })
                .collect(),
            groups,
        };
        let title = match self.columns().len() {
            1 => String::new(),
            _ => self.name(column),
        };
        Graph {
            title,
            file: format!("{file}.svg"),
            alt,
            drawing: chart.render(),
        }
    }
}
