//! The layout of a card. All lengths are px of the card.

use super::font::{Face, Fonts, Weight};
use super::{Bar, Card, CardGraph, MAX_BARS, MAX_GRAPHS, SIZE};
use crate::look::{Look, Pattern, Rgb, looks};

/// Colours of the pages' light scheme (`static/style.css`): text, muted text and lines, and the
/// accent, which no implementation has.
const STRONG: Rgb = Rgb(0x1d, 0x23, 0x27);
const QUIET: Rgb = Rgb(0x57, 0x61, 0x6a);
const ACCENT: Rgb = Rgb(0xb0, 0x7d, 0x00);

/// Something to draw. Cards with equal items are the same picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// One line of text, from the left end of its baseline.
    Text((i32, i32), Face, Rgb, String),
    /// A rectangle: its top left corner, width and height.
    Area((i32, i32), (i32, i32), Rgb, Pattern),
}

/// Font and colour of a line, and its distance from the previous line.
#[derive(Clone, Copy)]
struct Style(Face, Rgb, f64);

const TITLE: Style = Style(Face(46, Weight::Bold), STRONG, 56.0);
const BYLINE: Style = Style(Face(30, Weight::Regular), QUIET, 44.0);
const GRAPH: Style = Style(Face(30, Weight::Bold), STRONG, 36.0);
const DETAIL: Style = Style(Face(27, Weight::Regular), STRONG, 35.0);
const UNIT: Style = Style(Face(27, Weight::Regular), QUIET, 35.0);
const NAME: Style = Style(Face(30, Weight::Regular), STRONG, 0.0);
const FIGURE: Style = Style(Face(30, Weight::Bold), STRONG, 0.0);
const FINDING: Style = Style(Face(28, Weight::Regular), QUIET, 38.0);

/// Margins at the sides of the card, and below its bars.
const EDGE: f64 = 56.0;
const BOTTOM: f64 = 44.0;
/// Width of the card, and between its margins.
const WIDTH: f64 = SIZE.0 as f64;
const ROOM: f64 = WIDTH - 2.0 * EDGE;
/// Gaps between columns, and between a bar and its figure.
const GAP: f64 = 44.0;
const FIGURE_GAP: f64 = 12.0;
/// Minimum and maximum distance from one bar to the next, and the bar's share of it.
const ROW: std::ops::RangeInclusive<f64> = 42.0..=84.0;
const BAR_SHARE: f64 = 0.68;
/// Maximum width of the column of names beside two graphs, and beside one.
const NAMES_BESIDE_TWO: f64 = 350.0;
const NAMES_BESIDE_ONE: f64 = 560.0;

/// A card being laid out from top to bottom.
struct CardLayout<'a> {
    fonts: &'a Fonts,
    items: Vec<Item>,
    y: f64,
}

/// Lays out a card.
pub(super) fn layout(card: &Card, fonts: &Fonts) -> Vec<Item> {
    let bars = &card.bars[..card.bars.len().min(MAX_BARS)];
    let mut layout = CardLayout {
        fonts,
        items: Vec::new(),
        y: EDGE - 10.0,
    };
    layout.area((0.0, 0.0), (WIDTH, 12.0), ACCENT, Pattern::Solid);
    layout.lines(&card.title, TITLE, (EDGE, ROOM), 2);
    layout.y += 4.0;
    layout.lines(&card.byline, BYLINE, (EDGE, ROOM), 1);
    layout.y += 18.0;
    let foot = layout.finding(&card.finding, bars.len());
    let graphs = &card.graphs[..card.graphs.len().min(MAX_GRAPHS)];
    if !graphs.is_empty() && !bars.is_empty() {
        layout.graphs(bars, graphs, foot);
    }
    layout.items
}

