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
//! sums; OpenSSL 3.0 omits the line of sizes from the table of sums. `-mr` prints fields separated
//! by colons instead:
//!
//! ```text
//! +H:16:64                                     sizes of blocks
//! +F:6:sha256:128029910.00:410991030.00        bytes per second
//! +F2:2:2048:4083.600000:60623.700000          rsa: sign/s, verify/s, and since 3.2 two more
//! +F4:3:256:49373.500000:16332.800000          ecdsa, by index in the tool's list of curves
//! +F5:22:253:30030.900000:0.000033             ecdh: op/s, and seconds
//! +F6:0:253:Ed25519:23041.000000:8077.000000   with the name
//! ```

use super::prelude::*;

/// Headings of tables.
static SIZES: Pattern = Pattern::new(r"^type((?: +\d+ bytes)+)$");
static OPERATIONS: Pattern = Pattern::new(r"^((?: *[a-z]+)+)((?: +\S+/s)+)$");

/// `version: 3.0.19`, or `OpenSSL 1.1.1w  11 Sep 2023` of older releases.
const VERSIONS: [&str; 3] = ["version:", "OpenSSL ", "LibreSSL "];
static VERSION: Pattern = Pattern::new(r"^(version:|OpenSSL|LibreSSL) +(\d\S*)");

/// Rows of `-mr`, with exact decimals, so that a truncated one is noticed: names, then figures.
static SIZED: Pattern = Pattern::new(r"^\+F:\d+:([^:]+)((?::\d+\.\d{2})+)$");
static COUNTED: Pattern =
    Pattern::new(r"^\+F(\d+):(\d+)(?::(\d+))?(?::([A-Za-z][^:]*))?((?::\d+\.\d{6})+)$");

/// Starts of lines without figures, or with figures that are also in the tables.
const OTHER: [&str; 10] = [
    "built on:",
    "options:",
    "compiler:",
    "CPUINFO:",
    "The 'numbers' are",
    "You have chosen",
    "OPENSSL_",
    "CPU:",
    "Got: ",
    "engine ",
];

/// Start of the lines in which `-multi` lists its processes, by ascending number from 0.
const CHILD: &str = "Forked child ";

/// Figures smaller than this, in bytes per second, are printed without `k`.
const MIN_WITH_K: f64 = 10_000.0;

/// Rates have one decimal: below this one, the time beside it is more precise.
const MIN_RATE: f64 = 10.0;

/// The columns of a table.
#[derive(Clone)]
struct Table {
    /// Throughput, or rates of operations: after as many columns of seconds.
    unit: Unit,
    /// `16 bytes`, or what follows the name of the benchmark: `sign`.
    columns: Vec<String>,
}

impl Table {
    /// Parses `type 16 bytes 64 bytes`, or `sign verify sign/s verify/s`: as many rates as times,
    /// in the same order. Names are those of the times, since those of rates are abbreviated
    /// (`encr./s`).
    fn of(heading: &str) -> Option<Self> {
        let is_rate = heading.trim_end().ends_with("/s");
        if !is_rate && !heading.starts_with("type ") {
            return None;
        }
        if let Some([_, sizes]) = SIZES.groups(heading) {
            return Self::of_sizes(sizes.split_whitespace().filter(|word| *word != "bytes"));
        }
        let [_, times, rates] = OPERATIONS.groups(heading)?;
        let times: Vec<&str> = times.split_whitespace().collect();
        (times.len() == rates.split_whitespace().count()).then(|| Self::of_operations(&times))
    }

    fn of_sizes<'a>(sizes: impl Iterator<Item = &'a str>) -> Option<Self> {
        let size = |size| Some(format!("{} bytes", integer::<u64>(size)?));
        let columns: Vec<String> = sizes.map(size).collect::<Option<_>>()?;
        (!columns.is_empty()).then_some(Self {
            unit: Unit::Throughput,
            columns,
        })
    }

    /// `op` adds nothing to the name. Keys of one name are made for both kinds of algorithm.
    fn of_operations(words: &[&str]) -> Self {
        let kind = if words.contains(&"encaps") {
            "KEM"
        } else {
            "signature"
        };
        let column = |word: &&str| match *word {
            "keygen" => format!("keygen ({kind})"),
            word => word.replace("op", ""),
        };
        Self {
            unit: Unit::Rate,
            columns: words.iter().map(column).collect(),
        }
    }

    /// Whether a word is a figure of a row: `128029.91k`, or `0.000245s` and `4083.6`.
    fn is_figure(&self, word: &str) -> bool {
        let decimals = decimals_of(word.strip_suffix(['k', 's']).unwrap_or(word));
        decimals.is_some_and(|n| self.unit == Unit::Rate || n == 2)
    }

    /// Whether a word may be made of figures, or of one that is damaged.
    fn has_figure(&self, word: &str) -> bool {
        let suffix = if self.unit == Unit::Rate { 's' } else { 'k' };
        let is_of_figure = |c: char| c.is_ascii_digit() || c == '.' || c == suffix;
        word.contains(['.', ','])
            && word.starts_with(|c: char| c.is_ascii_digit())
            && (word.ends_with(suffix) || word.chars().all(is_of_figure))
    }
}

