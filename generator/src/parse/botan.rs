//! `botan speed`, as text or with `--format=json`:
//!
//! ```text
//! SHA-256 hash buffer size 1024 bytes: 656.205 MiB/sec 3.06 cycles/byte (32.81 MiB in 50.00 ms)
//! RSA-2048 EMSA1(SHA-256) 668 sign/sec; 1.50 ms/op 3881845 cycles/op (35 ops in 52 ms)
//! {"algo": "SHA-256", "op": "hash", "events": 27620352, "buf_size": 1024, "nanos": 54350146}
//! ```
//!
//! Events with a buffer are bytes. The tables of `--format=table` repeat the lines above them.

use super::json::{self, is_json, starts_with};
use super::lines::{Line, Lines, Pattern, figure, group};
use super::number::finite;
use super::{Collector, collector::cite, name};
use crate::model::implementation::Implementation;
use crate::model::unit::Unit;
use serde::Deserialize;
use serde_json::value::RawValue;

static LINES: Lines = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) (?:buffer size (\d+) bytes: ([\d.]+) (MiB/sec)|(\d+) (\S.*?)/sec; ([\d.]+) ms/op)\b.* \([\d.]+ (?:MiB|ops?) in [\d.]+ ms\)$",
    ),
    marks: &[" MiB/sec", "/sec; ", " ms/op"],
    expected: "`… buffer size N bytes: R MiB/sec …` or `… N …/sec; T ms/op …`",
};

/// Rates are printed as whole numbers, times in hundredths of a millisecond: below this rate, the
/// time has the smaller error, as 1 / R = 0.005 R / 1000.
const MIN_RATE: f64 = 447.0;

#[derive(Deserialize)]
struct Measurement {
    algo: String,
    op: String,
    /// Operations or, with a buffer, bytes.
    events: f64,
    nanos: f64,
    buf_size: Option<u64>,
    /// Whole bytes a second.
    bps: Option<f64>,
}

pub(super) fn recognise(head: &str) -> bool {
    starts_with(head, r#"[{"algo":"#) || LINES.recognise(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    if is_json(text) {
        let items: Option<Vec<&RawValue>> = json::document(text, collector);
        let all = json::items(&items.unwrap_or_default(), text, collector);
        return json::each(all, collector, measurement);
    }
    let mut implementation = None;
    LINES.parse(text, collector, |line, collector| {
        let parts = match line {
            Line::Figures(parts) => parts,
            Line::Other(line) => {
                let version = line
                    .strip_prefix("Botan ")
                    .and_then(|l| l.split(' ').next());
                let version = version.filter(|v| v.starts_with(|c: char| c.is_ascii_digit()));
                let found = version.map(|version| Implementation::new("Botan", version, &[]));
                implementation = found.or(implementation.take());
                return Ok(());
            }
        };
        let what = &parts[1];
        let (label, unit, base) = match group(&parts, 2) {
            "" => {
                let rate = rate(&parts[5], &parts[7])?;
                (format!("{what} {}", &parts[6]), Unit::Rate, rate)
            }
            size => {
                let (unit, base) = figure(&parts[3], &parts[4])?;
                (format!("{what} ({size} bytes)"), unit, base)
            }
        };
        let scenario = name::scenario(&label)?;
        collector.repeated(implementation.as_ref(), scenario, unit, base);
        Ok(())
    });
}

/// The rate from `668` a second and `1.50` ms, of which the more precise one counts.
fn rate(a_second: &str, millis: &str) -> Result<f64, String> {
    let decimal = |text: &str| {
        text.parse::<f64>()
            .map_err(|_| cite("expected a number, got", text))
    };
    let (whole, millis_each) = (decimal(a_second)?, decimal(millis)?);
    // Both are rounded.
    let slowest = 1000.0 / (millis_each + 0.006);
    let fastest = 1000.0 / (millis_each - 0.006).max(f64::MIN_POSITIVE);
    if whole + 1.0 < slowest || whole > fastest {
        return Err(format!("{a_second} a second are not {millis} ms each"));
    }
    match whole < MIN_RATE {
        true => finite(1000.0 / millis_each, "rate"),
        false => Ok(whole),
    }
}

fn measurement(read: Measurement, collector: &mut Collector) -> Result<(), String> {
    let rate = finite(read.events / read.nanos * 1e9, "events in nanoseconds")?;
    let (label, unit) = match read.buf_size {
        Some(size) => (
            format!("{} {} ({size} bytes)", read.algo, read.op),
            Unit::Throughput,
        ),
        None => (format!("{} {}", read.algo, read.op), Unit::Rate),
    };
    if read
        .bps
        .is_some_and(|printed| (printed - rate).abs() > 1.0 + rate * 1e-9)
    {
        return Err(format!(
            "the bytes a second of {label} are not events in nanoseconds"
        ));
    }
    collector.repeated(None, name::scenario(&label)?, unit, rate);
    Ok(())
}
