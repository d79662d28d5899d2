//! Scenarios at several percentiles, numbers of threads or numbers of sessions: tables, and line charts
//! over the numbers.

use super::caveats::Caveats;
use super::{Block, Graph, Head, Part, Table, TableCell, TableRow, join};
use crate::base::slug::slug;
use crate::chart::{Axis, Line, Lines, Point, XAxis};
use crate::model::scenario::{Percentile, Scenario, Side, TlsVersion};
use crate::model::unit::{Better, MIB, Scale, Unit};
use crate::report::{Cell, Row, distinct, memory_fit};
use crate::stats::LinearFit;

/// Graphs of threads on a page, of the first scenarios.
const MAX_GRAPHS: usize = 4;

/// Sessions of the C10K problem: ten thousand at the same time.
const C10K: f64 = 10_000.0;

impl<'a> Part<'a> {
    /// Draws a line for each build, at the x of each row in its scale.
    fn line_chart(
        &self,
        (file, title, alt): (&str, String, String),
        (x, y): (&str, Axis),
        columns: &[usize],
        place: impl Fn(&Row) -> Option<(u32, Scale)>,
        fit: impl Fn(usize) -> Option<LinearFit>,
    ) -> Graph {
        let point = |row: &&Row, column: usize| {
            let (x, scale) = place(row)?;
            let figure = row.cell(column)?.figure.as_ref()?;
            Some(Point::of(x.into(), figure, &scale))
        };
        let mut lines = Vec::new();
        for column in columns {
            let points = self.rows.iter().filter_map(|row| point(row, *column));
            let mut points: Vec<Point> = points.collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            lines.push(Line {
                series: self.series_of(*column),
                points,
                fit: fit(*column),
            });
        }
        let x = XAxis {
            title: x.to_owned(),
            ..XAxis::default()
        };
        let chart = Lines { x, y, lines };
        Graph::new(file, title, alt, |title, alt| chart.render(title, alt))
    }

    /// Returns the rates per thread: with the most threads, and, folded, with fewer.
    pub(super) fn threads(&self) -> Block {
        let threads = || self.rows.iter().filter_map(|row| row.scenario.threads);
        let (fewest, most) = (threads().min(), threads().max());
        let main = self.with(|row| row.scenario.threads == most);
        let fewer = self.with(|row| row.scenario.threads != most);
        let fewer = self.thread_table(&fewer, fewest, "Rate per thread, fewer threads");
        let main = self.thread_table(&main, fewest, "Rate per thread");
        // Without those that differ in more than their number of threads.
        let usual = self
            .with(|r| !r.scenario.unbuffered && !r.scenario.mutual && r.scenario.group.is_none());
        // The table says as much as a line of two points.
        let several = usual.by(without_threads).into_iter();
        let several = several.filter(|(_, part)| part.rows.len() > 2);
        let graphs = several.filter_map(|(base, part)| part.thread_graph(base.label()));
        Block {
            graphs: graphs.take(MAX_GRAPHS).collect(),
            tables: main.into_iter().chain(fewer.map(Table::folded)).collect(),
        }
    }

