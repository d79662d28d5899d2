//! Scenarios at several percentiles, numbers of threads or numbers of sessions: tables, and line charts
//! over the numbers.

use super::caveats::Caveats;
use super::lines::line_graph;
use super::{Block, Graph, Head, Part, Table, TableCell, TableRow, join};
use crate::base::slug::slug;
use crate::chart::{Axis, Line, Point, XAxis};
use crate::model::scenario::{Percentile, Scenario, Side, TlsVersion};
use crate::model::unit::{Better, MIB, Scale, Unit, group_thousands};
use crate::report::Row;
use crate::stats::LinearFit;
use std::collections::BTreeMap;

/// Graphs of threads on a page, of the first scenarios.
const MAX_GRAPHS: usize = 4;

/// Sessions of the C10K problem: ten thousand at the same time.
const C10K: f64 = 10_000.0;

impl<'a> Part<'a> {
    /// Returns the line of a build, at the x of each row in its scale.
    fn line(&self, column: usize, place: impl Fn(&Row) -> Option<(u32, Scale)>) -> Line {
        let point = |row: &&Row| {
            let (x, scale) = place(row)?;
            let figure = row.cell(column)?.figure.as_ref()?;
            Some(Point::of(x.into(), figure, &scale))
        };
        let mut points: Vec<Point> = self.rows.iter().filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Line {
            series: self.series_of(column),
            points,
            fit: None,
        }
    }

    /// Returns the rates per thread: with the most threads, and, folded, with fewer.
    pub(super) fn threads(&self) -> Block {
        let most = self.rows.iter().filter_map(|r| r.scenario.threads).max();
        let main = self.with(|row| row.scenario.threads == most);
        let fewer = self.with(|row| row.scenario.threads != most);
        let fewer = self.thread_table(&fewer, "Rate per thread, fewer threads");
        let main = self.thread_table(&main, "Rate per thread").into_iter();
        // Without those that differ in more than their number of threads.
        let usual = self
            .with(|r| !r.scenario.unbuffered && !r.scenario.mutual && r.scenario.group.is_none());
        // The table says as much as a line of two points.
        let several = usual.by(without_threads).into_iter();
        let several = several.filter(|(_, part)| part.rows.len() > 2);
        let graphs = several.filter_map(|(base, part)| part.thread_graph(base.label()));
        Block {
            graphs: graphs.take(MAX_GRAPHS).collect(),
            tables: main.chain(fewer.map(Table::folded)).collect(),
        }
    }

    /// Returns the table of some of these rows; `None` without rows.
    fn thread_table(&self, shown: &Part<'_>, what: &str) -> Option<Table> {
        let scale = shown.scale()?;
        let fewest = self.rows.iter().filter_map(|r| r.scenario.threads).min();
        let base = match fewest? {
            1 => "one thread alone".to_owned(),
            n => format!("{n} threads, the fewest"),
        };
        let of_fewest = self.rows.iter().filter(|r| r.scenario.threads == fewest);
        let of_fewest: BTreeMap<Scenario, &Row> =
            of_fewest.map(|row| (without_threads(row), *row)).collect();
        let (columns, _) = self.split_columns();
        let table = shown.rows_by_builds(&columns, |row, column, caveats| {
            let rate = |r: &Row| Some(self.estimate(r, column)? / f64::from(r.scenario.threads?));
            let first = of_fewest.get(&without_threads(row));
            let compared = rate(row).zip(first.and_then(|r| rate(r)));
            let cell = row.cell(column);
            TableCell {
                detail: compared.map(|(rate, base)| format!("{:.0}%", rate / base * 100.0)),
                footnotes: cell.map_or_else(Vec::new, |c| caveats.numbers(c)),
                ..TableCell::figure(rate(row), &scale)
            }
        });
        Some(Table {
            about: Some("../method/#threads"),
            caption: format!(
                "{} The small percentage compares it with {base}: 100% is perfect scaling.",
                shown.caption(what, &scale)
            ),
            ..table
        })
    }

