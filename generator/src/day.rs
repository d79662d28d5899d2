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
