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
    /// `None` for a pattern without gaps.
    pub(crate) fn tile(self) -> Option<Tile> {
        let (side, turn, fill) = match self {
            Self::Solid => return None,
            Self::Rising => (6, 45, Fill::Rectangle(4.6, 6.0)),
            Self::Holes => (5, 45, Fill::AllButCircle(1.3)),
            Self::Falling => (6, -45, Fill::Rectangle(4.6, 6.0)),
            Self::Tiles => (5, 0, Fill::Rectangle(3.8, 3.8)),
            Self::Diamonds => (5, 45, Fill::Rectangle(3.8, 3.8)),
            Self::Upright => (5, 0, Fill::Rectangle(3.7, 5.0)),
            Self::Level => (4, 0, Fill::Rectangle(4.0, 2.9)),
        };
        Some(Tile { side, turn, fill })
    }
}

/// A square that is repeated over an area.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// In px.
    pub(crate) side: u8,
    /// In degrees, clockwise: 0, 45 or -45.
    pub(crate) turn: i16,
    fill: Fill,
}

/// The coloured part of a tile, in px.
#[derive(Clone, Copy, Debug)]
enum Fill {
    /// Width and height, from the tile's top left corner.
    Rectangle(f64, f64),
    /// Everything except a circle of this radius in the middle.
    AllButCircle(f64),
}

impl Tile {
    /// An SVG `<pattern>` element, coloured by `class`.
    pub(crate) fn svg(self, id: &str, class: impl Display) -> String {
        let Self { side, turn, fill } = self;
        let path = match fill {
            Fill::Rectangle(width, height) => format!("M0 0h{width}v{height}h-{width}z"),
            Fill::AllButCircle(radius) => {
                let middle = f64::from(side) / 2.0;
                let (left, across) = (middle - radius, radius * 2.0);
                format!(
                    "M0 0h{side}v{side}h-{side}z\
                     M{left} {middle}a{radius} {radius} 0 0 0 {across} 0\
                     a{radius} {radius} 0 0 0 -{across} 0z"
                )
            }
        };
        let transform = match turn {
            0 => String::new(),
            turn => format!(" patternTransform=\"rotate({turn})\""),
        };
        format!(
            "<pattern id=\"{id}\" class=\"{class}\" width=\"{side}\" height=\"{side}\" \
             patternUnits=\"userSpaceOnUse\"{transform}><path d=\"{path}\"/></pattern>\n"
        )
    }
}
