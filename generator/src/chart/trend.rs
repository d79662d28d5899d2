//! A sparkline: the figures of one scenario from report to report.

use super::axis::AxisScale;
use super::canvas::{Canvas, Result, document, place, px};
use super::class::Class;
use super::{Caption, Drawing, REACH, Series, extent, scale_end};
use plotters::chart::ChartBuilder;
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos;

/// Lines from zero, without a y axis: the exact figures are in the text beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Its alternative text.
    pub caption: Caption,
    /// Labels of the first and the last day.
    pub ends: (String, String),
    /// The lines; the first is drawn in front.
    pub lines: Vec<TrendLine>,
}

/// The figures of one implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendLine {
    /// The implementation.
    pub series: Series,
    /// In chronological order.
    pub points: Vec<TrendPoint>,
}

/// One report's figure.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendPoint {
    /// A day, on any linear scale.
    pub x: f64,
    /// The figure.
    pub y: f64,
    /// Tooltip of the point.
    pub tooltip: String,
}

/// Dimensions in px. As wide as the gauge above it.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 92.0;
const TOP: f64 = 8.0;
const ZERO: f64 = 68.0;
const SIDE: f64 = 10.0;

impl Trend {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let size = (WIDTH, HEIGHT);
        let series = self.lines.iter().map(|l| &l.series);
        document(&self.caption, size, series, |canvas| self.draw(canvas))
    }

    fn draw(&self, canvas: &Canvas<'_>) -> Result {
        let points = || self.lines.iter().flat_map(|l| &l.points);
        let (first, last) = extent(points().map(|p| p.x)).unwrap_or_default();
        // A single day is in the middle.
        let room = f64::from(u8::from(first == last));
        let x = AxisScale::without_ticks(first - room..last + room);
        let y = AxisScale::without_ticks(0.0..scale_end(points().map(|p| p.y)));
        let mut plot = ChartBuilder::on(&canvas.area)
            .margin(px(SIDE))
            .margin_top(px(TOP))
            .margin_bottom(px(HEIGHT - ZERO))
            .build_cartesian_2d(x, y)?;
        let right = WIDTH - SIDE;
        canvas.line([(SIDE, ZERO), (right, ZERO)], Class::AXIS)?;
        for (index, line) in self.lines.iter().enumerate().rev() {
            let class = [Class::LINE, Class::DASHED][index.min(1)];
            let points = line.points.iter().map(|p| (p.x, p.y));
            plot.draw_series(LineSeries::new(points, class.of(index)))?;
            for p in &line.points {
                let at = place(&plot, p.x, p.y);
                canvas.marker(index, at)?;
                canvas.tooltip_around(at, REACH, &p.tooltip);
            }
        }
        let (first, last) = &self.ends;
        canvas.text(first, Class::MUTED, HPos::Left, (SIDE, ZERO + 14.0))?;
        canvas.text(last, Class::MUTED, HPos::Right, (right, ZERO + 14.0))
    }
}
