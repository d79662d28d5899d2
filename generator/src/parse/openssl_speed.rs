//! `openssl speed`: a table of bytes per second for each size of block, then tables of
//! operations per second.
//!
//! ```text
//! type             16 bytes     64 bytes
//! sha256          128029.91k   410991.03k
//!                   sign    verify    sign/s verify/s
//! rsa 2048 bits 0.000245s 0.000016s   4083.6  60623.7
//! ```
//!
//! `k` is 1000 bytes per second; what is under 10,000 bytes per second is printed without it.
//! A second `version:` starts another run. `-mr` prints [lines for machines](machine_readable)
//! instead. `-multi N` prints what each process measured, then the sums; OpenSSL 3.0 leaves the
//! line with the sizes out of their table.

mod machine_readable;
#[cfg(test)]
pub(super) mod tests;

use super::number::integer;
use super::{Collector, collector::quote, markdown, measured, name, number};
use crate::implementation::Implementation;
use crate::unit::Unit;
use machine_readable::Line;

/// What the tool prints above its first table takes up to eight lines.
const LINES_ABOVE: usize = 10;

/// Lines that hold no figure, or figures that the tables hold too.
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
    let mut lines = head
        .lines()
        .filter(|l| !l.trim().is_empty())
        .take(LINES_ABOVE);
    let telling = |line: &str| {
        sizes(line).is_some()
            || operations(line).is_some()
            || child(line).is_some()
            || Line::parse(line).is_some()
            || line.starts_with("The 'numbers' are in 1000s of bytes")
            || (line.starts_with("Doing ") && line.contains("'s in "))
    };
    lines.any(telling) && !markdown::is_prose(head)
}

/// The table whose rows come now.
#[derive(Default)]
enum Table {
    #[default]
    None,
    /// Bytes of a block, a column each.
    Sizes(Vec<u64>),
    /// Operations: a column of seconds each, then a column of rates each.
    Operations(Vec<String>),
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let mut file = File {
        collector,
        implementation: None,
        table: Table::None,
        sizes: None,
        processes: 1,
        has_rows: false,
    };
    for (index, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            file.line(index as u32 + 1, line);
        }
    }
}

/// What the lines above tell about those below.
struct File<'a> {
    collector: &'a mut Collector,
    implementation: Option<Implementation>,
    table: Table,
    /// Sizes of blocks of a `+H` line.
    sizes: Option<Vec<u64>>,
    /// Processes that measured at once, whose sum each figure is.
    processes: u32,
    /// A row was seen since the processes were started.
    has_rows: bool,
}

impl File<'_> {
    fn line(&mut self, line: u32, text: &str) {
        if let Some(number) = child(text) {
            self.processes = number + 1;
            self.has_rows = false;
        } else if text.starts_with(CHILD) {
            let message = format!("expected the number of a process, got {}", quote(text));
            self.collector.problem(line, message);
        } else if let Some(found) = version(text) {
            self.start();
            self.implementation = Some(found);
            self.table = self.sizes.take().map_or(Table::None, Table::Sizes);
        } else if let Some(sizes) = sizes(text) {
            self.table = Table::Sizes(sizes);
        } else if let Some(names) = operations(text) {
            self.table = Table::Operations(names);
        } else if let Some(of_child) = text.strip_prefix("Got: ") {
            if let Some(Line::Sizes(sizes)) = Line::parse(of_child) {
                self.sizes = Some(sizes);
            }
        } else if let Some(found) = Line::parse(text) {
            self.machine_readable(line, text, found);
        } else if !OTHER_LINES.iter().any(|start| text.starts_with(start)) {
            self.row(line, text);
        }
    }

    /// Another execution of the tool, unless its processes were listed just now.
    fn start(&mut self) {
        if self.has_rows {
            self.processes = 1;
            self.has_rows = false;
        }
    }

    fn machine_readable(&mut self, line: u32, text: &str, found: Line<'_>) {
        match found {
            Line::Sizes(sizes) => {
                self.start();
                self.sizes = Some(sizes);
            }
            Line::Throughput { name, figures } => match self.sizes.clone() {
                Some(sizes) if sizes.len() == figures.len() => {
                    for (size, figure) in sizes.iter().zip(figures) {
                        self.throughput(line, name, *size, number(figure));
                    }
                }
                _ => self.collector.problem(
                    line,
                    format!(
                        "no `+H` above gives a size for each figure: {}",
                        quote(text)
                    ),
                ),
            },
            Line::Operations { name, figures } => {
                for (operation, figure) in figures {
                    self.operation(line, &name, operation, number(figure));
                }
            }
            Line::Unnamed => self.collector.note(
                line,
                format!(
                    "the algorithm is known only without -mr, left out: {}",
                    quote(text)
                ),
            ),
            Line::Malformed => self.collector.problem(
                line,
                format!("not what `openssl speed -mr` prints: {}", quote(text)),
            ),
        }
    }

    fn row(&mut self, line: u32, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        match std::mem::take(&mut self.table) {
            Table::Sizes(sizes) => {
                if let Some((what, figures)) =
                    self.split_row(line, &words, sizes.len(), is_throughput)
                {
                    for (size, figure) in sizes.iter().zip(figures) {
                        self.throughput(line, &what, *size, throughput(figure));
                    }
                }
                self.table = Table::Sizes(sizes);
            }
            Table::Operations(names) => {
                if let Some((what, figures)) =
                    self.split_row(line, &words, 2 * names.len(), is_figure)
                {
                    for (operation, figure) in names.iter().zip(&figures[names.len()..]) {
                        self.operation(line, &what, operation, number(figure));
                    }
                }
                self.table = Table::Operations(names);
            }
            Table::None => {
                let has_figure = |word: &&str| is_throughput(word) || is_figure(word);
                if words.last().is_some_and(has_figure) {
                    self.collector.problem(
                        line,
                        format!("no heading above tells what was measured: {}", quote(text)),
                    );
                }
            }
        }
    }

    fn throughput(&mut self, line: u32, what: &str, size: u64, base: Result<f64, String>) {
        let name = match self.processes {
            1 => format!("{what} ({size} bytes)"),
            n => format!("{what} ({size} bytes, {n} processes)"),
        };
        self.figure(line, &name, Unit::Throughput, base);
    }

    fn operation(&mut self, line: u32, what: &str, operation: &str, rate: Result<f64, String>) {
        let mut name = what.to_owned();
        // `op` says nothing.
        if operation != "op" {
            name += &format!(" {operation}");
        }
        if self.processes > 1 {
            name += &format!(" ({} processes)", self.processes);
        }
        self.figure(line, &name, Unit::Rate, rate);
    }

    fn figure(&mut self, line: u32, name: &str, unit: Unit, base: Result<f64, String>) {
        self.has_rows = true;
        let scenario = self.collector.check(line, name::scenario(name));
        if let (Some(scenario), Some(base)) = (scenario, self.collector.check(line, base)) {
            let implementation = self.implementation.as_ref();
            self.collector
                .repeated(implementation, line, scenario, unit, base);
        }
    }

    /// The name of a row and its last `count` words, which must be all of its figures.
    fn split_row<'a>(
        &mut self,
        line: u32,
        words: &'a [&'a str],
        count: usize,
        is_figure: fn(&str) -> bool,
    ) -> Option<(String, &'a [&'a str])> {
        let at = words.len().checked_sub(count).filter(|at| *at > 0);
        let found = at.map(|at| words.split_at(at)).filter(|(name, figures)| {
            figures.iter().all(|w| is_figure(w)) && !name.last().is_some_and(|w| is_figure(w))
        });
        if found.is_none() {
            self.collector.problem(
                line,
                format!(
                    "expected a name and {count} figures, got {}",
                    quote(&words.join(" "))
                ),
            );
        }
        found.map(|(name, figures)| (name.join(" "), figures))
    }
}

