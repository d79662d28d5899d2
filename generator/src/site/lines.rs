//! Line charts of figures release by release, or report by report.

use super::{Graph, ends, join};
use crate::chart::{Annotation, Axis, Line, Lines, Point, Series, Tick, XAxis};
use crate::model::unit::{Scale, Unit};
use crate::model::version::Version;
use crate::report::Figure;
use jiff::civil::Date;

/// Lines of one graph; more cannot be told apart.
pub(super) const MAX_LINES: usize = 8;

/// An implementation's figures in one scenario, release by release or report by report: at least two.
pub(super) struct TimeLine<'a> {
    pub series: Series,
    pub points: Vec<TimePoint<'a>>,
}

/// A figure of a time line.
pub(super) struct TimePoint<'a> {
    pub x: f64,
    /// Day of publication, if known.
    pub day: Option<Date>,
    pub version: &'a Version,
    /// If not all version labels fit, those with the lowest rank are kept.
    pub rank: u8,
    pub figure: &'a Figure,
    /// The name of a ring around it, and whether the change that it marks is tested.
    pub ring: Option<(String, bool)>,
}

/// Draws time lines; the alternative text starts with `what`.
pub(super) fn over_time(
    file: &str,
    title: String,
    what: &str,
    (unit, scale): (&Unit, &Scale),
    ticks: Vec<Tick>,
    time_lines: &[TimeLine<'_>],
) -> Graph {
    let end = |p: &TimePoint<'_>| format!("{} ({})", scale.show(p.figure.estimate), p.version);
    let (mut summaries, mut versions) = (Vec::new(), Vec::new());
    let (mut lines, mut annotations) = (Vec::new(), Vec::new());
    for (line, TimeLine { series, points }) in time_lines.iter().enumerate() {
        if let [first, .., last] = &**points {
            let (first, last) = (end(first), end(last));
            summaries.push(format!("{} from {first} to {last}", series.label));
        }
        let mut labels = Vec::new();
        let mut drawn = Vec::new();
        for point in points {
            let y = point.figure.estimate / scale.factor;
            labels.push((point.rank, point.x, point.version));
            drawn.push(Point {
                x: point.x,
                y,
                interval: ends(point.figure.interval, scale),
            });
            if let Some((name, tested)) = &point.ring {
                annotations.push(Annotation {
                    line,
                    at: (point.x, y),
                    name: name.clone(),
                    tested: *tested,
                });
            }
        }
        labels.sort_by_key(|(rank, ..)| *rank);
        let labels = labels.into_iter().map(|(_, at, version)| Tick {
            at,
            label: version.to_string(),
        });
        versions.push(labels.collect());
        lines.push(Line {
            series: series.clone(),
            points: drawn,
            fit: None,
        });
    }
    let alt = format!(
        "Line chart: {what}, in {}. {}.",
        scale.symbol,
        join(&summaries)
    );
    Graph::new(file, title, alt, |caption| {
        let chart = Lines {
            caption,
            x: XAxis {
                ticks,
                rows: versions,
                ..XAxis::default()
            },
            y: Axis {
                unit: scale.symbol.clone(),
                better: unit.better(),
            },
            lines,
            annotations,
            ..Lines::default()
        };
        chart.render()
    })
}
