//! The legend above a chart: a sample of each series beside its name.

use super::text;
use super::{Series, WIDTH};

/// Width of a sample and of the gap behind it, px.
const SAMPLE: f64 = 16.0;
const GAP: f64 = 6.0;
/// Between two entries, px.
const SPACE: f64 = 18.0;
const ROW: f64 = 21.0;

/// Where the entries of a legend are.
pub(super) struct Legend {
    /// Left end and middle line of each entry, px.
    pub(super) places: Vec<(f64, f64)>,
    /// Height of the whole with the gap below it, px.
    pub(super) height: f64,
}

impl Legend {
    /// Fills lines from left to right.
    pub(super) fn of<'a>(series: impl Iterator<Item = &'a Series>) -> Self {
        let (mut x, mut y) = (text::INSET, ROW / 2.0);
        let mut places = Vec::new();
        for entry in series {
            let width = SAMPLE + GAP + text::width(&entry.label);
            if x > text::INSET && x + width > f64::from(WIDTH) {
                (x, y) = (text::INSET, y + ROW);
            }
            places.push((x, y));
            x += width + SPACE;
        }
        Self {
            places,
            height: y + ROW / 2.0 + 8.0,
        }
    }

    /// Left upper and right lower corner of a sample area, px.
    pub(super) fn sample((x, y): (f64, f64)) -> [(f64, f64); 2] {
        [(x, y - 5.5), (x + SAMPLE, y + 5.5)]
    }

    /// Where the name beside a sample starts, px.
    pub(super) fn name((x, y): (f64, f64)) -> (f64, f64) {
        (x + SAMPLE + GAP, y)
    }
}
