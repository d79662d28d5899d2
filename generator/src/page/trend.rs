//! A history as a graph and as a table.

use super::phrases::plus_minus;
use super::{Graph, Head, Table, TableCell, TableRow, join};
use crate::chart::{self, Axis, Caption, Lines, Mark, Tick, XAxis};
use crate::history::{Machine, Metric, Point, Series, evidence};
use crate::report::Report;
use crate::stats::Change;
use crate::unit::{Better, Scale, Unit};
use jiff::civil::Date;
use std::collections::HashMap;

/// Readers cannot tell more lines apart.
const MAX_LINES: usize = 8;

/// From a page of a scenario or an implementation to the folder of the reports.
const UP: &str = "../../";

/// The number of each change point of a machine, by its metric, its series and its index there.
pub(super) type Numbers = HashMap<(usize, usize, usize), usize>;

/// Change points are numbered from 1, in the order of metrics.
pub(super) fn numbers(metrics: &[&Metric<'_>]) -> Numbers {
    let mut numbers = Numbers::new();
    for (t, metric) in metrics.iter().enumerate() {
        for (s, series) in metric.series.iter().enumerate() {
            for change_point in &series.change_points {
                let next = numbers.len() + 1;
                numbers.insert((t, s, change_point.index), next);
            }
        }
    }
    numbers
}

/// One scale for all figures of some metrics, with no more decimals than the tightest interval
/// supports.
pub(super) fn scale(metrics: &[&Metric<'_>], unit: &Unit) -> Scale {
    let points = || {
        let series = metrics.iter().flat_map(|m| &m.series);
        series.flat_map(|s| &s.points)
    };
    let scale = Scale::of(unit, points().map(|p| p.value));
    let widths = points().filter_map(|p| p.interval.map(|i| (i.high - i.low) / 2.0));
    match widths.filter(|w| *w > 0.0).min_by(f64::total_cmp) {
        Some(half_width) => scale.limited_by(half_width),
        None => scale,
    }
}

/// `2026-03-07`, or the name of a report without a day.
pub(super) fn day(report: &Report) -> String {
    report
        .day
        .map_or_else(|| report.name.clone(), |day| day.to_string())
}

/// What reports are sorted by.
pub(super) fn when(report: &Report) -> (Option<Date>, &str) {
    (report.day, &report.name)
}

/// `3,186.87` with its interval beside it.
pub(super) fn figure(point: &Point<'_>, scale: &Scale) -> TableCell {
    TableCell {
        detail: plus_minus(point.interval, point.value),
        ..TableCell::text(scale.show(point.value))
    }
}

/// The change from one figure of a history to the next.
fn change(before: Option<&Point<'_>>, point: &Point<'_>, unit: &Unit) -> TableCell {
    let change = before
        .and_then(|b| Change::new(b.value, point.value, unit.better(), *unit == Unit::Memory));
    change.map_or_else(TableCell::missing, |c| TableCell {
        change: c.word().word(),
        ..TableCell::text(c.to_string())
    })
}

/// The lines of a graph: those with more than one point, some of them where they are many.
fn drawn<'a>(metric: &'a Metric<'a>) -> Vec<(usize, &'a Series<'a>)> {
    let mut lines: Vec<_> = metric.series.iter().enumerate().collect();
    lines.retain(|(_, series)| series.points.len() > 1);
    if lines.len() > MAX_LINES {
        lines.sort_by_key(|(_, series)| std::cmp::Reverse(series.points.len()));
        lines.truncate(MAX_LINES);
        lines.sort_by_key(|(index, _)| *index);
    }
    lines
}

/// The graph of a metric, the `t`-th of its machine; `None` where no line has two points.
pub(super) fn graph(
    machine: &Machine<'_>,
    (t, metric): (usize, &Metric<'_>),
    numbers: &Numbers,
    file: &str,
) -> Option<Graph> {
    let lines = drawn(metric);
    let x_of: HashMap<&str, f64> = positions(machine, &lines);
    if x_of.len() < 2 {
        return None;
    }
    let scale = scale(&[metric], metric.unit);
    let x = |p: &Point<'_>| x_of[p.report.name.as_str()];
    let point = |p: &Point<'_>| chart::Point {
        x: x(p),
        y: p.value / scale.factor,
        interval: p
            .interval
            .map(|i| (i.low / scale.factor, i.high / scale.factor)),
    };
    let chart_lines = lines.iter().map(|(_, series)| chart::Line {
        series: chart::Series {
            label: series.name(),
            implementation: series.newest().implementation.name.clone(),
        },
        points: series.points.iter().map(point).collect(),
        fit: None,
    });
    let marks = lines.iter().enumerate().flat_map(|(at, (s, series))| {
        series.change_points.iter().filter_map(move |change_point| {
            let p = &series.points[change_point.index];
            Some(Mark {
                line: at,
                at: (x(p), p.value / scale.factor),
                name: numbers.get(&(t, *s, change_point.index))?.to_string(),
                sure: change_point.p.is_some(),
            })
        })
    });
    let versions = lines.iter().map(|(_, series)| {
        let tick = |p: &Point<'_>| Tick {
            at: x(p),
            label: p.implementation.version.to_string(),
        };
        series.points.iter().map(tick).collect()
    });
    let days = machine.reports.iter().filter_map(|r| {
        Some(Tick {
            at: *x_of.get(r.name.as_str())?,
            label: day(r),
        })
    });
    let (title, alt) = (metric.label.clone(), alt(machine, metric, &lines, &scale));
    let chart = Lines {
        caption: Caption {
            title: title.clone(),
            description: alt.clone(),
        },
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
        marks: marks.collect(),
    };
    Some(Graph {
        title,
        file: format!("{file}.svg"),
        alt,
        drawing: chart.render(),
    })
}

