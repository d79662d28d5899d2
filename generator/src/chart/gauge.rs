//! A half-circle gauge as a part of a page: one figure as the needle, and those of its rivals as lines
//! with markers. The page names them, with the same markers.

use super::look::Look;
use crate::base::escape::html;
use std::f64::consts::PI;

/// Readings as shares of the arc, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// Accessible name.
    pub name: String,
    /// The needle.
    pub ours: (Look, f64),
    /// The lines.
    pub rivals: Vec<(Look, f64)>,
}

/// Dimensions in px: of the page's drawing, of the arc and of its band.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 122.0;
const RADIUS: f64 = 94.0;
const BAND: f64 = 14.0;
const CENTER: (f64, f64) = (120.0, 112.0);

impl Gauge {
    /// Draws it, with the classes `track` and `needle`.
    pub fn svg(&self) -> String {
        let (look, ours) = self.ours;
        let [(left, base), (right, _)] = [0.0, 1.0].map(|share| on_arc(share, RADIUS - BAND / 2.0));
        let radius = RADIUS - BAND / 2.0;
        let arc =
            format!("d=\"M{left:.1} {base:.1}A{radius} {radius} 0 0 1 {right:.1} {base:.1}\"");
        let arc = format!("{arc} pathLength=\"100\" fill=\"none\" stroke-width=\"{BAND}\"");
        let share = 100.0 * ours;
        let mut parts = format!(
            "<path class=\"track\" {arc}/><path {arc} stroke=\"{}\" stroke-dasharray=\"{share:.2} 200\"/>",
            look.color
        );
        for (look, share) in &self.rivals {
            let [(x1, y1), (x2, y2)] = [24.0, RADIUS + 1.0].map(|at| on_arc(*share, at));
            let (x, y) = on_arc(*share, RADIUS + 6.0);
            parts += &format!(
                "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{0}\" stroke-dasharray=\"4 3\"/><g transform=\"translate({x:.1} {y:.1})\" fill=\"{0}\">{1}</g>",
                look.color,
                look.marker.svg(),
            );
        }
        let (x, y) = CENTER;
        let turn = 180.0 * ours - 90.0;
        let tip = y - RADIUS + BAND + 4.0;
        format!(
            "<svg class=\"dial\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">{parts}\
             <g class=\"needle\"><path d=\"M{} {y}L{x} {tip}L{} {y}Z\" transform=\"rotate({turn:.1} {x} {y})\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"6\"/></g></svg>",
            html(&self.name),
            x - 5.0,
            x + 5.0,
        )
    }
}

/// The marker of a library for a list.
pub fn key(look: Look) -> String {
    let (color, marker) = (look.color, look.marker.svg());
    format!(
        "<svg class=\"key\" viewBox=\"-6 -6 12 12\" fill=\"{color}\" aria-hidden=\"true\">{marker}</svg>"
    )
}

/// The point at `share` of an arc.
fn on_arc(share: f64, radius: f64) -> (f64, f64) {
    let (sin, cos) = (PI * (1.0 - share)).sin_cos();
    (CENTER.0 + radius * cos, CENTER.1 - radius * sin)
}

/// The end of a gauge from zero that holds these values: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 of a power
/// of ten.
pub fn end(values: impl IntoIterator<Item = f64>) -> f64 {
    let largest = values.into_iter().fold(f64::MIN_POSITIVE, f64::max);
    let power = 10f64.powf(largest.log10().floor());
    let steps = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
    let found = steps.into_iter().find(|step| step * power >= largest);
    found.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_ends_at_a_round_number() {
        for (largest, expected) in [(9909.0, 10_000.0), (12.0, 12.0), (0.31, 0.4), (5.1, 6.0)] {
            assert!(
                (end([0.1, largest]) - expected).abs() < 1e-9 * expected,
                "{largest}"
            );
        }
    }

    #[test]
    fn the_needle_and_the_arc_are_at_the_share() {
        let look = Look::default();
        let gauge = Gauge {
            name: "a < b".to_owned(),
            ours: (look, 0.5),
            rivals: vec![(look, 1.0)],
        };
        let svg = gauge.svg();
        assert!(svg.contains("rotate(0.0 120 112)"), "{svg}");
        assert!(svg.contains("stroke-dasharray=\"50.00 200\""), "{svg}");
        assert!(svg.contains("translate(220.0 112.0)"), "{svg}");
        assert!(svg.contains("aria-label=\"a &#60; b\""), "{svg}");
    }
}
