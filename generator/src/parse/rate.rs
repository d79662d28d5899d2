//! The end of a row of rustls-bench and openssl-bench: one rate, or a rate for each thread.
//!
//! `6720.11 MB/s`, or `threads 2 3151.66 3857.44 total 7009.10 per-thread 3504.55 MB/s`.

use super::collector::quote;
use super::number::measured;
use crate::unit::{MIB, Unit};

/// A rate in base units and the threads that it was reached with together, if known.
#[derive(Debug, PartialEq)]
pub(super) struct Rate {
    pub(super) unit: Unit,
    pub(super) base: f64,
    pub(super) threads: Option<u32>,
}

/// The first field of [`Rate::parse`]'s part of a row starts with a digit or is `threads`.
pub(super) fn starts_here(field: &str) -> bool {
    field == "threads"
        || field.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        || is_not_finite(field)
}

fn is_not_finite(field: &str) -> bool {
    let bare = field.trim_start_matches(['-', '+']).to_ascii_lowercase();
    matches!(bare.as_str(), "nan" | "inf" | "infinity")
}

/// The unit as both tools print it. Both divide by 1024·1024 and print "MB/s"
/// (rustls-bench `total_mbs`, bench.cc `total_mbs`).
fn unit(symbol: &str) -> Result<(Unit, f64), String> {
    match symbol {
        "MB/s" => Ok((Unit::Throughput, MIB)),
        "handshakes/s" | "handshake/s" => Ok((Unit::HandshakeRate, 1.0)),
        _ => Err(format!(
            "expected the unit MB/s or handshakes/s, got {}",
            quote(symbol)
        )),
    }
}

impl Rate {
    /// # Errors
    /// What is missing or wrong, with the text.
    pub(super) fn parse(fields: &[&str]) -> Result<Self, String> {
        match fields {
            [value, symbol] => {
                let (unit, factor) = unit(symbol)?;
                Ok(Self {
                    unit,
                    base: measured(value, factor)?,
                    threads: None,
                })
            }
            [
                "threads",
                count,
                rates @ ..,
                "total",
                total,
                "per-thread",
                _,
                symbol,
            ] => {
                let (unit, factor) = unit(symbol)?;
                let threads: u32 = count
                    .parse()
                    .map_err(|_| format!("expected a number of threads, got {}", quote(count)))?;
                if rates.len() != threads as usize {
                    return Err(format!("{threads} threads, but {} rates", rates.len()));
                }
                let sum = rates
                    .iter()
                    .map(|r| measured(r, factor))
                    .sum::<Result<f64, String>>()?;
                let base = measured(total, factor)?;
                // Both are printed with at least five significant digits.
                if (sum / base - 1.0).abs() > 1e-4 {
                    return Err(format!(
                        "the rates of the threads do not add up to the total {}",
                        quote(total)
                    ));
                }
                Ok(Self {
                    unit,
                    base,
                    threads: Some(threads),
                })
            }
            _ => Err(format!(
                "expected a rate and its unit at the end of the row, got {}",
                quote(&fields.join(" "))
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        let one = Rate::parse(&["6720.11", "MB/s"]).expect("a rate");
        assert_eq!(
            (one.unit.print(one.base), one.threads),
            ("6720.11".to_owned(), None)
        );
        let many = [
            "threads",
            "2",
            "3151.66",
            "3857.44",
            "total",
            "7009.10",
            "per-thread",
            "3504.55",
            "MB/s",
        ];
        let two = Rate::parse(&many).expect("rates");
        assert_eq!(
            (two.unit.print(two.base), two.threads),
            ("7009.1".to_owned(), Some(2))
        );
    }

    #[test]
    fn damage_is_seen() {
        for fields in [
            &["6720.11"][..],
            &["6720.11", "MB"],
            &["NaN", "MB/s"],
            &[
                "threads",
                "2",
                "3151.66",
                "total",
                "7009.10",
                "per-thread",
                "3504.55",
                "MB/s",
            ],
            &[
                "threads",
                "2",
                "3151.66",
                "385.44",
                "total",
                "7009.10",
                "per-thread",
                "3504.55",
                "MB/s",
            ],
        ] {
            assert!(Rate::parse(fields).is_err(), "{fields:?}");
        }
    }
}
