//! Markers: the shapes of points.

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
    Plus,
    Cross,
    Hourglass,
}

impl Marker {
    /// Writes the marker around the origin.
    pub(crate) fn svg(self) -> String {
        let corners = self.corners().iter();
        let corners: Vec<String> = corners.map(|(x, y)| format!("{x} {y}")).collect();
        match corners.as_slice() {
            [] => "<circle class=\"k\" r=\"4\"/>".to_owned(),
            corners => format!("<path class=\"k\" d=\"M{}Z\"/>", corners.join("L")),
        }
    }

    /// The corners relative to the point, about 9 px wide; empty for a circle, of radius 4 px.
    fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Self::Circle => &[],
            Self::Square => &[(-3.8, -3.8), (3.8, -3.8), (3.8, 3.8), (-3.8, 3.8)],
            Self::Triangle => &[(0.0, -4.8), (4.8, 3.6), (-4.8, 3.6)],
            Self::Diamond => &[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)],
            Self::TriangleDown => &[(-4.8, -3.6), (4.8, -3.6), (0.0, 4.8)],
            Self::Plus => &PLUS,
            Self::Cross => &CROSS,
            Self::Hourglass => &[(-4.2, -4.5), (4.2, -4.5), (-4.2, 4.5), (4.2, 4.5)],
        }
    }
}

#[rustfmt::skip]
const PLUS: [(f64, f64); 12] = [
    (-1.7, -4.8), (1.7, -4.8), (1.7, -1.7), (4.8, -1.7), (4.8, 1.7), (1.7, 1.7),
    (1.7, 4.8), (-1.7, 4.8), (-1.7, 1.7), (-4.8, 1.7), (-4.8, -1.7), (-1.7, -1.7),
];

#[rustfmt::skip]
const CROSS: [(f64, f64); 12] = [
    (0.0, -2.2), (2.4, -4.6), (4.6, -2.4), (2.2, 0.0), (4.6, 2.4), (2.4, 4.6),
    (0.0, 2.2), (-2.4, 4.6), (-4.6, 2.4), (-2.2, 0.0), (-4.6, -2.4), (-2.4, -4.6),
];
