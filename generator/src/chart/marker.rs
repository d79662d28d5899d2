//! Markers: the shapes of points.

use super::class::Class;
use super::svg::UNIT;
use super::{Area, Result};
use crate::look::Marker;
use plotters::element::{Circle, Polygon};

/// Draws a marker of series `series`, about 9 px wide, around `at` (backend pixels).
pub(super) fn draw(area: &Area<'_>, marker: Marker, series: usize, at: (i32, i32)) -> Result<()> {
    let style = Class::MARKER.of(series).shape();
    let corners: &[_] = match marker {
        Marker::Circle => return area.draw(&Circle::new(at, 4 * UNIT, style)),
        Marker::Square => &[(-38, -38), (38, -38), (38, 38), (-38, 38)],
        Marker::Triangle => &[(0, -48), (48, 36), (-48, 36)],
        Marker::Diamond => &[(0, -52), (52, 0), (0, 52), (-52, 0)],
        Marker::TriangleDown => &[(-48, -36), (48, -36), (0, 48)],
        Marker::Plus => &PLUS,
        Marker::Cross => &CROSS,
        Marker::Hourglass => &[(-42, -45), (42, -45), (-42, 45), (42, 45)],
    };
    let corners = corners.iter().map(|(x, y)| (at.0 + x, at.1 + y));
    area.draw(&Polygon::new(corners.collect::<Vec<_>>(), style))
}

#[rustfmt::skip]
const PLUS: [(i32, i32); 12] = [
    (-17, -48), (17, -48), (17, -17), (48, -17), (48, 17), (17, 17),
    (17, 48), (-17, 48), (-17, 17), (-48, 17), (-48, -17), (-17, -17),
];

#[rustfmt::skip]
const CROSS: [(i32, i32); 12] = [
    (0, -22), (24, -46), (46, -24), (22, 0), (46, 24), (24, 46),
    (0, 22), (-24, 46), (-46, 24), (-22, 0), (-46, -24), (-24, -46),
];
