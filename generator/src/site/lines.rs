//! Line charts: implementations over a parameter, and histories over releases or reports.

use super::{Graph, Part, ends, join};
use crate::chart::{Annotation, Axis, Line, Lines, Point, Series, Tick, XAxis};
use crate::report::{Figure, Row};
use crate::unit::{Scale, Unit};
use crate::version::Version;
use jiff::civil::Date;
use std::collections::BTreeSet;

/// Lines of one graph; more cannot be told apart.
pub(super) const MAX_LINES: usize = 8;

/// Points of all histories of a graph together, of about ten bytes each.
const MAX_POINTS: usize = 600;
/// Points that each history gets at least.
const MIN_POINTS: usize = 75;

impl Part<'_> {
    /// Returns a line per column: `x` is the position of a row, `y` converts its estimate and the
    /// ends of its interval.
    pub(super) fn lines(
        &self,
        columns: &[usize],
        x: impl Fn(&Row) -> Option<f64>,
        y: impl Fn(&Row, f64) -> f64,
    ) -> Vec<Line> {
        let point = |row: &Row, column: usize| {
            let interval = row.cell(column)?.interval();
            Some(Point {
                x: x(row)?,
                y: y(row, self.estimate(row, column)?),
                interval: interval.map(|i| (y(row, i.low), y(row, i.high))),
            })
        };
        let line = |column: &usize| {
            let points = self.rows.iter().filter_map(|row| point(row, *column));
            let mut points: Vec<Point> = points.collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Line {
                series: self.series_of(*column),
                points,
                fit: None,
            }
        };
        columns.iter().map(line).collect()
    }
}

/// An implementation's figures in one scenario, release by release or report by report.
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

/// Draws histories; the alternative text starts with `what`.
pub(super) fn over_time(
    file: &str,
    title: String,
    what: &str,
    (unit, scale): (&Unit, &Scale),
    ticks: Vec<Tick>,
    histories: &[TimeLine<'_>],
) -> Graph {
    let figures = histories.iter().map(|history| {
        let end = |p: &TimePoint<'_>| format!("{} ({})", scale.show(p.figure.estimate), p.version);
        let [first, last] = [0, history.points.len() - 1].map(|at| end(&history.points[at]));
        format!("{} from {first} to {last}", history.series.label)
    });
    let figures = join(&figures.collect::<Vec<_>>());
    let alt = format!("Line chart: {what}, in {}. {figures}.", scale.symbol);
    let most = (MAX_POINTS / histories.len().max(1)).max(MIN_POINTS);
    Graph::new(file, title, alt, |caption| {
        let chart = Lines {
            caption,
            x: XAxis {
                ticks,
                rows: histories.iter().map(TimeLine::versions).collect(),
                ..XAxis::default()
            },
            y: Axis {
                unit: scale.symbol.clone(),
                better: unit.better(),
            },
            lines: histories.iter().map(|h| h.line(scale, most)).collect(),
            annotations: annotations(histories, scale),
            ..Lines::default()
        };
        chart.render()
    })
}

impl TimeLine<'_> {
    fn versions(&self) -> Vec<Tick> {
        let mut points: Vec<&TimePoint<'_>> = self.points.iter().collect();
        points.sort_by_key(|point| point.rank);
        let tick = |point: &TimePoint<'_>| Tick {
            at: point.x,
            label: point.version.to_string(),
        };
        points.into_iter().map(tick).collect()
    }

    fn line(&self, scale: &Scale, most: usize) -> Line {
        let point = |index: usize| {
            let point = &self.points[index];
            Point {
                x: point.x,
                y: point.figure.estimate / scale.factor,
                interval: ends(point.figure.interval, scale),
            }
        };
        let values: Vec<f64> = self
            .points
            .iter()
            .map(|point| point.figure.estimate)
            .collect();
        let kept = (0..values.len()).filter(|index| self.points[*index].ring.is_some());
        Line {
            series: self.series.clone(),
            points: thinned(&values, kept, most)
                .into_iter()
                .map(point)
                .collect(),
            fit: None,
        }
    }
}

/// Returns the indices of about `most` of the `values` to draw: both ends, those of `kept`, and the
/// minimum and maximum of each stretch.
fn thinned(values: &[f64], kept: impl Iterator<Item = usize>, most: usize) -> BTreeSet<usize> {
    let all = 0..values.len();
    if values.len() <= most {
        return all.collect();
    }
    let by_value = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
    let mut drawn: BTreeSet<usize> = kept.chain([0, all.end - 1]).collect();
    let stretch = all.end.div_ceil(most / 2);
    for start in all.clone().step_by(stretch) {
        let of_stretch = start..all.end.min(start + stretch);
        drawn.extend(of_stretch.clone().min_by(by_value));
        drawn.extend(of_stretch.max_by(by_value));
    }
    drawn
}

fn annotations(histories: &[TimeLine<'_>], scale: &Scale) -> Vec<Annotation> {
    let of_line = |(line, history): (usize, &TimeLine<'_>)| {
        let annotation = |point: &TimePoint<'_>| {
            let (name, tested) = point.ring.clone()?;
            Some(Annotation {
                line,
                at: (point.x, point.figure.estimate / scale.factor),
                name,
                tested,
            })
        };
        history
            .points
            .iter()
            .filter_map(annotation)
            .collect::<Vec<_>>()
    };
    histories.iter().enumerate().flat_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_ends_extremes_and_marked_points() {
        let mut values: Vec<f64> = (0..5_000).map(|i| 100.0 + f64::from(i % 7)).collect();
        (values[1_234], values[4_321]) = (50.0, 200.0);
        let drawn = thinned(&values, [777, 3_001].into_iter(), 200);
        assert!(
            [0, 777, 1_234, 3_001, 4_321, 4_999]
                .iter()
                .all(|i| drawn.contains(i))
        );
        assert!((150..=210).contains(&drawn.len()), "{}", drawn.len());
        assert_eq!(thinned(&values[..200], [].into_iter(), 200).len(), 200);
    }
}
