//! A sparkline: how one scenario went from report to report.

use super::ink::Ink;
use super::style::Look;
use super::{
    Area, Caption, Drawing, Result, Series, Tip, document, looks, marker, placeable, point, text,
};
use plotters::element::PathElement;
use plotters::style::text_anchor::HPos;

/// Lines from zero, without an axis of values: exact figures stand in words beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Words for those who do not see it.
    pub caption: Caption,
    /// Names of the two ends of time.
    pub ends: (String, String),
    /// The first one is drawn in front.
    pub lines: Vec<TrendLine>,
}

/// One implementation's way.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendLine {
    /// Whose.
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
    /// What it is, in words.
    pub tip: String,
}

/// All in px. As wide as a gauge, which it stands below.
const WIDTH: u32 = 240;
const HEIGHT: u32 = 92;
const TOP: f64 = 8.0;
const ZERO: f64 = 68.0;
const SIDE: f64 = 10.0;
/// Half the side of the square around a point that shows its words.
const REACH: f64 = 9.0;

/// How values become px.
struct Frame {
    x: (f64, f64),
    y_max: f64,
}

impl Trend {
    /// Draws it.
    pub fn render(&self) -> Drawing {
        let looks = looks(self.lines.iter().map(|l| &l.series));
        document(&self.caption, (WIDTH, HEIGHT), &looks, |area| {
            self.draw(area, &looks)
        })
    }

    fn frame(&self) -> Frame {
        let points = || self.lines.iter().flat_map(TrendLine::points);
        let xs = || points().map(|p| p.x);
        let y_max = points().map(|p| p.y).fold(0.0, f64::max);
        Frame {
            x: (
                xs().fold(f64::INFINITY, f64::min),
                xs().fold(f64::NEG_INFINITY, f64::max),
            ),
            y_max: if y_max > 0.0 { y_max } else { 1.0 },
        }
    }

    fn draw(&self, area: &Area<'_>, looks: &[Look]) -> Result<Vec<Tip>> {
        let frame = self.frame();
        let zero = [(SIDE, ZERO), (f64::from(WIDTH) - SIDE, ZERO)].map(point);
        area.draw(&PathElement::new(zero, Ink::Axis.shape()))?;
        let mut tips = Vec::new();
        for (index, (line, look)) in self.lines.iter().zip(looks).enumerate().rev() {
            let series = index as u8;
            let ink = match index {
                0 => Ink::Line(series),
                _ => Ink::Ghost(series),
            };
            let path: Vec<_> = line.points().map(|p| frame.place(p)).collect();
            area.draw(&PathElement::new(
                path.iter().copied().map(point).collect::<Vec<_>>(),
                ink.shape(),
            ))?;
            for (p, (x, y)) in line.points().zip(path) {
                marker::draw(area, look.marker, series, point((x, y)))?;
                tips.push(Tip::around((x, y), REACH, p.tip.clone()));
            }
        }
        let muted = |h_pos| text::style(Ink::Muted, h_pos);
        let low = ZERO + 14.0;
        area.draw_text(&self.ends.0, &muted(HPos::Left), point((SIDE, low)))?;
        let right = point((f64::from(WIDTH) - SIDE, low));
        area.draw_text(&self.ends.1, &muted(HPos::Right), right)?;
        Ok(tips)
    }
}

impl TrendLine {
    fn points(&self) -> impl Iterator<Item = &TrendPoint> {
        self.points
            .iter()
            .filter(|p| placeable(p.x) && placeable(p.y) && p.y >= 0.0)
    }
}

impl Frame {
    fn place(&self, p: &TrendPoint) -> (f64, f64) {
        let (first, last) = self.x;
        let share = if last > first {
            (p.x - first) / (last - first)
        } else {
            0.5
        };
        let width = f64::from(WIDTH) - 2.0 * SIDE;
        (SIDE + share * width, ZERO - p.y / self.y_max * (ZERO - TOP))
    }
}
