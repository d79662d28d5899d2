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
//! A second `version:` starts another run. `-mr` prints [machine-readable lines](machine_readable)
//! instead. `-multi N` prints the results of each process, then the sums; OpenSSL 3.0 omits the
//! line of sizes from the table of sums.

mod machine_readable;

use super::number::{integer, measured, number};
use super::{Collector, collector::cite, markdown, name};
use crate::model::implementation::Implementation;
use crate::model::unit::Unit;
use machine_readable::SpeedLine;

/// Number of lines searched for a table: the tool prints up to eight above the first.
const LINES_ABOVE: usize = 10;

/// Starts of lines without figures, or with figures that are also in the tables.
const OTHER_LINES: &[&str] = &[
    "Doing ",
    "built on:",
    "options:",
    "compiler:",
    "CPUINFO:",
    "The 'numbers' are",
    "You have chosen",
    "+",
    "OPENSSL_",
    "CPU:",
];

/// Figures smaller than this, in bytes per second, are printed without `k`.
const MIN_WITH_K: f64 = 10_000.0;

pub(super) fn recognise(head: &str) -> bool {
    let lines = head.lines().filter(|l| !l.trim().is_empty());
    let is_typical = |line: &str| {
        sizes(line).is_some()
            || operations(line).is_some()
            || child(line).is_some()
            || SpeedLine::parse(line).is_some()
            || line.starts_with("The 'numbers' are in 1000s of bytes")
            || (line.starts_with("Doing ") && line.contains("'s in "))
    };
    lines.take(LINES_ABOVE).any(is_typical) && !markdown::is_prose(head)
}

/// The contents of a column.
#[derive(Clone)]
enum SpeedColumn {
    /// Throughput with blocks of this many bytes.
    Bytes(u64),
    /// Rates of an operation; the text is the suffix of the benchmark's name.
    Operation(String),
}

impl SpeedColumn {
    /// `op` adds nothing to the name.
    fn operation(word: &str) -> Self {
        let word = if word == "op" { "" } else { word };
        Self::Operation(format!(" {word}").trim_end().to_owned())
    }
}

type ReadFigure = fn(&str) -> Result<f64, String>;

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut state = State::default();
    collector.lines(text, |line, collector| state.line(line, collector));
}

/// Context from earlier lines.
#[derive(Default)]
struct State {
    implementation: Option<Implementation>,
    /// Columns of the current table; operations are preceded by as many columns of seconds.
    table: Vec<SpeedColumn>,
    /// Columns from a `+H` line.
    sizes: Vec<SpeedColumn>,
    /// Number of concurrent processes, if several: figures are their sums.
    processes: Option<u32>,
    /// Whether there was a row since the processes were started.
    has_rows: bool,
}

impl State {
    fn line(&mut self, line: &str, collector: &mut Collector) -> Result<(), String> {
        if let Some(number) = child(line) {
            self.processes = (number > 0).then_some(number + 1);
            self.has_rows = false;
        } else if line.starts_with(CHILD) {
            return Err(cite("expected the number of a process, got", line));
        } else if let Some(found) = version(line) {
            self.start();
            self.implementation = Some(found);
            self.table = std::mem::take(&mut self.sizes);
        } else if let Some(table) = sizes(line).or_else(|| operations(line)) {
            self.table = table;
        } else if let Some(of_child) = line.strip_prefix("Got: ") {
            if let Some(SpeedLine::Sizes(sizes)) = SpeedLine::parse(of_child) {
                self.sizes = sizes;
            }
        } else if let Some(found) = SpeedLine::parse(line) {
            self.machine_readable(line, found, collector)?;
        } else if !OTHER_LINES.iter().any(|start| line.starts_with(start)) {
            self.row(line, collector)?;
        }
        Ok(())
    }

    /// Starts another run of the tool, keeping its processes if they have just been listed.
    fn start(&mut self) {
        if std::mem::take(&mut self.has_rows) {
            self.processes = None;
        }
    }

    fn machine_readable(
        &mut self,
        line: &str,
        found: SpeedLine<'_>,
        collector: &mut Collector,
    ) -> Result<(), String> {
        match found {
            SpeedLine::Sizes(sizes) => {
                self.start();
                self.sizes = sizes;
            }
            SpeedLine::Row(name, columns, figures) => {
                let columns = columns.unwrap_or_else(|| self.sizes.clone());
                if columns.is_empty() || columns.len() != figures.len() {
                    let message = "no `+H` line above gives the size of each figure:";
                    return Err(cite(message, line));
                }
                self.figures(&name, &columns, &figures, number, collector);
            }
            SpeedLine::Unnamed => {
                let message = "-mr does not name the algorithm, left out:";
                collector.note(cite(message, line));
            }
            SpeedLine::Malformed => return Err(cite("not what `openssl speed -mr` prints:", line)),
        }
        Ok(())
    }

