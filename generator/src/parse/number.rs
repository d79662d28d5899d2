//! Numbers as tools print them.

use super::sink::quote;

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

fn is_number_like(field: &str) -> bool {
    field.parse::<f64>().is_ok()
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
}
