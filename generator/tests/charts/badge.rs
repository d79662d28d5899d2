//! Badges: legible, of the width of their texts, and nothing but text.

use super::colours::contrast;
use generator::chart::badge::{BAD, Badge, EVEN, GOOD, UNKNOWN};
use roxmltree::Document;

fn badge(name: &str, text: &str, color: &'static str) -> String {
    let title = format!("{name}: {text}");
    let [name, text] = [name, text].map(str::to_owned);
    let badge = Badge {
        name,
        text,
        color,
        title,
    };
    badge.render()
}

#[test]
fn a_badge() {
    insta::assert_snapshot!("badge", badge("rustls 0.23.46", "1.9x OpenSSL", GOOD));
}

#[test]
fn text_contrasts_with_what_is_behind_it() {
    for color in [GOOD, BAD, EVEN, UNKNOWN] {
        let svg = badge("name", "text", color);
        let document = Document::parse(&svg).expect("XML");
        let paths = document
            .descendants()
            .filter(|node| node.has_tag_name("path"));
        let fills: Vec<&str> = paths.filter_map(|path| path.attribute("fill")).collect();
        assert_eq!(fills.len(), 2);
        for fill in fills {
            assert!(contrast(fill, "#ffffff") >= 4.5, "{fill}");
        }
    }
}

#[test]
fn names_of_others_stay_text_and_fit() {
    let long = "wide words ".repeat(30);
    for words in [
        "</text><script>alert(1)</script>",
        "\" onload=\"",
        "]]>",
        "a\0b",
        &long,
    ] {
        let svg = badge(words, words, GOOD);
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{words}: {error}"));
        let elements = document.descendants().filter(roxmltree::Node::is_element);
        for element in elements {
            let name = element.tag_name().name();
            assert!(
                ["svg", "title", "path", "g", "text"].contains(&name),
                "{name}"
            );
            let is_safe = |name: &str| !name.starts_with("on") && name != "href";
            assert!(
                element.attributes().all(|a| is_safe(a.name())),
                "{element:?}"
            );
        }
        let title = document
            .descendants()
            .find(|node| node.has_tag_name("title"));
        let expected = format!("{words}: {words}").replace('\0', "\u{fffd}");
        assert_eq!(title.and_then(|title| title.text()), Some(&*expected));
        let width = document.root_element().attribute("width");
        let width: f64 = width.expect("a width").parse().expect("px");
        assert!(width <= 640.0, "{width}");
    }
}
