//! Every chart, with published figures and with hostile text.

mod colours;
mod degenerate;
mod examples;

use crate::common::difference;
use examples::{bars, examples, threads};
use generator::chart::{Drawing, Lines, RowPanel};
use roxmltree::{Document, Node};

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
    "svg", "title", "desc", "style", "g", "path", "circle", "text",
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
    "r",
    "cx",
    "cy",
    "transform",
    "x",
    "y",
    "color",
    "data-of",
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
            for node in document.descendants().filter(Node::is_element) {
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

/// Names and figures stand beside the bars, within the panel.
#[test]
fn each_panel_of_bars_has_its_own_scale() {
    let lengths = |rows: &str| -> Vec<f64> {
        let svg = RowPanel::render(&bars("plain title", rows), "", "").svg;
        let paths = svg.split("class=\"f\" d=\"").skip(1);
        let length = |path: &str| -> f64 {
            let (_, rest) = path.split_once('h').expect("a bar");
            let (length, _) = rest.split_once('v').expect("its end");
            length.parse().expect("a length")
        };
        paths.map(length).collect()
    };
    let [first, _, _, fourth, ..] = lengths("a  10 5 1\nb  1000 50 10")[..] else {
        panic!("six bars");
    };
    assert_eq!(first, fourth);
}

/// Lines that end at one height have names below each other, 16 px high.
#[test]
fn names_of_lines_do_not_overlap() {
    let mut chart = threads("plain title");
    for point in chart.lines.iter_mut().flat_map(|line| &mut line.points) {
        point.y = 3000.0;
    }
    let svg = Lines::render(&[chart], "", "").svg;
    let document = Document::parse(&svg).expect("well-formed");
    let names = document
        .descendants()
        .filter(|n| n.attribute("class") == Some("y"));
    let place = |name: Node<'_, '_>| name.attribute("y")?.parse().ok();
    let places: Vec<f64> = names.filter_map(place).collect();
    assert_eq!(places.len(), 3);
    assert!(places.is_sorted_by(|a, b| b - a >= 16.0), "{places:?}");
}

#[test]
fn files_are_small() {
    for (name, Drawing { svg, .. }) in examples("plain title") {
        // A chart has at most 28 bars.
        let limit = if name == "threads" { 14_000 } else { 12 << 10 };
        assert!(svg.len() < limit, "{name}: {} bytes", svg.len());
    }
}

#[test]
fn small_charts() {
    let mut small = examples("plain title");
    small.retain(|(name, _)| name.starts_with("small-"));
    for (name, Drawing { svg, .. }) in small {
        assert_eq!(
            difference(&format!("charts/snapshots/{name}.svg"), &svg),
            None
        );
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
