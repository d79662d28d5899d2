//! Writes of several buffers: percentiles of each method.

use super::{Head, Part, Table, TableCell, TableRow};
use crate::base::slug::slug;
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::Scale;

/// Tables that are not folded.
const MAX_OPEN: usize = 3;

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
                about: Some("../method/#latency"),
                ..Table::default()
            }
        };
        let mut tables: Vec<Table> = self.columns().into_iter().map(table).collect();
        for table in tables.iter_mut().skip(MAX_OPEN) {
            table.summary = Some(table.name().to_owned());
        }
        tables
    }
}
