//! Distributions of times: a table of percentiles, and graphs on one logarithmic axis.

use super::caveats::Caveats;
use super::{Graph, Head, Part, Table, TableCell, TableRow, join};
use crate::base::slug::slug;
use crate::chart::{Latency, Ridge, Tick};
use crate::model::distribution::Distribution;
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::{Scale, Unit, group_thousands};
use crate::report::{Cell, Row};

/// The percentiles that charts show.
const SHOWN: [Percentile; 4] = [
    Percentile::P50,
    Percentile::P90,
    Percentile::P99,
    Percentile::P999,
];

/// Histogram bins of a ridge per factor of ten.
const BINS_PER_DECADE: u32 = 60;

impl<'a> Part<'a> {
    /// Groups the rows by scenario without its percentile.
    pub(super) fn distributions(&self) -> Vec<(Scenario, Part<'a>)> {
        self.by(|r| Scenario {
            percentile: None,
            ..r.scenario.clone()
        })
    }

    fn row_at(&self, percentile: Option<Percentile>) -> Option<&'a Row> {
        let mut rows = self.rows.iter().copied();
        rows.find(|r| r.scenario.percentile == percentile)
    }

    /// Returns the estimate of a percentile of one distribution.
    pub(super) fn percentile(&self, percentile: Percentile, column: usize) -> Option<f64> {
        self.estimate(self.row_at(Some(percentile))?, column)
    }

    /// Returns a cell with the caveats of one distribution, which all of its cells share.
    fn cell_of(&self, column: usize) -> Option<&'a Cell> {
        self.rows.iter().find_map(|r| r.cell(column))
    }

    fn distribution(&self, column: usize) -> Option<&'a Distribution> {
        self.row_at(None)?.cell(column)?.distribution.as_ref()
    }

    /// Returns a scale that fits the medians. One that fits the maxima would print small figures
    /// with leading zeros.
    pub(super) fn time_scale(&self) -> Scale {
        let medians = self.with(|r| r.scenario.percentile == Some(Percentile::P50));
        let figures = medians.rows.iter().flat_map(|r| medians.figures(r));
        let scale = Scale::of(&Unit::Time, figures.map(|f| f.1));
        let decimals = if scale.symbol == "ns" { 0 } else { 1 };
        Scale { decimals, ..scale }
    }

    /// Returns a table with one row per scenario and implementation, one column per percentile.
    pub(super) fn latency_table(&self) -> Option<Table> {
        let scale = self.time_scale();
        let mut caveats = Caveats::of(self);
        let mut row = |base: &Scenario, part: &Part<'_>, column: usize| {
            let figure = |p: &Percentile| part.percentile(*p, column);
            let figures: Vec<Option<f64>> = Percentile::ALL.iter().map(figure).collect();
            figures.iter().find(|f| f.is_some())?;
            let n = match part.distribution(column) {
                Some(whole) => group_thousands(&whole.count().to_string()),
                None => "–".to_owned(),
            };
            let n = TableCell {
                // One footnote for all figures of the row.
                footnotes: part
                    .cell_of(column)
                    .map_or_else(Vec::new, |c| caveats.numbers(c)),
                ..TableCell::text(n)
            };
            let name = self.name(column);
            let id = slug(&format!("{base} {name}"));
            let mut cells = vec![TableCell::words(name), n];
            cells.extend(figures.iter().map(|f| TableCell::figure(*f, &scale)));
            Some(TableRow::anchored(id, base.label(), cells))
        };
        let mut rows = Vec::new();
        for (base, part) in self.distributions() {
            let columns = 0..self.data.implementations.len();
            rows.extend(columns.filter_map(|column| row(&base, &part, column)));
        }
        let percentiles = Percentile::ALL.iter().map(|p| p.word());
        (!rows.is_empty()).then(|| Table {
            class: "results",
            about: Some("../method/#latency"),
            caption: format!(
                "Time of one handshake in {}, lower is better. The threads of a run are merged; n counts handshakes.",
                scale.symbol
            ),
            corner: "scenario",
            head: ["implementation", "n"].into_iter().chain(percentiles).map(Head::from).collect(),
            rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        })
    }

    /// Draws a chart for each scenario with known distributions, all with the same axis.
    pub(super) fn latency_graphs(&self) -> Vec<Graph> {
        let all = self.distributions().into_iter();
        let mut all: Vec<_> = all
            .map(|(base, part)| (base.label(), part.ridges()))
            .collect();
        all.retain(|(_, ridges)| !ridges.is_empty());
        let range = Latency::range(all.iter().flat_map(|(_, ridges)| ridges).map(|r| &r.0));
        let graphs = all.into_iter();
        graphs
            .map(|(label, ridges)| latency_graph(label, ridges, range))
            .collect()
    }

    /// Returns a ridge for each implementation whose distribution is known, with its percentiles.
    fn ridges(&self) -> Vec<(Ridge, Vec<(Percentile, f64)>)> {
        let columns = 0..self.data.implementations.len();
        let ridge = |column| {
            let whole = self.distribution(column)?;
            let percentiles = shown(|p| whole.at(p));
            let mark = |(percentile, at): &(Percentile, f64)| Tick {
                at: *at,
                label: format!("{} {}", percentile.word(), short(*at)),
            };
            let ridge = Ridge {
                series: self.series_of(column),
                bins: whole.density(BINS_PER_DECADE),
                percentiles: percentiles.iter().map(mark).collect(),
            };
            Some((ridge, percentiles))
        };
        columns.filter_map(ridge).collect()
    }
}

/// Returns the percentiles that charts show, in ascending order with their values, where known.
fn shown(value: impl Fn(Percentile) -> Option<f64>) -> Vec<(Percentile, f64)> {
    SHOWN
        .iter()
        .filter_map(|p| Some((*p, value(*p)?)))
        .collect()
}

/// Explains how ranges of percentiles are drawn: `marker at P50, strokes at P90, P99, P99.9`.
fn how_to_read(percentiles: &[(Percentile, f64)]) -> Option<String> {
    let names: Vec<&str> = percentiles.iter().map(|(p, _)| p.word()).collect();
    let (first, others) = names.split_first()?;
    Some(match others.join(", ") {
        none if none.is_empty() => format!("marker at {first}"),
        others => format!("marker at {first}, strokes at {others}"),
    })
}

fn latency_graph(
    label: String,
    ridges: Vec<(Ridge, Vec<(Percentile, f64)>)>,
    range: (f64, f64),
) -> Graph {
    let median = |(ridge, percentiles): &(Ridge, Vec<(Percentile, f64)>)| {
        let median = short(percentiles.first()?.1);
        Some(format!("{} has a median of {median}", ridge.series.label))
    };
    let medians: Vec<String> = ridges.iter().filter_map(median).collect();
    let alt = format!(
        "Distribution: {label}, on a logarithmic axis. {}.",
        join(&medians)
    );
    let note = ridges.first().and_then(|(_, first)| how_to_read(first));
    let name = slug(&label);
    Graph::new(&name, label, alt, |caption| {
        let chart = Latency {
            caption,
            ridges: ridges.into_iter().map(|r| r.0).collect(),
            // A distribution without values has no marks to explain.
            note: note.unwrap_or_default(),
            range,
        };
        chart.render()
    })
}

/// Formats a time with three significant digits, `12.4 ms`; a chart has no room for more.
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
