//! Encoders: one for each kind of text into which labels and names of others are put.

use std::borrow::Cow;

/// Quotes a word of a command line for a shell.
pub fn shell(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=@,:".contains(c);
    match word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")).into(),
    }
}

/// Encodes text for XML 1.0, between tags and in quoted attributes.
///
/// A character that XML 1.0 cannot represent, not even as a reference, becomes U+FFFD, and so does
/// one that changes the direction of text. White space that a parser would normalise is written
/// as a reference. Characters that hide text are shown as their code points.
pub fn xml(text: &str) -> Cow<'_, str> {
    replaced(text, |c| {
        let reference = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\t' => "&#9;",
            '\n' => "&#10;",
            '\r' => "&#13;",
            // https://www.w3.org/TR/xml/#charsets
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
            c if is_bidi_control(c) => "\u{fffd}",
            c => return is_invisible(c).then(|| shown(c)),
        };
        Some(reference.into())
    })
}

/// Encodes text inside an HTML block of a Markdown page: between tags and in quoted attributes.
///
/// Besides HTML's own characters, braces are encoded, because Zola reads `{{ … }}` and
/// `{% … %}` everywhere, and so are line ends, because a blank line would end the block.
/// Characters that turn or hide text are shown as their code points.
pub fn html(text: &str) -> Cow<'_, str> {
    replaced(text, |c| match "&<>\"'{}`\n\r\t".contains(c) {
        true => Some(Cow::Owned(format!("&#{};", c as u32))),
        false => is_invisible(c).then(|| Cow::Owned(invisible(c))),
    })
}

/// Encodes text inside a paragraph, heading or image of a Markdown page, with references.
pub fn markdown(text: &str) -> Cow<'_, str> {
    encode_markup(text, |c| format!("&#{};", c as u32))
}

/// Encodes text inside a table or paragraph of a Markdown file that people read and edit, or of a
/// comment on a forge, where `@name` also mentions a person, `#1` an issue, and `www.` starts a link.
pub fn comment(text: &str) -> Cow<'_, str> {
    let encoded = encode_markup(text, |c| match c {
        // A zero-width space separates the sign from the name: forges look at the rendered text.
        '@' | '#' => format!("&#{};&#8203;", c as u32),
        c if c.is_ascii_punctuation() => format!("\\{c}"),
        c => format!("&#{};", c as u32),
    });
    match encoded.contains("www.") {
        true => Cow::Owned(encoded.replace("www.", "www&#46;")),
        false => encoded,
    }
}

/// Encodes all punctuation that any Markdown extension gives a meaning: a comma, stop, slash, hyphen
/// or percent sign only at the start or where it is doubled, as in `- list` or `...`, or after a
/// number that would start a list; a plus sign at the start; an underscore unless it is within a
/// word; a colon unless it ends a word or is of a path such as `std::fmt`.
fn encode_markup(text: &str, encoded: impl Fn(char) -> String) -> Cow<'_, str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.len() - rest.len();
    let is_item = number > 0 && rest.chars().nth(1).is_none_or(char::is_whitespace);
    let (mut at, mut before, mut rest) = (0, '\n', text.chars());
    let mut is_special = |c: char| {
        let last = std::mem::replace(&mut before, c);
        at += 1;
        rest.next();
        let next = rest.clone().next();
        match c {
            '.' | ')' if is_item && at == number + 1 => true,
            '(' | ')' => false,
            '_' if last.is_ascii_alphanumeric() => !next.is_some_and(|c| c.is_ascii_alphanumeric()),
            ',' | '.' | '=' => last == '\n' || last == c,
            '/' | '-' | '%' => last == '\n' || last.is_ascii_punctuation(),
            '+' => last == '\n',
            // `:name:` is a picture on a forge, and `https:` starts a link.
            ':' if last != '\n' => match next {
                Some(':') | None => false,
                Some(next) if next.is_whitespace() => false,
                Some(_) => {
                    let is_of_word = |c: char| c.is_alphanumeric() || "_+-".contains(c);
                    let after = rest.as_str().trim_start_matches(is_of_word);
                    last != ':' || after.starts_with(':')
                }
            },
            c => c.is_ascii_punctuation() || c.is_control(),
        }
    };
    replaced(text, |c| {
        // Called for every character, since it may depend on the one before.
        let is_special = is_special(c);
        match is_invisible(c) {
            true => Some(Cow::Owned(invisible(c))),
            false => is_special.then(|| Cow::Owned(encoded(c))),
        }
    })
}

/// Percent-encodes a value in the query or fragment of an address.
pub fn query(text: &str) -> String {
    let encode = |byte: u8| match byte.is_ascii_alphanumeric() || b"-._:".contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// Prepares text for a template that encodes it, such as a title in front matter: invisible
/// characters are shown as their code points.
pub fn plain(text: &str) -> Cow<'_, str> {
    // A line end in a title is as invisible as a zero-width character.
    replaced(text, |c| {
        (is_invisible(c) || c.is_control()).then(|| shown(c))
    })
}

