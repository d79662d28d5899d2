//! Peak memory over the number of sessions, and the line through it.

use super::{Graph, Head, Part, Table, TableCell, TableRow, join};
use crate::chart::{Axis, Caption, Fit, Line, Lines, Point, XAxis};
use crate::scenario::TlsVersion;
use crate::slug::slug;
use crate::stats;
use crate::unit::{Better, MIB, group_thousands};

/// Sessions of the C10K problem: ten thousand at once.
const C10K: f64 = 10_000.0;

impl Part<'_> {
    fn versions(&self) -> Vec<(Option<TlsVersion>, Part<'_>)> {
        let mut versions: Vec<Option<TlsVersion>> =
            self.rows.iter().map(|r| r.scenario.version).collect();
        versions.sort();
        versions.dedup();
        versions
            .into_iter()
            .map(|v| {
                (
                    v,
                    self.with(|r| r.scenario.version == v && r.scenario.sessions.is_some()),
                )
            })
            .collect()
    }

    /// KiB over sessions.
    fn memory_points(&self, column: usize) -> Vec<(f64, f64)> {
        let point = |r: &&crate::report::Row| {
            Some((
                f64::from(r.scenario.sessions?),
                self.estimate(r, column)? / 1024.0,
            ))
        };
        self.rows.iter().filter_map(point).collect()
    }

    /// Least squares: KiB a session, the rest of the process, and memory at 10,000 sessions.
    pub(super) fn memory_fits(&self) -> Option<Table> {
        let mut table = Table {
            class: "fit",
            about: "memory",
            caption: "Line through peak memory by least squares. The slope is what one more session costs; N counts both ends.".to_owned(),
            corner: "implementation",
            head: ["TLS", "KiB a session", "KiB without sessions", "MiB at 10,000 sessions", "R²"].map(Head::new).to_vec(),
            ..Table::default()
        };
        for (version, part) in self.versions() {
            for column in part.columns() {
                let Some(line) = stats::Line::through(&part.memory_points(column)) else {
                    continue;
                };
                let text = |value: f64, decimals: usize| {
                    TableCell::text(group_thousands(&format!("{value:.decimals$}")))
                };
                table.rows.push(TableRow {
                    id: String::new(),
                    label: part.name(column),
                    href: String::new(),
                    cells: vec![
                        TableCell::text(version.map_or("–", TlsVersion::word)),
                        text(line.slope, 3),
                        text(line.intercept, 3),
                        text(line.at(C10K) / 1024.0, 0),
                        text(line.r_squared, 5),
                    ],
                });
            }
        }
        (!table.rows.is_empty()).then_some(table)
    }

    /// A chart of points and lines for each TLS version.
    pub(super) fn memory_graphs(&self) -> Vec<Graph> {
        self.versions()
            .iter()
            .filter(|(_, p)| p.rows.len() > 1)
            .map(|(v, p)| p.memory_graph(*v))
            .collect()
    }

    fn memory_graph(&self, version: Option<TlsVersion>) -> Graph {
        let title = version.map_or_else(
            || "Peak memory".to_owned(),
            |v| format!("Peak memory, TLS {v}"),
        );
        let columns = self.columns();
        let names: Vec<String> = columns.iter().map(|c| self.name(*c)).collect();
        let costs: Vec<String> = columns
            .iter()
            .filter_map(|c| {
                Some(format!(
                    "{} takes {:.1} KiB a session",
                    self.name(*c),
                    stats::Line::through(&self.memory_points(*c))?.slope
                ))
            })
            .collect();
        let costs = if costs.is_empty() {
            String::new()
        } else {
            format!(" {}.", join(&costs))
        };
        let alt = format!(
            "Line chart: {title} in MiB over the number of sessions, for {}.{costs}",
            join(&names)
        );
        let file = slug(&title);
        let to_mib = 1024.0 / MIB;
        let lines = columns.iter().map(|column| {
            let points = self.memory_points(*column);
            let fit = stats::Line::through(&points);
            Line {
                series: self.series_of(*column),
                points: points
                    .iter()
                    .map(|(n, kib)| Point {
                        x: *n,
                        y: kib * to_mib,
                        interval: None,
                    })
                    .collect(),
                fit: fit.map(|l| Fit {
                    slope: l.slope * to_mib,
                    intercept: l.intercept * to_mib,
                }),
            }
        });
        let chart = Lines {
            caption: Caption {
                title: title.clone(),
                description: alt.clone(),
            },
            x: XAxis {
                title: "sessions".to_owned(),
                ticks: Vec::new(),
                rows: Vec::new(),
            },
            y: Axis {
                unit: "MiB".to_owned(),
                better: Better::Lower,
            },
            lines: lines.collect(),
            annotations: Vec::new(),
        };
        Graph {
            title,
            file: format!("{file}.svg"),
            alt,
            drawing: chart.render(),
        }
    }
}
