//! `bssl speed` of BoringSSL and AWS-LC, and other tools with the same output:
//!
//! ```text
//! Did 4074 RSA 2048 verify operations in 1001829us (4066.6 ops/sec)
//! Did 7100 AES-128-GCM (8192 bytes) seal operations in 1000113us (7099.2 ops/sec): 58.2 MB/s
//! ```
//!
//! MB/s are decimal. The output does not name the library.

use super::prelude::*;

static LINES: Lines<5> = Lines {
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
        let Line::Figures([line, name, bytes, rate, printed]) = line else {
            return Ok(());
        };
        let a_second = number(rate)?;
        if printed.is_empty() {
            return match bytes {
                "" => collector.benchmark(name, Unit::Rate, a_second),
                _ => Err(cite("the MB/s are missing:", line)),
            };
        }
        let base = measured(printed, 1e6)?;
        if !bytes.is_empty() {
            let size = number(bytes)?;
            // Both rates are printed with one decimal, so their error is at most 0.05.
            let tolerance = 0.05 * size + 0.05e6 + base * 1e-9;
            if (a_second * size - base).abs() > tolerance {
                let message = format!("{rate} ops/sec of {bytes} bytes are not {printed} MB/s:");
                return Err(cite(&message, line));
            }
        }
        collector.benchmark(name, Unit::Throughput, base)
    });
}