/// Shows the invisible characters in the strings of a JSON document as their code points.
pub fn json(document: &str) -> Cow<'_, str> {
    replaced(document, |c| {
        is_invisible(c).then(|| Cow::Owned(format!("\\{}", shown(c))))
    })
}

fn shown(c: char) -> Cow<'static, str> {
    Cow::Owned(format!("\\u{{{:X}}}", c as u32))
}

/// An invisible character as its code point, in HTML and Markdown.
fn invisible(c: char) -> String {
    format!("\\u&#123;{:X}&#125;", c as u32)
}

/// Returns the text with some of its characters replaced.
fn replaced(
    text: &str,
    mut replacement: impl FnMut(char) -> Option<Cow<'static, str>>,
) -> Cow<'_, str> {
    let mut encoded = String::new();
    let mut copied = 0;
    for (at, c) in text.char_indices() {
        if let Some(replacement) = replacement(c) {
            encoded += &text[copied..at];
            encoded += &replacement;
            copied = at + c.len_utf8();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    Cow::Owned(encoded + &text[copied..])
}

/// Whether a character is a control, has no width, or changes the direction of text.
pub(crate) fn is_invisible(c: char) -> bool {
    // First, the fast path for nearly every character.
    !matches!(c, ' '..='~' | '\n' | '\r' | '\t')
        && (c.is_control() || is_bidi_control(c) || is_zero_width(c))
}

/// Whether a character is shown as nothing: Unicode's Default_Ignorable_Code_Point, and those that
/// separate lines and annotations; without variation selectors, which only choose how the character
/// before them looks.
fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2028}'..='\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}'
    )
}

/// Whether a character changes the direction of the text around it, so that people read something
/// else than programs (CVE-2021-42574). Input that has one is refused.
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{comment, html, json, markdown, plain, xml};

    #[test]
    fn titles_hide_nothing() {
        assert_eq!(plain("a & <b> {{ c }}"), "a & <b> {{ c }}");
        assert_eq!(plain("\u{202e}gpj.exe\0\n"), "\\u{202E}gpj.exe\\u{0}\\u{A}");
    }

    #[test]
    fn documents_of_json_hide_nothing() {
        let document = serde_json::json!({"a\u{200b}": "\\\u{feff}\"\n\u{7f}"}).to_string();
        let shown: serde_json::Value = serde_json::from_str(&json(&document)).expect("JSON");
        assert_eq!(shown["a\\u{200B}"], "\\\\u{FEFF}\"\n\\u{7F}");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(
            xml("transfer, 1.2 – µs 🚀"),
            std::borrow::Cow::Borrowed(_)
        ));
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(
            xml("<a b='\"'>]]>&"),
            "&lt;a b=&#39;&quot;&#39;&gt;]]&gt;&amp;"
        );
        assert_eq!(xml("a\u{200b}b\u{e0041}"), "a\\u{200B}b\\u{E0041}");
        assert_eq!(
            xml("a\0b\u{1b}\u{ffff}c\u{202e}"),
            "a\u{fffd}b\u{fffd}\u{fffd}c\u{fffd}"
        );
    }

    #[test]
    fn labels_stay_readable() {
        for label in [
            "transfer, 1.2, aes-128-gcm, sending",
            "rustls 0.23.43",
            "27.2 KiB (95%)",
            "Clone - x86_64",
            "itoa::fmt",
            "decode + convert: 2",
        ] {
            assert!(
                matches!(html(label), std::borrow::Cow::Borrowed(_)),
                "{label}"
            );
            assert_eq!(markdown(label), label);
        }
    }

    #[test]
    fn nothing_reads_as_markup() {
        assert_eq!(
            html("{{ a() }}<b>"),
            "&#123;&#123; a() &#125;&#125;&#60;b&#62;"
        );
        assert_eq!(
            markdown("- [x](y) ... *b* _c_ {{"),
            "&#45; &#91;x&#93;(y) .&#46;&#46; &#42;b&#42; &#95;c&#95; &#123;&#123;"
        );
        let numbers = ["1. x", "12) x", "1.3, rsa", "1", "a 1. b"].map(markdown);
        assert_eq!(
            numbers,
            ["1&#46; x", "12&#41; x", "1.3, rsa", "1", "a 1. b"]
        );
        assert_eq!(html("a\u{202e}b"), "a\\u&#123;202E&#125;b");
    }

    #[test]
    fn comments_mention_nobody() {
        assert_eq!(
            comment("full handshakes, 1.3, rsa"),
            "full handshakes, 1.3, rsa"
        );
        assert_eq!(
            comment("@a #1 www.b.c | <i> 1.5x slower *"),
            "&#64;&#8203;a &#35;&#8203;1 www&#46;b.c \\| \\<i\\> 1.5x slower \\*"
        );
        assert_eq!(
            comment("https://a.b/ :memo: a::memo::b + c"),
            "https\\:\\/\\/a.b/ \\:memo: a:\\:memo::b + c"
        );
    }
}
