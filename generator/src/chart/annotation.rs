//! Rings around points that stand out, with names beside them.

use super::axis::Plot;
use super::class::Class;
use super::{Area, Result, placeable, px, text};
use plotters::element::Circle;
use plotters::style::text_anchor::HPos;

/// A ring around a point, with a name that the text beside the chart explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Index of its line, for the colour.
    pub line: usize,
    /// The point.
    pub at: (f64, f64),
    /// A number or letter.
    pub name: String,
    /// A whole ring; else a dashed one.
    pub tested: bool,
}

/// Radius of a ring, px.
const RADIUS: f64 = 9.0;
/// From the middle of a ring to that of its name, and the room that a name takes; px.
const ASIDE: f64 = RADIUS + 7.0;
const ROOM: f64 = 13.0;

/// Draws `annotations`, their names where they cover neither each other nor a point of `taken`
/// (backend pixels).
pub(super) fn draw(
    area: &Area<'_>,
    chart: &Plot<'_, '_>,
    annotations: &[Annotation],
    mut taken: Vec<(i32, i32)>,
) -> Result<()> {
    let valid = |a: &&Annotation| placeable(a.at.0) && placeable(a.at.1) && a.at.1 >= 0.0;
    for annotation in annotations.iter().filter(valid) {
        let (x, y) = chart.backend_coord(&annotation.at);
        let class = match annotation.tested {
            true => Class::WHISKER,
            false => Class::DASHED.of(annotation.line),
        };
        area.draw(&Circle::new((x, y), px(RADIUS), class.shape()))?;
        let places = [(1, -1), (1, 1), (-1, -1), (-1, 1)]
            .map(|(right, down)| (x + right * px(ASIDE), y + down * px(ASIDE)));
        let far = |a: i32, b: i32| (a - b).abs() > px(ROOM);
        let free = |p: &&(i32, i32)| taken.iter().all(|t| far(p.0, t.0) || far(p.1, t.1));
        let place = *places.iter().find(free).unwrap_or(&places[0]);
        taken.push(place);
        let style = text::style(Class::STRONG, HPos::Center);
        area.draw_text(&annotation.name, &style, place)?;
    }
    Ok(())
}
