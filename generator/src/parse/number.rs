//! Numbers as tools print them.

use super::collector::quote;
use std::str::FromStr;

/// A positive, finite decimal number that is the whole of `field`: `6720.11`, `32769`,
/// `1.2e+06`. No sign, no hexadecimal, no infinity, no thousands separators.
///
/// # Errors
/// What is wrong with it, with the text.
pub fn number(field: &str) -> Result<f64, String> {
    let plain = field.starts_with(|c: char| c.is_ascii_digit())
        && field
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    let value: f64 = match field.parse() {
        Ok(value) if plain => value,
        _ if is_number_like(field) => {
            return Err(format!(
                "a figure must be positive and finite, not {}",
                quote(field)
            ));
        }
        _ => return Err(format!("expected a number, got {}", quote(field))),
    };
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(format!(
            "a figure must be positive and finite, not {}",
            quote(field)
        ))
    }
}

/// A whole number of decimal digits alone; `None` for any other word.
pub(super) fn integer<T: FromStr>(word: &str) -> Option<T> {
    let is_plain = word.bytes().all(|b| b.is_ascii_digit());
    match word.parse() {
        Ok(number) if is_plain => Some(number),
        _ => None,
    }
}

fn is_number_like(field: &str) -> bool {
    field.parse::<f64>().is_ok()
}

/// A [`number`] that may have commas between groups of three digits: `13,524.99`.
///
/// # Errors
/// What is wrong with it, with the text.
pub fn grouped(field: &str) -> Result<f64, String> {
    let integer = field.split('.').next().unwrap_or_default();
    let mut groups = integer.split(',');
    let first = groups.next().unwrap_or_default();
    if first.len() == integer.len() {
        return number(field);
    }
    let fraction = &field[integer.len()..];
    let digits = |group: &str, most| {
        (1..=most).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_digit())
    };
    let rest_is_whole = groups.all(|g| g.len() == 3 && digits(g, 3));
    if digits(first, 3) && rest_is_whole && !fraction.contains(',') {
        let plain = integer.replace(',', "") + fraction;
        return number(&plain).map_err(|_| format!("expected a number, got {}", quote(field)));
    }
    Err(format!(
        "commas must stand between groups of three digits, unlike in {}",
        quote(field)
    ))
}

/// A number and the unit it was printed with, in the base unit.
///
/// # Errors
/// What is wrong with the number, or that the product is not finite.
pub fn measured(field: &str, factor: f64) -> Result<f64, String> {
    let base = number(field)? * factor;
    if base > 0.0 && base.is_finite() {
        Ok(base)
    } else {
        Err(format!("out of range: {}", quote(field)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_fields_only() {
        for good in ["6720.11", "21490", "1.2e+06", "334.077"] {
            assert!(number(good).is_ok(), "{good}");
        }
        for bad in [
            "", "NaN", "nan", "inf", "-1", "0", "0.0", "-0", "1e400", "0x10", "12abc", "1,234",
            "+5", "1e-400", ".5e", "1 2",
        ] {
            assert!(number(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn thousands_are_grouped_or_not_at_all() {
        for (text, value) in [
            ("13,524.99", 13524.99),
            ("1,000,000", 1e6),
            ("999", 999.0),
            ("1.5", 1.5),
        ] {
            assert_eq!(grouped(text), Ok(value));
        }
        for bad in [
            "13524,99",
            "1,0000",
            "1,00",
            ",100",
            "1234,567",
            "1,234,56",
            "1.234,567",
            "1,e12",
            "-1,234",
            "0,000",
        ] {
            assert!(grouped(bad).is_err(), "{bad}");
        }
    }
}
