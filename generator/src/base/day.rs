//! Conversion between the dates of TOML and of jiff.

use jiff::civil::Date;
use toml::value::Datetime;

/// Converts a local date; `None` if it has a time.
pub(crate) fn from_toml(written: Datetime) -> Option<Date> {
    let day = written.date.filter(|_| written.time.is_none())?;
    // A date of TOML is valid, and jiff reads its notation.
    let Ok(date) = day.to_string().parse() else {
        return None;
    };
    Some(date)
}

/// Converts a date for front matter, where a quoted one would be a string.
pub(crate) fn to_toml(day: Date) -> Datetime {
    let day = toml::value::Date {
        year: day.year().unsigned_abs(),
        month: day.month().unsigned_abs(),
        day: day.day().unsigned_abs(),
    };
    day.into()
}
