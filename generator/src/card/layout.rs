//! Where everything of a card stands. All lengths are px of the card.

use super::font::{Fonts, Weight};
use super::{Bar, Card, Graph, MAX_BARS, MAX_GRAPHS, SIZE};
use crate::look::{Look, Pattern, Rgb, looks};

/// The light scheme of the pages (`static/style.css`): text, quiet text and lines, and the
/// accent, which is of no implementation.
const STRONG: Rgb = Rgb(0x1d, 0x23, 0x27);
const QUIET: Rgb = Rgb(0x57, 0x61, 0x6a);
const ACCENT: Rgb = Rgb(0xb0, 0x7d, 0x00);

/// Something to draw. Two cards of equal items are the same picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// One line of text, from the left end of its baseline.
    Text {
        at: (i32, i32),
        size: f64,
        weight: Weight,
        color: Rgb,
        text: String,
    },
    /// A rectangle: its upper left corner, width and height.
    Area {
        at: (i32, i32),
        size: (i32, i32),
        color: Rgb,
        pattern: Pattern,
    },
}

/// Size, weight and colour of a line; and how far it is from the line before.
#[derive(Clone, Copy)]
struct Style(f64, Weight, Rgb, f64);

const TITLE: Style = Style(46.0, Weight::Bold, STRONG, 56.0);
const BYLINE: Style = Style(30.0, Weight::Regular, QUIET, 44.0);
const GRAPH: Style = Style(30.0, Weight::Bold, STRONG, 36.0);
const DETAIL: Style = Style(27.0, Weight::Regular, STRONG, 35.0);
const UNIT: Style = Style(27.0, Weight::Regular, QUIET, 35.0);
const NAME: Style = Style(30.0, Weight::Regular, STRONG, 0.0);
const FIGURE: Style = Style(30.0, Weight::Bold, STRONG, 0.0);
const FINDING: Style = Style(28.0, Weight::Regular, QUIET, 38.0);

/// To the edges of the card; below its bars.
const EDGE: f64 = 56.0;
const BOTTOM: f64 = 44.0;
/// Between columns; between a bar and its figure.
const GAP: f64 = 44.0;
const FIGURE_GAP: f64 = 12.0;
/// From one bar to the next.
const ROW: std::ops::RangeInclusive<f64> = 42.0..=84.0;
const BAR_SHARE: f64 = 0.68;
/// The widest column of names beside two graphs, and beside one.
const NAMES_BESIDE_TWO: f64 = 350.0;
const NAMES_BESIDE_ONE: f64 = 560.0;

/// A card that is being filled from the top.
struct Layout<'a> {
    fonts: &'a Fonts,
    items: Vec<Item>,
    y: f64,
}

/// What to draw for a card.
pub(super) fn layout(card: &Card, fonts: &Fonts) -> Vec<Item> {
    let bars = &card.bars[..card.bars.len().min(MAX_BARS)];
    let mut layout = Layout {
        fonts,
        items: Vec::new(),
        y: EDGE - 10.0,
    };
    let width = f64::from(SIZE.0) - 2.0 * EDGE;
    layout.area(
        (0.0, 0.0),
        (f64::from(SIZE.0), 12.0),
        ACCENT,
        Pattern::Solid,
    );
    layout.lines(&card.title, TITLE, (EDGE, width), 2);
    layout.y += 4.0;
    layout.lines(&card.byline, BYLINE, (EDGE, width), 1);
    layout.y += 18.0;
    let foot = layout.finding(&card.finding, bars.len(), width);
    layout.graphs(bars, &card.graphs, foot);
    layout.items
}