/// The number of digits after the point of `4083.6`.
fn decimals_of(word: &str) -> Option<usize> {
    let (whole, decimals) = word.split_once('.')?;
    (is_integer(whole) && is_integer(decimals)).then_some(decimals.len())
}

#[derive(Default)]
pub(super) struct OpensslSpeed {
    table: Option<Table>,
    /// From a `+H` line.
    sizes: Option<Table>,
    /// `2 processes`, if several ran at the same time: figures are their sums.
    processes: Option<String>,
    /// Whether there was a row since the processes were started.
    has_rows: bool,
}

impl Tool for OpensslSpeed {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        // Of each process, the parent prints `Got: … from N`.
        let of_child = line.strip_prefix("Got: ");
        let printed = of_child.and_then(|line| line.split(" from ").next());
        if let Some(last) = line.strip_prefix(CHILD) {
            let wrong = || cite("expected the number of a process, got", line);
            let last: u16 = integer(last.trim_end()).ok_or_else(wrong)?;
            self.processes = (last > 0).then(|| format!("{} processes", u32::from(last) + 1));
            self.has_rows = false;
        } else if starts_with_any(line, &VERSIONS)
            && let Some([_, name, version]) = VERSION.groups(line)
        {
            self.start();
            out.heading();
            let name = name.replace("version:", "OpenSSL");
            out.of(Implementation::new(&name, version, &[]));
            self.table = self.sizes.take();
        } else if let Some(table) = Table::of(line) {
            self.table = Some(table);
        } else if let Some(sizes) = printed.unwrap_or(line).strip_prefix("+H:") {
            let sizes = Table::of_sizes(sizes.trim_end().split(':'));
            if of_child.is_none() {
                self.start();
                sizes.as_ref().ok_or_else(|| malformed(line))?;
            }
            self.sizes = sizes.or_else(|| self.sizes.take());
        } else if line.starts_with("+F") {
            self.machine_readable(line, out)?;
        } else if !is_other(line) {
            return self.row(line, out);
        }
        Ok(())
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.table = None;
    }
}

impl OpensslSpeed {
    /// Starts another run of the tool, keeping its processes if they have just been listed.
    fn start(&mut self) {
        if std::mem::take(&mut self.has_rows) {
            self.processes = None;
        }
    }

    fn machine_readable(&mut self, line: &str, collector: &mut Collector) -> Result<(), String> {
        if let Some([_, name, figures]) = SIZED.groups(line) {
            let figures = machine_readable_figures(figures)?;
            let sizes = self.sizes.clone();
            let sizes = sizes.filter(|sizes| sizes.columns.len() == figures.len());
            let missing = || cite("no `+H` line above gives the size of each figure:", line);
            self.figures(name, &sizes.ok_or_else(missing)?, &figures, collector);
            return Ok(());
        }
        let parts = COUNTED.groups(line).ok_or_else(|| malformed(line))?;
        let [_, kind, index, bits, curve, figures] = parts;
        let figures = machine_readable_figures(figures)?;
        let (what, operations) = match (kind, bits, curve, figures.len()) {
            // KEMs and signatures since OpenSSL 3.2, whose index means different algorithms in
            // different builds.
            (_, "", "", _) => {
                let message = "-mr does not name the algorithm, left out:";
                collector.note(cite(message, line));
                return Ok(());
            }
            (_, "", ..) => return Err(malformed(line)),
            ("2", _, "", 2 | 4) => (format!("rsa {bits} bits"), "sign verify encrypt decrypt"),
            ("3", _, "", 2) => (format!("dsa {bits} bits"), "sign verify"),
            ("4", _, "", 2) => (format!("{bits} bits ecdsa (curve {index})"), "sign verify"),
            ("5", _, "", 2) => (format!("{bits} bits ecdh (curve {index})"), "op"),
            // OpenSSL 4 changed the number of ffdh.
            ("7" | "8", _, "", 2) => (format!("{bits} bits ffdh"), "op"),
            (_, _, "", _) => return Err(malformed(line)),
            ("6", .., 2) => (format!("{bits} bits EdDSA ({curve})"), "sign verify"),
            // A separate list until OpenSSL 3.
            ("7", .., 2) => (format!("{bits} bits SM2 ({curve})"), "sign verify"),
            _ => return Err(malformed(line)),
        };
        let operations: Vec<&str> = operations.split(' ').collect();
        let table = Table::of_operations(&operations);
        self.figures(&what, &table, &figures, collector);
        Ok(())
    }

