//! Inks: what a mark is drawn with. plotters knows RGB colours only; the SVG has classes, so
//! that one file serves a light page, a dark page and a printer.

use plotters::style::{Color, ShapeStyle};
use plotters_backend::BackendColor;
use std::fmt;

/// The role of a mark. A number is the index of a series in its chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// Words.
    Text,
    /// Words of axes and notes.
    Muted,
    /// Headings of groups.
    Strong,
    /// The one big number of a gauge.
    Figure,
    /// Lines to read values by.
    Grid,
    /// The line of zero.
    Axis,
    /// Intervals.
    Whisker,
    /// The empty part of a gauge.
    Track,
    /// The needle of a gauge.
    Needle,
    /// An area in the colour and the pattern of a series.
    Fill(u8),
    /// A line of a series.
    Line(u8),
    /// A small solid mark of a series.
    Mark(u8),
    /// A large area in a light tint of a series.
    Tint(u8),
    /// A thin line of a series that stands back.
    Ghost(u8),
}

use Ink::{
    Axis, Figure, Fill, Ghost, Grid, Line, Mark, Muted, Needle, Strong, Text, Tint, Track, Whisker,
};

impl Ink {
    /// The style for plotters' elements. Whether a shape is filled, and how thick its line is,
    /// is the class's business; plotters only has to call the right function of the backend.
    pub(super) fn shape(self) -> ShapeStyle {
        ShapeStyle::from(self).filled()
    }

    /// The colour that stands for this ink between plotters and the backend.
    fn sentinel(self) -> (u8, u8, u8) {
        match self {
            Text => (0, 0, 0),
            Muted => (1, 0, 0),
            Strong => (2, 0, 0),
            Figure => (3, 0, 0),
            Grid => (4, 0, 0),
            Axis => (5, 0, 0),
            Whisker => (6, 0, 0),
            Fill(series) => (7, series, 0),
            Line(series) => (8, series, 0),
            Mark(series) => (9, series, 0),
            Tint(series) => (10, series, 0),
            Ghost(series) => (11, series, 0),
            Track => (12, 0, 0),
            Needle => (13, 0, 0),
        }
    }

    /// The ink behind a colour that [`Ink::sentinel`] made.
    pub(super) fn of(color: BackendColor) -> Self {
        let (role, series, _) = color.rgb;
        match role {
            1 => Muted,
            2 => Strong,
            3 => Figure,
            4 => Grid,
            5 => Axis,
            6 => Whisker,
            7 => Fill(series),
            8 => Line(series),
            9 => Mark(series),
            10 => Tint(series),
            11 => Ghost(series),
            12 => Track,
            13 => Needle,
            _ => Text,
        }
    }
}

impl Color for Ink {
    fn to_backend_color(&self) -> BackendColor {
        BackendColor {
            alpha: 1.0,
            rgb: self.sentinel(),
        }
    }
}

/// The class attribute's value; the rules are in `style.css`.
impl fmt::Display for Ink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Text => Ok(()),
            Muted => f.write_str("m"),
            Strong => f.write_str("b"),
            Figure => f.write_str("n"),
            Grid => f.write_str("g"),
            Axis => f.write_str("a"),
            Whisker => f.write_str("w"),
            Track => f.write_str("o"),
            Needle => f.write_str("x"),
            Fill(series) => write!(f, "s{series} f"),
            Line(series) => write!(f, "s{series} l"),
            Mark(series) => write!(f, "s{series} k"),
            Tint(series) => write!(f, "s{series} t"),
            Ghost(series) => write!(f, "s{series} h"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_back_as_inks() {
        let all = [
            Text, Muted, Strong, Figure, Grid, Axis, Whisker, Track, Needle,
        ];
        let series = [Fill(3), Line(4), Mark(5), Tint(255), Ghost(0)];
        for ink in all.into_iter().chain(series) {
            assert_eq!(Ink::of(ink.to_backend_color()), ink);
        }
    }
}
