//! Badges: a name and what is to know of it side by side, as an image in a README. Its colours are
//! the same on light and dark pages, because an image cannot know on which it stands.

use super::text::{self, NARROW_SIZE};
use crate::base::escape::xml;

/// A badge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Badge {
    /// What it is about: `rustls 0.23.46`.
    pub name: String,
    /// What it says: `1.9x OpenSSL`.
    pub text: String,
    /// The colour behind that text, one of the constants of this module.
    pub color: &'static str,
    /// All of it in words, as a tooltip and for screen readers.
    pub title: String,
}

/// Behind the name. All text is white.
const NAME: &str = "#3d444d";

/// Behind a text on something good, as `--good` of a light page.
pub const GOOD: &str = "#1a6b38";

/// Behind a text on something bad, as `--bad` of a light page.
pub const BAD: &str = "#ab1040";

/// Behind a text on no change.
pub const EVEN: &str = "#0b5c8f";

/// Behind a text that says nothing.
pub const UNKNOWN: &str = "#57606a";

const HEIGHT: f64 = 20.0;
const SIZE: f64 = 12.0;
const PADDING: f64 = 6.0;
/// The height of letters above the baseline, of which half is below the middle.
const ASCENT: f64 = 0.7 * SIZE;
/// The widest name or text.
const MAX_WIDTH: f64 = 300.0;

impl Badge {
    /// Draws the badge as an SVG file.
    pub fn render(&self) -> String {
        let scale = SIZE / NARROW_SIZE;
        let [name, text] = [&self.name, &self.text]
            .map(|text| (text::width(text) * scale).min(MAX_WIDTH).ceil() + 2.0 * PADDING);
        let (width, baseline) = (name + text, (HEIGHT + ASCENT) / 2.0);
        let part = |middle: f64, text: &str| {
            text::element("", (middle, baseline), text, MAX_WIDTH / scale)
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\" aria-labelledby=\"t\">\n\
             <title id=\"t\">{}</title>\n\
             <path fill=\"{NAME}\" d=\"M{name} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3H{name}z\"/>\n\
             <path fill=\"{}\" d=\"M{name} 0h{}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{name}z\"/>\n\
             <g fill=\"#fff\" font-family=\"system-ui,sans-serif\" font-size=\"{SIZE}\" \
             text-anchor=\"middle\">\n{}\n{}\n</g>\n</svg>\n",
            xml(&self.title),
            self.color,
            text - 3.0,
            part(name / 2.0, &self.name),
            part(name + text / 2.0, &self.text),
        )
    }
}
