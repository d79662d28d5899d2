//! CSS classes: what a mark is drawn with. plotters knows RGB colours only; the SVG has classes,
//! so that one file serves a light page, a dark page and a printer.

use super::svg::UNIT;
use super::text;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, TextStyle};
use plotters_backend::BackendColor;
use std::fmt;

/// The class of a mark: its role, and the index of a series in its chart, which has a colour of
/// its own. The rules are in `style.css`; whether a shape is filled, and how thick its line is,
/// is theirs too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(u8, Option<u8>);

impl Class {
    pub(super) const TEXT: Self = Self(0, None);
    /// Text of axes and notes.
    pub(super) const MUTED: Self = Self(b'm', None);
    /// Headings of groups.
    pub(super) const STRONG: Self = Self(b'b', None);
    /// The one big number of a gauge.
    pub(super) const NUMBER: Self = Self(b'n', None);
    pub(super) const GRID: Self = Self(b'g', None);
    /// The line of zero.
    pub(super) const AXIS: Self = Self(b'a', None);
    /// Intervals.
    pub(super) const WHISKER: Self = Self(b'w', None);
    /// The empty part of a gauge.
    pub(super) const TRACK: Self = Self(b'o', None);
    pub(super) const NEEDLE: Self = Self(b'x', None);

    /// An area in the colour and the pattern of a series.
    pub(super) const FILL: Self = Self(b'f', None);
    pub(super) const LINE: Self = Self(b'l', None);
    /// A small solid mark.
    pub(super) const MARKER: Self = Self(b'k', None);
    /// A large area in a light tint.
    pub(super) const TINT: Self = Self(b't', None);
    /// A thin dashed line.
    pub(super) const DASHED: Self = Self(b'h', None);

    /// Of the series with this index in its chart.
    pub(super) const fn of(self, series: usize) -> Self {
        Self(self.0, Some(series as u8))
    }

    /// A style for plotters: text centred on the line through its anchor.
    pub(super) fn text(self, anchor: HPos) -> TextStyle<'static> {
        let size = text::SIZE * f64::from(UNIT);
        TextStyle {
            font: FontDesc::new(FontFamily::SansSerif, size, FontStyle::Normal),
            color: self.to_backend_color(),
            pos: Pos::new(anchor, VPos::Center),
        }
    }

    /// The class behind a colour that [`Class::to_backend_color`] made.
    pub(super) fn behind(color: BackendColor) -> Self {
        let (role, series, has_series) = color.rgb;
        Self(role, (has_series > 0).then_some(series))
    }
}

impl Color for Class {
    fn to_backend_color(&self) -> BackendColor {
        let Self(role, series) = *self;
        BackendColor {
            alpha: 1.0,
            rgb: (role, series.unwrap_or(0), u8::from(series.is_some())),
        }
    }
}

/// The class attribute's value.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.1, char::from(self.0)) {
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
