//! `openssl speed`: a table of bytes per second by block size, then tables of operations per
//! second.
//!
//! ```text
//! type             16 bytes     64 bytes
//! sha256          128029.91k   410991.03k
//!                   sign    verify    sign/s verify/s
//! rsa 2048 bits 0.000245s 0.000016s   4083.6  60623.7
//! ```
//!
//! `k` is 1000 bytes per second; figures under 10,000 bytes per second are printed without it.
//! A second `version:` starts another run. `-multi N` prints the results of each process, then the
//! sums; OpenSSL 3.0 omits the line of sizes from the table of sums. What `-mr` prints is read by
//! entries.

use super::prelude::*;

/// Headings of tables: sizes, or as many times as rates in the same order, whose names are abbreviated
/// (`encr./s`).
static SIZES: Pattern = Pattern::marked("type ", r"^type((?: +\d+ bytes)+)$");
static OPERATIONS: Pattern = Pattern::marked("/s", r"^((?: *[a-z]+)+)((?: +\S+/s)+)$");

/// Rows of both kinds.
static SIZED: Pattern = Pattern::new(r"^(\S.*?)((?: +(?:\d+\.\d\dk|\d{1,4}\.\d\d))+)$");
static TIMED: Pattern = Pattern::new(r"^ *(\S.*?)((?: +\d+\.\d+s)+)((?: +\d+\.\d+)+)$");

/// `version: 3.0.19`, or `OpenSSL 1.1.1w  11 Sep 2023` of older releases.
static VERSION: Pattern = Pattern::new(r"^(version:|OpenSSL|LibreSSL) +(\d\S*)");

/// Rates have one decimal: below this one, the time beside it is more precise.
const MIN_RATE: f64 = 10.0;

#[derive(Default)]
pub(super) struct OpensslSpeed {
    /// What follows the name of the benchmark for each column: `16 bytes`, or ` sign`.
    columns: Vec<String>,
    unit: Option<Unit>,
    /// The sizes of each process.
    sizes: Vec<String>,
    /// `2 processes`, if several were started above the version: figures are their sums.
    forked: Option<String>,
    processes: Option<String>,
    /// Whether there was a row since the last version.
    has_rows: bool,
}

impl Tool for OpensslSpeed {
    fn line(&mut self, line: &str, out: &mut Collector) -> Line {
        if let Some(last) = line.strip_prefix("Forked child ") {
            let others: u32 = integer(last.trim_end()).unwrap_or(0);
            self.forked = (others > 0).then(|| format!("{} processes", others + 1));
            return Line::Foreign;
        } else if let Some(sizes) = line.strip_prefix("Got: +H:") {
            let sizes = sizes.split(' ').next().unwrap_or_default().split(':');
            self.sizes = sizes.map(|size| format!("{size} bytes")).collect();
        } else if let Some([_, name, version]) = VERSION.groups(line) {
            out.scope.run += u32::from(std::mem::take(&mut self.has_rows));
            let name = name.replace("version:", "OpenSSL");
            out.of(Implementation::new(&name, version, &[]));
            self.processes = self.forked.take();
            self.columns = std::mem::take(&mut self.sizes);
            self.unit = Some(Unit::Throughput).filter(|_| !self.columns.is_empty());
        } else if let Some([_, sizes]) = SIZES.groups(line) {
            let sizes = sizes.split_whitespace().step_by(2);
            self.columns = sizes.map(|size| format!("{size} bytes")).collect();
            self.unit = Some(Unit::Throughput);
        } else if let Some([_, times, _]) = OPERATIONS.groups(line) {
            // Keys of one name are made for both kinds of algorithm.
            let keygen = match times.contains("encaps") {
                true => "keygen (KEM)",
                false => "keygen (signature)",
            };
            let times = times.split_whitespace();
            let columns = times.map(|word| format!(" {}", word.replace("keygen", keygen)));
            self.columns = columns.map(|word| word.replace(" op", "")).collect();
            self.unit = Some(Unit::Rate);
        } else if self.row(line, out).is_none() {
            let is_figure = |word: &str| {
                word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['.', ','])
            };
            let is_odd = line.starts_with("+F")
                || (line.ends_with('k') && SIZED.captures(line).is_some())
                || (self.unit.is_some() && line.split_whitespace().any(is_figure));
            return if is_odd { Line::Odd } else { Line::Foreign };
        }
        Line::Known
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.unit = None;
    }
}

impl OpensslSpeed {
    /// Adds a figure for each column; `None` if a line is no row.
    fn row(&mut self, line: &str, out: &mut Collector) -> Option<()> {
        let unit = self.unit.clone()?;
        let (name, times, rates) = match unit {
            Unit::Throughput => SIZED
                .groups(line)
                .map(|[_, name, rates]| (name, "", rates))?,
            _ => TIMED
                .groups(line)
                .map(|[_, name, times, rates]| (name, times, rates))?,
        };
        let mut figures = numbers(rates)?;
        let times = numbers(times)?;
        if figures.len() != self.columns.len() || ![0, figures.len()].contains(&times.len()) {
            return None;
        }
        self.has_rows = true;
        if figures.iter().all(|figure| *figure == 0.0) {
            out.note(cite("not built in, since its figures are 0:", name));
            return Some(());
        }
        for (figure, time) in figures.iter_mut().zip(&times) {
            if *figure < MIN_RATE && *time > 0.0 {
                *figure = 1.0 / time;
            }
        }
        for (column, figure) in self.columns.iter().zip(figures) {
            let name = match (&unit, &self.processes) {
                (Unit::Throughput, None) => format!("{name} ({column})"),
                (Unit::Throughput, Some(processes)) => format!("{name} ({column}, {processes})"),
                (_, None) => format!("{name}{column}"),
                (_, Some(processes)) => format!("{name}{column} ({processes})"),
            };
            out.benchmark(&name, unit.clone(), figure);
        }
        Some(())
    }
}

/// `128029.91k`, `0.000245s` and `4083.6`.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let number = |word: &str| {
        let plain = word.trim_end_matches(['k', 's']);
        let factor = if word.ends_with('k') { 1e3 } else { 1.0 };
        let number = plain.parse::<f64>().into_iter().next()?;
        Some(number * factor)
    };
    text.split_whitespace().map(number).collect()
}
