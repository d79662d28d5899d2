//! Distributions of times: a table of percentiles.

use super::caveats::Caveats;
use super::{Head, Part, Table, TableCell, TableRow};
use crate::base::slug::slug;
use crate::model::scenario::{Percentile, Scenario, Side};
use crate::model::unit::{Scale, Unit, group_thousands};
use crate::report::Row;

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

    /// Returns a scale that fits the medians. One that fits the maxima would print small figures
    /// with leading zeros.
    pub(super) fn time_scale(&self) -> Scale {
        let medians = self.with(|r| r.scenario.percentile == Some(Percentile::P50));
        let figures = medians.rows.iter().flat_map(|r| medians.figures(r));
        let scale = Scale::of(&Unit::Time, figures.map(|f| f.1));
        let decimals = if scale.symbol == "ns" { 0 } else { 1 };
        Scale { decimals, ..scale }
    }

    /// Returns the table of the main builds on the server's side in the newest version of TLS, then,
    /// folded, that of all builds and scenarios.
    pub(super) fn latency_tables(&self) -> Vec<Table> {
        let all = Vec::from_iter(0..self.data.implementations.len());
        let (main, _) = self.split_columns();
        let newest = self.rows.iter().map(|row| row.scenario.version).max();
        let of_version = self.with(|row| Some(row.scenario.version) == newest);
        let servers = of_version.with(|row| row.scenario.side == Some(Side::Server));
        let usual = if servers.rows.is_empty() {
            of_version
        } else {
            servers
        };
        let Some(table) = usual.latency_table(&main) else {
            return Vec::new();
        };
        let whole = self.latency_table(&all);
        let mut whole = whole.filter(|whole| whole.rows.len() > table.rows.len());
        if let Some(whole) = &mut whole {
            whole.rows.iter_mut().for_each(|row| row.id = None);
            whole.summary = Some("Latency of all builds in all scenarios".to_owned());
        }
        [table].into_iter().chain(whole).collect()
    }

    fn latency_table(&self, columns: &[usize]) -> Option<Table> {
        let scale = self.time_scale();
        let caption = format!(
            "Time of one handshake in {}, lower is better. Each figure is the median over the runs, max the median of their longest times; n counts handshakes.",
            scale.symbol
        );
        self.percentiles(columns, caption, &scale)
    }

    /// Returns the table of writes of several buffers, each by each method.
    pub(super) fn write_table(&self) -> Option<Table> {
        let caption = "Time to write buffers of these sizes in ns, lower is better.".to_owned();
        self.percentiles(&self.columns(), caption, &nanoseconds())
    }

    /// Returns a table with one row per scenario and implementation, one column per percentile, and the
    /// number of values where it is known.
    fn percentiles(&self, columns: &[usize], caption: String, scale: &Scale) -> Option<Table> {
        let mut caveats = Caveats::of(self);
        let mut shown = Percentile::ALL.to_vec();
        shown.retain(|p| self.rows.iter().any(|r| r.scenario.percentile == Some(*p)));
        let count = |part: &Part<'_>, column: usize| {
            let whole = part.row_at(None)?.cell(column)?.distribution.as_ref()?;
            Some(group_thousands(&whole.count().to_string()))
        };
        let distributions = self.distributions();
        let has_counts = columns.iter().any(|c| {
            distributions
                .iter()
                .any(|(_, part)| count(part, *c).is_some())
        });
        let mut rows = Vec::new();
        for (base, part) in &distributions {
            let label = base.label();
            let label = label.strip_prefix("latency of ").unwrap_or(&label);
            for column in columns {
                let figures = shown.iter().map(|p| part.percentile(*p, *column));
                let figures: Vec<Option<f64>> = figures.collect();
                // All cells of a distribution share its caveats.
                let any = part.rows.iter().find_map(|r| r.cell(*column));
                let Some(any) = any.filter(|_| figures.iter().any(Option::is_some)) else {
                    continue;
                };
                let name = self.name(*column);
                let id = slug(&format!("{base} {name}"));
                let mut cells = vec![TableCell {
                    footnotes: caveats.numbers(any),
                    ..TableCell::words(name)
                }];
                if has_counts {
                    let n = count(part, *column);
                    cells.push(n.map_or_else(TableCell::missing, TableCell::text));
                }
                cells.extend(figures.iter().map(|f| TableCell::figure(*f, scale)));
                rows.push(TableRow::anchored(id, label.to_owned(), cells));
            }
        }
        let head = ["implementation"]
            .into_iter()
            .chain(has_counts.then_some("n"));
        (!rows.is_empty()).then(|| Table {
            class: "results",
            about: Some("../method/#latency"),
            caption,
            corner: "scenario",
            head: head
                .chain(shown.iter().map(|p| p.word()))
                .map(Head::from)
                .collect(),
            rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        })
    }
}

/// The scale of times of writes.
pub(super) fn nanoseconds() -> Scale {
    Scale {
        factor: 1e-9,
        symbol: "ns".to_owned(),
        decimals: 0,
    }
}