    fn thread_graph(&self, label: String) -> Option<Graph> {
        let scale = self.scale()?;
        let per_thread = |row: &Row| {
            let threads = row.scenario.threads?;
            let factor = scale.factor * f64::from(threads);
            let scale = scale.clone();
            Some((threads, Scale { factor, ..scale }))
        };
        let columns = self.columns();
        let max = self.rows.iter().filter_map(|r| r.scenario.threads).max()?;
        let alt = format!(
            "Line chart: {label}, {} per thread with 1 to {max} threads, for {}. A flat line is perfect scaling.",
            scale.symbol,
            join(&self.names(&columns))
        );
        let file = slug(&format!("threads {label}"));
        let y = Axis {
            unit: format!("{} per thread", scale.symbol),
            better: self.rows[0].unit.better(),
        };
        let lines = columns.iter().map(|column| self.line(*column, per_thread));
        let lines = lines.collect();
        Some(line_graph(
            &file,
            label,
            alt,
            (XAxis::counted("threads"), y),
            lines,
        ))
    }

    /// Returns pairs of sessions and KiB.
    pub(super) fn memory_points(&self, column: usize) -> Vec<(f64, f64)> {
        let point = |r: &&Row| {
            let kib = self.estimate(r, column)? / 1024.0;
            Some((f64::from(r.scenario.sessions?), kib))
        };
        self.rows.iter().filter_map(point).collect()
    }

    /// Returns the lines through peak memory over the number of sessions, and, folded, the figures. The
    /// graph is of the newest version of TLS with several numbers of sessions.
    pub(super) fn memory(&self) -> Block {
        let parts = self.with(|r| r.scenario.sessions.is_some());
        let parts = parts.by(|r| r.scenario.version);
        let fits = Self::memory_fits(&parts);
        let mut tables = self.matrix("Peak memory of a process with N sessions");
        if let Some(fits) = fits {
            for table in &mut tables {
                table.summary.get_or_insert("The figures".to_owned());
            }
            tables.insert(0, fits);
        }
        let mut newest = parts.iter().rev();
        let newest = newest.find(|(_, part)| part.rows.len() > 1);
        let graph = newest.map(|(version, part)| part.memory_graph(*version));
        Block {
            graphs: graph.into_iter().collect(),
            tables,
        }
    }

