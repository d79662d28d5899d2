//! Days in words.

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The name of a month, which are counted from 1.
pub(crate) fn month(number: usize) -> Option<&'static str> {
    MONTHS.get(number.checked_sub(1)?).copied()
}

/// `2026-03-07` as `7 March 2026`; what is no date as it is.
pub(crate) fn in_words(date: &str) -> String {
    let words = || {
        let mut parts = date.splitn(3, '-').map(str::parse::<usize>);
        let (year, number, day) = (parts.next()?, parts.next()?, parts.next()?);
        let (Ok(year), Ok(number), Ok(day)) = (year, number, day) else {
            return None;
        };
        Some(format!("{day} {} {year}", month(number)?))
    };
    words().unwrap_or_else(|| date.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_counted_from_one() {
        assert_eq!(
            [0, 1, 12, 13].map(month),
            [None, Some("January"), Some("December"), None]
        );
    }
}
