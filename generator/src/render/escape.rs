//! Encoders: one for each kind of text that labels of other people end up in.

use std::borrow::Cow;

/// Text for XML 1.0, between tags and in quoted attributes alike.
///
/// A character that XML 1.0 cannot carry, not even as a reference, becomes U+FFFD. White space
/// that a parser would normalise is written as a reference.
pub fn xml(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(|c| replacement(c).is_some()) else {
        return Cow::Borrowed(text);
    };
    let mut escaped = String::with_capacity(text.len() + 16);
    escaped.push_str(&text[..first]);
    for c in text[first..].chars() {
        match replacement(c) {
            Some(reference) => escaped.push_str(reference),
            None => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

fn replacement(c: char) -> Option<&'static str> {
    Some(match c {
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
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::xml;
    use proptest::prelude::*;

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
        assert_eq!(xml("a\0b\u{1b}\u{ffff}"), "a\u{fffd}b\u{fffd}\u{fffd}");
    }

    proptest! {
        #[test]
        fn a_parser_reads_back_what_was_written(text in "\\PC*|[\\x00-\\x7f]*") {
            let document = format!("<t a=\"{0}\">{0}</t>", xml(&text));
            let parsed = roxmltree::Document::parse(&document).expect("well-formed");
            let legal: String = text
                .chars()
                .map(|c| match c {
                    '\t' | '\n' | '\r' => c,
                    '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
                    _ => c,
                })
                .collect();
            prop_assert_eq!(parsed.root_element().text().unwrap_or(""), legal.as_str());
            prop_assert_eq!(parsed.root_element().attribute("a"), Some(legal.as_str()));
        }
    }
}