impl CardLayout<'_> {
    /// Adds text in at most `max` lines from `left`, below the previous items.
    fn lines(&mut self, text: &str, style: Style, (left, room): (f64, f64), max: usize) {
        for line in self.fonts.wrap(text, style.0, room, max) {
            self.y += style.2;
            self.text(line, style, (left, self.y));
        }
    }

    fn text(&mut self, text: String, Style(face, color, _): Style, at: (f64, f64)) {
        self.items.push(Item::Text(whole(at), face, color, text));
    }

    /// Adds a rectangle with edges on whole pixels, so that they are sharp.
    fn area(&mut self, at: (f64, f64), size: (f64, f64), color: Rgb, pattern: Pattern) {
        let (left, top) = whole(at);
        let (right, bottom) = whole((at.0 + size.0, at.1 + size.1));
        let size = (right - left, bottom - top);
        self.items
            .push(Item::Area((left, top), size, color, pattern));
    }

    /// The width of the widest of `texts`.
    fn widest<'a>(&self, texts: impl Iterator<Item = &'a String>, style: Style) -> f64 {
        let widths = texts.map(|text| self.fonts.width(text, style.0));
        widths.fold(0.0, f64::max)
    }

    /// Adds the finding at the foot of the card, if all of it fits below the bars. Returns the
    /// bottom of the room for bars.
    fn finding(&mut self, finding: &str, bars: usize) -> f64 {
        let bottom = f64::from(SIZE.1) - BOTTOM;
        let Style(face, _, height) = FINDING;
        let lines = self.fonts.wrap(finding, face, ROOM, 3);
        // Slightly more than the minimum: bars are more important than the finding.
        let needed = heads(MAX_GRAPHS) + bars as f64 * (ROW.start() + 6.0);
        let top = bottom - lines.len() as f64 * height - 14.0;
        if lines.is_empty() || lines.len() > 2 || top < self.y + needed {
            return bottom;
        }
        for (index, line) in lines.into_iter().enumerate() {
            let y = top + (index + 1) as f64 * height + 4.0;
            self.text(line, FINDING, (EDGE, y));
        }
        top
    }

    /// Adds the column of names, and the graphs beside it.
    fn graphs(&mut self, bars: &[Bar], graphs: &[CardGraph], foot: f64) {
        let count = graphs.len();
        let column = match count {
            1 => NAMES_BESIDE_ONE,
            _ => NAMES_BESIDE_TWO,
        };
        let column = self.widest(bars.iter().map(|b| &b.name), NAME).min(column);
        let left = EDGE + column + GAP / 2.0;
        let each = (WIDTH - EDGE - left - GAP * (count - 1) as f64) / count as f64;
        let top = self.y;
        let head = top + heads(count);
        let row = ((foot - head) / bars.len() as f64).clamp(*ROW.start(), *ROW.end());
        let looks = looks(bars.iter().map(|b| b.look));
        for (index, graph) in graphs.iter().enumerate() {
            self.y = top;
            let x = left + index as f64 * (each + GAP);
            let room = if count == 1 { (EDGE, ROOM) } else { (x, each) };
            if count == 1 && !graph.detail.is_empty() && !graph.title.is_empty() {
                let what = format!("{}, {}", graph.title, graph.detail);
                self.lines(&what, GRAPH, room, 1);
            } else {
                self.lines(&graph.title, GRAPH, room, 1);
                self.lines(&graph.detail, DETAIL, room, 1);
            }
            self.lines(&graph.unit, UNIT, room, 1);
            self.bars(graph, &looks, (x, head), (each, row));
        }
        for (index, bar) in bars.iter().enumerate() {
            let name = self.fonts.shorten(&bar.name, NAME.0, column);
            self.text(name, NAME, (EDGE, baseline(head, row, index, NAME)));
        }
    }

    /// Adds the bars of one graph, in rows below `top`.
    fn bars(
        &mut self,
        graph: &CardGraph,
        looks: &[Look],
        (x, top): (f64, f64),
        (room, row): (f64, f64),
    ) {
        let drawable = |v: &Option<f64>| v.filter(|v| v.is_finite() && *v > 0.0).unwrap_or(0.0);
        let lengths = graph.values.iter().map(drawable);
        let longest = lengths.clone().fold(f64::MIN_POSITIVE, f64::max);
        // Shortened so that a figure of hostile length cannot push the bars out of their graph.
        let shown = graph
            .values
            .iter()
            .take(looks.len())
            .map(|v| graph.show(*v));
        let figures = shown.map(|f| self.fonts.shorten(&f, FIGURE.0, room / 2.0));
        let figures: Vec<String> = figures.collect();
        let length = room - FIGURE_GAP - self.widest(figures.iter(), FIGURE);
        let height = row * BAR_SHARE;
        for (index, ((figure, value), look)) in
            figures.into_iter().zip(lengths).zip(looks).enumerate()
        {
            let long = value / longest * length;
            let y = top + index as f64 * row + (row - height) / 2.0;
            if long >= 0.5 {
                self.area((x, y), (long, height), look.color, look.pattern);
            }
            let at = (x + long + FIGURE_GAP, baseline(top, row, index, FIGURE));
            self.text(figure, FIGURE, at);
        }
        // The zero line.
        let height = looks.len() as f64 * row;
        self.area((x - 2.0, top), (2.0, height), QUIET, Pattern::Solid);
    }
}

fn whole((x, y): (f64, f64)) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

/// Height of the headings above the bars of `count` graphs; a single graph's has the full width.
fn heads(count: usize) -> f64 {
    let detail = if count == 1 { 0.0 } else { DETAIL.2 };
    GRAPH.2 + detail + UNIT.2 + 14.0
}

/// The baseline of text in the middle of a row; capitals of the font are 0.727 em high.
fn baseline(top: f64, row: f64, index: usize, Style(Face(size, _), ..): Style) -> f64 {
    top + (index as f64 + 0.5) * row + f64::from(size) * 0.727 / 2.0
}
