//! A card as an SVG file without text, links or styles.

use super::font::Fonts;
use super::layout::{Ink, Item, Layout};
use super::{Card, SIZE};
use crate::chart::style::Look;
use std::fmt::Write;

/// The light scheme of the pages (`static/style.css`): ground, text, quiet text, lines, and the
/// accent, which is of no implementation.
const GROUND: &str = "#ffffff";
const STRONG: &str = "#1d2327";
const QUIET: &str = "#57616a";
const LINE: &str = "#57616a";
const ACCENT: &str = "#b07d00";

/// How much larger patterns are than in a chart: a card is shown at a third of its size. Whole, so
/// that upright tiles have no seams.
const PATTERN_SCALE: u8 = 3;

/// The file.
pub(super) fn render(card: &Card, fonts: &Fonts) -> String {
    let layout = Layout::of(card, fonts);
    let (width, height) = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n"
    );
    for (bar, look) in layout.looks.iter().enumerate() {
        svg += &pattern(bar, look);
    }
    let _ = writeln!(
        svg,
        "<path fill=\"{GROUND}\" d=\"M0 0h{width}v{height}h-{width}z\"/>\n\
         <path fill=\"{ACCENT}\" d=\"M0 0h{width}v12h-{width}z\"/>"
    );
    for item in &layout.items {
        svg += &draw(item, &layout.looks, fonts);
    }
    svg + "</svg>\n"
}

/// What the page shows through of a bar, as a pattern, where it has one: tiles of the gaps have
/// no seams in the bar's colour.
fn pattern(bar: usize, look: &Look) -> String {
    let Some((side, turn, path)) = look.pattern.tile() else {
        return String::new();
    };
    format!(
        "<pattern id=\"p{bar}\" width=\"{side}\" height=\"{side}\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"scale({PATTERN_SCALE}) rotate({turn})\"><path fill=\"{GROUND}\" fill-rule=\"evenodd\" \
         d=\"M0 0h{side}v{side}h-{side}z{path}\"/></pattern>\n"
    )
}

fn draw(item: &Item, looks: &[Look], fonts: &Fonts) -> String {
    match item {
        Item::Text {
            at: (x, y),
            size,
            weight,
            ink,
            text,
        } => {
            let (path, em) = fonts.outline(text, *weight);
            let scale = size / f64::from(em);
            let ink = match ink {
                Ink::Strong => STRONG,
                Ink::Quiet => QUIET,
            };
            format!(
                "<path fill=\"{ink}\" transform=\"translate({x:.1} {y:.1}) scale({scale:.6} -{scale:.6})\" d=\"{path}\"/>\n"
            )
        }
        Item::Bar {
            at: (x, y),
            size: (width, height),
            bar,
        } => {
            let look = looks[*bar];
            // Patterns start at the corner of their bar.
            let shape = format!(
                "transform=\"translate({x:.1} {y:.1})\" d=\"M0 0h{width:.1}v{height:.1}h-{width:.1}z\"/>\n"
            );
            let solid = format!("<path fill=\"{}\" {shape}", look.color);
            match look.pattern.tile() {
                Some(_) => format!("{solid}<path fill=\"url(#p{bar})\" {shape}"),
                None => solid,
            }
        }
        Item::Zero { x, y: (from, to) } => format!(
            "<path fill=\"{LINE}\" d=\"M{:.1} {from:.1}h2v{:.1}h-2z\"/>\n",
            x - 2.0,
            to - from
        ),
    }
}