    fn row(&mut self, line: &str, out: &mut Collector) -> Taken {
        let Some(table) = self.table.clone() else {
            let is_figure =
                |word: &str| decimals_of(word.strip_suffix('k').unwrap_or("")) == Some(2);
            return Err(
                match line.contains('.') && line.split_whitespace().any(is_figure) {
                    true => Damaged(cite("no heading above says what was measured:", line)),
                    false => Foreign,
                },
            );
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        if !words.iter().any(|word| table.has_figure(word)) {
            return Err(Foreign);
        }
        let columns = table.columns.len();
        let seconds = match table.unit {
            Unit::Throughput => 0,
            _ => columns,
        };
        let count = seconds + columns;
        let (name, figures) = words.split_at(words.len().saturating_sub(count));
        // The figures are exactly the last words of the row.
        let all_are_figures = figures.iter().all(|word| table.is_figure(word));
        if !all_are_figures || name.last().is_none_or(|word| table.is_figure(word)) {
            let message = format!("expected a name and {count} figures, got");
            return wrong(&message, &words.join(" "));
        }
        let (times, rates) = figures.split_at(seconds);
        let mut bases = Vec::new();
        for (index, rate) in rates.iter().enumerate() {
            bases.push(match times.get(index) {
                Some(time) => precise(time, rate)?,
                None => throughput(rate)?,
            });
        }
        self.figures(&name.join(" "), &table, &bases, out);
        Ok(())
    }

    /// Adds a figure for each column.
    fn figures(&mut self, what: &str, table: &Table, bases: &[f64], out: &mut Collector) {
        self.has_rows = true;
        if bases.iter().all(|base| *base == 0.0) {
            return out.note(cite("not built in, since its figures are 0:", what));
        }
        for (column, base) in table.columns.iter().zip(bases) {
            let (name, size) = match table.unit {
                Unit::Throughput => (what.to_owned(), Some(column.clone())),
                _ => (format!("{what} {column}"), None),
            };
            let details = size.into_iter().chain(self.processes.clone());
            let name = name::with_details(name.trim_end(), details);
            let added = out.benchmark(&name, table.unit.clone(), *base);
            out.check(added);
        }
    }
}

fn is_other(line: &str) -> bool {
    let is_progress =
        line.starts_with("Doing ") && (line.contains(" for ") || line.contains("'s in "));
    let is_machine_readable = line.starts_with('+') && line.contains(':');
    is_progress || is_machine_readable || starts_with_any(line, &OTHER)
}

/// The rate, or that of the time if it has more digits; an error if they do not agree.
fn precise(time: &str, rate: &str) -> Result<f64, String> {
    let decimals = decimals_of(time.trim_end_matches('s')).unwrap_or(0) as i32;
    let (time, base) = (amount(time.trim_end_matches('s'))?, amount(rate)?);
    let (last, least) = (0.6 * 0.1_f64.powi(decimals), base - 0.06);
    // Both are rounded.
    let agree =
        time <= last || (least * (time - last) <= 1.0 && (base + 0.06) * (time + last) >= 1.0);
    match agree {
        false => Err(format!("{time} s each are not {rate} a second")),
        true if base < MIN_RATE && time > 0.0 => Ok(1.0 / time),
        true => Ok(base),
    }
}

/// `:4083.600000:60623.700000`
fn machine_readable_figures(figures: &str) -> Result<Vec<f64>, String> {
    figures.split(':').skip(1).map(amount).collect()
}

fn malformed(line: &str) -> String {
    cite("not what `openssl speed -mr` prints:", line)
}

fn throughput(figure: &str) -> Result<f64, String> {
    match figure.strip_suffix('k') {
        Some(thousands) => measured(thousands, 1e3),
        None => match amount(figure)? {
            base if base <= MIN_WITH_K => Ok(base),
            _ => Err(cite("a figure this large must end in `k`:", figure)),
        },
    }
}