    /// Returns the table of some of these rows, beside those with the `fewest` threads; `None` without
    /// rows.
    fn thread_table(&self, shown: &Self, fewest: Option<u32>, what: &str) -> Option<Table> {
        let scale = shown.scale()?;
        let base = match fewest? {
            1 => "one thread alone".to_owned(),
            n => format!("{n} threads, the fewest"),
        };
        let (columns, _) = self.split_columns();
        let table = shown.rows_by_builds(&columns, |row, column, caveats| {
            let rate = |r: &Row| Some(self.estimate(r, column)? / f64::from(r.scenario.threads?));
            let is_base = |r: &&&Row| {
                r.scenario.threads == fewest && without_threads(r) == without_threads(row)
            };
            let first = self.rows.iter().find(is_base);
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
        let y = Axis {
            unit: format!("{} per thread", scale.symbol),
            better: self.rows[0].unit.better(),
        };
        let texts = (&*format!("threads-{}", self.rows[0].id), label, alt);
        Some(self.line_chart(texts, ("threads", y), &columns, per_thread, |_| None))
    }

    /// Returns the lines through peak memory over the number of sessions, the newest version of TLS
    /// first, and, folded, the figures. The graph is of the newest version with several numbers of
    /// sessions.
    pub(super) fn memory(&self) -> Block {
        let parts = self.with(|r| r.scenario.sessions.is_some());
        let parts = parts.by(|r| r.scenario.version);
        let mut tables = self.matrix("Peak memory of a process with N sessions");
        let rows = parts
            .iter()
            .rev()
            .flat_map(|(version, part)| part.fits(*version));
        let rows: Vec<TableRow> = rows.collect();
        if !rows.is_empty() {
            for table in &mut tables {
                table.summary.get_or_insert("The figures".to_owned());
            }
            let fits = Table {
                class: "fit",
                about: Some("../method/#memory"),
                caption: "Least-squares line through peak memory. The slope is the cost of one more session; N counts both ends of each connection.".to_owned(),
                corner: "implementation",
                head: Head::of(["TLS", "KiB per session", "KiB without sessions", "MiB at 10,000 sessions", "R²"]),
                rows,
                ..Table::default()
            };
            tables.insert(0, fits);
        }
        let newest = parts.iter().rfind(|(_, part)| part.rows.len() > 1);
        let graph = newest.map(|(version, part)| part.memory_graph(*version));
        Block {
            graphs: graph.into_iter().collect(),
            tables,
        }
    }

    /// Returns a row for each build through whose figures there is a line.
    fn fits(&self, version: Option<TlsVersion>) -> Vec<TableRow> {
        let (columns, _) = self.split_columns();
        let row = |column: &usize| {
            let line = memory_fit(&self.rows, *column)?;
            let cells = vec![
                TableCell::text(version.map_or("–", TlsVersion::word)),
                TableCell::number(line.slope, 3),
                TableCell::number(line.intercept, 3),
                TableCell::number(line.at(C10K) / 1024.0, 0),
                TableCell::number(line.r_squared, 5),
            ];
            Some(TableRow::new(self.name(*column), cells))
        };
        columns.iter().filter_map(row).collect()
    }

    /// Draws the figures with the lines fitted to them.
    fn memory_graph(&self, version: Option<TlsVersion>) -> Graph {
        let of_version = version.map_or_else(String::new, |version| format!(", TLS {version}"));
        let title = format!("Peak memory{of_version}");
        let (columns, _) = self.split_columns();
        let mib = Scale {
            factor: MIB,
            symbol: "MiB".to_owned(),
            decimals: 1,
        };
        let mut alt = format!(
            "Line chart: {title} in MiB over the number of sessions, for {}.",
            join(&self.names(&columns))
        );
        let cost = |column: &usize| {
            let (name, fit) = (self.name(*column), memory_fit(&self.rows, *column)?);
            Some(format!("{name} takes {:.1} KiB per session", fit.slope))
        };
        let costs: Vec<String> = columns.iter().filter_map(cost).collect();
        if !costs.is_empty() {
            alt += &format!(" {}.", join(&costs));
        }
        let y = Axis {
            unit: mib.symbol.clone(),
            better: Better::Lower,
        };
        let texts = (&*slug(&title), title, alt);
        let place = |row: &Row| Some((row.scenario.sessions?, mib.clone()));
        self.line_chart(texts, ("sessions", y), &columns, place, |column| {
            let fit = memory_fit(&self.rows, column)?;
            Some(LinearFit {
                slope: fit.slope / 1024.0,
                intercept: fit.intercept / 1024.0,
                ..fit
            })
        })
    }

    /// Returns the table of the main builds on the server's side in the newest version of TLS, then,
    /// folded, that of all builds and scenarios.
    pub(super) fn latency(&self) -> Vec<Table> {
        let all = Vec::from_iter(0..self.data.implementations.len());
        let (main, _) = self.split_columns();
        let newest = self.rows.iter().map(|row| row.scenario.version).max();
        let mut usual = self.with(|row| Some(row.scenario.version) == newest);
        let servers = usual.with(|row| row.scenario.side == Some(Side::Server));
        if !servers.rows.is_empty() {
            usual = servers;
        }
        let what = "Time of one handshake";
        let note = " Each figure is the median over the runs, max the median of their longest times; n counts handshakes.";
        let Some(main) = usual.percentiles(&main, what, note) else {
            return Vec::new();
        };
        let mut whole = self
            .percentiles(&all, what, note)
            .filter(|whole| whole.rows.len() > main.rows.len());
        if let Some(whole) = &mut whole {
            whole.rows.iter_mut().for_each(|row| row.id = None);
            whole.summary = Some("Latency of all builds in all scenarios".to_owned());
        }
        [main].into_iter().chain(whole).collect()
    }

    /// Returns a table with one row per scenario and implementation, one column per percentile, and the
    /// number of values where it is known. Its scale fits the medians: one that fits the maxima would
    /// print small figures with leading zeros.
    pub(super) fn percentiles(&self, columns: &[usize], what: &str, note: &str) -> Option<Table> {
        let medians = self.with(|r| r.scenario.percentile == Some(Percentile::P50));
        let figures = medians.rows.iter().flat_map(|r| medians.figures(r));
        let mut scale = Scale::of(&Unit::Time, figures.map(|f| f.1));
        scale.decimals = if scale.symbol == "ns" { 0 } else { 1 };
        let mut caveats = Caveats::of(self);
        let mut shown = Percentile::ALL.to_vec();
        shown.retain(|p| self.rows.iter().any(|r| r.scenario.percentile == Some(*p)));
        let counted = |cell: &Cell| Some(cell.distribution.as_ref()?.count());
        let cells = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let has_counts = cells.filter_map(counted).next().is_some();
        let (mut rows, mut ids) = (Vec::new(), Vec::new());
        for (base, part) in &self.by(without_percentile) {
            let label = base.label();
            let label = label.strip_prefix("latency of ").unwrap_or(&label);
            for column in columns {
                let with = |percentile| {
                    let mut rows = part.rows.iter();
                    rows.find(|r| r.scenario.percentile == percentile)?
                        .cell(*column)
                };
                let figure = |p: &Percentile| with(Some(*p))?.estimate();
                let figures: Vec<Option<f64>> = shown.iter().map(figure).collect();
                // All cells of a distribution share its caveats.
                let any = part.rows.iter().find_map(|r| r.cell(*column));
                let Some(any) = any.filter(|_| figures.iter().any(Option::is_some)) else {
                    continue;
                };
                let name = self.name(*column);
                ids.push((
                    format!("{base} {}", self.build(*column)),
                    slug(&format!("{base} {name}")),
                ));
                let mut cells = vec![TableCell {
                    footnotes: caveats.numbers(any),
                    ..TableCell::words(name)
                }];
                if has_counts {
                    let count = with(None).and_then(counted);
                    let count = count.map(|n| TableCell::number(n as f64, 0));
                    cells.push(count.unwrap_or_else(TableCell::missing));
                }
                cells.extend(figures.iter().map(|f| TableCell::figure(*f, &scale)));
                rows.push(TableRow::new(label, cells));
            }
        }
        for (row, id) in rows.iter_mut().zip(distinct(&ids)) {
            row.id = Some(id);
        }
        let head = ["implementation"]
            .into_iter()
            .chain(has_counts.then_some("n"));
        let head = head.chain(shown.iter().map(|p| p.word()));
        (!rows.is_empty()).then(|| Table {
            class: "results",
            about: Some("../method/#latency"),
            caption: format!("{what} in {}, lower is better.{note}", scale.symbol),
            corner: "scenario",
            head: head.map(Head::from).collect(),
            rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        })
    }
}

/// Returns a row's scenario without its number of threads.
fn without_threads(row: &Row) -> Scenario {
    Scenario {
        threads: None,
        ..row.scenario.clone()
    }
}

/// Returns a row's scenario without its percentile.
fn without_percentile(row: &Row) -> Scenario {
    Scenario {
        percentile: None,
        ..row.scenario.clone()
    }
}
