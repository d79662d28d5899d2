//! Rings around highlighted points, with names beside them.

use super::canvas::{Canvas, Plot, Result, place};
use super::class::Class;
use plotters::style::text_anchor::HPos;

/// A ring around a point, with a name that is explained in the text beside the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Index of its line, for the colour.
    pub line: usize,
    /// The point.
    pub at: (f64, f64),
    /// A number or letter; empty for a ring without a name.
    pub name: String,
    /// Whether the ring is solid; otherwise it is dashed.
    pub tested: bool,
}

/// Radius of a ring, px.
const RADIUS: f64 = 9.0;
/// Horizontal and vertical distance from the centre of a ring to that of its name, and the room
/// for a name; px.
const ASIDE: f64 = RADIUS + 7.0;
const ROOM: f64 = 13.0;

/// Draws `annotations`, with names placed to avoid each other and the points in `taken` (px).
pub(super) fn draw(
    canvas: &Canvas<'_>,
    plot: &Plot<'_, '_>,
    annotations: &[Annotation],
    mut taken: Vec<(f64, f64)>,
) -> Result {
    for annotation in annotations {
        let (x, y) = place(plot, annotation.at.0, annotation.at.1);
        let class = match annotation.tested {
            true => Class::WHISKER,
            false => Class::DASHED.of(annotation.line),
        };
        canvas.circle((x, y), RADIUS, class)?;
        if annotation.name.is_empty() {
            continue;
        }
        let places = [(1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0)]
            .map(|(right, down)| (x + right * ASIDE, y + down * ASIDE));
        let far = |a: f64, b: f64| (a - b).abs() > ROOM;
        let free = |p: &&(f64, f64)| taken.iter().all(|t| far(p.0, t.0) || far(p.1, t.1));
        let place = *places.iter().find(free).unwrap_or(&places[0]);
        taken.push(place);
        canvas.text(&annotation.name, Class::STRONG, HPos::Center, place)?;
    }
    Ok(())
}
