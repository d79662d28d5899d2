//! The legend above a chart: a sample of each series beside its name.
//!
//! Not plotters' own: it measures names with a font instead of the backend's
//! `estimate_text_size`, and puts them one below the other inside the plot.

use super::text;
use super::{Series, WIDTH};

/// Width of a sample and of the gap behind it, px.
const SAMPLE: f64 = 16.0;
const GAP: f64 = 6.0;
/// Between two columns, px.
const SPACE: f64 = 18.0;
const ROW: f64 = 21.0;

/// Where the entries of a legend are.
pub(super) struct Legend {
    /// Left end and middle line of each entry, px.
    pub(super) entries: Vec<(f64, f64)>,
    /// Height of the whole with the gap below it, px.
    pub(super) height: f64,
}

impl Legend {
    /// One row if it has room for all; else as many columns, all as wide as the widest name, as
    /// there is room for.
    pub(super) fn of(series: &[Series]) -> Self {
        let width = |s: &Series| SAMPLE + GAP + text::width(&s.label) + SPACE;
        let room = f64::from(WIDTH) - text::INSET + SPACE;
        let mut widths: Vec<f64> = series.iter().map(width).collect();
        let widest = widths.iter().copied().fold(0.0, f64::max);
        let mut columns = widths.len().max(1);
        if widths.iter().sum::<f64>() > room {
            columns = ((room / widest) as usize).max(1);
            widths.fill(widest);
        }
        let entry = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            let left: f64 = widths[index - column..index].iter().sum();
            (text::INSET + left, (row as f64 + 0.5) * ROW)
        };
        Self {
            entries: (0..series.len()).map(entry).collect(),
            height: series.len().div_ceil(columns).max(1) as f64 * ROW + 8.0,
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
