//! The fuzz target of encoders: no text becomes markup.

use crate::base::escape;
use crate::base::slug;
use crate::model::tidy;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Checks that any text comes out of each encoder as text, and decodes to what it was.
pub(super) fn encoders(text: &str) {
    xml(text);
    html(text);
    for (encoded, decoded) in [
        (escape::markdown(text), shown(text)),
        (escape::comment(text), shown(text)),
    ] {
        // Templates put text within a paragraph, a heading or a list, never alone.
        for line in ["- x{}x", "### x{}x", "[x{}x](y)"] {
            assert_eq!(
                words(&line.replace("{}", &encoded)),
                format!("x{decoded}x"),
                "{encoded}"
            );
        }
        assert!(
            !["{{", "{%", "{#"].iter().any(|call| encoded.contains(call)),
            "{encoded}"
        );
    }
    let address = escape::query(text);
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"%-._:".contains(&b);
    assert!(address.bytes().all(is_plain), "{address}");
    let plain = escape::plain(text);
    assert!(!plain.contains(char::is_control), "{plain:?}");
    assert_eq!(escape::plain(&plain), plain);
    let cell = tidy::text_cell(text);
    assert!(
        !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
        "{cell}"
    );
    let one_line = text.replace(|c: char| c.is_control() && c != '\t', " ");
    assert_eq!(tidy::cell_text(&cell), one_line);
    for name in [slug::slug(text), slug::folder(text)] {
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b);
        assert!(
            name.bytes().all(is_plain) && name.len() <= 100 && !name.contains(".."),
            "{name}"
        );
    }
}

/// Returns what an XML parser reads as the text of an element and of its attribute.
#[track_caller]
fn parsed(encoded: &str) -> [String; 2] {
    let document = format!("<t a=\"{encoded}\">{encoded}</t>");
    let parsed = roxmltree::Document::parse(&document).expect("well-formed");
    let root = parsed.root_element();
    assert_eq!(
        root.children().filter(|n| !n.is_text()).count(),
        0,
        "{document}"
    );
    [root.text(), root.attribute("a")].map(|text| text.unwrap_or_default().to_owned())
}

fn xml(text: &str) {
    let legal = text.replace(
        |c: char| {
            let is_white = matches!(c, '\t' | '\n' | '\r');
            (c < ' ' && !is_white)
                || matches!(c, '\u{fffe}' | '\u{ffff}')
                || escape::is_bidi_control(c)
        },
        "\u{fffd}",
    );
    assert_eq!(parsed(&escape::xml(text)), [shown(&legal), shown(&legal)]);
}

fn html(text: &str) {
    // HTML may have these, and XML may not.
    let legal = text.replace(['\u{fffe}', '\u{ffff}'], "");
    let encoded = escape::html(&legal);
    assert_eq!(parsed(&encoded), [shown(&legal), shown(&legal)]);
    assert!(!encoded.contains(['{', '}', '\n']), "{encoded}");
}

/// Returns what a reader sees, with invisible characters as their code points.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match escape::is_invisible(c) {
            true => shown += &format!("\\u{{{:X}}}", c as u32),
            false => shown.push(c),
        }
    }
    shown
}

/// Returns the text of a line of Markdown. Panics if the line has any markup of the encoded text.
fn words(line: &str) -> String {
    let mut words = String::new();
    for event in Parser::new_ext(line, Options::all()) {
        match event {
            // The zero-width space between a sign and a name, for forges.
            Event::Text(text) => words += &text.replace('\u{200b}', ""),
            Event::Start(Tag::Paragraph | Tag::List(None) | Tag::Item | Tag::Heading { .. })
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::List(_)
                | TagEnd::Item
                | TagEnd::Heading(_)
                | TagEnd::Link,
            ) => {}
            Event::Start(Tag::Link { ref dest_url, .. }) if &**dest_url == "y" => {}
            other => panic!("{other:?} in {line:?}"),
        }
    }
    words
}
