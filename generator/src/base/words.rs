//! Counts and lists in words.

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn join(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `a; b`, or of more than so many `a; b; and 3 more`.
pub(crate) fn list(items: &[String], most: usize) -> String {
    let (shown, more) = items.split_at(items.len().min(most));
    match more.len() {
        0 => shown.join("; "),
        n => format!("{}; and {n} more", shown.join("; ")),
    }
}

/// `1 report`, `2 reports`.
pub(crate) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let items = ["a", "b", "c"].map(ToOwned::to_owned);
        let lists = [1, 2, 3].map(|n| join(&items[..n]));
        assert_eq!(lists, ["a", "a and b", "a, b and c"]);
        assert_eq!(
            [2, 3].map(|n| list(&items, n)),
            ["a; b; and 1 more", "a; b; c"]
        );
    }
}
