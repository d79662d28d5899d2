//! Social cards: the picture that stands beside a link to a report where people share it.
//!
//! `ingest` writes a card's figures into the front matter of its page, and `build` draws what
//! stands there, so that a card shows nothing but what its page was made of. Text is drawn as
//! outlines of an embedded font: a picture of a machine without fonts is the same.

mod font;
mod front;
mod layout;
mod picture;
mod svg;

pub use front::Card;
pub use picture::{Drawing, HEAD, Painter, source_of};

use serde::{Deserialize, Serialize};

/// Width and height of a card in px, of the 1.91:1 that sites show large previews in.
pub const SIZE: (u32, u32) = (1200, 630);

/// More bars than this cannot be told apart where a card is shown 400 px wide.
pub const MOST_BARS: usize = 6;

/// Graphs side by side.
pub const MOST_GRAPHS: usize = 2;

/// Characters of a name that fit beside two graphs; longer ones leave room for one.
pub const LONGEST_BESIDE_TWO: usize = 23;

/// What a card shows of a report, in finished figures and words. A bar is a row over all graphs.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Figures {
    /// A sentence with all of it, for those who do not see the card.
    pub alt: String,
    /// What each bar is called.
    pub names: Vec<String>,
    /// What decides the look of each bar, see [`crate::chart::style::looks`].
    pub implementations: Vec<String>,
    /// Side by side.
    pub graphs: Vec<Graph>,
}

/// One scenario's bars.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Graph {
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server`
    pub detail: String,
    /// `hs/s, higher is better`
    pub unit: String,
    /// One for each bar as a reader sees it, `41,846`; [`MISSING`] where there is none.
    pub figures: Vec<String>,
}

/// Stands for a figure that there is not.
pub const MISSING: &str = "–";

impl Graph {
    /// The lengths of the bars, in the graph's unit: what is drawn is what is written.
    fn values(&self) -> Vec<f64> {
        let value = |text: &String| text.replace(',', "").parse().ok();
        let drawable = |v: &f64| v.is_finite() && *v > 0.0;
        let values = self.figures.iter().map(value);
        values.map(|v| v.filter(drawable).unwrap_or(0.0)).collect()
    }
}

#[cfg(test)]
mod tests;