impl Layout<'_> {
    /// Text in at most `max` lines from `left` on, below what stands above.
    fn lines(&mut self, text: &str, style: Style, (left, room): (f64, f64), max: usize) {
        let Style(size, weight, _, height) = style;
        for line in self.fonts.wrap(text, (size, weight), room, max) {
            self.y += height;
            self.text(line, style, (left, self.y));
        }
    }

    fn text(&mut self, text: String, style: Style, (x, y): (f64, f64)) {
        let Style(size, weight, color, _) = style;
        self.items.push(Item::Text {
            at: (x.round() as i32, y.round() as i32),
            size,
            weight,
            color,
            text,
        });
    }

    /// Edges are on whole pixels, where they are sharp.
    fn area(&mut self, at: (f64, f64), size: (f64, f64), color: Rgb, pattern: Pattern) {
        let round = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
        let (left, top) = round(at);
        let (right, bottom) = round((at.0 + size.0, at.1 + size.1));
        self.items.push(Item::Area {
            at: (left, top),
            size: (right - left, bottom - top),
            color,
            pattern,
        });
    }

    fn width(&self, text: &str, Style(size, weight, ..): Style) -> f64 {
        self.fonts.width(text, size, weight)
    }

    /// The finding at the foot of the card, if all of it fits below the bars. Gives where the
    /// room for bars ends.
    fn finding(&mut self, finding: &str, bars: usize, width: f64) -> f64 {
        let bottom = f64::from(SIZE.1) - BOTTOM;
        let Style(size, weight, _, height) = FINDING;
        let lines = self.fonts.wrap(finding, (size, weight), width, 3);
        // A little more than the least: bars are what the card is for.
        let needed = heads(MAX_GRAPHS) + bars as f64 * (ROW.start() + 6.0);
        let top = bottom - lines.len() as f64 * height - 14.0;
        if lines.is_empty() || lines.len() > 2 || top < self.y + needed {
            return bottom;
        }
        for (index, line) in lines.into_iter().enumerate() {
            let y = top + 14.0 + (index + 1) as f64 * height - 10.0;
            self.text(line, FINDING, (EDGE, y));
        }
        top
    }

    /// The column of names, and beside it the graphs.
    fn graphs(&mut self, bars: &[Bar], graphs: &[Graph], foot: f64) {
        let count = graphs.len().min(MAX_GRAPHS);
        if count == 0 || bars.is_empty() {
            return;
        }
        let widest = bars.iter().map(|b| self.width(&b.name, NAME));
        let column = widest.fold(0.0, f64::max).min(match count {
            1 => NAMES_BESIDE_ONE,
            _ => NAMES_BESIDE_TWO,
        });
        let left = EDGE + column + GAP / 2.0;
        let all = f64::from(SIZE.0) - EDGE - left;
        let each = (all - GAP * (count - 1) as f64) / count as f64;
        let top = self.y;
        let head = top + heads(count);
        let row = ((foot - head) / bars.len() as f64).clamp(*ROW.start(), *ROW.end());
        let looks = looks(bars.iter().map(|b| b.implementation.as_str()));
        for (index, graph) in graphs.iter().take(count).enumerate() {
            self.y = top;
            let x = left + index as f64 * (each + GAP);
            if count == 1 {
                let what = [graph.title.as_str(), &graph.detail];
                let what: Vec<&str> = what.into_iter().filter(|w| !w.is_empty()).collect();
                let room = (EDGE, f64::from(SIZE.0) - 2.0 * EDGE);
                self.lines(&what.join(", "), GRAPH, room, 1);
                self.lines(&graph.unit, UNIT, room, 1);
            } else {
                self.lines(&graph.title, GRAPH, (x, each), 1);
                self.lines(&graph.detail, DETAIL, (x, each), 1);
                self.lines(&graph.unit, UNIT, (x, each), 1);
            }
            self.bars(graph, &looks, (x, head), (each, row));
        }
        for (index, bar) in bars.iter().enumerate() {
            let name = self.fonts.shorten(&bar.name, (NAME.0, NAME.1), column);
            self.text(name, NAME, (EDGE, baseline(head, row, index, NAME)));
        }
    }

    /// The bars of one graph, in rows below `top`.
    fn bars(
        &mut self,
        graph: &Graph,
        looks: &[Look],
        (x, top): (f64, f64),
        (room, row): (f64, f64),
    ) {
        let drawable = |v: &f64| v.is_finite() && *v > 0.0;
        let lengths = graph
            .values
            .iter()
            .map(|v| v.filter(drawable).unwrap_or(0.0));
        let longest = lengths.clone().fold(f64::MIN_POSITIVE, f64::max);
        // A figure of a hostile length may not push the bars out of their graph.
        let shown = graph
            .values
            .iter()
            .take(looks.len())
            .map(|v| graph.show(*v));
        let figures: Vec<String> = shown
            .map(|f| self.fonts.shorten(&f, (FIGURE.0, FIGURE.1), room / 2.0))
            .collect();
        let widths = figures.iter().map(|f| self.width(f, FIGURE));
        let length = room - FIGURE_GAP - widths.fold(0.0, f64::max);
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
        // The zero that bars start at.
        let height = looks.len() as f64 * row;
        self.area((x - 2.0, top), (2.0, height), QUIET, Pattern::Solid);
    }
}

/// Height of what stands above the bars of so many graphs: one graph's head has the whole width.
fn heads(count: usize) -> f64 {
    let detail = if count == 1 { 0.0 } else { DETAIL.3 };
    GRAPH.3 + detail + UNIT.3 + 14.0
}

/// Of text in the middle of a row; capitals of the font are 0.727 em high.
fn baseline(top: f64, row: f64, index: usize, Style(size, ..): Style) -> f64 {
    top + (index as f64 + 0.5) * row + size * 0.727 / 2.0
}
