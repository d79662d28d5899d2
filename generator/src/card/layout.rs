//! Where everything of a card stands. All lengths are px of the card.

use super::font::{Fonts, Weight};
use super::{Card, Graph, MOST_BARS, MOST_GRAPHS, SIZE};
use crate::chart::style::{Look, looks};

/// Something to draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// One line of text, from the left end of its baseline.
    Text {
        at: (f64, f64),
        size: f64,
        weight: Weight,
        ink: Ink,
        text: String,
    },
    /// A bar: its upper left corner, width and height, and which it is.
    Bar {
        at: (f64, f64),
        size: (f64, f64),
        bar: usize,
    },
    /// The zero that bars start at: x, and from where to where it goes down.
    Zero { x: f64, y: (f64, f64) },
}

/// Colours of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Strong,
    Quiet,
}

/// A way to set a line: size, weight and ink; and how far it is from the line before.
#[derive(Clone, Copy)]
struct Style(f64, Weight, Ink, f64);

const TITLE: Style = Style(46.0, Weight::Bold, Ink::Strong, 56.0);
const BYLINE: Style = Style(30.0, Weight::Regular, Ink::Quiet, 44.0);
const GRAPH: Style = Style(30.0, Weight::Bold, Ink::Strong, 36.0);
const DETAIL: Style = Style(27.0, Weight::Regular, Ink::Strong, 35.0);
const UNIT: Style = Style(27.0, Weight::Regular, Ink::Quiet, 35.0);
const NAME: Style = Style(30.0, Weight::Regular, Ink::Strong, 0.0);
const FIGURE: Style = Style(30.0, Weight::Bold, Ink::Strong, 0.0);
const FINDING: Style = Style(28.0, Weight::Regular, Ink::Quiet, 38.0);

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
pub(super) struct Layout<'a> {
    fonts: &'a Fonts,
    pub(super) items: Vec<Item>,
    pub(super) looks: Vec<Look>,
    y: f64,
}

impl<'a> Layout<'a> {
    pub(super) fn of(card: &Card, fonts: &'a Fonts) -> Self {
        let figures = &card.figures;
        let bars = figures.names.len().min(figures.implementations.len());
        let bars = bars.min(MOST_BARS);
        let names = figures.implementations.iter().take(bars);
        let mut layout = Self {
            fonts,
            items: Vec::new(),
            looks: looks(names.map(String::as_str)),
            y: EDGE - 10.0,
        };
        let width = f64::from(SIZE.0) - 2.0 * EDGE;
        layout.lines(&card.title, TITLE, (EDGE, width), 2);
        layout.y += 4.0;
        layout.lines(&card.byline, BYLINE, (EDGE, width), 1);
        layout.y += 18.0;
        let foot = layout.finding(&card.finding, bars, width);
        layout.graphs(&figures.names[..bars], &figures.graphs, foot);
        layout
    }

    /// Text in at most `most` lines from `left` on, below what stands above.
    fn lines(&mut self, text: &str, style: Style, (left, room): (f64, f64), most: usize) {
        let Style(size, weight, _, height) = style;
        for line in self.fonts.wrap(text, (size, weight), room, most) {
            self.y += height;
            self.text(line, style, (left, self.y));
        }
    }

    fn text(&mut self, text: String, Style(size, weight, ink, _): Style, at: (f64, f64)) {
        self.items.push(Item::Text {
            at,
            size,
            weight,
            ink,
            text,
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
        let needed = heads(MOST_GRAPHS) + bars as f64 * (ROW.start() + 6.0);
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
    fn graphs(&mut self, names: &[String], graphs: &[Graph], foot: f64) {
        let widest = |l: &Self| names.iter().map(|n| l.width(n, NAME)).fold(0.0, f64::max);
        let widest = widest(self);
        let count = graphs.len().min(MOST_GRAPHS);
        if count == 0 || names.is_empty() {
            return;
        }
        let column = widest.min(if count == 1 {
            NAMES_BESIDE_ONE
        } else {
            NAMES_BESIDE_TWO
        });
        let left = EDGE + column + GAP / 2.0;
        let all = f64::from(SIZE.0) - EDGE - left;
        let each = (all - GAP * (count - 1) as f64) / count as f64;
        let top = self.y;
        let head = top + heads(count);
        let row = ((foot - head) / names.len() as f64).clamp(*ROW.start(), *ROW.end());
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
            self.bars(graph, names.len(), (x, head), (each, row));
        }
        for (index, name) in names.iter().enumerate() {
            let name = self.fonts.shorten(name, (NAME.0, NAME.1), column);
            self.text(name, NAME, (EDGE, baseline(head, row, index, NAME)));
        }
    }

    /// The bars of one graph, in rows below `top`.
    fn bars(&mut self, graph: &Graph, bars: usize, (x, top): (f64, f64), (room, row): (f64, f64)) {
        let values = graph.values();
        let longest = values.iter().take(bars).copied().fold(0.0, f64::max);
        // A figure of a hostile length may not push the bars out of their graph.
        let most = room / 2.0;
        let figures = graph.figures.iter().take(bars);
        let figures: Vec<String> = figures
            .map(|f| self.fonts.shorten(f, (FIGURE.0, FIGURE.1), most))
            .collect();
        let widths = figures.iter().map(|f| self.width(f, FIGURE));
        let length = room - FIGURE_GAP - widths.fold(0.0, f64::max);
        let height = row * BAR_SHARE;
        for (bar, (figure, value)) in figures.into_iter().zip(values).enumerate() {
            let long = if longest > 0.0 {
                value / longest * length
            } else {
                0.0
            };
            let y = top + bar as f64 * row + (row - height) / 2.0;
            if long > 0.0 {
                self.items.push(Item::Bar {
                    at: (x, y),
                    size: (long, height),
                    bar,
                });
            }
            let at = (x + long + FIGURE_GAP, baseline(top, row, bar, FIGURE));
            self.text(figure, FIGURE, at);
        }
        let end = top + bars as f64 * row;
        self.items.push(Item::Zero { x, y: (top, end) });
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
