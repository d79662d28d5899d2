//! Distributions of times: a table of percentiles, and all on one logarithmic axis.

use super::{Graph, Head, Part, Table, TableCell, TableRow, join};
use crate::chart::{self, Bin, Caption, Latency, Ridge};
use crate::report::Row;
use crate::scenario::{Percentile, Scenario};
use crate::slug::slug;
use crate::unit::{Scale, Unit, group_thousands};

/// The percentiles that charts show.
pub(super) const SHOWN: [Percentile; 4] = [
    Percentile::P50,
    Percentile::P90,
    Percentile::P99,
    Percentile::P999,
];

/// Columns of a ridge for each factor of ten.
const BINS_PER_DECADE: u32 = 60;

impl Part<'_> {
    /// Scenarios without their percentile, each once.
    pub(super) fn distributions(&self) -> Vec<Scenario> {
        let mut bases: Vec<Scenario> = self
            .rows
            .iter()
            .map(|r| Scenario {
                percentile: None,
                ..r.scenario.clone()
            })
            .collect();
        bases.sort();
        bases.dedup();
        bases
    }

    pub(super) fn at(&self, base: &Scenario, percentile: Percentile) -> Option<&Row> {
        let wanted = base.at(percentile);
        self.rows.iter().copied().find(|r| r.scenario == wanted)
    }

    /// One scale for the figures, by the medians: the maxima of a few would make all the others
    /// start with zeros.
    pub(super) fn time_scale(&self) -> Scale {
        let medians = self
            .rows
            .iter()
            .filter(|r| r.scenario.percentile == Some(Percentile::P50));
        let values: Vec<f64> = medians
            .flat_map(|r| r.cells.iter().flatten())
            .filter_map(|c| c.estimate(self.estimator))
            .collect();
        let scale = Scale::of(&Unit::Time, values);
        let decimals = if scale.symbol == "ns" { 0 } else { 1 };
        Scale { decimals, ..scale }
    }

    /// A row for each scenario and implementation, a column for each percentile.
    pub(super) fn latency_table(&self) -> Option<Table> {
        let scale = self.time_scale();
        let mut table = Table {
            class: "results",
            about: "latency",
            caption: format!(
                "Time of one handshake in {}, lower is better. All threads of a run together; n counts handshakes.",
                scale.symbol
            ),
            corner: "scenario",
            head: ["implementation", "n"]
                .into_iter()
                .chain(Percentile::ALL.iter().map(|p| p.word()))
                .map(Head::new)
                .collect(),
            ..Table::default()
        };
        for base in self.distributions() {
            for column in 0..self.data.implementations.len() {
                let figures = Percentile::ALL
                    .iter()
                    .map(|p| self.at(&base, *p).and_then(|r| self.estimate(r, column)));
                let figures: Vec<Option<f64>> = figures.collect();
                if figures.iter().all(Option::is_none) {
                    continue;
                }
                let n = self.whole(&base, column).map_or_else(
                    || "–".to_owned(),
                    |d| group_thousands(&d.count().to_string()),
                );
                let mut cells = vec![
                    TableCell {
                        class: "words",
                        ..TableCell::text(self.name(column))
                    },
                    TableCell::text(n),
                ];
                cells.extend(figures.iter().map(|f| {
                    f.map_or_else(TableCell::missing, |v| TableCell::text(scale.show(v)))
                }));
                let label = base.label();
                table.rows.push(TableRow {
                    id: slug(&format!("{label} {}", self.name(column))),
                    label,
                    href: String::new(),
                    cells,
                });
            }
        }
        (!table.rows.is_empty()).then_some(table)
    }

    fn whole(&self, base: &Scenario, column: usize) -> Option<&crate::distribution::Distribution> {
        let row = self.rows.iter().find(|r| r.scenario == *base)?;
        row.cell(column)?.distribution.as_ref()
    }

    /// A chart for each scenario whose distributions are known.
    pub(super) fn latency_graphs(&self) -> Vec<Graph> {
        self.distributions()
            .iter()
            .filter_map(|base| self.latency_graph(base))
            .collect()
    }

    fn latency_graph(&self, base: &Scenario) -> Option<Graph> {
        let columns = 0..self.data.implementations.len();
        let ridges: Vec<Ridge> = columns.filter_map(|c| self.ridge(base, c)).collect();
        if ridges.is_empty() {
            return None;
        }
        let median = |r: &Ridge| {
            let median = &r.percentiles.first()?.text;
            Some(format!("{} has its median at {median}", r.series.label))
        };
        let medians: Vec<String> = ridges.iter().filter_map(median).collect();
        let label = base.label();
        let alt = format!(
            "Distribution: {label}, on a logarithmic axis. {}.",
            join(&medians)
        );
        let file = slug(&label);
        let chart = Latency {
            caption: Caption {
                title: label.clone(),
                description: alt.clone(),
            },
            ridges,
        };
        Some(Graph {
            title: label,
            file: format!("{file}.svg"),
            alt,
            drawing: chart.render(),
        })
    }

    fn ridge(&self, base: &Scenario, column: usize) -> Option<Ridge> {
        let whole = self.whole(base, column)?;
        let percentile = |p: &Percentile| {
            let value = whole.at(*p)?;
            Some(chart::Percentile {
                name: p.word().to_owned(),
                value,
                text: short(value),
            })
        };
        let bins = whole.density(BINS_PER_DECADE).into_iter();
        Some(Ridge {
            series: self.series_of(column),
            bins: bins
                .map(|(low, high, share)| Bin { low, high, share })
                .collect(),
            percentiles: SHOWN.iter().filter_map(percentile).collect(),
        })
    }
}

/// A time with three significant digits, `12.4 ms`: a chart has no room for more.
fn short(seconds: f64) -> String {
    let scale = Scale::of(&Unit::Time, [seconds]);
    let decimals = match seconds / scale.factor {
        shown if shown >= 100.0 => 0,
        shown if shown >= 10.0 => 1,
        _ => 2,
    };
    let scale = Scale { decimals, ..scale };
    format!("{} {}", scale.show(seconds), scale.symbol)
}
