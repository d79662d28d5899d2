//! Graphs of transfers over the size of writes.

use super::{Graph, Part, join};
use crate::chart::{Axis, Lines, Tick, XAxis};
use crate::report::Row;
use crate::scenario::Scenario;
use crate::slug::slug;

/// With fewer sizes, bars show as much as a line chart.
const MIN_SIZES: usize = 3;

impl<'a> Part<'a> {
    /// Groups transfers that differ only in the size of writes, if there are enough sizes.
    fn over_sizes(&self) -> Vec<(Scenario, Part<'a>)> {
        let mut series = self.by(|r| without_size(&r.scenario));
        series.retain(|(_, part)| part.rows.len() >= MIN_SIZES);
        series
    }

    /// Returns the rows without those of [`Part::size_graphs`], except the default size.
    pub(super) fn without_sizes(&self) -> Self {
        let shown: Vec<Scenario> = self
            .over_sizes()
            .into_iter()
            .map(|(base, _)| base)
            .collect();
        self.with(|r| {
            r.scenario.write_size.is_none() || !shown.contains(&without_size(&r.scenario))
        })
    }

    /// Draws a line chart over the sizes of each group.
    pub(super) fn size_graphs(&self) -> Vec<Graph> {
        let series = self.over_sizes();
        let graph = |(base, part): &(Scenario, Part<'_>)| part.size_graph(base.label());
        series.iter().filter_map(graph).collect()
    }

    fn size_graph(&self, label: String) -> Option<Graph> {
        let (columns, scale) = (self.shown(), self.scale()?);
        let name = slug(&format!("sizes {label}"));
        let alt = format!(
            "Line chart: {label}, {} by the size of each write, for {}.",
            scale.symbol,
            join(&self.names(&columns))
        );
        let mut sizes: Vec<u64> = self.rows.iter().map(|r| bytes(r)).collect();
        sizes.sort_unstable();
        let tick = |bytes: &u64| Tick {
            at: place(*bytes),
            label: size(*bytes),
        };
        Some(Graph::new(&name, label, alt, |caption| {
            let chart = Lines {
                caption,
                x: XAxis {
                    title: "size of each write, on a logarithmic scale".to_owned(),
                    ticks: sizes.iter().map(tick).collect(),
                    ..XAxis::default()
                },
                y: Axis {
                    unit: scale.symbol.clone(),
                    better: self.rows[0].unit.better(),
                },
                lines: self.lines(&columns, |r| Some(place(bytes(r))), |_, v| v / scale.factor),
                ..Lines::default()
            };
            chart.render()
        }))
    }
}

fn without_size(scenario: &Scenario) -> Scenario {
    Scenario {
        write_size: None,
        ..scenario.clone()
    }
}

fn bytes(row: &Row) -> u64 {
    row.scenario.write_size_or_default()
}

fn place(bytes: u64) -> f64 {
    (bytes as f64).log2()
}

/// `16 B`, `4 KiB`, `1 MiB`
fn size(bytes: u64) -> String {
    const KIB: u64 = 1024;
    const MIB: u64 = 1024 * KIB;
    match bytes {
        n if n.is_multiple_of(MIB) => format!("{} MiB", n / MIB),
        n if n.is_multiple_of(KIB) => format!("{} KiB", n / KIB),
        n => format!("{n} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_their_units() {
        let sizes = [16, 1024, 1500, 16384, 1_048_576];
        assert_eq!(
            sizes.map(size),
            ["16 B", "1 KiB", "1500 B", "16 KiB", "1 MiB"]
        );
    }
}
