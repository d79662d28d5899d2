//! `bssl speed` of BoringSSL and AWS-LC, and other tools with the same output:
//!
//! ```text
//! Did 4074 RSA 2048 verify operations in 1001829us (4066.6 ops/sec)
//! Did 7100 AES-128-GCM (8192 bytes) seal operations in 1000113us (7099.2 ops/sec): 58.2 MB/s
//! ```
//!
//! MB/s are decimal. The output does not name the library.

use super::number::{measured, number};
use super::{Collector, collector::cite, markdown, name};
use crate::model::unit::Unit;
use regex_lite::Regex;
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"^Did (\d+) (\S.*?) operations in (\d+) ?us \(([\d.]+) ops/sec\)(?:: ([\d.]+) MB/s)?$";
    Regex::new(pattern).expect("a constant pattern")
});
static BYTES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\((\d+) bytes?\)").expect("a constant pattern"));

/// Number of lines searched for a figure: only echoes of commands may come first.
const LINES_ABOVE: usize = 5;

pub(super) fn recognise(head: &str) -> bool {
    let lines = head.lines().filter(|l| !l.trim().is_empty());
    let is_figure = |l: &str| l.starts_with("Did ") && LINE.is_match(l.trim_end());
    lines.take(LINES_ABOVE).any(is_figure) && !markdown::is_prose(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
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
            // Both rates are printed with one decimal, so their error is at most 0.05.
            let tolerance = |bytes: f64| 0.05 * bytes + 0.05e6 + base * 1e-9;
            let disagree = |bytes: &f64| (rate * bytes - base).abs() > tolerance(*bytes);
            if let Some(bytes) = bytes.filter(disagree) {
                let message = format!("{rate} ops/sec of {bytes} bytes are not {printed} MB/s:");
                return Err(cite(&message, line));
            }
            (Unit::Throughput, base)
        }
    };
    collector.repeated(None, scenario, unit, base);
    Ok(())
}
