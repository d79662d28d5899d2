//! Text of a file in messages.

/// Appends quoted text of the file to a message such as `expected a number, got`.
pub(crate) fn cite(message: &str, text: &str) -> String {
    format!("{message} {}", quote(text))
}

/// Quotes text of a file for a message: escaped, on one line, truncated to 80 characters.
pub(super) fn quote(text: &str) -> String {
    let text = text.trim_end();
    let show = |c: char| match c {
        '"' | '\'' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    let shown: String = text.chars().take(80).map(show).collect();
    let more = text.chars().nth(80).map_or("", |_| "…");
    format!("`{shown}{more}`")
}
