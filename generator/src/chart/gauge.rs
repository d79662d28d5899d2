//! A half-circle gauge: one figure, and those of its rivals behind it.

use super::class::Class;
use super::svg::UNIT;
use super::tooltip::Tooltip;
use super::{
    Area, Axis, Caption, Drawing, Result, Series, axis, document, marker, placeable, point, text,
};
use crate::look::Look;
use plotters::element::{Circle, PathElement, Polygon};
use plotters::style::text_anchor::HPos;
use std::f64::consts::PI;

/// A gauge from zero to a round number.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// Its alternative text.
    pub caption: Caption,
    /// What the values are.
    pub axis: Axis,
    /// The needle.
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
    /// As the page shows it.
    pub text: String,
}

/// All in px.
const WIDTH: u32 = 240;
const RADIUS: f64 = 94.0;
const CENTER: (f64, f64) = (120.0, 108.0);
/// Thickness of the arc.
const BAND: f64 = 14.0;
/// Middle of our figure, of our name below it, and of the first rival's line.
const FIGURE: f64 = 133.0;
const NAME: f64 = 155.0;
const FIRST_RIVAL: f64 = 178.0;
const ROW: f64 = 20.0;
/// Straight pieces of a whole arc: more look no rounder at this size.
const PIECES: f64 = 40.0;

impl Gauge {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let height = (FIRST_RIVAL + (self.rivals.len() + 1) as f64 * ROW - 6.0) as u32;
        document(
            &self.caption,
            (WIDTH, height),
            self.readings().map(|r| &r.series),
            |area, looks| self.draw(area, looks),
        )
    }

    /// Ours first.
    fn readings(&self) -> impl Iterator<Item = &Reading> {
        std::iter::once(&self.ours).chain(&self.rivals)
    }

    /// How far along the arc each needle points, 0 to 1.
    fn shares(&self) -> Vec<f64> {
        let value = |r: &Reading| {
            if placeable(r.value) {
                r.value.max(0.0)
            } else {
                0.0
            }
        };
        let highest = self.readings().map(value).fold(0.0, f64::max);
        let end = if highest > 0.0 {
            axis::round_end(highest)
        } else {
            1.0
        };
        self.readings().map(|r| value(r) / end).collect()
    }

    fn draw(&self, area: &Area<'_>, looks: &[Look]) -> Result<Vec<Tooltip>> {
        let shares = self.shares();
        area.draw(&Polygon::new(band(0.0, 1.0), Class::TRACK.shape()))?;
        area.draw(&Polygon::new(
            band(0.0, shares[0]),
            Class::FILL.of(0).shape(),
        ))?;
        for (index, (share, look)) in shares.iter().zip(looks).enumerate().skip(1) {
            let line = [on_arc(*share, 24.0), on_arc(*share, RADIUS + 2.0)];
            area.draw(&PathElement::new(
                line.map(point),
                Class::DASHED.of(index).shape(),
            ))?;
            marker::draw(
                area,
                look.marker,
                index,
                point(on_arc(*share, RADIUS + 5.0)),
            )?;
        }
        let side = |turn: f64| {
            let angle = PI * (1.0 - shares[0]) + turn;
            point((CENTER.0 + 5.0 * angle.cos(), CENTER.1 - 5.0 * angle.sin()))
        };
        // Anticlockwise as the circle is: they share a path, and would leave a hole else.
        let needle = vec![
            side(-PI / 2.0),
            point(on_arc(shares[0], RADIUS - BAND - 4.0)),
            side(PI / 2.0),
        ];
        area.draw(&Polygon::new(needle, Class::NEEDLE.shape()))?;
        area.draw(&Circle::new(point(CENTER), 6 * UNIT, Class::NEEDLE.shape()))?;
        self.draw_words(area, looks)?;
        Ok(self.tooltips(&shares))
    }

    /// On the tip of each needle.
    fn tooltips(&self, shares: &[f64]) -> Vec<Tooltip> {
        let tooltip = |(reading, share): (&Reading, &f64)| {
            let text = format!(
                "{}: {} {}",
                reading.series.label, reading.text, self.axis.unit
            );
            Tooltip::around(on_arc(*share, RADIUS - BAND / 2.0), BAND, text)
        };
        self.readings().zip(shares).map(tooltip).collect()
    }

    fn draw_words(&self, area: &Area<'_>, looks: &[Look]) -> Result<()> {
        let line = |y: f64| point((CENTER.0, y));
        area.draw_text(
            &self.ours.text,
            &text::style(Class::NUMBER, HPos::Center),
            line(FIGURE),
        )?;
        let muted = text::style(Class::MUTED, HPos::Center);
        area.draw_text(&self.ours.series.label, &muted, line(NAME))?;
        let last = FIRST_RIVAL + self.rivals.len() as f64 * ROW;
        area.draw_text(&self.axis.note(), &muted, line(last))?;
        for (index, (rival, look)) in self.rivals.iter().zip(&looks[1..]).enumerate() {
            let y = FIRST_RIVAL + index as f64 * ROW;
            marker::draw(area, look.marker, index + 1, point((14.0, y)))?;
            area.draw_text(
                &rival.series.label,
                &text::style(Class::TEXT, HPos::Left),
                point((26.0, y)),
            )?;
        }
        for (index, rival) in self.rivals.iter().enumerate() {
            let at = point((f64::from(WIDTH) - 8.0, FIRST_RIVAL + index as f64 * ROW));
            area.draw_text(&rival.text, &text::style(Class::TEXT, HPos::Right), at)?;
        }
        Ok(())
    }
}

/// A point that far along an arc.
fn on_arc(share: f64, radius: f64) -> (f64, f64) {
    let (sin, cos) = (PI * (1.0 - share)).sin_cos();
    (CENTER.0 + radius * cos, CENTER.1 - radius * sin)
}

/// A piece of the ring.
fn band(from: f64, to: f64) -> Vec<(i32, i32)> {
    let pieces = ((to - from) * PIECES).ceil().max(1.0) as u32;
    let share = move |k: u32| from + (to - from) * f64::from(k) / f64::from(pieces);
    let outer = (0..=pieces).map(move |k| on_arc(share(k), RADIUS));
    let inner = (0..=pieces)
        .rev()
        .map(move |k| on_arc(share(k), RADIUS - BAND));
    outer.chain(inner).map(point).collect()
}
