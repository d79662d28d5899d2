//! `bssl speed` of BoringSSL and AWS-LC, and other tools that took over its lines:
//!
//! ```text
//! Did 4074 RSA 2048 verify operations in 1001829us (4066.6 ops/sec)
//! Did 7100 AES-128-GCM (8192 bytes) seal operations in 1000113us (7099.2 ops/sec): 58.2 MB/s
//! ```
//!
//! MB/s are decimal. Which of the libraries it was is not printed.

use super::number::{measured, number};
use super::{Collector, collector::cite, markdown, name};
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
    let lines = head.lines().filter(|l| !l.trim().is_empty());
    let is_figure = |l: &str| l.starts_with("Did ") && LINE.is_match(l.trim_end());
    lines.take(LINES_ABOVE).any(is_figure) && !markdown::is_prose(head)
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    collector.lines(text, |line, collector| {
        let has_figure = line.starts_with("Did ")
            || line.contains(" operations in ")
            || line.contains("ops/sec");
        if has_figure {
            read(line.trim_end(), collector)?;
        }
        Ok(())
    });
}

fn read(line: &str, collector: &mut Collector) -> Result<(), String> {
    let expected = "expected `Did N … operations in Tus (R ops/sec)`, got";
    let parts = LINE.captures(line).ok_or_else(|| cite(expected, line))?;
    let what = &parts[2];
    let rate = number(&parts[4])?;
    let scenario = name::scenario(what)?;
    let bytes = BYTES.captures(what).map(|b| number(&b[1])).transpose()?;
    let (unit, base) = match (bytes, parts.get(5)) {
        (Some(_), None) => return Err(cite("the MB/s are missing:", line)),
        (None, None) => (Unit::Rate, rate),
        (bytes, Some(printed)) => {
            let printed = printed.as_str();
            let base = measured(printed, 1e6)?;
            if let Some(bytes) = bytes.filter(|bytes| !agree(rate, *bytes, base)) {
                let message = format!("{rate} ops/sec of {bytes} bytes are not {printed} MB/s:");
                return Err(cite(&message, line));
            }
            (Unit::Throughput, base)
        }
    };
    collector.repeated(None, scenario, unit, base);
    Ok(())
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