/// How `-multi` reports a process; the last one has the largest number.
const CHILD: &str = "Forked child ";

/// More than any machine has cores.
const MAX_PROCESSES: u32 = 65_536;

fn child(line: &str) -> Option<u32> {
    let number = integer(line.strip_prefix(CHILD)?.trim_end())?;
    (number < MAX_PROCESSES).then_some(number)
}

/// `version: 3.0.19`, and `OpenSSL 1.1.1w  11 Sep 2023` of older releases.
fn version(line: &str) -> Option<Implementation> {
    let mut words = line.split_whitespace();
    let (name, version) = match (words.next()?, words.next()?) {
        ("version:", version) => ("OpenSSL", version),
        (name @ ("OpenSSL" | "LibreSSL"), version) => (name, version),
        _ => return None,
    };
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| Implementation::new(name, version, &[]))
}

fn sizes(line: &str) -> Option<Vec<u64>> {
    let words: Vec<&str> = line.strip_prefix("type ")?.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| match pair {
        [size, "bytes"] => integer(size),
        _ => None,
    });
    pairs
        .collect::<Option<Vec<u64>>>()
        .filter(|sizes| !sizes.is_empty())
}

/// The names of `sign verify sign/s verify/s`: as many rates as times, in the same order. The
/// rates' own words are cut to fit (`encr./s`), so the times' count.
fn operations(line: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (times, rates) = words.split_at(words.len() / 2);
    let named = !rates.is_empty()
        && rates.len() == times.len()
        && rates.iter().all(|w| w.ends_with("/s"))
        && times
            .iter()
            .all(|w| w.chars().all(|c| c.is_ascii_lowercase()));
    named.then(|| times.iter().map(|&w| w.to_owned()).collect())
}

/// `128029.91k`
fn is_throughput(word: &str) -> bool {
    let number = word.strip_suffix('k').unwrap_or(word);
    number
        .rsplit_once('.')
        .is_some_and(|(_, decimals)| decimals.len() == 2)
        && is_figure(number)
}

/// `0.000245s`, `4083.6`
fn is_figure(word: &str) -> bool {
    let number = word.strip_suffix('s').unwrap_or(word);
    number.contains('.') && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn throughput(figure: &str) -> Result<f64, String> {
    match figure.strip_suffix('k') {
        Some(thousands) => measured(thousands, 1e3),
        None => number(figure).and_then(|base| {
            if base <= MIN_WITH_K {
                Ok(base)
            } else {
                Err(format!(
                    "a figure as great as this ends in `k`: {}",
                    quote(figure)
                ))
            }
        }),
    }
}
