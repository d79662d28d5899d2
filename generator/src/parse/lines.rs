//! The lines of tools that have figures, and figures with units.

use super::cite::cite;
use super::number::amount;
use super::pattern::Pattern;
use super::tool::Untaken::{self, *};
use crate::model::unit::Unit;

/// The lines of a tool that have figures.
pub(super) struct Lines<const N: usize> {
    /// Has `N - 1` groups.
    pub(super) pattern: Pattern,
    /// Texts of which each of these lines has one, and no other line of the tool: by them a damaged
    /// line is noticed.
    pub(super) marks: &'static [&'static str],
    /// What these lines look like, for messages.
    pub(super) expected: &'static str,
}

impl<const N: usize> Lines<N> {
    /// The parts of a line with figures; `Err` for other lines, and damaged ones.
    pub(super) fn find<'a>(&self, line: &'a str) -> Result<[&'a str; N], Untaken> {
        if !self.marks.iter().any(|mark| line.contains(mark)) {
            return Err(Foreign);
        }
        let damaged = || Damaged(cite(&format!("expected {}, got", self.expected), line));
        self.pattern.groups(line).ok_or_else(damaged)
    }
}

/// Whether a line starts with one of these texts.
pub(super) fn starts_with_any(line: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| line.starts_with(start))
}

/// Converts a figure and its unit as printed, `1.64` and `GB/sec` or `1.5` and `Melem/s`, to the
/// base unit.
pub(super) fn figure(value: &str, symbol: &str) -> Result<(Unit, f64), String> {
    let counted = ["elem/s", "Elem/s", "item/s", "char/s", "Hz"];
    let prefix = counted.iter().find_map(|unit| symbol.strip_suffix(unit));
    let known = match prefix {
        Some(prefix) => power(prefix).map(|power| (Unit::Rate, 1000_f64.powi(power))),
        None => Unit::parse(&symbol.replace("/sec", "/s")),
    };
    let (unit, factor) = known.ok_or_else(|| cite("unknown unit", symbol))?;
    Ok((unit, amount(value)? * factor))
}

/// Returns the factor from a unit of time to seconds.
pub(super) fn seconds(symbol: &str) -> Result<f64, String> {
    match Unit::parse(symbol) {
        Some((Unit::Time, factor)) => Ok(factor),
        _ => Err(cite("unknown unit of time", symbol)),
    }
}

/// Returns the seconds of `1.5` and a unit of time, which may be a minute or an hour.
pub(super) fn duration(value: &str, unit: &str) -> Result<f64, String> {
    let factor = match unit {
        "m" => 60.0,
        "h" => 3600.0,
        unit => seconds(unit)?,
    };
    Ok(amount(value)? * factor)
}

/// Returns the bytes of `1.20` and `MB`, in powers of 1024.
pub(super) fn binary(value: &str, unit: &str) -> Result<f64, String> {
    prefixed(&format!("{value}{}", unit.trim_end_matches('B')), 1024.0)
}

/// Parses a number with a metric prefix: `1.21699G`, `194.282k`; `kilo` is 1000 or 1024.
pub(super) fn prefixed(text: &str, kilo: f64) -> Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = power(&text[digits.len()..])
        .ok_or_else(|| cite("expected a number with a prefix, got", text))?;
    Ok(amount(digits)? * kilo.powi(power))
}

/// Returns the power of thousand that a prefix stands for.
fn power(prefix: &str) -> Option<i32> {
    Some(match prefix {
        "" => 0,
        "k" | "K" | "Ki" => 1,
        "M" | "Mi" => 2,
        "G" | "Gi" => 3,
        "T" | "Ti" => 4,
        _ => return None,
    })
}
