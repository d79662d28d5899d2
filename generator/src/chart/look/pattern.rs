//! Patterns, as tiles for charts.

use std::fmt::Display;

/// The fill of an area: its colour, with thin gaps that show the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Solid,
    Rising,
    Holes,
    Falling,
    Upright,
    Tiles,
    Diamonds,
    Level,
}

impl Pattern {
    /// The square that is repeated over an area, as an SVG `<pattern>` element coloured by `class`;
    /// `None` for a pattern without gaps.
    pub(crate) fn tile(self, id: &str, class: impl Display) -> Option<String> {
        let rectangle = |width: f64, height: f64| format!("M0 0h{width}v{height}h-{width}z");
        // Side in px, degrees clockwise, and the coloured part.
        let (side, turn, path) = match self {
            Self::Solid => return None,
            Self::Rising => (6.0, 45, rectangle(4.6, 6.0)),
            Self::Holes => (5.0, 45, all_but_circle(5.0, 1.3)),
            Self::Falling => (6.0, -45, rectangle(4.6, 6.0)),
            Self::Tiles => (5.0, 0, rectangle(3.8, 3.8)),
            Self::Diamonds => (5.0, 45, rectangle(3.8, 3.8)),
            Self::Upright => (5.0, 0, rectangle(3.7, 5.0)),
            Self::Level => (4.0, 0, rectangle(4.0, 2.9)),
        };
        let transform = match turn {
            0 => String::new(),
            turn => format!(" patternTransform=\"rotate({turn})\""),
        };
        Some(format!(
            "<pattern id=\"{id}\" class=\"{class}\" width=\"{side}\" height=\"{side}\" \
             patternUnits=\"userSpaceOnUse\"{transform}><path d=\"{path}\"/></pattern>\n"
        ))
    }
}

/// The path of a square with a hole in its middle.
fn all_but_circle(side: f64, radius: f64) -> String {
    let middle = side / 2.0;
    let (left, across) = (middle - radius, radius * 2.0);
    format!(
        "M0 0h{side}v{side}h-{side}z\
         M{left} {middle}a{radius} {radius} 0 0 0 {across} 0\
         a{radius} {radius} 0 0 0 -{across} 0z"
    )
}
