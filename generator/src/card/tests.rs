use super::font::Fonts;
use super::layout::{Item, layout};
use super::*;
use crate::look::{Look, looks};

fn graph(title: &str, detail: &str, symbol: &str, values: &[Option<f64>]) -> CardGraph {
    CardGraph {
        title: title.to_owned(),
        detail: detail.to_owned(),
        unit: format!("{symbol}, higher is better"),
        scale: Scale {
            factor: 1.0,
            symbol: symbol.to_owned(),
            decimals: 0,
        },
        values: values.to_vec(),
    }
}

fn bar(name: &str, implementation: &str) -> Bar {
    Bar {
        name: name.to_owned(),
        look: Look::of(implementation),
    }
}

pub(super) fn card() -> Card {
    Card {
        title: "rustls 0.23.37, BoringSSL 30cd935 and OpenSSL 3.6.1 on x86_64".to_owned(),
        byline: "7 March 2026 · Xeon E-2386G".to_owned(),
        finding: "Handshakes of rustls are 1.20x faster.".to_owned(),
        alt: String::new(),
        bars: vec![
            bar("rustls 0.23.37", "rustls"),
            bar("OpenSSL 3.6.1", "OpenSSL"),
        ],
        graphs: vec![
            graph(
                "full handshakes",
                "1.3, rsa, server",
                "hs/s",
                &[Some(2357.4), Some(1713.0)],
            ),
            graph(
                "transfer",
                "1.3, aes-256-gcm, sending",
                "MiB/s",
                &[Some(7421.5), None],
            ),
        ],
    }
}

/// A card full of `text` and `value`.
pub(super) fn card_of(text: &str, value: f64) -> Card {
    Card {
        title: text.to_owned(),
        byline: text.to_owned(),
        finding: text.to_owned(),
        alt: text.to_owned(),
        bars: vec![bar(text, text); 40],
        graphs: vec![graph(text, text, text, &[Some(value); 40]); 5],
    }
}

fn items(card: &Card) -> Vec<Item> {
    layout(card, &Fonts::new().expect("a font"))
}

fn texts(items: &[Item]) -> Vec<&str> {
    let mut texts = Vec::new();
    for item in items {
        if let Item::Text(.., text) = item {
            texts.push(text.as_str());
        }
    }
    texts
}

/// Left, right, top and bottom of an item.
fn extent(item: &Item, fonts: &Fonts) -> (i32, i32, i32, i32) {
    match item {
        Item::Text((x, y), face, _, text) => {
            let right = x + fonts.width(text, *face).ceil() as i32;
            let size = i32::from(face.0);
            (*x, right, y - size, y + size * 3 / 10)
        }
        Item::Area((x, y), (width, height), ..) => (*x, x + width, *y, y + height),
    }
}

/// All items are on the card, and texts on one line do not overlap.
#[track_caller]
fn assert_inside(card: &Card) {
    let fonts = Fonts::new().expect("a font");
    let mut lines: Vec<(i32, i32, i32)> = Vec::new();
    // The first item is the stripe from edge to edge.
    for item in &items(card)[1..] {
        let (left, right, top, bottom) = extent(item, &fonts);
        let (width, height) = (SIZE.0 as i32, SIZE.1 as i32);
        let inside = left >= 0 && right <= width - 50 && top >= 0 && bottom <= height - 20;
        assert!(inside, "{item:?} ends at {right}, {bottom}");
        if let Item::Text((_, y), ..) = item {
            for (other, from, to) in &lines {
                let meet = y == other && left < *to && *from < right;
                assert!(
                    !meet,
                    "texts at {y} meet: {left} to {right}, {from} to {to}"
                );
            }
            lines.push((*y, left, right));
        }
    }
}

#[test]
fn texts_of_a_card() {
    assert_eq!(
        texts(&items(&card())),
        [
            "rustls 0.23.37, BoringSSL 30cd935",
            "and OpenSSL 3.6.1 on x86_64",
            "7 March 2026 · Xeon E-2386G",
            "Handshakes of rustls are 1.20x faster.",
            "full handshakes",
            "1.3, rsa, server",
            "hs/s, higher is better",
            "2,357",
            "1,713",
            "transfer",
            "1.3, aes-256-gcm, sending",
            "MiB/s, higher is better",
            "7,422",
            "–",
            "rustls 0.23.37",
            "OpenSSL 3.6.1",
        ]
    );
    assert_inside(&card());
}

#[test]
fn bars_are_proportional_to_their_figures() {
    let items = items(&card());
    let wanted = looks(["rustls", "OpenSSL"].map(Look::of));
    let bar = |item: &Item| match item {
        Item::Area(at, size, color, pattern) => wanted
            .iter()
            .any(|l| (l.color, l.pattern) == (*color, *pattern))
            .then_some((*at, *size)),
        Item::Text(..) => None,
    };
    let bars: Vec<((i32, i32), (i32, i32))> = items.iter().filter_map(bar).collect();
    assert_eq!(bars.len(), 3, "no bar for the missing figure");
    let ratio = f64::from(bars[1].1.0) / f64::from(bars[0].1.0);
    assert!((ratio - 1713.0 / 2357.4).abs() < 0.005, "{ratio}");
    // Bars of a graph start at the same x, and those of a row have the same y.
    assert_eq!(bars[0].0.1, bars[2].0.1);
    assert_eq!(bars[0].0.0, bars[1].0.0);
}

#[test]
fn names_and_figures_of_any_kind_stay_on_the_card() {
    let long = "rustls 0.23.37, ".repeat(40);
    let word = "x".repeat(3000);
    for text in [
        "",
        " ",
        &long,
        &word,
        "\u{202e}gpj.exe\0\n\t",
        "日本語のテキスト",
        "مرحبا",
        "🦀",
    ] {
        for value in [5.0, f64::MAX] {
            assert_inside(&card_of(text, value));
        }
    }
    for value in [0.0, -1.0, 1e-300, f64::NAN, f64::INFINITY] {
        assert_inside(&card_of("rustls", value));
    }
}

#[test]
fn a_finding_that_does_not_fit_is_left_out() {
    let long = Card {
        finding: "many words ".repeat(30),
        ..card()
    };
    assert!(
        !texts(&items(&long))
            .iter()
            .any(|t| t.contains("many words"))
    );
}
