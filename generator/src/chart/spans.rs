//! Spans: a row for each series with marks on a common axis, such as two key exchanges or the
//! percentiles of a time, and a line that joins them. Names stand left of the axis, words right of
//! the last mark.

use super::axis::{self, Tick};
use super::document::{Panel, document};
use super::{Axis, Drawing, Series, WIDTH, labels, largest, text};
use crate::base::escape::xml;

/// A chart of spans.
#[derive(Clone, Debug, PartialEq)]
pub struct Spans {
    /// The scenarios.
    pub panels: Vec<SpanPanel>,
}

/// The spans of one scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanPanel {
    /// Heading above the rows.
    pub title: String,
    /// The unit below the heading.
    pub axis: Axis,
    /// From top to bottom.
    pub rows: Vec<Span>,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// Its name and look.
    pub series: Series,
    /// Its marks; the line joins all of them.
    pub marks: Vec<SpanMark>,
    /// The end of the line, if it is beyond the marks.
    pub end: Option<f64>,
    /// What stands right of it.
    pub text: String,
    /// Whether its name is set in bold.
    pub is_subject: bool,
}

/// A mark on a span.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanMark {
    /// Its place.
    pub value: f64,
    /// Whether it is a ring.
    pub is_hollow: bool,
    /// What it is, exactly.
    pub tooltip: String,
}

/// Distance from one row to the next, the height of the heading with the unit, and of the axis; px.
const PITCH: f64 = 24.0;
const HEADING: f64 = 44.0;
const FOOT: f64 = 24.0;
const GAP: f64 = 9.0;
const RADIUS: f64 = 5.0;
/// The largest share of a panel for names and for words.
const SHARE: f64 = 0.36;
/// Ticks of a linear axis, at most.
const STEPS: usize = 3;

impl Spans {
    /// Draws the chart, with its alternative text.
    pub fn render(&self, title: &str, description: &str) -> Drawing {
        let rows = self.panels.iter().flat_map(|panel| &panel.rows);
        let labels = labels(rows.map(|row| &row.series));
        let panels = self.panels.iter().map(|panel| panel.draw(&labels));
        document(title, description, &panels.collect::<Vec<_>>())
    }
}

impl Span {
    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.marks.iter().map(|mark| mark.value).chain(self.end)
    }
}

impl SpanPanel {
    fn draw(&self, labels: &[&str]) -> Panel {
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            largest(texts.map(|t| text::width(t))).min(WIDTH * SHARE)
        };
        let left = widest(&mut self.rows.iter().map(|row| &row.series.label)) + GAP;
        let words = widest(&mut self.rows.iter().map(|row| &row.text)) + GAP + RADIUS;
        let values = || self.rows.iter().flat_map(Span::values);
        let most = largest(values());
        let least = values().fold(most, f64::min);
        let (start, end, ticks) = match self.axis.is_log {
            true => (least / 1.15, most, axis::logarithmic(least / 1.15, most)),
            false => (0.0, most, axis::linear(most, STEPS)),
        };
        let linear = |value: f64| if self.axis.is_log { value.ln() } else { value };
        let span = (linear(end) - linear(start)).max(f64::MIN_POSITIVE);
        let room = WIDTH - left - words;
        let x = |value: f64| left + (linear(value) - linear(start)) / span * room;
        let bottom = HEADING + PITCH * self.rows.len() as f64;
        let mut body = text::element("b", (0.0, 11.0), &self.title, WIDTH);
        body += &text::element("m", (0.0, 31.0), &self.axis.note(), WIDTH);
        body.push('\n');
        let ticks = axis::without_overlaps(ticks, x);
        for Tick { at, .. } in &ticks {
            let (x, top) = (x(*at), HEADING - 4.0);
            body += &format!("<path class=\"g\" d=\"M{x:.1} {top}V{bottom}\"/>");
        }
        for Tick { at, label } in &ticks {
            let x = x(*at).min(WIDTH - text::width(label) / 2.0);
            body += &text::element("m c", (x, bottom + 12.0), label, WIDTH);
        }
        for (place, row) in self.rows.iter().enumerate() {
            let series = labels.iter().position(|label| *label == row.series.label);
            let y = HEADING + PITCH * (place as f64 + 0.5);
            row.draw(&mut body, series.unwrap_or(0), left, y, x);
        }
        Panel {
            body,
            of: String::new(),
            width: WIDTH,
            height: bottom + FOOT,
        }
    }
}

impl Span {
    fn draw(&self, out: &mut String, series: usize, left: f64, y: f64, x: impl Fn(f64) -> f64) {
        let color = self.series.look.color();
        *out += &format!("<g color=\"{color}\" data-s=\"{series}\">");
        let class = if self.is_subject { "b e" } else { "e" };
        *out += &text::element(class, (left - GAP, y), &self.series.label, left - GAP);
        let last = largest(self.values());
        let first = self.values().fold(last, f64::min);
        let [from, to] = [first, last].map(&x);
        *out += &format!("<path class=\"l\" d=\"M{from:.1} {y}H{to:.1}\"/>");
        for mark in &self.marks {
            let (x, tooltip) = (x(mark.value), xml(&mark.tooltip));
            let class = if mark.is_hollow { "o" } else { "f" };
            *out += &format!(
                "<g class=\"mark\"><title>{tooltip}</title><circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y}\" r=\"{RADIUS}\"/></g>"
            );
        }
        let start = to + GAP + RADIUS;
        *out += &text::element("", (start, y), &self.text, WIDTH - start);
        *out += "</g>\n";
    }
}
