//! A half-circle gauge: one figure as the needle, and those of its rivals as thin lines.

use super::canvas::{Canvas, Result, plotted};
use super::class::Class;
use super::{Axis, Caption, Drawing, Series, axis, largest};
use plotters::style::text_anchor::HPos::{Center, Left, Right};
use std::f64::consts::PI;

/// A gauge from zero to a round number.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// Its alternative text.
    pub caption: Caption,
    /// The axis of the values.
    pub axis: Axis,
    /// The figure of the needle.
    pub ours: Reading,
    /// Listed below, in order.
    pub rivals: Vec<Reading>,
}

/// A figure on a gauge.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The implementation.
    pub series: Series,
    /// In the axis's unit.
    pub value: f64,
    /// The displayed value.
    pub text: String,
}

/// Dimensions in px.
const WIDTH: f64 = 250.0;
const RADIUS: f64 = 94.0;
const CENTER: (f64, f64) = (125.0, 108.0);
/// Thickness of the arc.
const BAND: f64 = 14.0;
/// The y of our figure, of our name below it, and of the first rival's row.
const FIGURE: f64 = 133.0;
const NAME: f64 = 155.0;
const FIRST_RIVAL: f64 = 178.0;
const ROW: f64 = 20.0;
/// Straight pieces of a whole arc: more would not look rounder at this size.
const PIECES: f64 = 40.0;

impl Gauge {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let height = FIRST_RIVAL + (self.rivals.len() + 1) as f64 * ROW - 6.0;
        let series = self.readings().map(|r| &r.series);
        plotted(&self.caption, (WIDTH, height), series, |canvas| {
            self.draw_dial(canvas)?;
            self.draw_words(canvas)
        })
    }

    /// All readings, ours first.
    fn readings(&self) -> impl Iterator<Item = &Reading> {
        std::iter::once(&self.ours).chain(&self.rivals)
    }

    fn draw_dial(&self, canvas: &Canvas<'_>) -> Result {
        let end = axis::round_end(largest(self.readings().map(|r| r.value)));
        // Position of each reading along the arc, 0 to 1.
        let shares: Vec<f64> = self.readings().map(|r| r.value / end).collect();
        let ours = shares[0];
        canvas.polygon(band(1.0), Class::TRACK)?;
        canvas.polygon(band(ours), Class::FILL.of(0))?;
        for (index, share) in shares.iter().enumerate().skip(1) {
            let line = [on_arc(*share, 24.0), on_arc(*share, RADIUS + 2.0)];
            canvas.line(line, Class::DASHED.of(index))?;
            canvas.marker(index, on_arc(*share, RADIUS + 5.0))?;
        }
        let side = |turn: f64| {
            let angle = PI * (1.0 - ours) + turn;
            (CENTER.0 + 5.0 * angle.cos(), CENTER.1 - 5.0 * angle.sin())
        };
        // Anticlockwise like the circle: they share a path, and opposite windings leave a hole.
        let tip = on_arc(ours, RADIUS - BAND - 4.0);
        let needle = vec![side(-PI / 2.0), tip, side(PI / 2.0)];
        canvas.polygon(needle, Class::NEEDLE)?;
        canvas.circle(CENTER, 6.0, Class::NEEDLE)?;
        // Around the point of each reading on the arc.
        for (index, (reading, share)) in self.readings().zip(&shares).enumerate() {
            let (name, figure) = (&reading.series.label, &reading.text);
            let text = format!("{name}: {figure} {}", self.axis.unit);
            canvas.tooltip(index, on_arc(*share, RADIUS - BAND / 2.0), BAND, &text);
        }
        Ok(())
    }

    fn draw_words(&self, canvas: &Canvas<'_>) -> Result {
        let centred = |text: &str, class, y| canvas.text(text, class, Center, (CENTER.0, y));
        let row = |index: usize| FIRST_RIVAL + index as f64 * ROW;
        centred(&self.ours.text, Class::NUMBER, FIGURE)?;
        centred(&self.ours.series.label, Class::MUTED, NAME)?;
        centred(&self.axis.note(), Class::MUTED, row(self.rivals.len()))?;
        for (index, rival) in self.rivals.iter().enumerate() {
            canvas.marker(index + 1, (8.0, row(index)))?;
            canvas.text(&rival.series.label, Class::TEXT, Left, (18.0, row(index)))?;
        }
        // In a separate loop, because a different anchor starts a new SVG element.
        for (index, rival) in self.rivals.iter().enumerate() {
            canvas.text(&rival.text, Class::TEXT, Right, (WIDTH, row(index)))?;
        }
        Ok(())
    }
}

/// The point at `share` of an arc, 0 to 1.
fn on_arc(share: f64, radius: f64) -> (f64, f64) {
    let (sin, cos) = (PI * (1.0 - share)).sin_cos();
    (CENTER.0 + radius * cos, CENTER.1 - radius * sin)
}

/// The band of the gauge from zero to the share `to`.
fn band(to: f64) -> Vec<(f64, f64)> {
    let pieces = (to * PIECES).ceil().max(1.0) as u32;
    let share = |k: u32| to * f64::from(k) / f64::from(pieces);
    let outer = (0..=pieces).map(|k| on_arc(share(k), RADIUS));
    let inner = (0..=pieces).rev().map(|k| on_arc(share(k), RADIUS - BAND));
    outer.chain(inner).collect()
}
