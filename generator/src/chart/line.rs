//! One line of a line chart: its points, and the line that was fitted through them.

use super::{Series, placeable, placeable_interval};

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The implementation.
    pub series: Series,
    /// In the order of x.
    pub points: Vec<Point>,
    /// Drawn instead of a line from point to point.
    pub fit: Option<Fit>,
}

/// A measured point; one that is not finite or is negative is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Threads, sessions, a day.
    pub x: f64,
    /// In the y axis's unit.
    pub y: f64,
    /// The ends of the interval of y.
    pub interval: Option<(f64, f64)>,
}

/// y = `slope` · x + `intercept`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// What one more of x adds.
    pub slope: f64,
    /// The value at x = 0.
    pub intercept: f64,
}

/// Lines with more points than this have a marker and an interval only where there is room for
/// it; [`MARKER_ROOM`] px is enough.
const MANY_POINTS: usize = 40;
const MARKER_ROOM: f64 = 12.0;

impl Line {
    pub(super) fn points(&self) -> impl Iterator<Item = &Point> {
        self.points
            .iter()
            .filter(|p| placeable(p.x) && placeable(p.y) && p.x >= 0.0 && p.y >= 0.0)
    }

    /// The right end of what is drawn.
    pub(super) fn end(&self, x_range: (f64, f64)) -> Option<(f64, f64)> {
        self.points().next()?;
        self.path(x_range).pop()
    }

    pub(super) fn fit(&self) -> Option<Fit> {
        self.fit
            .filter(|f| placeable(f.slope) && placeable(f.intercept))
    }

    /// Its points that have a marker: all, unless they stand too close.
    pub(super) fn with_markers(&self, px_per_x: f64) -> Vec<&Point> {
        let points: Vec<&Point> = self.points().collect();
        if points.len() <= MANY_POINTS {
            return points;
        }
        let mut kept: Vec<&Point> = Vec::new();
        for p in points {
            if kept
                .last()
                .is_none_or(|last| (p.x - last.x) * px_per_x >= MARKER_ROOM)
            {
                kept.push(p);
            }
        }
        kept
    }

    /// The points to join: the measured ones, or two of the fitted line.
    pub(super) fn path(&self, (x_min, x_max): (f64, f64)) -> Vec<(f64, f64)> {
        match self.fit() {
            Some(fit) => [x_min, x_max].map(|x| (x, fit.at(x))).to_vec(),
            None => self.points().map(|p| (p.x, p.y)).collect(),
        }
    }
}

impl Point {
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        placeable_interval(self.interval)
    }
}

impl Fit {
    /// The line does not leave the chart below zero.
    fn at(self, x: f64) -> f64 {
        (self.slope * x + self.intercept).max(0.0)
    }
}
