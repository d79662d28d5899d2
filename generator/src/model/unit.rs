//! Units: what a figure measures, its base unit, and which way is better.
//!
//! Inside the program every figure is in a base unit (bytes/s, operations/s, seconds, bytes).
//! Parsers convert the units that tools print, and [`Scale`](super::scale::Scale) chooses one for
//! each column that readers see.

use crate::model::tidy::rounded;
use serde::Deserialize;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Bytes in a MiB. rustls-bench and openssl-bench divide by this and print "MB/s".
pub const MIB: f64 = 1024.0 * 1024.0;

/// What a figure measures, with its base unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Bytes per second.
    Throughput,
    /// Handshakes per second.
    HandshakeRate,
    /// Operations per second.
    Rate,
    /// Seconds.
    Time,
    /// Bytes.
    Memory,
    /// A count or a size: one of `COUNTS` or `SIZES`.
    Count(&'static str),
    /// A unit of another benchmark; figures are kept as printed.
    Other(Custom),
}

/// A unit that is only known by its name, with the way in which its figures improve. Units of one
/// name are equal: not all files say the direction.
#[derive(Clone, Debug)]
pub struct Custom {
    name: Arc<str>,
    better: Better,
}

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Custom {}

impl PartialOrd for Custom {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Custom {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(&other.name)
    }
}

impl Hash for Custom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// Counts per operation that are the same in every run.
const COUNTS: [&str; 7] = [
    "instructions",
    "allocations",
    "bytes allocated",
    "bytes on the wire",
    "flights",
    "records",
    "calls",
];

/// Sizes of a build.
pub(crate) const SIZES: [&str; 6] = [
    "stripped bytes",
    "bytes of .text",
    "bytes of .rodata",
    "bytes of .data",
    "crates",
    "tools",
];

/// What a unit measures: how its figures are compared, and how a change is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Work over time: a factor *faster* or *slower*, with a significance test.
    Rate,
    /// Likewise.
    Time,
    /// Amounts of memory: a percentage *less* or *more*, with a significance test.
    Amount,
    /// Counts: a percentage *fewer* or *more* with one decimal, without a test, since they are not
    /// random.
    Count,
    /// Sizes of a build: like counts, *less* or *more*, but a single figure is enough.
    Size,
    /// A unit of another benchmark: a factor *higher* or *lower*, with a significance test.
    Other,
}

impl Kind {
    /// Whether its figures are not random.
    pub(crate) fn is_count(self) -> bool {
        matches!(self, Self::Count | Self::Size)
    }

    /// Whether its figures say how fast something is.
    pub(crate) fn is_speed(self) -> bool {
        matches!(self, Self::Rate | Self::Time)
    }
}

/// Which way a figure improves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Higher is better: rates.
    Higher,
    /// Lower is better: times, memory, instructions.
    Lower,
    /// The unit does not say.
    #[default]
    #[serde(skip)]
    Unknown,
}

impl Better {
    /// Orders figures, the best first; the smallest if neither direction is better.
    pub(crate) fn best_first(self, a: f64, b: f64) -> Ordering {
        match self {
            Self::Higher => b.total_cmp(&a),
            Self::Lower | Self::Unknown => a.total_cmp(&b),
        }
    }

    /// Returns the text to put after a unit: `, higher is better`, or nothing.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Higher => ", higher is better",
            Self::Lower => ", lower is better",
            Self::Unknown => "",
        }
    }
}

impl Unit {
    /// Bytes put on the wire.
    pub const TRAFFIC: Self = Self::Count("bytes on the wire");
    /// Retired instructions.
    pub const INSTRUCTIONS: Self = Self::Count("instructions");
    /// Bytes of a program without symbols.
    pub const SIZE: Self = Self::Count(SIZES[0]);

