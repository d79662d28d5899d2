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
const VERSIONS: [&str; 3] = ["version:", "OpenSSL ", "LibreSSL "];
static VERSION: Pattern = Pattern::new(r"^(version:|OpenSSL|LibreSSL) +(\d\S*)");

/// Rates have one decimal: below this one, the time beside it is more precise.
const MIN_RATE: f64 = 10.0;

#[derive(Default)]
pub(super) struct OpensslSpeed {
    /// What follows the name of the benchmark for each column: `16 bytes`, or `sign`.
    columns: Vec<String>,
    unit: Option<Unit>,
    /// The sizes of each process.
    sizes: Vec<String>,
    /// `2 processes`, if several ran at the same time: figures are their sums.
    processes: Option<String>,
    /// Whether they were started since the last row.
    are_new: bool,
    /// Whether there was a row since the last version.
    has_rows: bool,
}

impl Tool for OpensslSpeed {
    fn line(&mut self, line: &str, out: &mut Collector) -> Line {
        let words = || line.split_whitespace();
        if let Some(last) = line.strip_prefix("Forked child ") {
            let others: u32 = integer(last.trim_end()).unwrap_or(0);
            self.processes = (others > 0).then(|| format!("{} processes", others + 1));
            self.are_new = true;
            return Line::Foreign;
        } else if let Some(sizes) = line.strip_prefix("Got: +H:") {
            let sizes = sizes.split(' ').next().unwrap_or_default();
            self.sizes = sizes
                .split(':')
                .map(|size| format!("{size} bytes"))
                .collect();
        } else if starts_with_any(line, &VERSIONS)
            && let Some([_, name, version]) = VERSION.groups(line)
        {
            if std::mem::take(&mut self.has_rows) {
                self.processes = self.processes.take().filter(|_| self.are_new);
                out.scope.run += 1;
            }
            let name = name.replace("version:", "OpenSSL");
            out.of(Implementation::new(&name, version, &[]));
            self.columns = std::mem::take(&mut self.sizes);
            self.unit = Some(Unit::Throughput).filter(|_| !self.columns.is_empty());
        } else if let Some([_, sizes]) = SIZES.groups(line) {
            let sizes = sizes.split_whitespace().step_by(2);
            self.columns = sizes.map(|size| format!("{size} bytes")).collect();
            self.unit = Some(Unit::Throughput);
        } else if let Some([_, times, _]) = OPERATIONS.groups(line) {
            let times: Vec<&str> = times.split_whitespace().collect();
            // Keys of one name are made for both kinds of algorithm.
            let kind = if times.contains(&"encaps") {
                "KEM"
            } else {
                "signature"
            };
            let column = |word: &&str| match *word {
                "keygen" => format!("keygen ({kind})"),
                word => word.replace("op", ""),
            };
            self.columns = times.iter().map(column).collect();
            self.unit = Some(Unit::Rate);
        } else if self.row(line, out) {
        } else if line.starts_with("+F")
            || line.ends_with('k') && SIZED.captures(line).is_some()
            || self.unit.is_some() && words().any(is_figure)
        {
            return Line::Odd;
        } else {
            return Line::Foreign;
        }
        Line::Known
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.unit = None;
    }
}

/// Whether a word may be a figure, or one that is damaged.
fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['.', ','])
}

impl OpensslSpeed {
    /// Adds a figure for each column, if a line is a row.
    fn row(&mut self, line: &str, out: &mut Collector) -> bool {
        let (name, times, rates) = match &self.unit {
            Some(Unit::Throughput) => match SIZED.groups(line) {
                Some([_, name, rates]) => (name, None, rates),
                None => return false,
            },
            Some(_) => match TIMED.groups(line) {
                Some([_, name, times, rates]) => (name, Some(times), rates),
                None => return false,
            },
            None => return false,
        };
        let numbers =
            |text: &str| -> Option<Vec<f64>> { text.split_whitespace().map(number_of).collect() };
        let (Some(mut figures), Some(times)) = (numbers(rates), numbers(times.unwrap_or_default()))
        else {
            return false;
        };
        let is_whole = times.is_empty() || times.len() == figures.len();
        if figures.len() != self.columns.len() || !is_whole {
            return false;
        }
        (self.has_rows, self.are_new) = (true, false);
        if figures.iter().all(|figure| *figure == 0.0) {
            out.note(cite("not built in, since its figures are 0:", name));
            return true;
        }
        for (figure, time) in figures.iter_mut().zip(&times) {
            if *figure < MIN_RATE && *time > 0.0 {
                *figure = 1.0 / time;
            }
        }
        for (column, figure) in self.columns.iter().zip(figures) {
            let name = match times.is_empty() {
                true => format!("{name} ({column}"),
                false => format!("{name} {column}").trim_end().to_owned(),
            };
            let name = match (&self.processes, times.is_empty()) {
                (None, true) => name + ")",
                (None, false) => name,
                (Some(processes), true) => format!("{name}, {processes})"),
                (Some(processes), false) => format!("{name} ({processes})"),
            };
            let unit = self.unit.clone().unwrap_or(Unit::Rate);
            out.benchmark(&name, unit, figure);
        }
        true
    }
}

/// `128029.91k`, `0.000245s` or `4083.6`.
fn number_of(word: &str) -> Option<f64> {
    let plain = word.trim_end_matches(['k', 's']);
    let factor = if word.ends_with('k') { 1e3 } else { 1.0 };
    let number: Result<f64, _> = plain.parse();
    number.into_iter().next().map(|number| number * factor)
}
