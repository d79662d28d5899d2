//! Days as TOML writes them; jiff does the rest.

use jiff::civil::Date;
use toml::value::Datetime;

/// `None` for what has a time.
pub(crate) fn from_toml(written: Datetime) -> Option<Date> {
    let day = written.date.filter(|_| written.time.is_none())?;
    // A date of TOML is valid, and jiff has its notation.
    let Ok(date) = day.to_string().parse() else {
        return None;
    };
    Some(date)
}

/// For front matter, where a quoted day would be none.
pub(crate) fn to_toml(day: Date) -> Datetime {
    let day = toml::value::Date {
        year: day.year().unsigned_abs(),
        month: day.month().unsigned_abs(),
        day: day.day().unsigned_abs(),
    };
    day.into()
}
