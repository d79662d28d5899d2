//! A scenario over the releases, as a graph.

use super::file_name;
use crate::chart::{self, Annotation, Axis, Lines, Tick, XAxis};
use crate::page::trend::day_number;
use crate::page::{Graph, Part, common_scale, ends, join};
use crate::report::{ComparedRow, ReleaseSeries, Row};
use crate::stats::Interval;
use crate::unit::Scale;
use jiff::ToSpan as _;
use jiff::civil::Date;

/// Readers cannot tell more lines apart.
const MAX_LINES: usize = 8;

/// Ticks of an axis of time.
const MAX_TICKS: i32 = 4;

/// One release's figure.
struct Stop {
    place: usize,
    version: String,
    day: Option<Date>,
    value: f64,
    interval: Option<Interval>,
    /// Whether the step to it is shown to be a change.
    is_change: bool,
}

/// The graph of a row over the releases of `series`, which are of its report. `None` where none
/// has two figures.
pub(in crate::page) fn graph(series: &[&ReleaseSeries<'_>], row: &Row) -> Option<Graph> {
    let lines = series
        .iter()
        .map(|series| (series.name(), *series, stops(series, row)));
    let mut lines: Vec<_> = lines.filter(|(.., stops)| stops.len() > 1).collect();
    lines.truncate(MAX_LINES);
    let stops = || lines.iter().flat_map(|(.., stops)| stops);
    let figures: Vec<_> = stops().map(|s| (s.value, s.interval)).collect();
    if figures.is_empty() {
        return None;
    }
    let scale = common_scale(&row.unit, &figures);
    let days: Option<Vec<Date>> = stops().map(|s| s.day).collect();
    let mut days = days.unwrap_or_default();
    days.sort();
    days.dedup();
    // Days that are all the same say nothing, and among maintained branches (1.1.1w came out after
    // 3.0.8) a line would go back and forth.
    let is_forward = |stops: &Vec<Stop>| stops.is_sorted_by_key(|s| s.day);
    let by_day = days.len() > 1 && lines.iter().all(|(.., stops)| is_forward(stops));
    let longest = lines
        .iter()
        .map(|(_, series, _)| series.columns.len())
        .max()?;
    let x = |series: &ReleaseSeries<'_>, stop: &Stop| match stop.day {
        Some(day) if by_day => day_number(day),
        // The newest of all stand at the right end.
        _ => (longest - series.columns.len() + stop.place) as f64,
    };
    let versions = |(_, series, stops): &(String, &ReleaseSeries<'_>, Vec<Stop>)| {
        let tick = |stop: &Stop| Tick {
            at: x(series, stop),
            label: stop.version.clone(),
        };
        // Those that a reader looks for have their names where there is no room for all.
        let mut stops: Vec<&Stop> = stops.iter().collect();
        stops.sort_by_key(|s| match s.place {
            newest if newest + 1 == series.columns.len() => 0,
            _ if s.is_change => 1,
            0 => 2,
            _ => 3,
        });
        stops.into_iter().map(tick).collect()
    };
    let rows: Vec<Vec<Tick>> = lines.iter().map(versions).collect();
    let ticks = match by_day {
        true => ticks(&days),
        false => (0..longest)
            .map(|at| Tick {
                at: at as f64,
                label: String::new(),
            })
            .collect(),
    };
    let chart_lines = lines.iter().map(|(name, series, stops)| chart::Line {
        series: chart::Series {
            label: name.clone(),
            implementation: series.newest().name.clone(),
        },
        points: stops
            .iter()
            .map(|stop| point(x(series, stop), stop, &scale))
            .collect(),
        fit: None,
    });
    let annotations = lines
        .iter()
        .enumerate()
        .flat_map(|(line, (_, series, stops))| {
            let changes = stops.iter().filter(|s| s.is_change);
            let x = &x;
            let scale = &scale;
            changes.map(move |stop| Annotation {
                line,
                at: (x(series, stop), stop.value / scale.factor),
                name: String::new(),
                tested: true,
            })
        });
    let figures = lines.iter().map(|(name, _, stops)| {
        let end = |s: &Stop| format!("{} ({})", scale.show(s.value), s.version);
        format!(
            "{name} from {} to {}",
            end(&stops[0]),
            end(&stops[stops.len() - 1])
        )
    });
    let label = row.scenario.label();
    let alt = format!(
        "Line chart: {label} over the releases, {}, in {}. {}.",
        if by_day {
            "by the day of publication"
        } else {
            "in their order"
        },
        scale.symbol,
        join(&figures.collect::<Vec<_>>())
    );
    Some(Graph::new(&file_name(row), label, alt, |caption| {
        let chart = Lines {
            caption,
            x: XAxis {
                title: String::new(),
                ticks,
                rows,
            },
            y: Axis {
                unit: scale.symbol.clone(),
                better: row.unit.better(),
            },
            lines: chart_lines.collect(),
            y_end: None,
            annotations: annotations.collect(),
        };
        chart.render()
    }))
}

/// The figures of a row, in the order of the releases.
fn stops(series: &ReleaseSeries<'_>, row: &Row) -> Vec<Stop> {
    let part = Part::of(series.report);
    let known = series.rows.iter().find(|r| std::ptr::eq(r.row, row));
    let places = series.columns.iter().enumerate();
    let stop = |(place, column): (usize, &usize)| {
        let implementation = series.implementation(place);
        let step = place
            .checked_sub(1)
            .and_then(|step| known?.steps[step].as_ref());
        Some(Stop {
            place,
            version: implementation.version.to_string(),
            day: series.report.manifest.released(implementation),
            value: part.estimate(row, *column)?,
            interval: row.cell(*column)?.interval(),
            is_change: step.is_some_and(ComparedRow::is_change),
        })
    };
    places.filter_map(stop).collect()
}

fn point(x: f64, stop: &Stop, scale: &Scale) -> chart::Point {
    chart::Point {
        x,
        y: stop.value / scale.factor,
        interval: ends(stop.interval, scale),
    }
}

/// First days of years, quarters or months between the first and the last of `days`, or these two
/// where there is none.
fn ticks(days: &[Date]) -> Vec<Tick> {
    let (first, last) = (days[0], days[days.len() - 1]);
    let months =
        i32::from(last.year() - first.year()) * 12 + i32::from(last.month() - first.month());
    let steps = [1, 3, 6, 12, 24, 60, 120];
    let step = steps.into_iter().find(|step| months / step < MAX_TICKS);
    let step = step.unwrap_or(240);
    let is_tick =
        |day: &Date| (i32::from(day.year()) * 12 + i32::from(day.month()) - 1) % step == 0;
    let mut found: Vec<Date> = first
        .first_of_month()
        .series(1.month())
        .take_while(|day| *day <= last)
        .filter(|day| *day >= first && is_tick(day))
        .collect();
    if found.len() < 2 {
        found = vec![first, last];
    }
    let label = |day: &Date| match step {
        _ if day.day() > 1 => day.to_string(),
        12.. => day.year().to_string(),
        _ => day.strftime("%b %Y").to_string(),
    };
    found
        .iter()
        .map(|day| Tick {
            at: day_number(*day),
            label: label(day),
        })
        .collect()
}
