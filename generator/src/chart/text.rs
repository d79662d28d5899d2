//! Estimated widths of text: an SVG is laid out here, but rendered elsewhere with unknown fonts.

use crate::base::escape::xml;

/// Font size in px where the image is scaled down. Layouts leave room for it: 16 px in a chart
/// 460 px wide are 10 px on a screen 320 px wide.
pub(super) const NARROW_SIZE: f64 = 16.0;

/// Advance widths in 1/100 em of the characters from space to tilde in DejaVu Sans: the widest
/// of the common interface fonts, 13 % wider than Arial, so that text that fits here fits anywhere.
#[rustfmt::skip]
const ADVANCES: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// Height of a line of text in px, at the largest font size.
pub(super) const LINE: f64 = NARROW_SIZE + 2.0;

/// Width of `text` in px, at the largest font size.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(advance).sum::<f64>() * NARROW_SIZE
}

/// Width of one character in em.
fn advance(c: char) -> f64 {
    match c {
        ' '..='~' => f64::from(ADVANCES[c as usize - ' ' as usize]) / 100.0,
        // Latin, Greek and Cyrillic: as wide as the widest lower-case letters except "m".
        '\0'..='\u{52f}' | '\u{2000}'..='\u{206f}' => 0.65,
        _ => 1.0,
    }
}

/// A text element at a place, vertically centred; a text wider than `room` px is shortened, with a tooltip.
pub(super) fn element(class: &str, (x, y): (f64, f64), text: &str, room: f64) -> String {
    let class = match class {
        _ if text.is_empty() => return String::new(),
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    // Tolerates rounding of both ends in layouts without slack.
    let shown = match width(text) <= room + 1.0 {
        true => xml(text).into_owned(),
        false => format!("{}<title>{}</title>", xml(&shorten(text, room)), xml(text)),
    };
    format!("<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{shown}</text>")
}

/// Shortens `text` to `room` px by an ellipsis in the middle: names are often distinguished by the
/// version at their end.
fn shorten(text: &str, room: f64) -> String {
    let room = room - advance('…') * NARROW_SIZE;
    let start: String = fitting(text.chars(), room / 2.0).collect();
    let end: Vec<char> = fitting(text.chars().rev(), room - width(&start)).collect();
    let end: String = end.into_iter().rev().collect();
    format!("{}…{}", start.trim_end(), end.trim_start())
}

/// The first characters, up to a width of `room` px.
fn fitting(chars: impl Iterator<Item = char>, mut room: f64) -> impl Iterator<Item = char> {
    chars.take_while(move |c| {
        room -= advance(*c) * NARROW_SIZE;
        room >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        // Measured in Chromium with DejaVu Sans at 18 px: 313.
        let measured = 313.0 * NARROW_SIZE / 18.0;
        assert!((width("full handshakes, 1.3, ecdsa, server") - measured).abs() < 12.0);
        assert_eq!(width(""), 0.0);
    }

    #[test]
    fn shortened_text_fits() {
        for room in [20.0, 100.0, 333.3] {
            let text = shorten(&"wide words ".repeat(30), room);
            assert!(width(&text) <= room && text.contains('…'), "{room}: {text}");
        }
        assert_eq!(shorten("anything", 0.0), "…");
        assert_eq!(
            shorten("a library of a long name 1.2.3", 160.0),
            "a library…me 1.2.3"
        );
    }

    /// Font size in px of all text.
    const SIZE: f64 = 13.0;

    #[test]
    fn size_matches_the_style_sheet() {
        let css = include_str!("style.css");
        assert!(css.contains(&format!("svg{{font:{SIZE}px ")), "{css}");
    }
}
