//! Line charts: over a number, release by release, or report by report.

use super::{Graph, ends};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point, Ring, Series, Tick, XAxis};
use crate::model::scale::Scale;
use crate::model::unit::Unit;
use crate::model::version::Version;
use crate::report::{Figure, common_scale};

/// Lines of one graph; more cannot be told apart.
pub(in crate::site) const MAX_LINES: usize = 8;

/// The figures of one line, from left to right, each with its version.
pub(in crate::site) struct Track<'a> {
    pub(in crate::site) series: Series,
    pub(in crate::site) points: Vec<(f64, &'a Figure, &'a Version, Option<Ring>)>,
}

impl Point {
    /// A figure with its interval and number of runs.
    pub(in crate::site) fn of(x: f64, figure: &Figure, scale: &Scale) -> Self {
        Self {
            x,
            y: figure.estimate / scale.factor,
            interval: ends(figure.interval, scale),
            runs: Some(figure.sample.len()).filter(|runs| *runs > 1),
            ..Self::default()
        }
    }
}

/// Draws tracks; the alternative text starts with `what`. `of` is the label of a scenario over releases.
pub(in crate::site) fn over_time(
    file: &str,
    title: String,
    (what, of): (&str, String),
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
        decimals: scale.decimals,
        unit: scale.symbol,
        is_log: false,
    };
    let chart = Lines { x, y, lines, of };
    Graph::new(file, title, alt, |title, alt| chart.render(title, alt))
}
