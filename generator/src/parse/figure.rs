//! Figures as tools print them: plain, or with separators, prefixes and units.

use super::prelude::*;
use std::str::FromStr;

/// What may stand behind a figure in a cell of a table.
const DECORATION: [char; 4] = ['`', '"', '\'', '*'];

/// Sign, number, exponent and what follows up to a blank.
static FIGURE: LazyLock<Expression> = LazyLock::new(|| {
    let number = r"(-?)([0-9.,_'\x{a0}\x{202f}]*[0-9])([eE][+-]?[0-9]+)?";
    Expression::new(&format!(r#"^[\s`"'*≈~+]*{number}\s*([^\s±(),;|]*)"#))
});

/// Splits `174.43µs` or `1,024.5 MB/s (best)` into the number and what follows it up to a blank;
/// `None` if the text is no figure. Where
/// `has_comma`, a comma marks decimals, also in `1,234`.
pub(super) fn split(text: &str, has_comma: bool) -> Option<(f64, &str)> {
    let [_, sign, number, exponent, unit] = FIGURE.groups(text)?;
    // `1.25ee+09`, and `1.25e` that was cut.
    let is_exponent = |c: char| c.is_ascii_digit() || matches!(c, 'e' | 'E' | '+' | '-');
    if unit.starts_with(['e', 'E']) && unit.chars().all(is_exponent) {
        return None;
    }
    let number = format!("{sign}{}{exponent}", digits(number, has_comma)?);
    let value = number.parse().into_iter().next()?;
    Some((value, unit.trim_end_matches(DECORATION)))
}

/// Writes a number without separators of groups: `1,024.5`, `1.024,5`, `1'024`, `0,042`.
fn digits(text: &str, has_comma: bool) -> Option<String> {
    let plain = text.replace(['_', '\'', '\u{a0}', '\u{202f}'], "");
    let is_comma = |text: &str| has_comma || !is_grouped(text, ',');
    let (mark, group) = match [plain.matches('.').count(), plain.matches(',').count()] {
        [0 | 1, 0] => ('.', ','),
        [_, 0] => (' ', '.'),
        [0, 1] if is_comma(&plain) => (',', '.'),
        [0, _] => (' ', ','),
        _ if plain.rfind(',') > plain.rfind('.') => (',', '.'),
        _ => ('.', ','),
    };
    let (whole, decimals) = plain.split_once(mark).unwrap_or((&plain, ""));
    if decimals.contains([',', '.']) || (whole.contains(group) && !is_grouped(whole, group)) {
        return None;
    }
    Some(format!("{}.{decimals}", whole.replace(group, "")))
}

/// Whether groups of three digits follow one to three, of which the first is not 0.
pub(super) fn is_grouped(text: &str, mark: char) -> bool {
    let mut groups = text.split(mark);
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && is_integer(group))
}

static CLOCK: LazyLock<Expression> =
    LazyLock::new(|| Expression::new(r"^\s*(?:(\d+):)?(\d+)[m:](\d+(?:[.,]\d*)?)s?$"));

/// The seconds of `1m2.500s`, `0:01.50` or `1:02:03`.
pub(super) fn clock(text: &str) -> Option<f64> {
    let [_, parts @ ..]: [&str; 4] = CLOCK.groups(text)?;
    let mut seconds = 0.0;
    for part in parts {
        let part = format!("0{part}").replace(',', ".");
        seconds = seconds * 60.0 + part.parse::<f64>().into_iter().next()?;
    }
    Some(seconds)
}

/// The factor of a prefix: `Ki` and the like are powers of 1024.
pub(super) fn prefix(symbol: &str) -> Option<f64> {
    Some(match symbol {
        "p" => 1e-12,
        "n" => 1e-9,
        "u" | "µ" | "μ" => 1e-6,
        "m" => 1e-3,
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "Ki" | "ki" => 1024.0,
        "Mi" => 1024_f64.powi(2),
        "Gi" => 1024_f64.powi(3),
        "Ti" => 1024_f64.powi(4),
        _ => return None,
    })
}

/// Finds a unit that is known: with a word that tools have for it, or of things that are counted.
pub(super) fn known(symbol: &str) -> Option<(Unit, f64)> {
    let counted = ["elem/s", "Elem/s", "item/s", "char/s", "Hz"];
    if let Some(prefix) = counted.iter().find_map(|unit| symbol.strip_suffix(unit)) {
        return Some((Unit::Rate, self::prefix(prefix)?));
    }
    let symbol = symbol.replace("/sec", "/s");
    match &*symbol {
        "min" => Some((Unit::Time, 60.0)),
        "h" => Some((Unit::Time, 3600.0)),
        symbol => Unit::parse(symbol),
    }
}

/// Parses all of `field` as a positive, finite decimal number: `6720.11`, `32769`, `1.2e+06`.
/// Signs, hexadecimal numbers, infinities and thousands separators are errors.
pub(super) fn number(field: &str) -> Result<f64, String> {
    let is_known = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let is_plain = field.starts_with(|c: char| c.is_ascii_digit()) && field.chars().all(is_known);
    let message = match field.parse::<f64>() {
        Ok(value) if value <= 0.0 || !value.is_finite() => {
            "a figure must be positive and finite, not"
        }
        Ok(_) if !is_plain => "a figure must start with a digit, unlike",
        Ok(value) => return Ok(value),
        Err(_) => "expected a number, got",
    };
    Err(cite(message, field))
}

/// Parses an integer of decimal digits only; `None` for any other word.
pub(super) fn integer<T: FromStr>(word: &str) -> Option<T> {
    match word.parse() {
        Ok(number) if is_integer(word) => Some(number),
        _ => None,
    }
}

pub(super) fn is_integer(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// Parses a [`number`] that may have commas between groups of three digits: `13,524.99`.
pub(super) fn grouped(field: &str) -> Result<f64, String> {
    let whole = field.split('.').next().unwrap_or_default();
    if !whole.contains(',') {
        return number(field);
    } else if !is_grouped(whole, ',') {
        let message = "commas must separate groups of three digits, unlike in";
        return Err(cite(message, field));
    }
    let number = number(&[&whole.replace(',', ""), &field[whole.len()..]].concat());
    number.map_err(|_| cite("expected a number, got", field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_what_follows_them() {
        for (text, expected) in [
            ("174.43µs", Some((174.43, "µs"))),
            ("1,024.5", Some((1024.5, ""))),
            ("1.024,5 ms", Some((1024.5, "ms"))),
            ("34.39n ± 2%", Some((34.39, "n"))),
            ("0,042", Some((0.042, ""))),
            ("12,34", Some((12.34, ""))),
            ("12,345", Some((12345.0, ""))),
            ("1.234.567", Some((1234567.0, ""))),
            ("1'024", Some((1024.0, ""))),
            ("1_000 B", Some((1000.0, "B"))),
            ("1\u{202f}024", Some((1024.0, ""))),
            ("1.2e+06", Some((1.2e6, ""))),
            ("1e3ns", Some((1000.0, "ns"))),
            ("-5", Some((-5.0, ""))),
            ("`2.94 µs/iter`", Some((2.94, "µs/iter"))),
            ("**5**", Some((5.0, ""))),
            ("3.1k", Some((3.1, "k"))),
            ("1.25ee+09", None),
            ("1.25e+", None),
            ("1,23,456", None),
            ("1.2.3,4,5", None),
            ("NaN", None),
            ("", None),
            ("-", None),
            ("x1", None),
        ] {
            assert_eq!(split(text, false), expected, "{text}");
        }
        assert_eq!(split("1,234", true), Some((1.234, "")));
    }
}
