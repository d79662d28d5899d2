//! Words that show where a pointer rests on a mark, when the file is opened itself.

use crate::escape::xml;
use std::fmt::Write;

/// A part of a chart with its words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tip {
    /// Left, top, width and height, px.
    place: (f64, f64, f64, f64),
    words: String,
}

impl Tip {
    pub(super) fn new(place: (f64, f64, f64, f64), words: String) -> Self {
        Self { place, words }
    }

    /// A square around a point.
    pub(super) fn around((x, y): (f64, f64), reach: f64, words: String) -> Self {
        Self::new((x - reach, y - reach, 2.0 * reach, 2.0 * reach), words)
    }
}

/// Unseen areas above all that is drawn; each has a title, which is what browsers show.
pub(super) fn layer(tips: &[Tip]) -> String {
    let mut out = String::new();
    if tips.is_empty() {
        return out;
    }
    out.push_str("<g class=\"i\">");
    for tip in tips {
        let (x, y, width, height) = tip.place;
        let words = xml(&tip.words);
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "<path d=\"M{x:.0} {y:.0}h{width:.0}v{height:.0}H{x:.0}z\"><title>{words}</title></path>"
        );
    }
    out.push_str("</g>\n");
    out
}
