//! `bssl speed` of BoringSSL and AWS-LC, and other tools with the same output:
//!
//! ```text
//! Did 4074 RSA 2048 verify operations in 1001829us (4066.6 ops/sec)
//! Did 7100 AES-128-GCM (8192 bytes) seal operations in 1000113us (7099.2 ops/sec): 58.2 MB/s
//! ```
//!
//! MB/s are decimal. The output does not name the library.

use super::lines::{Line, Lines, Pattern, group};
use super::number::{measured, number};
use super::{Collector, collector::cite, name};
use crate::model::unit::Unit;

static LINES: Lines = Lines {
    pattern: Pattern::new(
        r"^Did \d+ (\S.*?(?:\((\d+) bytes?\).*?)?) operations in \d+ ?us \(([\d.]+) ops/sec\)(?:: ([\d.]+) MB/s)?$",
    ),
    marks: &["Did ", " operations in ", "ops/sec"],
    expected: "`Did N … operations in Tus (R ops/sec)`",
};

/// Number of lines searched for a figure: only echoes of commands may come first.
const LINES_ABOVE: usize = 5;

pub(super) fn recognise(head: &str) -> bool {
    let mut lines = head
        .lines()
        .filter(|l| !l.trim().is_empty())
        .take(LINES_ABOVE);
    lines.any(|line| LINES.has_figures(line)) && LINES.recognise(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    LINES.parse(text, collector, |line, collector| {
        let Line::Figures(parts) = line else {
            return Ok(());
        };
        let scenario = name::scenario(&parts[1])?;
        let rate = number(&parts[3])?;
        let (unit, base) = match (group(&parts, 2), group(&parts, 4)) {
            ("", "") => (Unit::Rate, rate),
            (_, "") => return Err(cite("the MB/s are missing:", &parts[0])),
            (bytes, printed) => {
                let base = measured(printed, 1e6)?;
                let of_rate = if bytes.is_empty() {
                    base
                } else {
                    rate * number(bytes)?
                };
                // Both rates are printed with one decimal, so their error is at most 0.05.
                let tolerance = 0.05 * of_rate / rate + 0.05e6 + base * 1e-9;
                if (of_rate - base).abs() > tolerance {
                    let message =
                        format!("{rate} ops/sec of {bytes} bytes are not {printed} MB/s:");
                    return Err(cite(&message, &parts[0]));
                }
                (Unit::Throughput, base)
            }
        };
        collector.repeated(None, scenario, unit, base);
        Ok(())
    });
}
