//! Text that a browser shows where a pointer rests on a mark, when the file is opened itself.

use crate::escape::xml;

/// A part of a chart with its text. plotters has no element for SVG's `<title>`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tooltip {
    /// Left, top, width and height, px.
    area: (f64, f64, f64, f64),
    text: String,
}

impl Tooltip {
    pub(super) fn new(area: (f64, f64, f64, f64), text: String) -> Self {
        Self { area, text }
    }

    /// A square around a point.
    pub(super) fn around((x, y): (f64, f64), reach: f64, text: String) -> Self {
        Self::new((x - reach, y - reach, 2.0 * reach, 2.0 * reach), text)
    }
}

/// Invisible areas above all that is drawn.
pub(super) fn layer(tooltips: &[Tooltip]) -> String {
    if tooltips.is_empty() {
        return String::new();
    }
    let area = |tooltip: &Tooltip| {
        let (x, y, width, height) = tooltip.area;
        let text = xml(&tooltip.text);
        format!(
            "<path d=\"M{x:.0} {y:.0}h{width:.0}v{height:.0}H{x:.0}z\"><title>{text}</title></path>"
        )
    };
    let areas: String = tooltips.iter().map(area).collect();
    format!("<g class=\"i\">{areas}</g>\n")
}
