//! CSS classes: what a mark is drawn with. plotters knows RGB colours only; the SVG has classes,
//! so that one file serves a light page, a dark page and a printer.

use plotters::style::{Color, ShapeStyle};
use plotters_backend::BackendColor;
use std::fmt;

/// The class of a mark; the rules are in `style.css`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    role: u8,
    /// The index of a series in its chart, which has a colour of its own.
    series: Option<u8>,
}

impl Class {
    pub(super) const TEXT: Self = Self::plain(0);
    /// Text of axes and notes.
    pub(super) const MUTED: Self = Self::plain(b'm');
    /// Headings of groups.
    pub(super) const STRONG: Self = Self::plain(b'b');
    /// The one big number of a gauge.
    pub(super) const NUMBER: Self = Self::plain(b'n');
    pub(super) const GRID: Self = Self::plain(b'g');
    /// The line of zero.
    pub(super) const AXIS: Self = Self::plain(b'a');
    /// Intervals.
    pub(super) const WHISKER: Self = Self::plain(b'w');
    /// The empty part of a gauge.
    pub(super) const TRACK: Self = Self::plain(b'o');
    /// The needle of a gauge.
    pub(super) const NEEDLE: Self = Self::plain(b'x');

    /// An area in the colour and the pattern of a series.
    pub(super) const FILL: Self = Self::plain(b'f');
    pub(super) const LINE: Self = Self::plain(b'l');
    /// A small solid mark.
    pub(super) const MARKER: Self = Self::plain(b'k');
    /// A large area in a light tint.
    pub(super) const TINT: Self = Self::plain(b't');
    /// A thin dashed line.
    pub(super) const DASHED: Self = Self::plain(b'h');

    const fn plain(role: u8) -> Self {
        Self { role, series: None }
    }

    /// Of the series with this index in its chart.
    pub(super) const fn of(self, series: usize) -> Self {
        Self {
            series: Some(series as u8),
            ..self
        }
    }

    /// The style for plotters' elements. Whether a shape is filled, and how thick its line is,
    /// is the style sheet's business; plotters only has to call the right function of the backend.
    pub(super) fn shape(self) -> ShapeStyle {
        ShapeStyle::from(self).filled()
    }

    /// The class behind a colour that [`Class::to_backend_color`] made.
    pub(super) fn behind(color: BackendColor) -> Self {
        let (role, series, has_series) = color.rgb;
        Self {
            role,
            series: (has_series > 0).then_some(series),
        }
    }
}

impl Color for Class {
    fn to_backend_color(&self) -> BackendColor {
        let has_series = u8::from(self.series.is_some());
        BackendColor {
            alpha: 1.0,
            rgb: (self.role, self.series.unwrap_or(0), has_series),
        }
    }
}

/// The class attribute's value.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.series, char::from(self.role)) {
            (_, '\0') => Ok(()),
            (None, role) => write!(f, "{role}"),
            (Some(series), role) => write!(f, "s{series} {role}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_back_as_classes() {
        for (class, text) in [
            (Class::TEXT, ""),
            (Class::MUTED, "m"),
            (Class::FILL.of(0), "s0 f"),
            (Class::TINT.of(255), "s255 t"),
        ] {
            assert_eq!(Class::behind(class.to_backend_color()), class);
            assert_eq!(class.to_string(), text);
        }
    }
}
