//! CSS classes of marks. plotters supports RGB colours only; the SVG uses classes, so that one file
//! works on light pages, on dark pages and in print.

use super::svg::UNIT;
use super::text;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, TextStyle};
use plotters_backend::BackendColor;
use std::fmt;

/// The class of a mark: its role, and the number of its series in the chart, from 1, which sets the
/// colour; 0 for none. The rules are in `style.css`, which sets fills and line widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(u8, u8);

impl Class {
    /// Text of axes and notes.
    pub(super) const MUTED: Self = Self(b'm', 0);
    /// Names of series, which hide and show them.
    pub(super) const NAME: Self = Self(b'y', 0);
    pub(super) const GRID: Self = Self(b'g', 0);
    /// The zero line.
    pub(super) const AXIS: Self = Self(b'a', 0);
    /// Intervals.
    pub(super) const WHISKER: Self = Self(b'w', 0);

    pub(super) const LINE: Self = Self(b'l', 0);
    /// A small solid mark.
    pub(super) const MARKER: Self = Self(b'k', 0);
    /// A thin dashed line.
    pub(super) const DASHED: Self = Self(b'h', 0);

    /// The class for the series with this index in its chart.
    pub(super) const fn of(self, series: usize) -> Self {
        Self(self.0, series as u8 + 1)
    }

    /// The index of its series.
    pub(super) fn series(self) -> Option<usize> {
        usize::from(self.1).checked_sub(1)
    }

    /// A text style for plotters, vertically centred on its anchor.
    pub(super) fn text(self, anchor: HPos) -> TextStyle<'static> {
        let size = text::SIZE * f64::from(UNIT);
        TextStyle {
            font: FontDesc::new(FontFamily::SansSerif, size, FontStyle::Normal),
            color: self.to_backend_color(),
            pos: Pos::new(anchor, VPos::Center),
        }
    }

    /// Decodes the class from a colour made by [`Class::to_backend_color`].
    pub(super) fn from_color(color: BackendColor) -> Self {
        Self(color.rgb.0, color.rgb.1)
    }
}

impl Color for Class {
    fn to_backend_color(&self) -> BackendColor {
        BackendColor {
            alpha: 1.0,
            rgb: (self.0, self.1, 0),
        }
    }
}

/// The class attribute's value.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_survive_the_round_trip_through_colours() {
        for (class, text, series) in [
            (Class::MUTED, "m", None),
            (Class::MARKER.of(0), "k", Some(0)),
            (Class::LINE.of(254), "l", Some(254)),
        ] {
            assert_eq!(Class::from_color(class.to_backend_color()), class);
            assert_eq!((&*class.to_string(), class.series()), (text, series));
        }
    }
}
