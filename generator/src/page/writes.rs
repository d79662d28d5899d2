//! Writes of several buffers: percentiles of each method.

use super::{Graph, Head, Part, Table, TableCell, TableRow, join, latency};
use crate::chart::{ChartRow, RowAxis, RowGroup, Rows, Series};
use crate::look::Look;
use crate::scenario::{Percentile, Scenario, WriteMethod};
use crate::slug::slug;
use crate::unit::Scale;

pub(super) fn nanoseconds() -> Scale {
    Scale {
        factor: 1e-9,
        symbol: "ns".to_owned(),
        decimals: 0,
    }
}

impl Part<'_> {
    /// Returns one table per implementation with one row per case, one column per percentile.
    pub(super) fn write_tables(&self) -> Vec<Table> {
        let scale = nanoseconds();
        let mut shown = Percentile::ALL.to_vec();
        shown.retain(|p| self.rows.iter().any(|r| r.scenario.percentile == Some(*p)));
        let table = |column: usize| {
            let name = self.name(column);
            let row = |(base, part): (Scenario, Part<'_>)| {
                let figures = shown.iter().map(|p| part.percentile(*p, column));
                let cells = figures.map(|f| TableCell::figure(f, &scale)).collect();
                TableRow::anchored(slug(&format!("{base} {name}")), base.label(), cells)
            };
            Table {
                class: "results",
                caption: format!(
                    "{name}: time to write buffers of these sizes in ns, lower is better."
                ),
                corner: "buffers and method",
                head: shown.iter().map(|p| Head::from(p.word())).collect(),
                rows: self.distributions().into_iter().map(row).collect(),
                about: "../method/#latency",
                ..Table::default()
            }
        };
        self.columns().into_iter().map(table).collect()
    }

    /// Draws one chart per implementation of all cases, with the methods side by side.
    pub(super) fn write_graphs(&self) -> Vec<Graph> {
        let columns = self.columns();
        let graph = |column: &usize| match columns.len() {
            1 => self.write_graph(*column).untitled(),
            _ => Graph {
                title: self.name(*column),
                ..self.write_graph(*column)
            },
        };
        columns.iter().map(graph).collect()
    }

    fn write_graph(&self, column: usize) -> Graph {
        let mut note = None;
        let cases = self.by(|r| r.scenario.buffers.clone()).into_iter();
        let groups = cases.filter_map(|(buffers, case)| {
            let label = buffers?.to_string();
            let row = |method: &WriteMethod| {
                let of_method = case.with(|r| r.scenario.method == Some(*method));
                let shown = latency::shown(|p| of_method.percentile(p, column));
                note = note.take().or_else(|| latency::how_to_read(&shown));
                row_of(&format!("{label}, {method}"), &shown)
            };
            let rows = WriteMethod::ALL.iter().map(row).collect();
            Some(RowGroup { label, rows })
        });
        let groups: Vec<RowGroup> = groups.collect();
        let methods: Vec<String> = WriteMethod::ALL.iter().map(ToString::to_string).collect();
        let name = self.name(column);
        let alt = format!(
            "Range chart: median to 99.9th percentile of the time to write {} lists of buffers with {name}, by {}.",
            groups.len(),
            join(&methods),
        );
        let series = methods.iter().map(|method| Series {
            label: method.clone(),
            look: Look::of(method),
        });
        let title = "Time to write several buffers".to_owned();
        Graph::new(&slug(&format!("writes {name}")), title, alt, |caption| {
            let chart = Rows {
                caption,
                axis: RowAxis::Times,
                note: note.unwrap_or_default(),
                series: series.collect(),
                groups,
            };
            chart.render()
        })
    }
}

/// Returns a row with a marker at the first of the ascending percentiles and strokes at the others.
/// Its text has the first and the last, `1.21 µs, P99.9 8.90 µs`.
fn row_of(what: &str, percentiles: &[(Percentile, f64)]) -> ChartRow {
    let scale = nanoseconds();
    let figure = |value: f64| format!("{} ns", scale.show(value));
    let named = |(percentile, value): &(Percentile, f64)| {
        format!("{} {}", percentile.word(), figure(*value))
    };
    let text = match percentiles {
        [] => return ChartRow::without("–"),
        [only] => figure(only.1),
        [first, .., last] => format!("{}, {}", figure(first.1), named(last)),
    };
    let all: Vec<String> = percentiles.iter().map(named).collect();
    ChartRow {
        value: Some(percentiles[0].1),
        strokes: percentiles[1..].iter().map(|p| p.1).collect(),
        tooltip: format!("{what}: {}", all.join(", ")),
        text,
        ..ChartRow::default()
    }
}
