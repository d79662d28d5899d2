//! Charts of labelled rows: bars from zero with their figures beside them, or marks on a common axis, such
//! as two key exchanges or the percentiles of a time, joined by a line.

use super::axis::{self, Tick};
use super::document::{Panel, document};
use super::{Axis, Drawing, Series, WIDTH, largest, text};
use crate::base::escape::xml;

/// The rows of one scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowPanel {
    /// Heading above the rows; empty for none.
    pub title: String,
    /// The label of the scenario; empty for none.
    pub of: String,
    /// The axis of marks; bars have figures beside them instead.
    pub axis: Option<Axis>,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// A row with its name left of it and its text right of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Its name and look.
    pub series: Series,
    /// Whether its name is set in bold.
    pub is_subject: bool,
    /// A bar has one, from zero.
    pub marks: Vec<Mark>,
    /// The end of the line that joins the marks, if it is beyond them.
    pub end: Option<f64>,
    /// What stands right of it.
    pub text: String,
}

/// A figure in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// Its place, or the length of a bar.
    pub value: f64,
    /// The ends of the interval of a bar.
    pub interval: Option<(f64, f64)>,
    /// Whether it is a ring.
    pub is_hollow: bool,
    /// What it is, exactly.
    pub tooltip: String,
}

/// Distance from one bar or one row of marks to the next, the thickness of a bar, and the heights of a
/// heading, a heading with a unit, and an axis; px.
const BAR_PITCH: f64 = 21.0;
const PITCH: f64 = 24.0;
const THICKNESS: f64 = 15.0;
const BAR_HEADING: f64 = 22.0;
const HEADING: f64 = 44.0;
const FOOT: f64 = 24.0;
/// Gap between marks and texts, and half the width of a mark; px.
const GAP: f64 = 8.0;
const RADIUS: f64 = 5.0;
/// The largest share of a panel for names, and for texts.
const SHARE: f64 = 0.4;
/// Ticks of a linear axis, at most.
const STEPS: usize = 3;

impl Row {
    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let marks = self.marks.iter();
        let of_mark = |mark: &Mark| [mark.value, mark.interval.map_or(mark.value, |i| i.1)];
        marks.flat_map(of_mark).chain(self.end)
    }
}

impl RowPanel {
    /// Draws a chart of panels, with its alternative text: a short title, and a sentence or two with the
    /// figures that matter.
    pub fn render(panels: &[Self], title: &str, description: &str) -> Drawing {
        let rows = || panels.iter().flat_map(|panel| &panel.rows);
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            largest(texts.map(|t| text::width(t))).min(WIDTH * SHARE)
        };
        let names = widest(&mut rows().map(|row| &row.series.label));
        let texts = widest(&mut rows().map(|row| &row.text));
        let panels = panels.iter().map(|panel| panel.draw(names, texts));
        document(title, description, &Vec::from_iter(panels))
    }

    fn draw(&self, names: f64, texts: f64) -> Panel {
        let left = names + GAP;
        let room = (WIDTH - left - texts - GAP - RADIUS).max(40.0);
        let values = || self.rows.iter().flat_map(Row::values);
        let most = largest(values());
        let most = if most > 0.0 { most } else { 1.0 };
        let is_log = self.axis.as_ref().is_some_and(|axis| axis.is_log);
        let start = match is_log {
            true => values().fold(most, f64::min) / 1.15,
            false => 0.0,
        };
        let linear = |value: f64| if is_log { value.ln() } else { value };
        let span = (linear(most) - linear(start)).max(f64::MIN_POSITIVE);
        let x = |value: f64| left + (linear(value) - linear(start)) / span * room;
        let (top, pitch, foot) = match &self.axis {
            Some(_) => (HEADING, PITCH, FOOT),
            None if self.title.is_empty() => (0.0, BAR_PITCH, 0.0),
            None => (BAR_HEADING, BAR_PITCH, 0.0),
        };
        let mut body = text::element("b", (0.0, BAR_HEADING / 2.0), &self.title, WIDTH);
        body.push('\n');
        let bottom = top + pitch * self.rows.len() as f64;
        if let Some(axis) = &self.axis {
            body += &text::element("m", (0.0, 31.0), &axis.note(), WIDTH);
            let ticks = axis.ticks(start, most, STEPS);
            for Tick { at, label } in axis::without_overlaps(ticks, x) {
                let (x, top) = (x(at), top - 4.0);
                body += &format!("<path class=\"g\" d=\"M{x:.1} {top}V{bottom}\"/>");
                let x = x.min(WIDTH - text::width(&label) / 2.0);
                body += &text::element("m c", (x, bottom + 12.0), &label, WIDTH);
            }
        }
        for (place, row) in self.rows.iter().enumerate() {
            let y = top + pitch * (place as f64 + 0.5);
            let color = row.series.look.color();
            body += &format!("<g color=\"{color}\">");
            let class = if row.is_subject { "b e" } else { "e" };
            body += &text::element(class, (names, y), &row.series.label, names);
            match self.axis {
                Some(_) => row.draw_marks(&mut body, y, x),
                None => row.draw_bar(&mut body, y, x),
            }
            let x = x(largest(row.values())) + GAP + if self.axis.is_some() { RADIUS } else { 0.0 };
            body += &text::element("", (x, y), &row.text, WIDTH - x);
            body += "</g>\n";
        }
        Panel {
            body,
            of: self.of.clone(),
            width: WIDTH,
            height: bottom + foot,
        }
    }
}

impl Row {
    fn draw_bar(&self, out: &mut String, y: f64, x: impl Fn(f64) -> f64) {
        for mark in &self.marks {
            let (left, top, tooltip) = (x(0.0), y - THICKNESS / 2.0, xml(&mark.tooltip));
            let width = x(mark.value) - left;
            *out += &format!(
                "<g class=\"mark\"><title>{tooltip}</title><path class=\"f\" d=\"M{left:.1} {top:.1}h{width:.1}v{THICKNESS}h-{width:.1}z\"/>"
            );
            if let Some((low, high)) = mark.interval.filter(|(low, high)| low < high) {
                let [low, high] = [low, high].map(&x);
                *out += &format!("<path class=\"w\" d=\"M{low:.1} {y:.1}H{high:.1}\"/>");
            }
            *out += "</g>";
        }
    }

    fn draw_marks(&self, out: &mut String, y: f64, x: impl Fn(f64) -> f64) {
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
    }
}