    /// Returns the table of least-squares lines, of the newest version of TLS first.
    fn memory_fits(parts: &[(Option<TlsVersion>, Self)]) -> Option<Table> {
        let mut rows = Vec::new();
        for (version, part) in parts.iter().rev() {
            let (columns, _) = part.split_columns();
            for column in columns {
                let Some(line) = LinearFit::through(&part.memory_points(column)) else {
                    continue;
                };
                let figures = [
                    (line.slope, 3),
                    (line.intercept, 3),
                    (line.at(C10K) / 1024.0, 0),
                    (line.r_squared, 5),
                ];
                let cell = |(value, decimals): (f64, usize)| {
                    TableCell::text(group_thousands(&format!("{value:.decimals$}")))
                };
                let version = TableCell::text(version.map_or("–", TlsVersion::word));
                let cells = [version].into_iter().chain(figures.map(cell));
                rows.push(TableRow::new(part.name(column), cells.collect()));
            }
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

    /// Draws the figures with the lines fitted to them.
    fn memory_graph(&self, version: Option<TlsVersion>) -> Graph {
        let title = match version {
            Some(version) => format!("Peak memory, TLS {version}"),
            None => "Peak memory".to_owned(),
        };
        let (columns, _) = self.split_columns();
        let mib = Scale {
            factor: MIB,
            symbol: "MiB".to_owned(),
            decimals: 1,
        };
        let mut costs = Vec::new();
        let line = |column: &usize| {
            let fit = LinearFit::through(&self.memory_points(*column));
            costs.extend(fit.map(|fit| {
                let name = self.name(*column);
                format!("{name} takes {:.1} KiB per session", fit.slope)
            }));
            let in_mib = |fit: LinearFit| LinearFit {
                slope: fit.slope / 1024.0,
                intercept: fit.intercept / 1024.0,
                ..fit
            };
            Line {
                fit: fit.map(in_mib),
                ..self.line(*column, |row| Some((row.scenario.sessions?, mib.clone())))
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
        let y = Axis {
            unit: mib.symbol.clone(),
            better: Better::Lower,
        };
        line_graph(
            &slug(&title),
            title,
            alt,
            (XAxis::counted("sessions"), y),
            lines,
        )
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
    pub(super) fn latency(&self) -> Vec<Table> {
        let all = Vec::from_iter(0..self.data.implementations.len());
        let (main, _) = self.split_columns();
        let newest = self.rows.iter().map(|row| row.scenario.version).max();
        let of_version = self.with(|row| Some(row.scenario.version) == newest);
        let servers = of_version.with(|row| row.scenario.side == Some(Side::Server));
        let usual = match servers.rows.is_empty() {
            true => of_version,
            false => servers,
        };
        let table = |part: &Self, columns: &[usize]| {
            let scale = part.time_scale();
            let caption = format!(
                "Time of one handshake in {}, lower is better. Each figure is the median over the runs, max the median of their longest times; n counts handshakes.",
                scale.symbol
            );
            part.percentiles(columns, caption, &scale)
        };
        let Some(main) = table(&usual, &main) else {
            return Vec::new();
        };
        let mut whole = table(self, &all).filter(|whole| whole.rows.len() > main.rows.len());
        if let Some(whole) = &mut whole {
            whole.rows.iter_mut().for_each(|row| row.id = None);
            whole.summary = Some("Latency of all builds in all scenarios".to_owned());
        }
        [main].into_iter().chain(whole).collect()
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
        let with = |part: &Part<'a>, percentile| {
            let mut rows = part.rows.iter().copied();
            rows.find(|r| r.scenario.percentile == percentile)
        };
        let mut counts = Vec::new();
        let mut rows = Vec::new();
        let distributions = self.by(|row| Scenario {
            percentile: None,
            ..row.scenario.clone()
        });
        for (base, part) in &distributions {
            let label = base.label();
            let label = label.strip_prefix("latency of ").unwrap_or(&label);
            for column in columns {
                let figure = |p: &Percentile| self.estimate(with(part, Some(*p))?, *column);
                let figures: Vec<Option<f64>> = shown.iter().map(figure).collect();
                // All cells of a distribution share its caveats.
                let any = part.rows.iter().find_map(|r| r.cell(*column));
                let Some(any) = any.filter(|_| figures.iter().any(Option::is_some)) else {
                    continue;
                };
                let whole = with(part, None).and_then(|row| row.cell(*column));
                counts.push(whole.and_then(|cell| Some(cell.distribution.as_ref()?.count())));
                let name = self.name(*column);
                let id = slug(&format!("{base} {name}"));
                let mut cells = vec![TableCell {
                    footnotes: caveats.numbers(any),
                    ..TableCell::words(name)
                }];
                cells.extend(figures.iter().map(|f| TableCell::figure(*f, scale)));
                rows.push(TableRow::anchored(id, label.to_owned(), cells));
            }
        }
        let mut head = vec!["implementation"];
        head.extend(shown.iter().map(|p| p.word()));
        if counts.iter().any(Option::is_some) {
            head.insert(1, "n");
            for (row, count) in rows.iter_mut().zip(counts) {
                let count = count.map(|n| TableCell::text(group_thousands(&n.to_string())));
                row.cells
                    .insert(1, count.unwrap_or_else(TableCell::missing));
            }
        }
        (!rows.is_empty()).then(|| Table {
            class: "results",
            about: Some("../method/#latency"),
            caption,
            corner: "scenario",
            head: head.into_iter().map(Head::from).collect(),
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

/// Returns a row's scenario without its number of threads.
fn without_threads(row: &Row) -> Scenario {
    Scenario {
        threads: None,
        ..row.scenario.clone()
    }
}
