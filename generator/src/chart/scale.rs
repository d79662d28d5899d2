//! Axes for plotters: where a value goes, and which values have a label.

use super::ink::Ink;
use super::svg::Svg;
use super::ticks::Tick;
use super::{Result, WIDTH, px, text};
use plotters::chart::{ChartContext, LabelAreaPosition};
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::style::text_anchor::HPos;
use std::ops::Range;

/// An axis from `low` to `high`.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    /// Of `high` over `low`, where the axis is logarithmic.
    log: Option<f64>,
    ticks: Vec<Tick>,
}

/// A chart that plotters has laid out on two of them.
pub(super) type Plot<'a, 'b> = ChartContext<'a, Svg<'b>, Cartesian2d<Scale, Scale>>;

impl Scale {
    pub(super) fn linear(low: f64, high: f64, ticks: Vec<Tick>) -> Self {
        Self {
            low,
            high,
            log: None,
            ticks,
        }
    }

    /// `low` is above zero.
    pub(super) fn logarithmic(low: f64, high: f64, ticks: Vec<Tick>) -> Self {
        Self {
            low,
            high,
            log: Some((high / low).ln()),
            ticks,
        }
    }

    /// Rows from top to bottom, in px, without labels.
    pub(super) fn rows(height: f64) -> Self {
        Self::linear(height, 0.0, Vec::new())
    }

    /// Without the ticks whose labels would leave the chart or touch the one before, if the axis
    /// is `length` px long and starts at `start`.
    pub(super) fn labelled_within(mut self, start: f64, length: f64) -> Self {
        let mut free = 0.0;
        let mut fits = |tick: &Tick| {
            let (middle, half) = (
                start + self.share(tick.at) * length,
                text::width(&tick.label) / 2.0,
            );
            let fits = middle - half >= free && middle + half <= f64::from(WIDTH);
            if fits {
                free = middle + half + 8.0;
            }
            fits
        };
        let ticks = self.ticks.iter().filter(|t| fits(t)).cloned().collect();
        self.ticks = ticks;
        self
    }

    /// How far between its ends a value is.
    fn share(&self, value: f64) -> f64 {
        match self.log {
            Some(log) => (value / self.low).ln() / log,
            None => (value - self.low) / (self.high - self.low),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        // `as` saturates, so a value far off the axis stays an i32.
        from.saturating_add((self.share(*value) * f64::from(to - from)).round() as i32)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.weight().allow_light_points() {
            true => Vec::new(),
            false => self.ticks.iter().map(|t| t.at).collect(),
        }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks
            .iter()
            .find(|t| t.at == *value)
            .map_or_else(String::new, |t| t.label.clone())
    }
}

/// Grid lines across the plot at the ticks of x or of y, and the labels of both axes.
pub(super) fn draw_grid(chart: &mut Plot<'_, '_>, at_x: bool) -> Result<()> {
    let mut mesh = chart.configure_mesh();
    if at_x {
        mesh.disable_y_mesh()
    } else {
        mesh.disable_x_mesh()
    };
    mesh.bold_line_style(Ink::Grid)
        .axis_style(plotters::style::TRANSPARENT)
        // plotters puts labels at twice the length of a tick.
        .set_all_tick_mark_size(px(1.5))
        .set_tick_mark_size(LabelAreaPosition::Left, px(4.0))
        .x_label_style(text::style(Ink::Muted, HPos::Center))
        .y_label_style(text::style(Ink::Muted, HPos::Right))
        .draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_to_the_nearest_place() {
        let scale = Scale::linear(0.0, 3.0, Vec::new());
        assert_eq!(
            [0.0, 1.0, 2.0, 3.0].map(|v| scale.map(&v, (0, 100))),
            [0, 33, 67, 100]
        );
        assert_eq!(scale.map(&1.0, (100, 0)), 67);
        let scale = Scale::logarithmic(1e-6, 1e-2, Vec::new());
        assert_eq!(
            [1e-6, 1e-5, 1e-4, 1e-2].map(|v| scale.map(&v, (0, 1000))),
            [0, 250, 500, 1000]
        );
    }
}
