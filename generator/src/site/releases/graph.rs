//! The graph of a scenario over releases.

use crate::chart::{Line, Point, Ring, Series, Tick};
use crate::model::unit::Scale;
use crate::model::version::Version;
use crate::report::{ComparedRow, Figure, ReleaseSeries, Row};
use crate::site::lines::{MAX_LINES, over_time, point};
use crate::site::matrix::anchor;
use crate::site::{Graph, Part, common_scale};
use jiff::ToSpan as _;
use jiff::civil::Date;
use std::collections::BTreeSet;

/// Ticks of a time axis.
const MAX_TICKS: i32 = 4;

/// Draws a row over the releases of `series`, which are of its report. `None` if no series has two
/// figures.
pub(in crate::site) fn graph(series: &[&ReleaseSeries<'_>], row: &Row) -> Option<Graph> {
    let mut series = series.to_vec();
    series.retain(|s| figures(s, row).count() > 1);
    series.truncate(MAX_LINES);
    series.first()?;
    // No time axis if a day is unknown or if all are the same.
    let days_of = |s: &&ReleaseSeries<'_>| figures(s, row).map(|(at, _)| day(s, at)).collect();
    let days: Option<Vec<Vec<Date>>> = series.iter().map(days_of).collect();
    let days: BTreeSet<Date> = days.into_iter().flatten().flatten().collect();
    let by_day = days.len() > 1;
    let (ticks, order) = match by_day {
        true => (ticks(&Vec::from_iter(days)), "by the day of publication"),
        false => {
            let longest = series.iter().map(|s| versions(&series, s).len()).max();
            let unlabelled = (1..=longest?).map(|place| Tick::new(-(place as f64), ""));
            (unlabelled.collect(), "in their order")
        }
    };
    let all = series.iter().flat_map(|s| figures(s, row));
    let scale = common_scale(&row.unit, all.map(|(_, figure)| figure));
    let mut lines = Vec::new();
    for one in &series {
        // The newest release is at the right end.
        let versions = versions(&series, one);
        let x = |place: usize| match day(one, place).filter(|_| by_day) {
            Some(day) => day_number(day),
            None => {
                let version = &one.implementation(place).version;
                let rank = versions.iter().position(|v| v.cmp_release(version).is_eq());
                rank.map_or(0.0, |rank| rank as f64 - versions.len() as f64)
            }
        };
        lines.push(line(one, row, &scale, x));
    }
    let label = row.scenario.label();
    let file = format!("releases-{}", anchor(&row.scenario, &row.unit));
    let what = format!("{label} over the releases, {order}");
    let of = (&row.unit, &scale);
    Some(over_time(&file, label, &what, of, ticks, lines))
}

/// Returns the versions of a library in all of its series, in order: two variants of one release
/// stand at one place.
fn versions<'a>(all: &[&ReleaseSeries<'a>], of: &ReleaseSeries<'_>) -> Vec<&'a Version> {
    let same = all.iter().filter(|s| s.newest().name == of.newest().name);
    let implementations = same.flat_map(|s| (0..s.columns.len()).map(|at| s.implementation(at)));
    let mut versions: Vec<&Version> = implementations.map(|i| &i.version).collect();
    versions.sort_by(|a, b| a.cmp_release(b));
    versions.dedup_by(|a, b| a.cmp_release(b).is_eq());
    versions
}

/// Returns the figures of a row, with the places of their releases in the series.
fn figures<'a>(
    series: &ReleaseSeries<'_>,
    row: &'a Row,
) -> impl Iterator<Item = (usize, &'a Figure)> {
    let columns = series.columns.iter().enumerate();
    columns.filter_map(|(place, column)| Some((place, row.cell(*column)?.figure.as_ref()?)))
}

/// Returns the day of publication of a release, if known.
fn day(series: &ReleaseSeries<'_>, place: usize) -> Option<Date> {
    let implementation = series.implementation(place);
    series.report.manifest.released(implementation)
}

fn line(series: &ReleaseSeries<'_>, row: &Row, scale: &Scale, x: impl Fn(usize) -> f64) -> Line {
    let known = series.rows.iter().find(|r| std::ptr::eq(r.row, row));
    let last = series.columns.len() - 1;
    let mut points = Vec::new();
    for (place, figure) in figures(series, row) {
        let step = place.checked_sub(1);
        let step = step.and_then(|step| known?.steps[step].as_ref());
        let is_change = step.is_some_and(ComparedRow::is_change);
        let version = &series.implementation(place).version;
        points.push(Point {
            ring: is_change.then(|| Ring {
                name: version.words(),
                tested: true,
            }),
            ..point(x(place), figure, version, scale)
        });
    }
    Line {
        series: Series {
            label: Part::of(series.report).variant_name(series.columns[last]),
            look: series.report.data.look_of(&series.newest().name),
        },
        points,
        fit: None,
    }
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
    let tick = |day: &Date| Tick::new(day_number(*day), label(day));
    found.iter().map(tick).collect()
}

/// Returns the number of days since 1970-01-01.
fn day_number(day: Date) -> f64 {
    let since = day - Date::constant(1970, 1, 1);
    f64::from(since.get_days())
}
