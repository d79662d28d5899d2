//! Social cards: the picture that sites show beside a link to a report.
//!
//! Drawn with an embedded font, so that the same card has the same bytes on every machine; and
//! straight into the palette of the file, which plotters' bitmap backend cannot: its pixels have
//! three bytes each, and the nearest colour of a palette would have to be found for each.

mod font;
mod layout;
mod picture;

pub use picture::Painter;

use crate::look::Look;
use crate::unit::Scale;

/// Width and height of a card in px, in the ratio of 1.91:1 that sites show large previews in.
pub const SIZE: (u32, u32) = (1200, 630);

/// More bars than this cannot be distinguished where a card is shown 400 px wide.
pub const MAX_BARS: usize = 6;

/// Graphs side by side.
pub const MAX_GRAPHS: usize = 2;

/// Characters of a name that fit beside two graphs; longer ones leave room for one.
pub const MAX_NAME_BESIDE_TWO: usize = 23;

/// What a card shows of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// The report's.
    pub title: String,
    /// When and where: `7 March 2026 · Xeon E-2386G`.
    pub byline: String,
    /// The key finding; drawn only if all of it fits.
    pub finding: String,
    /// All of its figures in a sentence, for those who do not see the card.
    pub alt: String,
    /// The rows, which all graphs share.
    pub bars: Vec<Bar>,
    /// Side by side, [`MAX_GRAPHS`] at most.
    pub graphs: Vec<CardGraph>,
}

/// A row of a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// `rustls 0.23.37`
    pub name: String,
    /// That of its implementation.
    pub look: Look,
}

/// One scenario's figures.
#[derive(Clone, Debug, PartialEq)]
pub struct CardGraph {
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server`
    pub detail: String,
    /// `hs/s, higher is better`
    pub unit: String,
    /// How the values are shown.
    pub scale: Scale,
    /// In base units, one for each bar; `None` where there is none.
    pub values: Vec<Option<f64>>,
}

impl CardGraph {
    /// A value as it is drawn behind its bar.
    pub fn show(&self, value: Option<f64>) -> String {
        value.map_or_else(|| "–".to_owned(), |v| self.scale.show(v))
    }
}

#[cfg(test)]
mod tests;
