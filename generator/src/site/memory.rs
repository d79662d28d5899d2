//! Peak memory over the number of sessions, and the line fitted to it.

use super::lines::line_graph;
use super::{Graph, Head, Part, Table, TableCell, TableRow, join};
use crate::base::slug::slug;
use crate::chart::{Axis, Line, Point, XAxis};
use crate::model::scenario::TlsVersion;
use crate::model::unit::{Better, MIB, group_thousands};
use crate::report::Row;
use crate::stats;

/// Sessions of the C10K problem: ten thousand at the same time.
const C10K: f64 = 10_000.0;

impl<'a> Part<'a> {
    fn by_version(&self) -> Vec<(Option<TlsVersion>, Part<'a>)> {
        let with_sessions = self.with(|r| r.scenario.sessions.is_some());
        with_sessions.by(|r| r.scenario.version)
    }

    /// Returns pairs of sessions and KiB.
    pub(super) fn memory_points(&self, column: usize) -> Vec<(f64, f64)> {
        let point = |r: &&Row| {
            let kib = self.estimate(r, column)? / 1024.0;
            Some((f64::from(r.scenario.sessions?), kib))
        };
        self.rows.iter().filter_map(point).collect()
    }

    /// Returns the table of the lines through the figures of the main builds, and, folded, the
    /// figures of all.
    pub(super) fn memory_tables(&self) -> Vec<Table> {
        let mut parts = self.by_version();
        let newest = parts.pop();
        let newest = newest.and_then(|part| Self::memory_fits(&[part]));
        let older = Self::memory_fits(&parts).map(|older| Table {
            summary: Some("Older versions of TLS".to_owned()),
            ..older
        });
        let mut figures = self.matrix("Peak memory of a process with N sessions");
        if newest.is_some() {
            for table in &mut figures {
                table.summary.get_or_insert("The figures".to_owned());
            }
        }
        newest.into_iter().chain(older).chain(figures).collect()
    }

    /// Returns the table of least-squares lines: KiB per session, KiB of the process without
    /// sessions, and MiB at 10,000 sessions.
    fn memory_fits(parts: &[(Option<TlsVersion>, Self)]) -> Option<Table> {
        let row = |version: Option<TlsVersion>, part: &Part<'_>, column: usize| {
            let line = stats::LinearFit::through(&part.memory_points(column))?;
            let text = |value: f64, decimals: usize| {
                TableCell::text(group_thousands(&format!("{value:.decimals$}")))
            };
            let cells = vec![
                TableCell::text(version.map_or("–", TlsVersion::word)),
                text(line.slope, 3),
                text(line.intercept, 3),
                text(line.at(C10K) / 1024.0, 0),
                text(line.r_squared, 5),
            ];
            Some(TableRow::new(part.name(column), cells))
        };
        let mut rows = Vec::new();
        for (version, part) in parts {
            let (columns, _) = part.split_columns();
            rows.extend(
                columns
                    .into_iter()
                    .filter_map(|column| row(*version, part, column)),
            );
        }
        (!rows.is_empty()).then(|| Table {
            class: "fit",
            about: Some("../method/#memory"),
            caption: "Least-squares line through peak memory. The slope is the cost of one more session; N counts both ends of each connection.".to_owned(),
            corner: "implementation",
            head: Head::of(["TLS", "KiB per session", "KiB without sessions", "MiB at 10,000 sessions", "R²"]),
            rows,
            ..Table::default()
        })
    }

    /// Draws a chart of points and lines for the newest version of TLS with several numbers of
    /// sessions.
    pub(super) fn memory_graph(&self) -> Option<Graph> {
        let mut parts = self.by_version();
        parts.retain(|(_, part)| part.rows.len() > 1);
        let (version, part) = parts.pop()?;
        Some(part.graph_of_memory(version))
    }

    fn graph_of_memory(&self, version: Option<TlsVersion>) -> Graph {
        let title = match version {
            Some(version) => format!("Peak memory, TLS {version}"),
            None => "Peak memory".to_owned(),
        };
        let (columns, _) = self.split_columns();
        let to_mib = 1024.0 / MIB;
        let mut costs = Vec::new();
        let line = |column: &usize| {
            let points = self.memory_points(*column);
            let fit = stats::LinearFit::through(&points);
            costs.extend(fit.map(|fit| {
                let name = self.name(*column);
                format!("{name} takes {:.1} KiB per session", fit.slope)
            }));
            let point = |(sessions, kib): (f64, f64)| Point {
                x: sessions,
                y: kib * to_mib,
                ..Point::default()
            };
            Line {
                series: self.series_of(*column),
                points: points.into_iter().map(point).collect(),
                fit: fit.map(|fit| stats::LinearFit {
                    slope: fit.slope * to_mib,
                    intercept: fit.intercept * to_mib,
                    ..fit
                }),
            }
        };
        let lines = columns.iter().map(line).collect();
        let mut alt = format!(
            "Line chart: {title} in MiB over the number of sessions, for {}.",
            join(&self.names(&columns))
        );
        if !costs.is_empty() {
            alt += &format!(" {}.", join(&costs));
        }
        let x = XAxis {
            title: "sessions".to_owned(),
            ..XAxis::default()
        };
        let y = Axis {
            unit: "MiB".to_owned(),
            better: Better::Lower,
        };
        line_graph(&slug(&title), title, alt, (x, y), lines)
    }
}
