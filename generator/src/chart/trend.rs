//! A sparkline: how one scenario went from report to report.

use super::axis::Scale;
use super::class::Class;
use super::tooltip::Tooltip;
use super::{
    Area, Caption, Drawing, Result, Series, document, extent, marker, placeable, point, px_of,
    text, upx,
};
use crate::look::Look;
use plotters::chart::ChartBuilder;
use plotters::element::PathElement;
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos;

/// Lines from zero, without an axis of values: exact figures stand in words beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Its alternative text.
    pub caption: Caption,
    /// Labels of the first and the last day.
    pub ends: (String, String),
    /// The first one is drawn in front.
    pub lines: Vec<TrendLine>,
}

/// The figures of one implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendLine {
    /// The implementation.
    pub series: Series,
    /// In the order of time.
    pub points: Vec<TrendPoint>,
}

/// One report's figure.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendPoint {
    /// A day, on any linear scale.
    pub x: f64,
    /// The figure; one that is not finite or is negative is left out.
    pub y: f64,
    /// Where a pointer rests on the point.
    pub tooltip: String,
}

/// All in px. As wide as a gauge, which it stands below.
const WIDTH: u32 = 240;
const HEIGHT: u32 = 92;
const TOP: f64 = 8.0;
const ZERO: f64 = 68.0;
const SIDE: f64 = 10.0;
/// Half the side of the square around a point that shows its text.
const REACH: f64 = 9.0;

impl Trend {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let series = self.lines.iter().map(|l| &l.series);
        document(&self.caption, (WIDTH, HEIGHT), series, |area, looks| {
            self.draw(area, looks)
        })
    }

    /// The ranges of x and y.
    fn scales(&self) -> (Scale, Scale) {
        let points = || self.lines.iter().flat_map(TrendLine::points);
        let highest = points().map(|p| p.y).fold(0.0, f64::max);
        let x = match extent(points().map(|p| p.x)) {
            Some((first, last)) if first < last => first..last,
            // A single day is in the middle.
            Some((day, _)) => day - 1.0..day + 1.0,
            None => 0.0..1.0,
        };
        let y = if highest > 0.0 { highest } else { 1.0 };
        (
            Scale::linear(x, Vec::new()),
            Scale::linear(0.0..y, Vec::new()),
        )
    }

    fn draw(&self, area: &Area<'_>, looks: &[Look]) -> Result<Vec<Tooltip>> {
        let (x, y) = self.scales();
        let mut chart = ChartBuilder::on(area)
            .margin_top(upx(TOP))
            .margin_bottom(upx(f64::from(HEIGHT) - ZERO))
            .margin_left(upx(SIDE))
            .margin_right(upx(SIDE))
            .build_cartesian_2d(x, y)?;
        let right = f64::from(WIDTH) - SIDE;
        let zero = [(SIDE, ZERO), (right, ZERO)].map(point);
        area.draw(&PathElement::new(zero, Class::AXIS.shape()))?;
        let mut tooltips = Vec::new();
        for (index, (line, look)) in self.lines.iter().zip(looks).enumerate().rev() {
            let class = match index {
                0 => Class::LINE.of(index),
                _ => Class::DASHED.of(index),
            };
            let points = line.points().map(|p| (p.x, p.y));
            chart.draw_series(LineSeries::new(points, class.shape()))?;
            for p in line.points() {
                let at = chart.backend_coord(&(p.x, p.y));
                marker::draw(area, look.marker, index, at)?;
                tooltips.push(Tooltip::around(px_of(at), REACH, p.tooltip.clone()));
            }
        }
        for (end, x, h_pos) in [
            (&self.ends.0, SIDE, HPos::Left),
            (&self.ends.1, right, HPos::Right),
        ] {
            let style = text::style(Class::MUTED, h_pos);
            area.draw_text(end, &style, point((x, ZERO + 14.0)))?;
        }
        Ok(tooltips)
    }
}

impl TrendLine {
    fn points(&self) -> impl Iterator<Item = &TrendPoint> {
        self.points
            .iter()
            .filter(|p| placeable(p.x) && placeable(p.y) && p.y >= 0.0)
    }
}
