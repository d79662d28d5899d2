//! Line charts of figures release by release, or report by report.

use super::{Graph, ends, join};
use crate::chart::{Axis, Line, Lines, Point, Tick, XAxis};
use crate::model::unit::{Scale, Unit, group_thousands};
use crate::model::version::Version;
use crate::report::Figure;

/// Lines of one graph; more cannot be told apart.
pub(super) const MAX_LINES: usize = 8;

/// Returns the point of a figure, with its version as label.
pub(super) fn point(x: f64, figure: &Figure, version: &Version, scale: &Scale) -> Point {
    Point {
        x,
        y: figure.estimate / scale.factor,
        interval: ends(figure.interval, scale),
        label: Some(version.words()),
        runs: Some(figure.sample.len()),
        ..Point::default()
    }
}

/// Draws lines of figures, each with at least two; the alternative text starts with `what`.
pub(super) fn over_time(
    file: &str,
    title: String,
    what: &str,
    (unit, scale): (&Unit, &Scale),
    ticks: Vec<Tick>,
    lines: Vec<Line>,
) -> Graph {
    let end = |p: &Point| {
        let figure = group_thousands(&format!("{:.*}", scale.decimals, p.y));
        format!("{figure} ({})", p.label.as_deref().unwrap_or_default())
    };
    let mut summaries = Vec::new();
    for Line { series, points, .. } in &lines {
        if let [first, .., last] = &**points {
            let (first, last) = (end(first), end(last));
            summaries.push(format!("{} from {first} to {last}", series.label));
        }
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
        unit: scale.symbol.clone(),
        better: unit.better(),
    };
    line_graph(file, title, alt, (x, y), lines)
}

/// Draws lines.
pub(super) fn line_graph(
    file: &str,
    title: String,
    alt: String,
    (x, y): (XAxis, Axis),
    lines: Vec<Line>,
) -> Graph {
    Graph::new(file, title, alt, |caption| {
        let chart = Lines {
            caption,
            x,
            y,
            lines,
        };
        chart.render()
    })
}
