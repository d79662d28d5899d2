//! One line of a line chart: its points, and the line fitted through them.

use super::Series;
use crate::stats;
use std::ops::Range;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The implementation.
    pub series: Series,
    /// Ordered by x.
    pub points: Vec<Point>,
    /// A fitted line, drawn instead of joining the points.
    pub fit: Option<stats::LinearFit>,
}

/// A measured point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Threads, sessions or a day.
    pub x: f64,
    /// In the y axis's unit.
    pub y: f64,
    /// The ends of the interval of y.
    pub interval: Option<(f64, f64)>,
}

/// Lines with more points than this have markers and intervals only at points that are at least
/// [`MARKER_ROOM`] px apart.
const MANY_POINTS: usize = 40;
const MARKER_ROOM: f64 = 12.0;

impl Line {
    /// The points with a marker: all of them, unless there are many and they are too close.
    pub(super) fn with_markers(&self, px_per_x: f64) -> Vec<Point> {
        let mut points = self.points.clone();
        if points.len() > MANY_POINTS {
            points.dedup_by(|p, last| (p.x - last.x) * px_per_x < MARKER_ROOM);
        }
        points
    }

    /// The points to join: the measured ones, or both ends of the fitted line, clamped at zero.
    pub(super) fn path(&self, x: &Range<f64>) -> Vec<(f64, f64)> {
        match self.fit {
            Some(fit) => [x.start, x.end].map(|x| (x, fit.at(x).max(0.0))).to_vec(),
            None => self.points.iter().map(|p| (p.x, p.y)).collect(),
        }
    }

    /// The right end of the drawn line.
    pub(super) fn end(&self, x: &Range<f64>) -> (f64, f64) {
        self.path(x).pop().unwrap_or((x.start, 0.0))
    }
}
