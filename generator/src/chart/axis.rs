//! Axes: plotters' coordinates with custom ticks and labels.

use super::canvas::{Plot, px};
use super::class::Class;
use super::svg::Svg;
use super::text;
use crate::model::unit::group_thousands;
use plotters::chart::{LabelAreaPosition, MeshStyle};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::style::TRANSPARENT;
use plotters::style::text_anchor::HPos;
use std::ops::Range;

/// A labelled position on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The position, in the axis's unit.
    pub at: f64,
    /// The text there.
    pub label: String,
}

impl Tick {
    /// A label at a position.
    pub fn new(at: f64, label: impl Into<String>) -> Self {
        let label = label.into();
        Self { at, label }
    }
}

/// An axis with labelled ticks. plotters' `with_key_points` sets the positions of ticks, but has no
/// formatter for `f64`.
pub(super) struct AxisScale {
    coordinate: RangedCoordf64,
    ticks: Vec<Tick>,
}

impl AxisScale {
    pub(super) fn linear(range: Range<f64>, ticks: Vec<Tick>) -> Self {
        Self {
            coordinate: range.into(),
            ticks,
        }
    }
}

impl Ranged for AxisScale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limits: (i32, i32)) -> i32 {
        self.coordinate.map(value, limits)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.weight().allow_light_points() {
            true => Vec::new(),
            false => self.ticks.iter().map(|t| t.at).collect(),
        }
    }

    fn range(&self) -> Range<f64> {
        self.coordinate.range()
    }
}

impl ValueFormatter<f64> for AxisScale {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|t| t.at == *value);
        tick.map_or_else(String::new, |t| t.label.clone())
    }
}

/// Styles the grid lines and the labels of both axes.
pub(super) fn mesh<'a, 'b, 'c>(
    plot: &'b mut Plot<'a, 'c>,
) -> MeshStyle<'a, 'b, AxisScale, AxisScale, Svg<'c>> {
    let mut mesh = plot.configure_mesh();
    mesh.bold_line_style(Class::GRID)
        .axis_style(TRANSPARENT)
        // plotters places labels at twice the length of a tick.
        .set_all_tick_mark_size(px(1.5))
        .set_tick_mark_size(LabelAreaPosition::Left, px(4.0))
        .x_label_style(Class::MUTED.text(HPos::Center))
        .y_label_style(Class::MUTED.text(HPos::Right))
        .axis_desc_style(Class::MUTED.text(HPos::Center));
    mesh
}

/// Ticks at plotters' round numbers from zero to `max`, with at most `count` intervals.
pub(super) fn linear(max: f64, count: usize) -> Vec<Tick> {
    let places = RangedCoordf64::from(0.0..max).key_points(count + 1);
    let step = places.get(1).map_or(max, |second| second * (1.0 + 1e-9));
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let tick = |at| Tick::new(at, group_thousands(&format!("{at:.decimals$}")));
    places.into_iter().map(tick).collect()
}

/// Like [`linear`], with as many intervals up to `count` as have room for labels on `length` px.
pub(super) fn linear_within(max: f64, count: usize, length: f64) -> Vec<Tick> {
    let width = |t: &Tick| text::width(&t.label) + 16.0;
    let fits = |ticks: &Vec<Tick>| ticks.iter().map(width).sum::<f64>() <= length;
    let mut choices = (2..=count).rev().map(|count| linear(max, count));
    choices.find(fits).unwrap_or_else(|| linear(max, 1))
}

/// The ticks whose labels do not overlap those of earlier ones in the list; `x` converts to px.
pub(super) fn without_overlaps<'a>(
    ticks: impl IntoIterator<Item = &'a Tick>,
    x: impl Fn(f64) -> f64,
) -> Vec<Tick> {
    const GAP: f64 = 8.0;
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let fits = |tick: &&Tick| {
        let (middle, half) = (x(tick.at), text::width(&tick.label) / 2.0);
        let (left, right) = (middle - half, middle + half);
        let is_free = |other: &(f64, f64)| left >= other.1 + GAP || right + GAP <= other.0;
        let fits = tick.at.is_finite() && taken.iter().all(is_free);
        if fits {
            taken.push((left, right));
        }
        fits
    };
    ticks.into_iter().filter(fits).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> String {
        let labels: Vec<&str> = ticks.iter().map(|t| t.label.as_str()).collect();
        labels.join(" ")
    }

    #[test]
    fn values_map_to_positions() {
        let scale = AxisScale::linear(0.0..4.0, Vec::new());
        assert_eq!(
            [0.0, 1.0, 2.0, 4.0].map(|v| scale.map(&v, (0, 100))),
            [0, 25, 50, 100]
        );
        assert_eq!(scale.map(&1.0, (100, 0)), 75);
    }

    #[test]
    fn round_numbers() {
        assert_eq!(labels(&linear(13524.99, 4)), "0 5,000 10,000");
        assert_eq!(labels(&linear(0.3, 5)), "0.0 0.1 0.2 0.3");
        assert_eq!(labels(&linear(10.0, 5)), "0 2 4 6 8 10");
        assert_eq!(labels(&linear(1.0, 4)), "0.0 0.5 1.0");
    }
}