/// The reports that the lines have points of, one step apart.
fn positions<'a>(machine: &Machine<'a>, lines: &[(usize, &Series<'a>)]) -> HashMap<&'a str, f64> {
    let points = lines.iter().flat_map(|(_, series)| &series.points);
    let used: std::collections::HashSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let names = machine.reports.iter().map(|r| r.name.as_str());
    let names = names.filter(|name| used.contains(name));
    names
        .enumerate()
        .map(|(at, name)| (name, at as f64))
        .collect()
}

/// What a history shows, with its first and last figures.
fn alt(
    machine: &Machine<'_>,
    metric: &Metric<'_>,
    lines: &[(usize, &Series<'_>)],
    scale: &Scale,
) -> String {
    let ends: Vec<String> = lines
        .iter()
        .map(|(_, series)| {
            let (first, last) = (&series.points[0], series.newest());
            format!(
                "{} from {} ({}) to {} ({})",
                series.name(),
                scale.show(first.value),
                first.implementation.version,
                scale.show(last.value),
                last.implementation.version
            )
        })
        .collect();
    format!(
        "Line chart: {} over the reports of {}, in {}. {}.",
        metric.label,
        machine.name(),
        scale.symbol,
        join(&ends)
    )
}

/// Every figure of the metrics of one unit, newest report first.
pub(super) fn table(metrics: &[(usize, &Metric<'_>)], numbers: &Numbers) -> Option<Table> {
    let (_, first) = metrics.first()?;
    let unit = first.unit;
    let all: Vec<&Metric<'_>> = metrics.iter().map(|t| t.1).collect();
    let scale = scale(&all, unit);
    let several = metrics.len() > 1;
    let direction = match unit.better() {
        Better::Higher => ", higher is better",
        Better::Lower => ", lower is better",
        Better::Unknown => "",
    };
    let mut head = vec![
        "implementation",
        "version",
        scale.symbol.as_str(),
        "n",
        "change",
    ];
    if several {
        head.insert(0, "scenario");
    }
    let mut table = Table {
        class: "history",
        about: "history",
        caption: format!(
            "Every figure in {}{direction}, newest first. A change is from the report before and is not tested by itself; a number beside it is that of the change point that it begins.",
            scale.symbol
        ),
        corner: "report",
        head: head.into_iter().map(Head::new).collect(),
        ..Table::default()
    };
    let mut rows: Vec<(&Point<'_>, usize, TableRow)> = Vec::new();
    for (t, metric) in metrics {
        for (s, series) in metric.series.iter().enumerate() {
            for (index, point) in series.points.iter().enumerate() {
                let before = index.checked_sub(1).map(|i| &series.points[i]);
                let mut change = change(before, point, unit);
                change.remarks.extend(numbers.get(&(*t, s, index)));
                let variant = point.implementation.variant.join(", ");
                let mut cells = vec![
                    TableCell {
                        class: "words",
                        ..TableCell::text(series.newest().implementation.name.as_str())
                    },
                    TableCell {
                        class: "words",
                        detail: variant,
                        ..TableCell::text(point.implementation.version.as_str())
                    },
                    figure(point, &scale),
                    TableCell::text(point.n.to_string()),
                    change,
                ];
                if several {
                    let label = TableCell {
                        class: "words",
                        ..TableCell::text(metric.label.as_str())
                    };
                    cells.insert(0, label);
                }
                let row = TableRow {
                    label: day(point.report),
                    href: format!("{UP}{}/", point.report.name),
                    cells,
                    ..TableRow::default()
                };
                rows.push((point, rows.len(), row));
            }
        }
    }
    rows.sort_by(|(a, i, _), (b, j, _)| when(b.report).cmp(&when(a.report)).then(i.cmp(j)));
    table.rows = rows.into_iter().map(|r| r.2).collect();
    Some(table)
}

/// The change points of some metrics in words, in the order of their numbers.
pub(super) fn change_points(metrics: &[&Metric<'_>], several: bool) -> Vec<ChangePointView> {
    let mut views = Vec::new();
    for metric in metrics {
        for series in &metric.series {
            for change_point in &series.change_points {
                let since = series.points[change_point.index].implementation;
                views.push(ChangePointView {
                    scenario: if several {
                        metric.label.clone()
                    } else {
                        String::new()
                    },
                    change: change_point.change.to_string(),
                    class: change_point.change.word().word(),
                    since: since.to_string(),
                    evidence: evidence(change_point.p),
                });
            }
        }
    }
    views
}

/// A change point as the templates take it.
#[derive(Clone, Debug, serde::Serialize)]
pub struct ChangePointView {
    /// Empty where the page has one scenario only.
    pub scenario: String,
    /// `1.62x slower`
    pub change: String,
    /// The word alone.
    pub class: &'static str,
    /// `rustls 0.23.31`
    pub since: String,
    /// `untested`, `p = 0.005`
    pub evidence: String,
}
