//! The end of a row of rustls-bench and openssl-bench: one rate, or a rate per thread.
//!
//! `6720.11 MB/s`, or `threads 2 3151.66 3857.44 total 7009.10 per-thread 3504.55 MB/s`.

use super::prelude::*;

/// A total rate in base units, and the number of threads, if known.
pub(super) struct Rate {
    pub(super) unit: Unit,
    pub(super) base: f64,
    pub(super) threads: Option<u32>,
}

/// Whether a field is the first of those for [`Rate::parse`].
pub(super) fn starts_here(field: &str) -> bool {
    field == "threads"
        || field.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        || field.parse().is_ok_and(|value: f64| !value.is_finite())
}

impl Rate {
    pub(super) fn parse(fields: &[&str]) -> Result<Self, String> {
        let (count, rates, total, symbol) = match fields {
            [total, symbol] => (None, &[][..], total, symbol),
            [
                "threads",
                count,
                rest @ ..,
                "total",
                total,
                "per-thread",
                _,
                symbol,
            ] => (Some(count), rest, total, symbol),
            _ => {
                let message = "expected a rate and its unit at the end of the row, got";
                return Err(cite(message, &fields.join(" ")));
            }
        };
        let (unit, factor) = match *symbol {
            // Both tools divide by 1024·1024 (rustls-bench and bench.cc, `total_mbs`).
            "MB/s" => (Unit::Throughput, MIB),
            "handshakes/s" | "handshake/s" => (Unit::HandshakeRate, 1.0),
            _ => return Err(cite("expected the unit MB/s or handshakes/s, got", symbol)),
        };
        let base = measured(total, factor)?;
        let mut threads = None;
        if let Some(count) = count {
            threads = positive(count);
            if threads.is_none_or(|n: u32| n as usize != rates.len()) {
                let message = format!("{} rates, but the threads are", rates.len());
                return Err(cite(&message, count));
            }
            let rates = rates.iter().map(|r| measured(r, factor));
            let sum = rates.sum::<Result<f64, String>>()?;
            // Both have at least five significant digits.
            if (sum / base - 1.0).abs() > 1e-4 {
                let message = "the rates of the threads do not add up to the total";
                return Err(cite(message, total));
            }
        }
        Ok(Self {
            unit,
            base,
            threads,
        })
    }
}
