//! The graph of a scenario over releases.

use super::file_name;
use crate::chart::{Series, Tick};
use crate::report::{ComparedRow, ReleaseSeries, Row};
use crate::site::lines::{MAX_LINES, TimeLine, TimePoint, over_time};
use crate::site::{Graph, common_scale};
use jiff::ToSpan as _;
use jiff::civil::Date;
use std::collections::BTreeSet;

/// Ticks of a time axis.
const MAX_TICKS: i32 = 4;

/// Draws a row over the releases of `series`, which are of its report. `None` if no series has two
/// figures.
pub(in crate::site) fn graph(series: &[&ReleaseSeries<'_>], row: &Row) -> Option<Graph> {
    let has_figure = |column: &&usize| row.cell(**column).is_some_and(|c| c.figure.is_some());
    let mut series = series.to_vec();
    series.retain(|s| s.columns.iter().filter(has_figure).count() > 1);
    series.truncate(MAX_LINES);
    let longest = series.iter().map(|s| s.columns.len()).max()?;
    let mut lines: Vec<TimeLine<'_>> = series.iter().map(|s| line(s, row, longest)).collect();
    // No time axis if a day is unknown, if all are the same, or if a line would run backwards
    // because several branches are maintained (1.1.1w came out after 3.0.8).
    let mut days = BTreeSet::new();
    let mut by_day = true;
    for TimeLine { points, .. } in &lines {
        days.extend(points.iter().filter_map(|p| p.day));
        by_day &= points.iter().all(|p| p.day.is_some()) && points.is_sorted_by_key(|p| p.day);
    }
    by_day &= days.len() > 1;
    let (ticks, order) = match by_day {
        true => (ticks(&Vec::from_iter(days)), "by the day of publication"),
        false => (unlabelled(longest), "in their order"),
    };
    for point in lines.iter_mut().flat_map(|line| &mut line.points) {
        if let Some(day) = point.day.filter(|_| by_day) {
            point.x = day_number(day);
        }
    }
    let points = lines.iter().flat_map(|line| &line.points);
    let scale = common_scale(&row.unit, points.map(|p| p.figure));
    let label = row.scenario.label();
    let what = format!("{label} over the releases, {order}");
    let of = (&row.unit, &scale);
    Some(over_time(&file_name(row), label, &what, of, ticks, &lines))
}

/// Returns the releases of one implementation and variant that have a figure, the newest at the
/// right end of `longest` places.
fn line<'a>(series: &ReleaseSeries<'a>, row: &'a Row, longest: usize) -> TimeLine<'a> {
    let known = series.rows.iter().find(|r| std::ptr::eq(r.row, row));
    let last = series.columns.len() - 1;
    let mut points = Vec::new();
    for (place, column) in series.columns.iter().enumerate() {
        let Some(figure) = row.cell(*column).and_then(|cell| cell.figure.as_ref()) else {
            continue;
        };
        let step = place.checked_sub(1);
        let step = step.and_then(|step| known?.steps[step].as_ref());
        let is_change = step.is_some_and(ComparedRow::is_change);
        let implementation = series.implementation(place);
        points.push(TimePoint {
            x: (longest - 1 - last + place) as f64,
            day: series.report.manifest.released(implementation),
            version: &implementation.version,
            // The newest release and changes keep their labels first.
            rank: match place {
                _ if place == last => 0,
                _ if is_change => 1,
                0 => 2,
                _ => 3,
            },
            figure,
            ring: is_change.then(|| (String::new(), true)),
        });
    }
    TimeLine {
        series: Series {
            label: series.name(),
            look: series.report.data.look(series.columns[0]),
        },
        points,
    }
}

fn unlabelled(places: usize) -> Vec<Tick> {
    let tick = |place| Tick {
        at: place as f64,
        label: String::new(),
    };
    (0..places).map(tick).collect()
}

/// Returns ticks at the first days of years, quarters or months within `days`; if fewer than two,
/// at the first and the last of `days`.
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

/// Returns the number of days since 1970-01-01.
fn day_number(day: Date) -> f64 {
    let since = day - Date::constant(1970, 1, 1);
    f64::from(since.get_days())
}