    fn row(&mut self, line: &str, collector: &mut Collector) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (seconds, is_figure, read): (usize, fn(&str) -> bool, ReadFigure) =
            match self.table.first() {
                Some(SpeedColumn::Bytes(_)) => (0, is_throughput, throughput),
                Some(SpeedColumn::Operation(_)) => (self.table.len(), is_figure, number),
                None => match words.last() {
                    Some(last) if is_throughput(last) || is_figure(last) => {
                        return Err(cite("no heading above says what was measured:", line));
                    }
                    _ => return Ok(()),
                },
            };
        let count = seconds + self.table.len();
        let (name, figures) = words.split_at(words.len().saturating_sub(count));
        // The figures are exactly the last words of the row.
        let all_are_figures = figures.iter().all(|w| is_figure(w));
        if !all_are_figures || name.last().is_none_or(|w| is_figure(w)) {
            let message = format!("expected a name and {count} figures, got");
            return Err(cite(&message, &words.join(" ")));
        }
        let (name, figures) = (name.join(" "), &figures[seconds..]);
        self.figures(&name, &self.table.clone(), figures, read, collector);
        Ok(())
    }

    /// Adds a figure for each column.
    fn figures(
        &mut self,
        what: &str,
        columns: &[SpeedColumn],
        figures: &[&str],
        read: ReadFigure,
        collector: &mut Collector,
    ) {
        self.has_rows = true;
        for (column, figure) in columns.iter().zip(figures) {
            let (operation, size, unit) = match column {
                SpeedColumn::Bytes(size) => ("", Some(format!("{size} bytes")), Unit::Throughput),
                SpeedColumn::Operation(suffix) => (suffix.as_str(), None, Unit::Rate),
            };
            let processes = self.processes.map(|n| format!("{n} processes"));
            let details: Vec<String> = size.into_iter().chain(processes).collect();
            let name = name::with_details(&format!("{what}{operation}"), &details);
            let scenario = collector.check(name::scenario(&name));
            if let (Some(scenario), Some(base)) = (scenario, collector.check(read(figure))) {
                collector.repeated(self.implementation.as_ref(), scenario, unit, base);
            }
        }
    }
}

/// Start of the lines in which `-multi` lists its processes, by ascending number from 0.
const CHILD: &str = "Forked child ";

/// More processes than any machine has cores.
const MAX_PROCESSES: u32 = 65_536;

fn child(line: &str) -> Option<u32> {
    let number = integer(line.strip_prefix(CHILD)?.trim_end());
    number.filter(|n| *n < MAX_PROCESSES)
}

/// Parses `version: 3.0.19`, or `OpenSSL 1.1.1w  11 Sep 2023` of older releases.
fn version(line: &str) -> Option<Implementation> {
    let mut words = line.split_whitespace();
    let (name, version) = match (words.next()?, words.next()?) {
        ("version:", version) => ("OpenSSL", version),
        (name @ ("OpenSSL" | "LibreSSL"), version) => (name, version),
        _ => return None,
    };
    let is_number = version.starts_with(|c: char| c.is_ascii_digit());
    is_number.then(|| Implementation::new(name, version, &[]))
}

fn sizes(line: &str) -> Option<Vec<SpeedColumn>> {
    let words: Vec<&str> = line.strip_prefix("type ")?.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| match pair {
        [size, "bytes"] => integer(size).map(SpeedColumn::Bytes),
        _ => None,
    });
    let sizes: Vec<SpeedColumn> = pairs.collect::<Option<_>>()?;
    (!sizes.is_empty()).then_some(sizes)
}

/// Parses headings such as `sign verify sign/s verify/s`: as many rates as times, in the same
/// order. Names are those of the times, since those of rates are abbreviated (`encr./s`).
fn operations(line: &str) -> Option<Vec<SpeedColumn>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (times, rates) = words.split_at(words.len() / 2);
    let is_name = |word: &&str| word.bytes().all(|b| b.is_ascii_lowercase());
    let is_heading = !rates.is_empty()
        && rates.len() == times.len()
        && rates.iter().all(|word| word.ends_with("/s"))
        && times.iter().all(is_name);
    let columns = times.iter().map(|word| SpeedColumn::operation(word));
    is_heading.then(|| columns.collect())
}

/// `128029.91k`
fn is_throughput(word: &str) -> bool {
    let number = word.strip_suffix('k').unwrap_or(word);
    let decimals = number.rsplit_once('.').map(|(_, decimals)| decimals.len());
    decimals == Some(2) && is_figure(number)
}

/// `0.000245s`, `4083.6`
fn is_figure(word: &str) -> bool {
    let number = word.strip_suffix('s').unwrap_or(word);
    number.contains('.') && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn throughput(figure: &str) -> Result<f64, String> {
    match figure.strip_suffix('k') {
        Some(thousands) => measured(thousands, 1e3),
        None => match number(figure)? {
            base if base <= MIN_WITH_K => Ok(base),
            _ => Err(cite("a figure this large must end in `k`:", figure)),
        },
    }
}