    /// Parses a symbol as tools print it. Returns the unit and the multiplier to its base unit.
    /// "MB/s" is decimal here; the parsers of the two tools that mean MiB/s handle that themselves.
    pub fn parse(symbol: &str) -> Option<(Self, f64)> {
        Some(match symbol {
            "B/s" | "bytes/s" => (Self::Throughput, 1.0),
            "kB/s" | "KB/s" => (Self::Throughput, 1e3),
            "KiB/s" => (Self::Throughput, 1024.0),
            "MB/s" => (Self::Throughput, 1e6),
            "MiB/s" => (Self::Throughput, MIB),
            "GB/s" => (Self::Throughput, 1e9),
            "GiB/s" => (Self::Throughput, 1024.0 * MIB),
            "TB/s" => (Self::Throughput, 1e12),
            "TiB/s" => (Self::Throughput, 1024.0 * 1024.0 * MIB),
            "b/s" | "bits/s" => (Self::Throughput, 0.125),
            "Kb/s" | "kb/s" => (Self::Throughput, 125.0),
            "Mb/s" => (Self::Throughput, 125e3),
            "Gb/s" => (Self::Throughput, 125e6),
            "Tb/s" => (Self::Throughput, 125e9),
            "handshakes/s" | "handshake/s" | "hs/s" => (Self::HandshakeRate, 1.0),
            "elem/s" | "Elem/s" => (Self::Rate, 1.0),
            "allocs/op" => (Self::Count("allocations"), 1.0),
            "B/op" => (Self::Count("bytes allocated"), 1.0),
            "B" | "bytes" => (Self::Memory, 1.0),
            "kB" => (Self::Memory, 1e3),
            // `time -f %M` and the articles that quote it say KB or KBytes and mean KiB.
            "KiB" | "KB" | "KBytes" => (Self::Memory, 1024.0),
            "MB" => (Self::Memory, 1e6),
            "MiB" => (Self::Memory, MIB),
            "GiB" => (Self::Memory, 1024.0 * MIB),
            _ => {
                let mut counts = COUNTS.into_iter().chain(SIZES);
                match counts.find(|count| *count == symbol) {
                    Some(count) => (Self::Count(count), 1.0),
                    None => Self::of_operations(symbol)?,
                }
            }
        })
    }

    /// Parses times, `ms` or `us/iter`, and rates of operations, `ops/ms` or `iter/sec`.
    fn of_operations(symbol: &str) -> Option<(Self, f64)> {
        let (top, bottom) = symbol.split_once('/').unwrap_or((symbol, ""));
        match (top, bottom) {
            (time, "" | "op" | "iter") => Some((Self::Time, seconds(time)?)),
            ("op" | "ops" | "iter" | "iters", "min") => Some((Self::Rate, 1.0 / 60.0)),
            ("op" | "ops" | "iter" | "iters", time) => Some((Self::Rate, 1.0 / seconds(time)?)),
            _ => None,
        }
    }

    /// Like [`Self::parse`]; an unknown symbol is a unit of its own, with figures as printed, as is
    /// a known one with a direction that is not its own: `MB, higher is better`.
    pub fn parse_or_other(symbol: &str) -> (Self, f64) {
        for better in [Better::Higher, Better::Lower] {
            if let Some(symbol) = symbol.strip_suffix(better.suffix()) {
                return Self::directed(symbol, better);
            }
        }
        Self::directed(symbol, Better::Unknown)
    }

    /// Like [`Self::parse_or_other`], where the file says which way its figures improve.
    pub fn directed(symbol: &str, better: Better) -> (Self, f64) {
        match Self::parse(symbol) {
            Some(known) if [known.0.better(), Better::Unknown].contains(&better) => known,
            _ => (Self::custom(symbol, better), 1.0),
        }
    }

    /// A unit that is only known by its name. Of `B/op`, `requests/s`, the name says the direction
    /// where `better` does not.
    pub fn custom(symbol: &str, better: Better) -> Self {
        let better = match symbol.split_once('/') {
            _ if better != Better::Unknown => better,
            Some((_, "op" | "iter")) => Better::Lower,
            Some((_, "s" | "sec" | "min")) => Better::Higher,
            _ => Better::Unknown,
        };
        let name = symbol.into();
        Self::Other(Custom { name, better })
    }

