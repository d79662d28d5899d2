//! Names for addresses, anchors and files, made from any text.

use super::escape::is_bidi_control;

/// Longer names trouble file systems and readers.
const MAX_LENGTH: usize = 100;

/// Returns lower-case letters, digits and single hyphens; empty if the text has no letter or digit.
pub fn slug(text: &str) -> String {
    build(text, |_, _, _| false)
}

/// Like [`slug`], for a report's folder, which may also hold `_`, and `.` between digits as in a
/// version. The result is never the name of a page or feed, such as `_index.md`.
pub fn folder(name: &str) -> String {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let name = build(name, |before, c, next| {
        c == '_' || (c == '.' && digit(before) && digit(next))
    });
    match name.is_empty() {
        true => "report".to_owned(),
        false => name,
    }
}

/// Whether Windows takes a name for a device, so that no clone there can have it.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_lowercase();
    let numbered = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
    let is_number = |c: char| c.is_ascii_digit() || "¹²³".contains(c);
    ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&&*stem)
        || numbered.is_some_and(|n| n.chars().count() == 1 && n.starts_with(is_number))
}

/// Whether a file can have this name on Windows and macOS too, and looks like what it is.
pub fn is_portable(name: &str) -> bool {
    let is_wrong = |c| is_bidi_control(c) || c.is_control() || "<>:\"|?*\\\u{fffd}".contains(c);
    !is_device(name) && !name.ends_with(['.', ' ']) && !name.contains(is_wrong)
}

/// Keeps letters and digits, and what `keep` accepts, given the characters before and after it.
fn build(text: &str, keep: impl Fn(Option<char>, char, Option<char>) -> bool) -> String {
    let mut slug = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_alphanumeric() || keep(slug.chars().last(), c, chars.peek().copied()) {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.truncate(MAX_LENGTH);
    slug.truncate(slug.trim_end_matches(['-', '.']).len());
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        for (text, expected) in [
            (
                "transfer, 1.2, aes-128-gcm, sending",
                "transfer-1-2-aes-128-gcm-sending",
            ),
            ("../../etc/passwd", "etc-passwd"),
            ("<script>", "script"),
            ("…", ""),
        ] {
            assert_eq!(slug(text), expected);
        }
        assert_eq!(slug(&"abc ".repeat(99)).len(), MAX_LENGTH - 1);
    }

    #[test]
    fn devices() {
        for name in ["con", "NUL", "aux.svg", "Com1", "lpt9.txt"] {
            assert!(is_device(name), "{name}");
        }
        for name in ["console", "com", "com10", "a.con", ""] {
            assert!(!is_device(name), "{name}");
        }
    }

    #[test]
    fn names_on_all_systems() {
        for name in ["a.csv", "ä (1).csv", ".gitkeep", "con-1", "rustls_0.23.43"] {
            assert!(is_portable(name), "{name}");
        }
        for name in [
            "aux.csv",
            "aux .csv",
            "con",
            "conin$",
            "com¹",
            "a:b",
            "a?",
            "a\\b",
            "a.",
            "a ",
            "a\n",
            "a\u{202e}vsc.svg",
            "a\u{fffd}",
            "a|b",
        ] {
            assert!(!is_portable(name), "{name}");
        }
    }

    #[test]
    fn folders() {
        for (name, expected) in [
            ("2026-03-07-x86_64", "2026-03-07-x86_64"),
            ("Rustls Bench (new)", "rustls-bench-new"),
            ("..", "report"),
            ("a/../b", "a-b"),
            ("x..y", "x-y"),
            ("openssl-3.5.1.", "openssl-3.5.1"),
            ("_index.md", "_index-md"),
            ("atom.xml", "atom-xml"),
            ("ä", "report"),
        ] {
            assert_eq!(folder(name), expected, "{name}");
        }
    }
}
