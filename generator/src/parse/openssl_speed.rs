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

/// The columns of a table.
#[derive(Clone)]
struct Table {
    /// Throughput, or rates of operations: after as many columns of seconds.
    unit: Unit,
    /// `16 bytes`, or what follows the name of the benchmark: ` sign`.
    columns: Vec<String>,
}

impl Table {
    /// `op` adds nothing to the name.
    fn of_operations<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let suffix = |word| match word {
            "op" => String::new(),
            word => format!(" {word}"),
        };
        Self {
            unit: Unit::Rate,
            columns: words.map(suffix).collect(),
        }
    }
}

fn block_sizes(sizes: &[u64]) -> Table {
    Table {
        unit: Unit::Throughput,
        columns: sizes.iter().map(|size| format!("{size} bytes")).collect(),
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
    table: Option<Table>,
    /// From a `+H` line.
    sizes: Option<Table>,
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
            collector.implementation = Some(found);
            self.table = self.sizes.take();
        } else if let Some(table) = sizes(line).or_else(|| operations(line)) {
            self.table = Some(table);
        } else if let Some(of_child) = line.strip_prefix("Got: ") {
            if let Some(SpeedLine::Sizes(sizes)) = SpeedLine::parse(of_child) {
                self.sizes = Some(sizes);
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
                self.sizes = Some(sizes);
            }
            SpeedLine::Row(name, table, figures) => {
                let table = table.or_else(|| self.sizes.clone());
                let fits = |table: &Table| table.columns.len() == figures.len();
                let missing = || cite("no `+H` line above gives the size of each figure:", line);
                let table = table.filter(fits).ok_or_else(missing)?;
                self.figures(&name, &table, &figures, number, collector);
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
        let Some(table) = self.table.clone() else {
            let last = words.last();
            return match last.is_some_and(|last| is_throughput(last) || is_figure(last)) {
                true => Err(cite("no heading above says what was measured:", line)),
                false => Ok(()),
            };
        };
        let columns = table.columns.len();
        let (seconds, is_figure, read): (usize, fn(&str) -> bool, ReadFigure) = match table.unit {
            Unit::Throughput => (0, is_throughput, throughput),
            _ => (columns, is_figure, number),
        };
        let count = seconds + columns;
        let (name, figures) = words.split_at(words.len().saturating_sub(count));
        // The figures are exactly the last words of the row.
        let all_are_figures = figures.iter().all(|w| is_figure(w));
        if !all_are_figures || name.last().is_none_or(|w| is_figure(w)) {
            let message = format!("expected a name and {count} figures, got");
            return Err(cite(&message, &words.join(" ")));
        }
        self.figures(
            &name.join(" "),
            &table,
            &figures[seconds..],
            read,
            collector,
        );
        Ok(())
    }

    /// Adds a figure for each column.
    fn figures(
        &mut self,
        what: &str,
        table: &Table,
        figures: &[&str],
        read: ReadFigure,
        collector: &mut Collector,
    ) {
        self.has_rows = true;
        let processes = self.processes.map(|n| format!("{n} processes"));
        for (column, figure) in table.columns.iter().zip(figures) {
            let (name, size) = match table.unit {
                Unit::Throughput => (what.to_owned(), Some(column.clone())),
                _ => (format!("{what}{column}"), None),
            };
            let details: Vec<String> = size.into_iter().chain(processes.clone()).collect();
            let name = name::with_details(&name, &details);
            let added =
                read(figure).and_then(|base| collector.benchmark(&name, table.unit.clone(), base));
            collector.check(added);
        }
    }
}

/// Start of the lines in which `-multi` lists its processes, by ascending number from 0.
const CHILD: &str = "Forked child ";

fn child(line: &str) -> Option<u32> {
    let number: Option<u16> = integer(line.strip_prefix(CHILD)?.trim_end());
    number.map(u32::from)
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

fn sizes(line: &str) -> Option<Table> {
    let words: Vec<&str> = line.strip_prefix("type ")?.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| match pair {
        [size, "bytes"] => integer(size),
        _ => None,
    });
    let sizes: Vec<u64> = pairs.collect::<Option<_>>()?;
    (!sizes.is_empty()).then(|| block_sizes(&sizes))
}

/// Parses headings such as `sign verify sign/s verify/s`: as many rates as times, in the same
/// order. Names are those of the times, since those of rates are abbreviated (`encr./s`).
fn operations(line: &str) -> Option<Table> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (times, rates) = words.split_at(words.len() / 2);
    let is_name = |word: &&str| word.bytes().all(|b| b.is_ascii_lowercase());
    let is_heading = !rates.is_empty()
        && rates.len() == times.len()
        && rates.iter().all(|word| word.ends_with("/s"))
        && times.iter().all(is_name);
    is_heading.then(|| Table::of_operations(times.iter().copied()))
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