    /// This unit where `better` is declared for it, and the factor to its figures: a known unit
    /// whose direction is the other one becomes one of its own.
    pub fn with_better(&self, better: Better) -> (Self, f64) {
        match self.better() == better {
            true => (self.clone(), 1.0),
            false => (
                Self::custom(self.symbol(), better),
                1.0 / self.symbol_factor(),
            ),
        }
    }

    /// The symbol as [`Self::parse_or_other`] reads it, with a direction that the symbol does not
    /// say.
    pub fn declared(&self) -> String {
        let (symbol, better) = (self.symbol(), self.better());
        let told = Self::parse_or_other(symbol).0.better();
        match self {
            Self::Other(_) if told != better => format!("{symbol}{}", better.suffix()),
            _ => symbol.to_owned(),
        }
    }

    /// Whether 0 is a figure: of a count or an amount, but not of a time or a rate.
    pub fn may_be_zero(&self) -> bool {
        match self {
            Self::Count(_) | Self::Memory => true,
            Self::Other(_) => self.kind() == Kind::Other,
            _ => false,
        }
    }

    /// The symbol in data files, the multiplier from it to the base unit, and which way is better.
    fn facts(&self) -> (&str, f64, Better) {
        match self {
            Self::Throughput => ("MiB/s", MIB, Better::Higher),
            Self::HandshakeRate => ("handshakes/s", 1.0, Better::Higher),
            Self::Rate => ("ops/s", 1.0, Better::Higher),
            Self::Time => ("ns", 1e-9, Better::Lower),
            Self::Memory => ("KiB", 1024.0, Better::Lower),
            Self::Count(name) => (name, 1.0, Better::Lower),
            Self::Other(Custom { name, better }) => (name, 1.0, *better),
        }
    }

    /// Returns the symbol in data files: one for each unit, so that columns can be compared.
    pub fn symbol(&self) -> &str {
        self.facts().0
    }

    /// Returns the multiplier from [`Unit::symbol`] to the base unit.
    pub fn symbol_factor(&self) -> f64 {
        self.facts().1
    }

    /// Returns which way is better.
    pub fn better(&self) -> Better {
        self.facts().2
    }

    /// Returns how its figures are compared.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Throughput | Self::HandshakeRate | Self::Rate => Kind::Rate,
            Self::Time => Kind::Time,
            Self::Memory => Kind::Amount,
            Self::Count(name) if SIZES.contains(name) => Kind::Size,
            Self::Count(_) => Kind::Count,
            // The name says so: `requests/sec`.
            Self::Other(custom) => match ["/s", "/sec", "/min"] {
                ends if ends.iter().any(|end| custom.name.ends_with(end)) => Kind::Rate,
                _ => Kind::Other,
            },
        }
    }

    /// Converts a figure in base units to the number to print with [`Unit::symbol`].
    pub fn printed(&self, base: f64) -> f64 {
        rounded(base / self.symbol_factor())
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// Returns the seconds of a unit of time.
fn seconds(symbol: &str) -> Option<f64> {
    Some(match symbol {
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "ms" | "msec" | "msecs" | "milliseconds" => 1e-3,
        "µs" | "μs" | "us" | "usec" | "usecs" | "microseconds" => 1e-6,
        "ns" | "nsec" | "nsecs" | "nanoseconds" => 1e-9,
        "ps" => 1e-12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_keeps_printed_digits() {
        for (symbol, printed) in [
            ("MiB/s", 6712.29),
            ("ns", 1248.0),
            ("KiB", 104932.0),
            ("handshakes/s", 41846.34),
        ] {
            let (unit, factor) = Unit::parse(symbol).expect(symbol);
            assert_eq!(
                unit.printed(printed * factor).to_string(),
                printed.to_string(),
                "{symbol}"
            );
        }
        let (unit, factor) = Unit::parse("us").expect("us");
        assert_eq!(unit.printed(282.691 * factor).to_string(), "282691");
    }

    #[test]
    fn decimal_megabytes_are_not_mebibytes() {
        let (_, decimal) = Unit::parse("MB/s").expect("MB/s");
        let (_, binary) = Unit::parse("MiB/s").expect("MiB/s");
        assert!((binary / decimal - 1.048576).abs() < 1e-12);
    }
}
