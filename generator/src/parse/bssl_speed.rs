//! `bssl speed` of BoringSSL and AWS-LC, and other tools that took over its lines:
//!
//! ```text
//! Did 4074 RSA 2048 verify operations in 1001829us (4066.6 ops/sec)
//! Did 7100 AES-128-GCM (8192 bytes) seal operations in 1000113us (7099.2 ops/sec): 58.2 MB/s
//! ```
//!
//! MB/s are decimal. Which of the libraries it was is not printed.

use super::{Collector, collector::quote, markdown, measured, name, number};
use crate::unit::Unit;
use regex_lite::Regex;
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"^Did (\d+) (\S.*?) operations in (\d+) ?us \(([\d.]+) ops/sec\)(?:: ([\d.]+) MB/s)?$";
    Regex::new(pattern).expect("a constant pattern")
});
static BYTES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\((\d+) bytes?\)").expect("a constant pattern"));

/// Echoes of commands may stand above the first line, not more.
const LINES_ABOVE: usize = 5;

pub(super) fn recognise(head: &str) -> bool {
    let mut lines = head
        .lines()
        .filter(|l| !l.trim().is_empty())
        .take(LINES_ABOVE);
    lines.any(|l| l.starts_with("Did ") && LINE.is_match(l.trim_end())) && !markdown::is_prose(head)
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    for (index, line) in text.lines().enumerate() {
        let figures = line.starts_with("Did ")
            || line.contains(" operations in ")
            || line.contains("ops/sec");
        if figures {
            read(index as u32 + 1, line.trim_end(), collector);
        }
    }
}

fn read(line: u32, text: &str, collector: &mut Collector) {
    let Some(parts) = LINE.captures(text) else {
        return collector.problem(
            line,
            format!(
                "expected `Did N … operations in Tus (R ops/sec)`, got {}",
                quote(text)
            ),
        );
    };
    let field = |index| parts.get(index).map(|m: regex_lite::Match<'_>| m.as_str());
    let what = &parts[2];
    let rate = collector.check(line, number(&parts[4]));
    let scenario = collector.check(line, name::scenario(what));
    let bytes = BYTES
        .captures(what)
        .and_then(|b| collector.check(line, number(&b[1])));
    let (Some(rate), Some(scenario)) = (rate, scenario) else {
        return;
    };
    match (bytes, field(5)) {
        (Some(_), None) => {
            collector.problem(line, format!("the MB/s are missing: {}", quote(text)));
        }
        (bytes, Some(throughput)) => {
            let Some(base) = collector.check(line, measured(throughput, 1e6)) else {
                return;
            };
            match bytes {
                Some(bytes) if !agree(rate, bytes, base) => {
                    let message = format!(
                        "{rate} ops/sec of {bytes} bytes are not {throughput} MB/s: {}",
                        quote(text)
                    );
                    collector.problem(line, message);
                }
                _ => {
                    collector.repeated(None, line, scenario, Unit::Throughput, base);
                }
            }
        }
        (None, None) => {
            collector.repeated(None, line, scenario, Unit::Rate, rate);
        }
    }
}

/// Both are printed with one decimal, so each is off by 0.05 of its unit at most.
fn agree(rate: f64, bytes: f64, base: f64) -> bool {
    (rate * bytes - base).abs() <= 0.05 * bytes + 0.05e6 + base * 1e-9
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const FIXTURE: &str = "\
bssl speed -filter AES
Did 1000 RSA 2048 signing operations in 500000us (2000.0 ops/sec)
  min: 16142us, median: 39190us, max: 74690us
Did 1000 EVP-AES-128-GCM encrypt init operations in 100000us (10000.0 ops/sec)
Did 1000 EVP-AES-128-GCM encrypt (16384 bytes) operations in 50000us (20000.0 ops/sec): 327.7 MB/s
Did 3000 AES-256-GCM (16 bytes) seal operations in 10000us (300000.0 ops/sec): 4.8 MB/s
Did 1001 RSA 2048 signing operations in 500000us (2002.0 ops/sec)
";

    #[test]
    fn figures() {
        assert_eq!(
            read(Format::BsslSpeed, "out", FIXTURE),
            [
                "2: RSA 2048 signing = 2000 ops/s",
                "4: EVP-AES-128-GCM encrypt init = 10000 ops/s",
                "5: EVP-AES-128-GCM encrypt (16384 bytes) = 312.51907348633 MiB/s",
                "6: AES-256-GCM (16 bytes) seal = 4.57763671875 MiB/s",
                "7: RSA 2048 signing = 2002 ops/s, run 1",
            ]
        );
    }

    #[test]
    fn problems() {
        let broken = FIXTURE
            .replace("(16384", "(1384")
            .replace(": 4.8 MB/s", "")
            .replace("2002.0", "nan");
        assert_eq!(
            read(Format::BsslSpeed, "out", &broken),
            [
                "5! 20000 ops/sec of 1384 bytes are not 327.7 MB/s: `Did 1000 EVP-AES-128-GCM encrypt (1384 bytes) operations in 50000us (20000.0 ops…`",
                "6! the MB/s are missing: `Did 3000 AES-256-GCM (16 bytes) seal operations in 10000us (300000.0 ops/sec)`",
                "7! expected `Did N … operations in Tus (R ops/sec)`, got `Did 1001 RSA 2048 signing operations in 500000us (nan ops/sec)`",
            ]
        );
    }
}
