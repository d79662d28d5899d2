//! `bssl speed` of BoringSSL and AWS-LC, and other tools with the same output:
//!
//! ```text
//! Did 4074 RSA 2048 verify operations in 1001829us (4066.6 ops/sec)
//! Did 7100 AES-128-GCM (8192 bytes) seal operations in 1000113us (7099.2 ops/sec): 58.2 MB/s
//! ```
//!
//! MB/s are decimal. The output does not name the library.

use super::prelude::*;

static LINES: Lines<7> = Lines {
    pattern: Pattern::new(
        r"^Did (\d+) (\S.*?(?:\((\d+) bytes?\).*?)?) operations in (\d+) ?us \(([\d.]+) ops/sec\)(?:: ([\d.]+) MB/s)?$",
    ),
    marks: &[" operations in ", "us ("],
    expected: "`Did N … operations in Tus (R ops/sec)`",
};

/// Figures have one decimal: below this one, operations and their time are more precise.
const MIN_PRINTED: f64 = 10.0;

#[derive(Default)]
pub(super) struct BsslSpeed;

impl Tool for BsslSpeed {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let [line, count, name, bytes, micros, rate, printed] = match LINES.find(line) {
            Ok(parts) => parts,
            // Of each call.
            Err(Foreign) if line.starts_with("  min: ") => return Ok(()),
            Err(taken) => return Err(taken),
        };
        let exact = number(count)? / number(micros)? * 1e6;
        let rate = close(amount(rate)?, exact).ok_or_else(|| {
            cite(
                &format!("{count} in {micros}us are not {rate} ops/sec:"),
                line,
            )
        })?;
        if printed.is_empty() {
            return match bytes {
                "" => Ok(out.benchmark(name, Unit::Rate, rate)?),
                _ => wrong("the MB/s are missing:", line),
            };
        }
        let mut base = amount(printed)? * 1e6;
        if !bytes.is_empty() {
            let size = number(bytes)?;
            base = close(base / 1e6, exact * size / 1e6).ok_or_else(|| {
                let message = format!("{rate} ops/sec of {bytes} bytes are not {printed} MB/s:");
                cite(&message, line)
            })? * 1e6;
        }
        match printed.trim_matches(['0', '.']) {
            "" => out.benchmark(name, Unit::Rate, rate)?,
            _ => out.benchmark(name, Unit::Throughput, base)?,
        }
        Ok(())
    }
}

/// The figure as printed with one decimal, or the exact one where it is more precise; `None` if
/// they differ by more than that decimal.
fn close(printed: f64, exact: f64) -> Option<f64> {
    let is_close = (printed - exact).abs() <= 0.0501 + exact * 1e-9;
    is_close.then_some(if printed < MIN_PRINTED {
        exact
    } else {
        printed
    })
}
