//! Bar charts: a panel for each scenario, with a bar from zero for each implementation. Names and
//! figures stand beside the bars, so that there is neither a legend nor an axis.

use super::document::{Panel, document};
use super::{Drawing, Series, WIDTH, labels, largest, text};
use crate::base::escape::xml;

/// A bar chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// The scenarios.
    pub panels: Vec<BarPanel>,
}

/// The bars of one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct BarPanel {
    /// Heading above the bars.
    pub title: String,
    /// The label of the scenario.
    pub of: String,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar with its name and figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// The implementation.
    pub series: Series,
    /// The length of the bar.
    pub value: f64,
    /// The ends of the value's interval.
    pub interval: Option<(f64, f64)>,
    /// The figure of the release before, a stroke across the bar.
    pub before: Option<f64>,
    /// Whether its name is set in bold.
    pub is_subject: bool,
    /// The figure as displayed.
    pub text: String,
    /// What it is, exactly.
    pub tooltip: String,
}

/// Distance from one bar to the next, the thickness of a bar, and the height of a heading; px.
const PITCH: f64 = 21.0;
const THICKNESS: f64 = 15.0;
const HEADING: f64 = 22.0;
/// Gap between a bar and its texts, px.
const GAP: f64 = 7.0;
/// The largest share of a panel for names.
const NAMES: f64 = 0.45;

impl Bar {
    /// The right end of the bar and its interval.
    fn end(&self) -> f64 {
        let others = [self.interval.map(|i| i.1), self.before];
        largest(others.into_iter().flatten().chain([self.value]))
    }
}

impl Bars {
    /// Draws the chart, with its alternative text: a short title, and a sentence or two with the
    /// figures that matter.
    pub fn render(&self, title: &str, description: &str) -> Drawing {
        let bars = || self.panels.iter().flat_map(|panel| &panel.bars);
        let widest =
            |texts: &mut dyn Iterator<Item = &String>| largest(texts.map(|t| text::width(t)));
        let names = widest(&mut bars().map(|bar| &bar.series.label)).min(WIDTH * NAMES);
        let figures = widest(&mut bars().map(|bar| &bar.text)).min(WIDTH * NAMES);
        let room = (WIDTH - names - figures - 2.0 * GAP).max(40.0);
        let labels = labels(bars().map(|bar| &bar.series));
        let panel = |panel: &BarPanel| {
            // Panels are of different work.
            let end = largest(panel.bars.iter().map(Bar::end));
            panel.draw([names, room], if end > 0.0 { end } else { 1.0 }, &labels)
        };
        let panels: Vec<Panel> = self.panels.iter().map(panel).collect();
        document(title, description, &panels)
    }
}

impl BarPanel {
    /// Draws the panel; a bar of length `end` takes all of the room beside the names.
    fn draw(&self, [names, room]: [f64; 2], end: f64, labels: &[&str]) -> Panel {
        let (mut body, mut top) = (String::new(), 0.0);
        if !self.title.is_empty() {
            body = text::element("b", (0.0, HEADING / 2.0), &self.title, WIDTH) + "\n";
            top = HEADING;
        }
        for (index, bar) in self.bars.iter().enumerate() {
            let series = labels.iter().position(|l| *l == bar.series.label);
            let y = top + PITCH * (index as f64 + 0.5);
            bar.draw(&mut body, series.unwrap_or(0), [names, room], end, y);
        }
        Panel {
            body,
            of: self.of.clone(),
            width: WIDTH,
            height: top + PITCH * self.bars.len() as f64,
        }
    }
}

impl Bar {
    fn draw(&self, out: &mut String, series: usize, [names, room]: [f64; 2], end: f64, y: f64) {
        let left = names + GAP;
        let length = |value: f64| value / end * room;
        let (color, tooltip) = (self.series.look.color(), xml(&self.tooltip));
        *out += &format!(
            "<g class=\"mark\" color=\"{color}\" data-s=\"{series}\"><title>{tooltip}</title>"
        );
        let class = if self.is_subject { "y e s" } else { "y e" };
        *out += &text::element(class, (names, y), &self.series.label, names);
        let (top, width) = (y - THICKNESS / 2.0, length(self.value));
        *out += &format!(
            "<path class=\"f\" d=\"M{left:.1} {top:.1}h{width:.1}v{THICKNESS}h-{width:.1}z\"/>"
        );
        if let Some((low, high)) = self.interval.filter(|(low, high)| low < high) {
            let [low, high] = [low, high].map(|at| left + length(at));
            *out += &format!("<path class=\"w\" d=\"M{low:.1} {y:.1}H{high:.1}\"/>");
        }
        if let Some(before) = self.before {
            let (x, top, height) = (left + length(before), top - 2.0, THICKNESS + 4.0);
            *out += &format!("<path class=\"w p\" d=\"M{x:.1} {top:.1}v{height}\"/>");
        }
        let x = left + length(self.end()) + GAP;
        *out += &text::element("", (x, y), &self.text, WIDTH - x);
        *out += "</g>\n";
    }
}
