//! Line charts: over a number, release by release, or report by report.

use super::{Graph, common_scale, ends, join};
use crate::chart::look::{self, Look};
use crate::chart::{Axis, Line, Lines, Point, Ring, Series, Tick, XAxis};
use crate::model::unit::{Scale, Unit};
use crate::model::version::Version;
use crate::report::{Dataset, Figure};

/// Lines of one graph; more cannot be told apart.
pub(super) const MAX_LINES: usize = 8;

/// The figures of one line, from left to right, each with its version.
pub(super) struct Track<'a> {
    pub(super) series: Series,
    pub(super) points: Vec<(f64, &'a Figure, &'a Version, Option<Ring>)>,
}

impl Dataset {
    /// Returns the look of a library in charts, the same on all pages.
    pub(crate) fn look_of(&self, library: &str) -> Look {
        let assigned = look::assign(self.site_libraries.iter().map(String::as_str));
        let look = assigned.get(library).copied();
        look.unwrap_or_else(|| Look::of(library))
    }
}

impl Point {
    /// A figure with its interval and number of runs.
    pub(super) fn of(x: f64, figure: &Figure, scale: &Scale) -> Self {
        Self {
            x,
            y: figure.estimate / scale.factor,
            interval: ends(figure.interval, scale),
            runs: Some(figure.sample.len()),
            ..Self::default()
        }
    }
}

/// Draws tracks; the alternative text starts with `what`.
pub(super) fn over_time(
    file: &str,
    title: String,
    what: &str,
    unit: &Unit,
    ticks: Vec<Tick>,
    tracks: Vec<Track<'_>>,
) -> Graph {
    let figures = tracks.iter().flat_map(|track| &track.points);
    let scale = common_scale(unit, figures.map(|point| point.1));
    let end = |(_, figure, version, _): &(f64, &Figure, &Version, _)| {
        format!("{} ({})", scale.show(figure.estimate), version.words())
    };
    let (mut summaries, mut lines) = (Vec::new(), Vec::new());
    for Track { series, points } in tracks {
        if let [first, .., last] = &*points {
            let (first, last) = (end(first), end(last));
            summaries.push(format!("{} from {first} to {last}", series.label));
        }
        let points = points.into_iter().map(|(x, figure, version, ring)| Point {
            label: Some(version.words()),
            ring,
            ..Point::of(x, figure, &scale)
        });
        lines.push(Line {
            series,
            points: points.collect(),
            fit: None,
        });
    }
    let alt = format!(
        "Line chart: {what}, in {}. {}.",
        scale.symbol,
        join(&summaries)
    );
    let x = XAxis {
        ticks,
        ..XAxis::default()
    };
    let y = Axis {
        better: unit.better(),
        unit: scale.symbol,
    };
    let chart = Lines { x, y, lines };
    Graph::new(file, title, alt, |title, alt| chart.render(title, alt))
}
