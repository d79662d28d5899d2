//! A history as a graph.

use super::scale;
use crate::chart::{self, Annotation, Axis, Lines, Tick, XAxis};
use crate::history::{Machine, Metric, Point, Series};
use crate::page::{Graph, ends, join};
use crate::unit::Scale;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Readers cannot tell more lines apart.
const MAX_LINES: usize = 8;

/// Points of all lines together, of some ten bytes each, but no fewer than these of a line.
const MAX_POINTS: usize = 600;
const MIN_POINTS: usize = 75;

/// The lines of a graph: those with more than one point, the longest where they are many.
fn drawn<'a>(metric: &'a Metric<'a>) -> Vec<&'a Series<'a>> {
    let mut lines: Vec<_> = metric.series.iter().enumerate().collect();
    lines.retain(|(_, series)| series.points.len() > 1);
    lines.sort_by_key(|(_, series)| Reverse(series.points.len()));
    lines.truncate(MAX_LINES);
    lines.sort_by_key(|(index, _)| *index);
    lines.into_iter().map(|(_, series)| series).collect()
}

/// The graph of a metric; `None` where no line has two points.
pub(super) fn graph(machine: &Machine<'_>, metric: &Metric<'_>, file: &str) -> Option<Graph> {
    let lines = drawn(metric);
    let x_of: HashMap<&str, f64> = positions(machine, &lines);
    if x_of.len() < 2 {
        return None;
    }
    let scale = scale(&[metric]);
    let x = |p: &Point<'_>| x_of[p.report.name.as_str()];
    let point = |p: &Point<'_>| chart::Point {
        x: x(p),
        y: p.value / scale.factor,
        interval: ends(p.interval, &scale),
    };
    let most = (MAX_POINTS / lines.len()).max(MIN_POINTS);
    let chart_lines = lines.iter().map(|series| {
        let values: Vec<f64> = series.points.iter().map(|p| p.value).collect();
        let kept = series.change_points.iter().map(|c| c.index);
        let drawn = thinned(&values, kept, most).into_iter();
        chart::Line {
            series: chart::Series {
                label: series.name(),
                implementation: series.newest().implementation.name.clone(),
            },
            points: drawn.map(|index| point(&series.points[index])).collect(),
            fit: None,
        }
    });
    let annotations = lines.iter().enumerate().flat_map(|(line, series)| {
        series.change_points.iter().map(move |change_point| {
            let p = &series.points[change_point.index];
            Annotation {
                line,
                at: (x(p), p.value / scale.factor),
                name: change_point.number.to_string(),
                tested: change_point.p.is_some(),
            }
        })
    });
    let versions = lines.iter().map(|series| {
        let tick = |p: &Point<'_>| Tick {
            at: x(p),
            label: p.implementation.version.to_string(),
        };
        series.points.iter().map(tick).collect()
    });
    let days = machine.reports.iter().filter_map(|r| {
        Some(Tick {
            at: *x_of.get(r.name.as_str())?,
            label: r.day_or_name(),
        })
    });
    let alt = alt(machine, metric, &lines, &scale);
    Some(Graph::new(file, metric.label.clone(), alt, |caption| {
        let chart = Lines {
            caption,
            x: XAxis {
                title: String::new(),
                ticks: days.collect(),
                rows: versions.collect(),
            },
            y: Axis {
                unit: scale.symbol.clone(),
                better: metric.unit.better(),
            },
            lines: chart_lines.collect(),
            y_end: None,
            annotations: annotations.collect(),
        };
        chart.render()
    }))
}

/// Which of many `values` a line joins, some `most` of them: its ends, those to be `kept`, and of
/// each stretch the least and the greatest.
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

/// The reports that the lines have points of, one step apart.
fn positions<'a>(machine: &Machine<'a>, lines: &[&Series<'_>]) -> HashMap<&'a str, f64> {
    let points = lines.iter().flat_map(|series| &series.points);
    let used: HashSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let names = machine.reports.iter().map(|r| r.name.as_str());
    let names = names.filter(|name| used.contains(name)).enumerate();
    names.map(|(at, name)| (name, at as f64)).collect()
}

/// What a history shows, with its first and last figures.
fn alt(machine: &Machine<'_>, metric: &Metric<'_>, lines: &[&Series<'_>], scale: &Scale) -> String {
    let end = |p: &Point<'_>| format!("{} ({})", scale.show(p.value), p.implementation.version);
    let figures = lines.iter().map(|series| {
        let (first, last) = (end(&series.points[0]), end(series.newest()));
        format!("{} from {first} to {last}", series.name())
    });
    format!(
        "Line chart: {} over the reports of {}, in {}. {}.",
        metric.label,
        machine.name(),
        scale.symbol,
        join(&figures.collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_points_thin_out_around_those_that_matter() {
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
