//! Charts as SVG files, drawn by plotters on a custom backend.
//!
//! A chart is a struct of formatted figures and text, in the unit shown on the page; parsers
//! ensure that all figures are finite and above zero. The SVG file is self-contained: text stays
//! text, colours follow the reader's light or dark scheme, `<title>` and `<desc>` describe the
//! chart, and there are no scripts or external resources.
//!
//! plotters provides coordinates, grids, axes and lines. It lacks fractions of a pixel, so the backend
//! has ten pixels per px, and dark schemes and tooltips: its colours stand for CSS classes (`svg`), and
//! marks that can be pointed at are written as SVG.

pub mod look;
mod axis;
mod document;
mod lines;
mod rows;
mod svg;
mod text;

pub use axis::Tick;
pub use lines::{Line, Lines, Point, XAxis};
pub use rows::{Mark, Row, RowPanel};

use crate::chart::look::Look;
use crate::model::unit::Better;
use serde::Serialize;

/// Width of every line chart, and of a panel of bars, px: narrow enough that its text is
/// legible on a phone, scaled down to 320 px.
const WIDTH: f64 = 460.0;

/// A chart as an SVG file, with its size in px.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Drawing {
    /// The whole file.
    #[serde(skip)]
    pub svg: String,
    /// Width of the view box.
    pub width: u32,
    /// Height of the view box.
    pub height: u32,
}

/// A series of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The displayed name: `rustls 0.23.37`.
    pub label: String,
    /// Colour, pattern and marker of its implementation.
    pub look: Look,
}

/// An axis of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The displayed unit: `MiB/s`.
    pub unit: String,
    /// Whether higher or lower is better.
    pub better: Better,
    /// Whether it is logarithmic, and does not start at zero.
    pub is_log: bool,
}

impl Axis {
    /// `MiB/s, higher is better`.
    pub fn note(&self) -> String {
        let log = if self.is_log { ", logarithmic" } else { "" };
        format!("{}{log}{}", self.unit, self.better.suffix())
    }
}

/// The largest of `values`, or zero if there is none.
fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, f64::max)
}
