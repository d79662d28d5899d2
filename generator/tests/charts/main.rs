//! Every chart, with published figures and with hostile text.

mod degenerate;
mod examples;

use examples::{TRANSFER, bars, examples, ratios};
use generator::chart::{Drawing, RowAxis};
use roxmltree::Document;

#[test]
fn files_are_svg_with_title_and_description() {
    for (name, drawing) in examples("plain title") {
        let document = Document::parse(&drawing.svg).unwrap_or_else(|e| panic!("{name}: {e}"));
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"), "{name}");
        let labels = root.attribute("aria-labelledby").expect("labels");
        for id in labels.split(' ') {
            let named = root.descendants().filter(|n| n.attribute("id") == Some(id));
            assert_eq!(
                named.filter(|n| n.text().is_some()).count(),
                1,
                "{name}: {id}"
            );
        }
        let (width, height) = (drawing.width.to_string(), drawing.height.to_string());
        assert_eq!(root.attribute("width"), Some(width.as_str()), "{name}");
        assert_eq!(root.attribute("height"), Some(height.as_str()), "{name}");
        assert_eq!(
            root.attribute("viewBox"),
            Some(format!("0 0 {width} {height}").as_str())
        );
    }
}

/// All elements and attributes of charts: labels must never become others.
const ELEMENTS: &[&str] = &[
    "svg", "title", "desc", "style", "pattern", "g", "path", "text",
];
const ATTRIBUTES: &[&str] = &[
    "viewBox",
    "width",
    "height",
    "role",
    "aria-labelledby",
    "id",
    "class",
    "d",
    "x",
    "y",
    "patternUnits",
    "patternTransform",
];

#[test]
fn hostile_text_stays_text() {
    let long = "x".repeat(300);
    let hostile = [
        "<script>alert(1)</script>",
        "\" onload=\"alert(1)",
        "]]>",
        "a\0b",
        "\u{202e}drawkcab\u{2066}",
        "</text></svg><foreignObject>",
        "👩‍💻 🚀",
        "&lt;&#60;",
        "</style><style>*{fill:red}",
        &long,
    ];
    for words in hostile {
        let shown = words.replace(['\0', '\u{202e}', '\u{2066}'], "\u{fffd}");
        // It hides nothing here, but could.
        let shown = shown.replace('\u{200d}', "\\u{200D}");
        for (name, drawing) in examples(words) {
            let document = Document::parse(&drawing.svg).unwrap_or_else(|e| panic!("{name}: {e}"));
            let mut found = 0;
            for node in document.descendants().filter(roxmltree::Node::is_element) {
                assert!(
                    ELEMENTS.contains(&node.tag_name().name()),
                    "{name}: {node:?}"
                );
                for attribute in node.attributes() {
                    assert!(
                        ATTRIBUTES.contains(&attribute.name()),
                        "{name}: {attribute:?}"
                    );
                }
                let text = matches!(node.tag_name().name(), "text" | "title" | "desc");
                found += usize::from(text && node.text() == Some(&shown));
            }
            // The title, the description, and the labels in the drawing.
            assert!(found >= 3, "{name}: {words:?} found {found} times");
        }
    }
}

#[test]
fn no_text_leaves_the_frame() {
    // 6.5 px is the mean width of a character in Arial at 13 px.
    for (name, drawing) in examples(&"wide words ".repeat(30)) {
        let document = Document::parse(&drawing.svg).expect("well-formed");
        let width = f64::from(drawing.width);
        for text in document.descendants().filter(|n| n.has_tag_name("text")) {
            let class =
                [text, text.parent().expect("parent")].map(|n| n.attribute("class").unwrap_or(""));
            let x: f64 = text.attribute("x").expect("x").parse().expect("px");
            let long = text.text().map_or(0.0, |t| t.chars().count() as f64 * 6.5);
            let (left, right) = match class.join(" ") {
                c if c.split(' ').any(|c| c == "e") => (x - long, x),
                c if c.split(' ').any(|c| c == "c") => (x - long / 2.0, x + long / 2.0),
                _ => (x, x + long),
            };
            assert!(
                left >= -1.0 && right <= width + 1.0,
                "{name}: {text:?} from {left} to {right}"
            );
        }
    }
}

#[test]
fn long_scenarios_take_a_second_line() {
    let words = "latency of resumed handshakes, 1.2, session id, server, 80 threads, P99.9";
    for (name, drawing) in [
        ("bars", bars(words, TRANSFER, "MiB/s")),
        ("ratios", ratios(words, 2)),
    ]
    .map(|(n, c)| (n, c.render()))
    {
        let document = Document::parse(&drawing.svg).expect("well-formed");
        let strong = document
            .descendants()
            .filter(|n| n.attribute("class") == Some("b"));
        let texts = strong.flat_map(|n| n.descendants().filter(|n| n.has_tag_name("text")));
        let shown: Vec<&str> = texts.filter_map(|n| n.text()).collect();
        let wanted = [
            "latency of resumed handshakes, 1.2, session id, server,",
            "80 threads, P99.9",
        ];
        let is_there = shown.windows(2).any(|lines| lines == wanted);
        assert!(is_there, "{name}: {shown:?}");
    }
}

#[test]
fn the_labels_beside_1_are_not_cut_at_the_left_edge() {
    let mut chart = ratios("words", 2);
    chart.axis = RowAxis::Ratios {
        range: (0.9, 1000.0),
        sides: ["slower", "faster"],
    };
    let svg = chart.render().svg;
    assert!(
        svg.contains(">slower</text>") && svg.contains(">faster</text>"),
        "{svg}"
    );
}

#[test]
fn files_are_small() {
    for (name, Drawing { svg, .. }) in examples("plain title") {
        println!("{name}: {} bytes", svg.len());
        // A reference chart has at most 24 bars; 12 groups of 8 are the maximum of any chart.
        let limit = match name {
            "many-bars" => 24_000,
            "threads" => 15_000,
            _ => 10_000,
        };
        assert!(svg.len() < limit, "{name}: {} bytes", svg.len());
    }
}

#[test]
fn small_charts() {
    for (name, Drawing { svg, .. }) in examples("plain title")
        .into_iter()
        .filter(|e| e.0.starts_with("small-"))
    {
        insta::assert_snapshot!(name, svg);
    }
}

#[test]
fn degenerate_charts_are_valid() {
    for (name, Drawing { svg, .. }) in degenerate::degenerate() {
        let document = Document::parse(&svg).unwrap_or_else(|e| panic!("{name}: {e}"));
        for path in document.descendants().filter(|n| n.has_tag_name("path")) {
            let d = path.attribute("d").expect("d");
            // A NaN or infinite position becomes 0 or an end of i32.
            assert!(!d.contains("NaN") && !d.contains("21474836"), "{name}: {d}");
        }
        assert!(svg.len() < 40_000, "{name}: {} bytes", svg.len());
    }
}
