//! wolfCrypt's `benchmark`:
//!
//! ```text
//!  wolfSSL version 5.5.4
//! AES-128-GCM-enc            1010 MiB took 1.001 seconds, 1009.102 MiB/s Cycles per byte =   2.45
//! RSA     2048   private       700 ops took 1.072 sec, avg 1.532 ms, 652.820 ops/sec
//! ```
//!
//! `MB` of versions before 5.5 is MiB; later ones print `MiB`, or `MB` with `-base10`.

use super::prelude::*;

static LINES: Lines<4> = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) +\d+ [A-Za-z]+ took [\d.]+ sec(?:onds)?,(?: avg [\d.]+ ms,)? +([\d.]+) ([A-Za-z]+/s(?:ec)?)(?: Cycles per byte = +[\d.]+)?$",
    ),
    marks: &[" took "],
    expected: "`NAME N MiB took T seconds, R MiB/s` or `NAME N ops took T sec, avg A ms, R ops/sec`",
};

pub(super) fn recognise(head: &str) -> bool {
    let is_heading = |line: &str| line.starts_with("wolfCrypt Benchmark");
    head.lines().any(is_heading) || LINES.recognise(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut is_old = true;
    collector.of(Implementation::new("wolfSSL", "", &[]));
    LINES.parse(text, collector, |line, collector| match line {
        Line::Figures([_, name, value, symbol]) => {
            let symbol = match symbol {
                "MB/s" if is_old => "MiB/s",
                "KB/s" if is_old => "KiB/s",
                // `-base10` of old versions.
                "mB/s" => "MB/s",
                other => other,
            };
            let (unit, base) = figure(value, symbol)?;
            let words: Vec<&str> = name.split_whitespace().collect();
            collector.benchmark(&words.join(" ").replace("[ ", "["), unit, base)
        }
        Line::Other(line) => {
            if let Some(version) = line.trim().strip_prefix("wolfSSL version ") {
                let wolfssl = Implementation::new("wolfSSL", version, &[]);
                is_old = wolfssl.version.numbers() < vec![5, 5];
                collector.of(wolfssl);
            }
            Ok(())
        }
    });
}
