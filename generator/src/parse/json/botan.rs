//! `botan speed --format=json`:
//!
//! ```text
//! {"algo": "SHA-256", "op": "hash", "events": 27620352, "buf_size": 1024, "nanos": 54350146}
//! ```
//!
//! Events with a buffer are bytes.

use super::prelude::*;

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

pub(super) fn parse(text: &str, out: &mut Collector) {
    out.of(Implementation::new("Botan", "", &[]));
    let all = super::list(text, out);
    super::each(all, out, |one: Measurement, out| {
        let name = format!("{} {}", one.algo, one.op);
        add(&name, one.buf_size, one.rate()?, out)
    });
    out.of(None);
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

/// Adds the rate of an operation.
pub(in crate::parse) fn add(
    what: &str,
    buffer: Option<u64>,
    rate: f64,
    out: &mut Collector,
) -> Result<(), String> {
    // An operation such as that of `bcrypt wf=4` has no name.
    let what = what.trim_end();
    match buffer {
        Some(size) => out.benchmark(&format!("{what} ({size} bytes)"), Unit::Throughput, rate),
        None => out.benchmark(what, Unit::Rate, rate),
    }
}
