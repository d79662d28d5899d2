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
//! A second `version:` starts another run.

use super::{Collector, collector::quote, markdown, measured, name, number};
use crate::implementation::Implementation;
use crate::unit::Unit;

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
    "Forked child ",
    "Got: ",
    "+",
    "OPENSSL_",
    "CPU:",
];

/// Figures smaller than this, in bytes per second, are printed without `k`.
const LEAST_WITH_K: f64 = 10_000.0;

pub(super) fn recognise(head: &str) -> bool {
    let mut lines = head
        .lines()
        .filter(|l| !l.trim().is_empty())
        .take(LINES_ABOVE);
    let telling = |line: &str| {
        sizes(line).is_some()
            || operations(line).is_some()
            || line.starts_with("The 'numbers' are in 1000s of bytes")
            || (line.starts_with("Doing ") && line.contains("'s in "))
    };
    lines.any(telling) && !markdown::is_prose(head)
}

/// The table whose rows come now.
enum Table {
    None,
    /// Bytes of a block, a column each.
    Sizes(Vec<u64>),
    /// Operations: a column of seconds each, then a column of rates each.
    Operations(Vec<String>),
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let mut table = Table::None;
    let mut implementation = None;
    for (index, line) in text.lines().enumerate() {
        let line_number = index as u32 + 1;
        if let Some(found) = version(line) {
            implementation = Some(found);
            table = Table::None;
        } else if let Some(sizes) = sizes(line) {
            table = Table::Sizes(sizes);
        } else if let Some(names) = operations(line) {
            table = Table::Operations(names);
        } else if !line.trim().is_empty()
            && !OTHER_LINES.iter().any(|start| line.starts_with(start))
        {
            row(
                line_number,
                line,
                &table,
                implementation.as_ref(),
                collector,
            );
        }
    }
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
        [size, "bytes"] => size.parse().ok(),
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

fn row(
    line: u32,
    text: &str,
    table: &Table,
    implementation: Option<&Implementation>,
    collector: &mut Collector,
) {
    let words: Vec<&str> = text.split_whitespace().collect();
    match table {
        Table::Sizes(sizes) => {
            let Some((what, figures)) =
                split_row(line, &words, sizes.len(), is_throughput, collector)
            else {
                return;
            };
            for (size, figure) in sizes.iter().zip(figures) {
                let scenario = name::scenario(&format!("{what} ({size} bytes)"));
                let base = throughput(figure);
                if let (Some(scenario), Some(base)) =
                    (collector.check(line, scenario), collector.check(line, base))
                {
                    collector.repeated(implementation, line, scenario, Unit::Throughput, base);
                }
            }
        }
        Table::Operations(names) => {
            let Some((what, figures)) =
                split_row(line, &words, 2 * names.len(), is_figure, collector)
            else {
                return;
            };
            for (name, figure) in names.iter().zip(&figures[names.len()..]) {
                // `op` says nothing.
                let operation = if name == "op" {
                    String::new()
                } else {
                    format!(" {name}")
                };
                let scenario = name::scenario(&format!("{what}{operation}"));
                if let (Some(scenario), Some(rate)) = (
                    collector.check(line, scenario),
                    collector.check(line, number(figure)),
                ) {
                    collector.repeated(implementation, line, scenario, Unit::Rate, rate);
                }
            }
        }
        Table::None
            if words
                .last()
                .is_some_and(|w| is_throughput(w) || is_figure(w)) =>
        {
            collector.problem(
                line,
                format!("no heading above tells what was measured: {}", quote(text)),
            );
        }
        Table::None => {}
    }
}

/// The name of a row and its last `count` words, which must be all of its figures.
fn split_row<'a>(
    line: u32,
    words: &'a [&'a str],
    count: usize,
    is_figure: fn(&str) -> bool,
    collector: &mut Collector,
) -> Option<(String, &'a [&'a str])> {
    let at = words.len().checked_sub(count).filter(|at| *at > 0);
    let found = at.map(|at| words.split_at(at)).filter(|(name, figures)| {
        figures.iter().all(|w| is_figure(w)) && !name.last().is_some_and(|w| is_figure(w))
    });
    if found.is_none() {
        collector.problem(
            line,
            format!(
                "expected a name and {count} figures, got {}",
                quote(&words.join(" "))
            ),
        );
    }
    found.map(|(name, figures)| (name.join(" "), figures))
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
            if base <= LEAST_WITH_K {
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

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const FIXTURE: &str = "\
Doing sha256 for 1s on 16 size blocks: 3920916 sha256's in 0.49s
version: 3.0.19
built on: Fri Apr  3 12:29:32 2026 UTC
options: bn(64,64)
CPUINFO: OPENSSL_ia32cap=0xfffa3203078bffff:0x405fc6f1bf07ab
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes  16384 bytes
sha256          128029.91k   410991.03k  1757236.85k
des ede3          9000.12    1290878.52k  1419350.23k
                  sign    verify    sign/s verify/s
rsa 2048 bits 0.000245s 0.000016s   4083.6  60623.7
                              sign    verify    sign/s verify/s
 256 bits ecdsa (nistp256)   0.0000s   0.0001s  49373.5  16332.8
                              op      op/s
 253 bits ecdh (X25519)   0.0000s  30030.9
";

    #[test]
    fn figures() {
        assert_eq!(
            read(Format::OpensslSpeed, "out", FIXTURE),
            [
                "8: OpenSSL 3.0.19: sha256 (16 bytes) = 122.0988368988 MiB/s",
                "8: OpenSSL 3.0.19: sha256 (64 bytes) = 391.95158958435 MiB/s",
                "8: OpenSSL 3.0.19: sha256 (16384 bytes) = 1675.8316516876 MiB/s",
                "9: OpenSSL 3.0.19: des ede3 (16 bytes) = 0.0085831832885742 MiB/s",
                "9: OpenSSL 3.0.19: des ede3 (64 bytes) = 1231.0776901245 MiB/s",
                "9: OpenSSL 3.0.19: des ede3 (16384 bytes) = 1353.5978603363 MiB/s",
                "11: OpenSSL 3.0.19: rsa 2048 bits sign = 4083.6 ops/s",
                "11: OpenSSL 3.0.19: rsa 2048 bits verify = 60623.7 ops/s",
                "13: OpenSSL 3.0.19: 256 bits ecdsa (nistp256) sign = 49373.5 ops/s",
                "13: OpenSSL 3.0.19: 256 bits ecdsa (nistp256) verify = 16332.8 ops/s",
                "15: OpenSSL 3.0.19: 253 bits ecdh (X25519) = 30030.9 ops/s",
            ]
        );
    }

    #[test]
    fn another_version_is_another_block() {
        let two = FIXTURE.to_owned() + &FIXTURE.replace("3.0.19", "3.5.1") + FIXTURE;
        let rows = read(Format::OpensslSpeed, "out", &two);
        assert_eq!(rows.len(), 33);
        assert!(
            rows[11].starts_with("23: OpenSSL 3.5.1: sha256") && !rows[11].contains("run"),
            "{}",
            rows[11]
        );
        assert!(rows[22].ends_with("run 1"), "{}", rows[22]);
    }

    #[test]
    fn problems() {
        let broken = FIXTURE
            .replace("410991.03k", "410991.03")
            .replace(" 60623.7", "")
            .replace("128029.91k", "0.00");
        assert_eq!(
            read(Format::OpensslSpeed, "out", &broken),
            [
                "8! a figure as great as this ends in `k`: `410991.03`",
                "8! a figure must be positive and finite, not `0.00`",
                "11! expected a name and 4 figures, got `rsa 2048 bits 0.000245s 0.000016s 4083.6`",
            ]
        );
        let headless = FIXTURE.replace("type  ", "tipe  ");
        assert_eq!(read(Format::OpensslSpeed, "out", &headless).len(), 2);
    }
}
