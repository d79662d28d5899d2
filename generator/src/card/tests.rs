use super::font::Fonts;
use super::layout::{Item, Layout};
use super::*;

fn graph(title: &str, detail: &str, unit: &str, figures: &[&str]) -> Graph {
    Graph {
        title: title.to_owned(),
        detail: detail.to_owned(),
        unit: unit.to_owned(),
        figures: owned(figures),
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|t| (*t).to_owned()).collect()
}

pub(super) fn card() -> Card {
    Card {
        title: "rustls 0.23.37, BoringSSL 30cd935 and OpenSSL 3.6.1 on x86_64".to_owned(),
        byline: "7 March 2026 · Xeon E-2386G".to_owned(),
        finding: "Handshakes of rustls are 1.20x faster.".to_owned(),
        figures: Figures {
            alt: String::new(),
            names: owned(&["rustls 0.23.37", "OpenSSL 3.6.1"]),
            implementations: owned(&["rustls", "OpenSSL"]),
            graphs: vec![
                graph(
                    "full handshakes",
                    "1.3, rsa, server",
                    "hs/s, higher is better",
                    &["2,357", "1,713"],
                ),
                graph(
                    "transfer",
                    "1.3, aes-256-gcm, sending",
                    "MiB/s, higher is better",
                    &["7,421.5", MISSING],
                ),
            ],
        },
    }
}

/// A card of nothing but `text`.
fn of(text: &str) -> Card {
    let many = |n: usize| vec![text.to_owned(); n];
    Card {
        title: text.to_owned(),
        byline: text.to_owned(),
        finding: text.to_owned(),
        figures: Figures {
            alt: text.to_owned(),
            names: many(40),
            implementations: many(40),
            graphs: vec![
                Graph {
                    title: text.to_owned(),
                    detail: text.to_owned(),
                    unit: text.to_owned(),
                    figures: many(40),
                };
                5
            ],
        },
    }
}

fn fonts() -> Fonts {
    Fonts::new().expect("a font")
}

fn texts(layout: &Layout<'_>) -> Vec<String> {
    let text = |item: &Item| match item {
        Item::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    layout.items.iter().filter_map(text).collect()
}

fn bars(layout: &Layout<'_>) -> Vec<((f64, f64), (f64, f64))> {
    let bar = |item: &Item| match item {
        Item::Bar { at, size, .. } => Some((*at, *size)),
        _ => None,
    };
    layout.items.iter().filter_map(bar).collect()
}

/// Whatever is drawn is on the card, and texts of one line do not meet.
#[track_caller]
fn assert_inside(card: &Card) {
    let fonts = fonts();
    let layout = Layout::of(card, &fonts);
    let (width, height) = (f64::from(SIZE.0), f64::from(SIZE.1));
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for item in &layout.items {
        let (left, right, top, bottom) = match item {
            Item::Text {
                at: (x, y),
                size,
                weight,
                text,
                ..
            } => {
                let right = x + fonts.width(text, *size, *weight);
                taken.push((*y, *x, right));
                (*x, right, y - size, y + size * 0.3)
            }
            Item::Bar {
                at: (x, y),
                size: (w, h),
                ..
            } => (*x, x + w, *y, y + h),
            Item::Zero { x, y: (from, to) } => (*x, *x, *from, *to),
        };
        let inside = left >= 0.0 && right <= width - 50.0 && top >= 0.0 && bottom <= height - 20.0;
        assert!(inside, "{item:?} ends at {right}, {bottom}");
    }
    for (i, (y, left, right)) in taken.iter().enumerate() {
        for (other_y, other_left, other_right) in &taken[..i] {
            let meet = y == other_y && left < other_right && other_left < right;
            assert!(
                !meet,
                "texts at {y} meet: {left}–{right}, {other_left}–{other_right}"
            );
        }
    }
}

/// Outlines of text are cut short: their first points and their length tell them apart.
#[test]
fn a_card_is_drawn_as_before() {
    let drawing = Painter::new().expect("a font").draw(&card());
    let mut shown = String::new();
    for line in drawing.svg().lines() {
        let (start, rest) = line.split_at(line.len().min(170));
        shown += start;
        if !rest.is_empty() {
            shown += &format!("… {} more", rest.len());
        }
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn what_a_card_says() {
    let fonts = fonts();
    let layout = Layout::of(&card(), &fonts);
    assert_eq!(
        texts(&layout),
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
            "7,421.5",
            MISSING,
            "rustls 0.23.37",
            "OpenSSL 3.6.1",
        ]
    );
    assert_inside(&card());
}

#[test]
fn bars_are_as_long_as_their_figures() {
    let fonts = fonts();
    let layout = Layout::of(&card(), &fonts);
    let bars = bars(&layout);
    assert_eq!(bars.len(), 3, "none of the missing figure");
    let ratio = bars[1].1.0 / bars[0].1.0;
    assert!((ratio - 1713.0 / 2357.0).abs() < 1e-9, "{ratio}");
    // Both graphs start at their zeroes, and rows are on one line.
    assert_eq!(bars[0].0.1, bars[2].0.1);
    assert_eq!(bars[0].0.0, bars[1].0.0);
}

#[test]
fn colours_are_those_of_the_charts() {
    let svg = Painter::new()
        .expect("a font")
        .draw(&card())
        .svg()
        .to_owned();
    for look in crate::chart::style::looks(["rustls", "OpenSSL"]) {
        assert!(svg.contains(&format!("fill=\"{}\"", look.color)));
    }
    assert!(svg.contains("url(#p1)") && !svg.contains("url(#p0)"));
}

#[test]
fn names_of_any_kind_stay_on_the_card() {
    let long = "rustls 0.23.37, ".repeat(40);
    let word = "x".repeat(3000);
    for text in [
        "",
        " ",
        &long,
        &word,
        "</svg><script>alert(1)</script>",
        "\u{202e}gpj.exe\0\n\t",
        "日本語のテキスト日本語のテキスト日本語のテキスト日本語のテキスト",
        "مرحبا",
        "🦀",
        "-1e308",
        "1e999",
        "NaN",
        "inf",
    ] {
        assert_inside(&of(text));
        let drawing = Painter::new().expect("a font").draw(&of(text));
        let document = roxmltree::Document::parse(drawing.svg()).expect("XML");
        let names = document.descendants().filter(roxmltree::Node::is_element);
        for name in names.map(|n| n.tag_name().name()) {
            assert!(
                ["svg", "path", "pattern"].contains(&name),
                "{text}: <{name}>"
            );
        }
        assert!(!drawing.svg().contains("NaN") && !drawing.svg().contains("inf"));
        drawing.png().expect("a picture");
    }
}

#[test]
fn a_finding_that_does_not_fit_is_left_out() {
    let fonts = fonts();
    let long = Card {
        finding: "many words ".repeat(30),
        ..card()
    };
    let layout = Layout::of(&long, &fonts);
    assert!(!texts(&layout).iter().any(|t| t.contains("many words")));
}
