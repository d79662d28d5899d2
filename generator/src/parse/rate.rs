//! The end of a row of rustls-bench and openssl-bench: one rate, or a rate per thread.
//!
//! `6720.11 MB/s`, or `threads 2 3151.66 3857.44 total 7009.10 per-thread 3504.55 MB/s`.

use super::collector::cite;
use super::number::measured;
use crate::model::unit::{MIB, Unit};

/// A total rate in base units, and the number of threads, if known.
#[derive(Debug, PartialEq)]
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

/// Parses the unit as printed by both tools, which print "MB/s" but divide by 1024·1024
/// (rustls-bench `total_mbs`, bench.cc `total_mbs`).
fn unit(symbol: &str) -> Result<(Unit, f64), String> {
    match symbol {
        "MB/s" => Ok((Unit::Throughput, MIB)),
        "handshakes/s" | "handshake/s" => Ok((Unit::HandshakeRate, 1.0)),
        _ => Err(cite("expected the unit MB/s or handshakes/s, got", symbol)),
    }
}

impl Rate {
    pub(super) fn parse(fields: &[&str]) -> Result<Self, String> {
        let (symbol, total, threads) = match fields {
            [value, symbol] => (symbol, value, None),
            [
                "threads",
                count,
                rates @ ..,
                "total",
                total,
                "per-thread",
                _,
                symbol,
            ] => (symbol, total, Some((count, rates))),
            _ => {
                let message = "expected a rate and its unit at the end of the row, got";
                return Err(cite(message, &fields.join(" ")));
            }
        };
        let (unit, factor) = unit(symbol)?;
        let base = measured(total, factor)?;
        let mut rate = Self {
            unit,
            base,
            threads: None,
        };
        let Some((count, rates)) = threads else {
            return Ok(rate);
        };
        let threads: u32 = count
            .parse()
            .map_err(|_| cite("expected a number of threads, got", count))?;
        if rates.len() != threads as usize {
            return Err(format!("{threads} threads, but {} rates", rates.len()));
        }
        let rates = rates.iter().map(|r| measured(r, factor));
        let sum = rates.sum::<Result<f64, String>>()?;
        // Both have at least five significant digits.
        if (sum / base - 1.0).abs() > 1e-4 {
            let message = "the rates of the threads do not add up to the total";
            return Err(cite(message, total));
        }
        rate.threads = Some(threads);
        Ok(rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(row: &str) -> Result<Rate, String> {
        Rate::parse(&row.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn one_thread_and_several() {
        let one = parse("6720.11 MB/s").expect("a rate");
        assert_eq!((one.unit.printed(one.base), one.threads), (6720.11, None));
        let two = parse("threads 2 3151.66 3857.44 total 7009.10 per-thread 3504.55 MB/s");
        let two = two.expect("rates");
        assert_eq!((two.unit.printed(two.base), two.threads), (7009.1, Some(2)));
    }

    #[test]
    fn damage_is_detected() {
        for row in [
            "6720.11",
            "6720.11 MB",
            "NaN MB/s",
            "threads 2 3151.66 total 7009.10 per-thread 3504.55 MB/s",
            "threads 2 3151.66 385.44 total 7009.10 per-thread 3504.55 MB/s",
        ] {
            assert!(parse(row).is_err(), "{row}");
        }
    }
}
