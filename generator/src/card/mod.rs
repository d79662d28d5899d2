//! Social cards: the pictures that other sites show beside a link to a report.
//!
//! They are drawn with an embedded font, so that the same card has the same bytes on every machine,
//! and directly in palette indices. plotters' bitmap backend is not used because its pixels are
//! RGB, and each would have to be mapped to the nearest colour of the palette.

mod font;
mod layout;
mod picture;

pub use picture::Painter;

use crate::look::Look;
use crate::unit::Scale;

/// Width and height of a card in px, with the usual aspect ratio of large previews, 1.91:1.
pub const SIZE: (u32, u32) = (1200, 630);

/// The maximum number of bars: more cannot be distinguished where a card is shown 400 px wide.
pub const MAX_BARS: usize = 6;

/// The maximum number of graphs, which are side by side.
pub const MAX_GRAPHS: usize = 2;

/// Maximum characters of a name beside two graphs; longer names leave room for only one.
pub const MAX_NAME_BESIDE_TWO: usize = 23;

/// The contents of a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// The report's title.
    pub title: String,
    /// Date and machine: `7 March 2026 · Xeon E-2386G`.
    pub byline: String,
    /// The key finding; drawn only if all of it fits.
    pub finding: String,
    /// Alternative text with all figures of the card.
    pub alt: String,
    /// The rows, shared by all graphs.
    pub bars: Vec<Bar>,
    /// At most [`MAX_GRAPHS`], side by side.
    pub graphs: Vec<CardGraph>,
}

/// A row of a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// `rustls 0.23.37`
    pub name: String,
    /// Colour and pattern of its implementation.
    pub look: Look,
}

/// The figures of one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct CardGraph {
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server`
    pub detail: String,
    /// `hs/s, higher is better`
    pub unit: String,
    /// The scale in which values are displayed.
    pub scale: Scale,
    /// In base units, one per bar; `None` where there is none.
    pub values: Vec<Option<f64>>,
}

impl CardGraph {
    /// A value as displayed after its bar.
    pub fn show(&self, value: Option<f64>) -> String {
        value.map_or_else(|| "–".to_owned(), |v| self.scale.show(v))
    }
}

#[cfg(test)]
mod tests;
