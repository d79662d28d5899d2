//! A history as a graph and as a table.

use super::phrases::plus_minus;
use super::{Graph, Head, Table, TableCell, TableRow, join};
use crate::chart::{self, Annotation, Axis, Caption, Lines, Series, Tick, XAxis};
use crate::history::{Line, Place, Point, Track, evidence};
use crate::report::Report;
use crate::stats::Change;
use crate::unit::{Better, Scale, Unit};
use jiff::civil::Date;
use std::collections::HashMap;

/// More lines than this cannot be told apart.
const MOST_LINES: usize = 8;

/// From a page of a scenario or an implementation to the folder of the reports.
const UP: &str = "../../";

/// The number of each shift of a place, by its track, line and index in the line.
pub(super) type Numbers = HashMap<(usize, usize, usize), usize>;

/// Shifts are numbered from 1, in the order of tracks.
pub(super) fn numbers(tracks: &[&Track<'_>]) -> Numbers {
    let mut numbers = Numbers::new();
    for (t, track) in tracks.iter().enumerate() {
        for (l, line) in track.lines.iter().enumerate() {
            for shift in &line.shifts {
                let next = numbers.len() + 1;
                numbers.insert((t, l, shift.index), next);
            }
        }
    }
    numbers
}

/// One scale for all figures of some tracks, with no more decimals than the tightest interval
/// supports.
pub(super) fn scale(tracks: &[&Track<'_>], unit: &Unit) -> Scale {
    let points = || {
        let lines = tracks.iter().flat_map(|t| &t.lines);
        lines.flat_map(|l| &l.points)
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
fn drawn<'a>(track: &'a Track<'a>) -> Vec<(usize, &'a Line<'a>)> {
    let mut lines: Vec<_> = track.lines.iter().enumerate().collect();
    lines.retain(|(_, line)| line.points.len() > 1);
    if lines.len() > MOST_LINES {
        lines.sort_by_key(|(_, line)| std::cmp::Reverse(line.points.len()));
        lines.truncate(MOST_LINES);
        lines.sort_by_key(|(index, _)| *index);
    }
    lines
}

/// The graph of a track, the `t`-th of its page's place; `None` where no line has two points.
pub(super) fn graph(
    place: &Place<'_>,
    (t, track): (usize, &Track<'_>),
    numbers: &Numbers,
    file: &str,
) -> Option<Graph> {
    let lines = drawn(track);
    let x_of: HashMap<&str, f64> = positions(place, &lines);
    if x_of.len() < 2 {
        return None;
    }
    let scale = scale(&[track], track.unit);
    let x = |p: &Point<'_>| x_of[p.report.name.as_str()];
    let point = |p: &Point<'_>| chart::Point {
        x: x(p),
        y: p.value / scale.factor,
        interval: p
            .interval
            .map(|i| (i.low / scale.factor, i.high / scale.factor)),
    };
    let chart_lines = lines.iter().map(|(_, line)| chart::Line {
        series: Series {
            label: line.name(),
            implementation: line.newest().implementation.name.clone(),
        },
        points: line.points.iter().map(point).collect(),
        fit: None,
    });
    let annotations = lines.iter().enumerate().flat_map(|(at, (l, line))| {
        line.shifts.iter().filter_map(move |shift| {
            let p = &line.points[shift.index];
            Some(Annotation {
                line: at,
                at: (x(p), p.value / scale.factor),
                name: numbers.get(&(t, *l, shift.index))?.to_string(),
                tested: shift.p.is_some(),
            })
        })
    });
    let versions = lines.iter().map(|(_, line)| {
        let tick = |p: &Point<'_>| Tick {
            at: x(p),
            label: p.implementation.version.to_string(),
        };
        line.points.iter().map(tick).collect()
    });
    let days = place.reports.iter().filter_map(|r| {
        Some(Tick {
            at: *x_of.get(r.name.as_str())?,
            label: day(r),
        })
    });
    let (title, alt) = (track.label.clone(), alt(place, track, &lines, &scale));
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
            better: track.unit.better(),
        },
        lines: chart_lines.collect(),
        annotations: annotations.collect(),
    };
    Some(Graph {
        title,
        file: format!("{file}.svg"),
        alt,
        drawing: chart.render(),
    })
}

/// The reports that the lines have points of, one step apart.
fn positions<'a>(place: &Place<'a>, lines: &[(usize, &Line<'a>)]) -> HashMap<&'a str, f64> {
    let points = lines.iter().flat_map(|(_, line)| &line.points);
    let used: std::collections::HashSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let names = place.reports.iter().map(|r| r.name.as_str());
    let names = names.filter(|name| used.contains(name));
    names
        .enumerate()
        .map(|(at, name)| (name, at as f64))
        .collect()
}

/// What a history shows, with its first and last figures.
fn alt(
    place: &Place<'_>,
    track: &Track<'_>,
    lines: &[(usize, &Line<'_>)],
    scale: &Scale,
) -> String {
    let ends: Vec<String> = lines
        .iter()
        .map(|(_, line)| {
            let (first, last) = (&line.points[0], line.newest());
            format!(
                "{} from {} ({}) to {} ({})",
                line.name(),
                scale.show(first.value),
                first.implementation.version,
                scale.show(last.value),
                last.implementation.version
            )
        })
        .collect();
    format!(
        "Line chart: {} over the reports of {}, in {}. {}.",
        track.label,
        place.name(),
        scale.symbol,
        join(&ends)
    )
}

/// Every figure of the tracks of one unit, newest report first.
pub(super) fn table(tracks: &[(usize, &Track<'_>)], numbers: &Numbers) -> Option<Table> {
    let (_, first) = tracks.first()?;
    let unit = first.unit;
    let all: Vec<&Track<'_>> = tracks.iter().map(|t| t.1).collect();
    let scale = scale(&all, unit);
    let several = tracks.len() > 1;
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
            "Every figure in {}{direction}, newest first. A change is from the report before and is not tested by itself; a number beside it names the shift that it begins.",
            scale.symbol
        ),
        corner: "report",
        head: head.into_iter().map(Head::new).collect(),
        ..Table::default()
    };
    let mut rows: Vec<(&Point<'_>, usize, TableRow)> = Vec::new();
    for (t, track) in tracks {
        for (l, line) in track.lines.iter().enumerate() {
            for (index, point) in line.points.iter().enumerate() {
                let before = index.checked_sub(1).map(|i| &line.points[i]);
                let mut change = change(before, point, unit);
                change.remarks.extend(numbers.get(&(*t, l, index)));
                let variant = point.implementation.variant.join(", ");
                let mut cells = vec![
                    TableCell {
                        class: "words",
                        ..TableCell::text(line.newest().implementation.name.as_str())
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
                        ..TableCell::text(track.label.as_str())
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

/// The shifts of some tracks in words, in the order of their numbers.
pub(super) fn shifts(tracks: &[&Track<'_>], several: bool) -> Vec<ShiftView> {
    let mut views = Vec::new();
    for track in tracks {
        for line in &track.lines {
            for shift in &line.shifts {
                let since = line.points[shift.index].implementation;
                views.push(ShiftView {
                    scenario: if several {
                        track.label.clone()
                    } else {
                        String::new()
                    },
                    change: shift.change.to_string(),
                    class: shift.change.word().word(),
                    since: since.to_string(),
                    evidence: evidence(shift.p),
                });
            }
        }
    }
    views
}

/// A shift as the templates take it.
#[derive(Clone, Debug, serde::Serialize)]
pub struct ShiftView {
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
