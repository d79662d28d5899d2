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
use super::lines::{Line, Lines, Pattern, group};
use super::number::{finite, integer, measured};
use super::{Collector, collector::cite, name};
use crate::model::implementation::Implementation;
use crate::model::unit::{MIB, Unit};
use serde::Deserialize;

static LINES: Lines = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) (?:buffer size (\d+) bytes: ([\d.]+) MiB/sec|(\d+) (\S.*?)/sec; ([\d.]+) ms/op)\b.* \([\d.]+ (?:MiB|ops?) in [\d.]+ ms\)$",
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
    let mut botan = Implementation::new("Botan", "", &[]);
    if is_json(text) {
        let all = json::list(text, None, collector);
        return json::each(all, collector, |measurement: Measurement, collector| {
            let rate = measurement.rate()?;
            let Measurement {
                algo, op, buf_size, ..
            } = &measurement;
            add(&format!("{algo} {op}"), *buf_size, rate, &botan, collector)
        });
    }
    LINES.parse(text, collector, |line, collector| match line {
        Line::Figures(parts) => match group(&parts, 2) {
            "" => {
                let rate = operations(&parts[4], &parts[6])?;
                let what = format!("{} {}", &parts[1], &parts[5]);
                add(&what, None, rate, &botan, collector)
            }
            size => {
                let size = integer(size).ok_or_else(|| cite("not a size of a buffer:", size))?;
                let rate = measured(&parts[3], MIB)?;
                add(&parts[1], Some(size), rate, &botan, collector)
            }
        },
        Line::Other(line) => {
            let version = line
                .strip_prefix("Botan ")
                .map_or("", |l| l.split(' ').next().unwrap_or(l));
            if version.starts_with(|c: char| c.is_ascii_digit()) {
                botan.version = version.into();
            }
            Ok(())
        }
    });
}

fn add(
    what: &str,
    buffer: Option<u64>,
    rate: f64,
    botan: &Implementation,
    collector: &mut Collector,
) -> Result<(), String> {
    let size = buffer.map(|size| format!("{size} bytes"));
    let scenario = name::scenario(&name::with_details(what, size.as_slice()))?;
    let unit = if buffer.is_some() {
        Unit::Throughput
    } else {
        Unit::Rate
    };
    collector.repeated(Some(botan), scenario, unit, rate);
    Ok(())
}

/// The rate from `668` a second and `1.50` ms, of which the more precise one counts.
fn operations(a_second: &str, millis: &str) -> Result<f64, String> {
    let disagree = || format!("{a_second} a second are not {millis} ms each");
    let [whole, millis_each] = [a_second, millis].map(str::parse::<f64>);
    let (Ok(whole), Ok(millis_each)) = (whole, millis_each) else {
        return Err(disagree());
    };
    // Both are rounded.
    let slowest = 1000.0 / (millis_each + 0.006);
    let fastest = 1000.0 / (millis_each - 0.006).max(f64::MIN_POSITIVE);
    match whole + 1.0 < slowest || whole > fastest {
        true => Err(disagree()),
        false if whole < MIN_RATE => Ok(1000.0 / millis_each),
        false => Ok(whole),
    }
}

impl Measurement {
    fn rate(&self) -> Result<f64, String> {
        let rate = finite(self.events / self.nanos * 1e9, "events in nanoseconds")?;
        match self.bps {
            Some(printed) if (printed - rate).abs() > 1.0 + rate * 1e-9 => Err(format!(
                "{printed} bytes a second are not the events in {} ns",
                self.nanos
            )),
            _ => Ok(rate),
        }
    }
}
