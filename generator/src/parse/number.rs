//! Numbers as tools print them.

use super::cite::cite;
use super::figure::is_grouped;
use std::str::FromStr;

/// Parses all of `field` as a positive, finite decimal number: `6720.11`, `32769`, `1.2e+06`.
/// Signs, hexadecimal numbers, infinities and thousands separators are errors.
pub(super) fn number(field: &str) -> Result<f64, String> {
    let is_plain = field.starts_with(|c: char| c.is_ascii_digit())
        && field
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    match field.parse::<f64>() {
        Ok(value) if is_plain && value > 0.0 && value.is_finite() => Ok(value),
        Ok(value) if value > 0.0 && value.is_finite() => {
            Err(cite("a figure must start with a digit, unlike", field))
        }
        Ok(_) => Err(cite("a figure must be positive and finite, not", field)),
        Err(_) => Err(cite("expected a number, got", field)),
    }
}

/// Like [`number`], or 0.
pub(super) fn amount(field: &str) -> Result<f64, String> {
    match field.parse::<f64>() {
        Ok(0.0) if field.bytes().all(|b| matches!(b, b'0' | b'.')) => Ok(0.0),
        _ => number(field),
    }
}

/// Parses an integer of decimal digits only; `None` for any other word.
pub(super) fn integer<T: FromStr>(word: &str) -> Option<T> {
    match word.parse() {
        Ok(number) if is_integer(word) => Some(number),
        _ => None,
    }
}

/// Parses a positive [`integer`].
pub(super) fn positive<T: FromStr + Default + PartialEq>(word: &str) -> Option<T> {
    integer(word).filter(|number| *number != T::default())
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

/// Parses a number and converts it to its base unit by `factor`.
pub(super) fn measured(field: &str, factor: f64) -> Result<f64, String> {
    Ok(number(field)? * factor)
}

/// Returns a positive, finite figure that is not parsed from text; `what` names it in messages.
pub(super) fn finite(figure: f64, what: &str) -> Result<f64, String> {
    let message = || format!("{what}: a figure must be positive and finite, not {figure}");
    (figure > 0.0 && figure.is_finite())
        .then_some(figure)
        .ok_or_else(message)
}
