//! The graph of a scenario over the releases of a report.

use crate::chart::{Line, Point, Ring, Series, Tick};
use crate::model::version::Version;
use crate::report::{Figure, ReleaseSeries, Row};
use crate::site::lines::{MAX_LINES, over_time, point};
use crate::site::matrix::anchor;
use crate::site::{Graph, Part, common_scale};
use jiff::ToSpan as _;
use jiff::civil::Date;
use std::collections::BTreeSet;

/// Ticks of a time axis.
const MAX_TICKS: i32 = 4;

/// A change of at least this factor is beside its ring.
const LARGE: f64 = 1.1;

/// Draws a row over the releases of the libraries that are `wanted`, a line for each variant with
/// several, and a point for each other library. `series` are those of one report. `None` if no
/// library has two figures.
pub(in crate::site) fn graph(
    series: &[ReleaseSeries<'_>],
    row: &Row,
    wanted: impl Fn(&str) -> bool,
) -> Option<Graph> {
    let report = series.first()?.report;
    let build = |column: usize| &report.data.implementations[column];
    let day = |column: &usize| report.manifest.released(build(*column));
    let mut lines = lines(series);
    for columns in &mut lines {
        columns.retain(|column| wanted(&build(*column).name) && figure(row, *column).is_some());
    }
    lines.retain(|columns| !columns.is_empty());
    let releases = || lines.iter().filter(|columns| columns.len() > 1).flatten();
    releases().next()?;
    let days: Option<BTreeSet<Date>> = releases().map(day).collect();
    let by_day = days.is_some_and(|days| days.len() > 1);
    if by_day {
        // What is left out is alone: the days of all others are known.
        lines.retain(|columns| columns.iter().all(|column| day(column).is_some()));
    }
    lines.truncate(MAX_LINES);
    let all = || lines.iter().flatten();
    let versions = |library: &str| -> Vec<&Version> {
        let of_library = all().filter(|column| build(**column).name == library);
        let mut versions: Vec<&Version> = of_library.map(|c| &build(*c).version).collect();
        versions.sort_by(|a, b| a.cmp_release(b));
        versions.dedup_by(|a, b| a.cmp_release(b).is_eq());
        versions
    };
    // The newest release is at the right end.
    let rank = |column: usize| {
        let versions = versions(&build(column).name);
        let own = |version: &&Version| version.cmp_release(&build(column).version).is_eq();
        let place = versions.iter().position(own).unwrap_or_default();
        place as f64 - versions.len() as f64
    };
    let x = |column: usize| match day(&column).filter(|_| by_day) {
        Some(day) => day_number(day),
        None => rank(column),
    };
    let (ticks, order) = match by_day {
        true => {
            let days: BTreeSet<Date> = all().filter_map(day).collect();
            (ticks(&Vec::from_iter(days)), "by the day of publication")
        }
        false => {
            let places: BTreeSet<i64> = all().map(|column| rank(*column) as i64).collect();
            let unlabelled = places.into_iter().map(|place| Tick::new(place as f64, ""));
            (unlabelled.collect(), "in their order")
        }
    };
    let figures = all().filter_map(|column| figure(row, *column));
    let scale = common_scale(&row.unit, figures);
    let point = |column: &usize| {
        let (figure, version) = (figure(row, *column)?, &build(*column).version);
        Some(Point {
            ring: ring(series, row, *column),
            ..point(x(*column), figure, version, &scale)
        })
    };
    let line = |columns: &Vec<usize>| Line {
        series: Series {
            label: Part::of(report).variant_name(columns[columns.len() - 1]),
            look: report.data.look_of(&build(columns[0]).name),
        },
        points: columns.iter().filter_map(point).collect(),
        fit: None,
    };
    let label = row.scenario.label();
    let file = format!("releases-{}", anchor(&row.scenario, &row.unit));
    let what = format!("{label} over the releases, {order}");
    let of = (&row.unit, &scale);
    let lines = lines.iter().map(line).collect();
    Some(over_time(&file, label, &what, of, ticks, lines))
}

/// Returns the columns of each series, and the first build of each other library.
fn lines(series: &[ReleaseSeries<'_>]) -> Vec<Vec<usize>> {
    let mut lines: Vec<Vec<usize>> = series.iter().map(|s| s.columns.clone()).collect();
    let mut seen: BTreeSet<&str> = series.iter().map(|s| &*s.newest().name).collect();
    let builds = series
        .iter()
        .take(1)
        .flat_map(|s| &s.report.data.implementations);
    for (column, build) in builds.enumerate() {
        if seen.insert(&build.name) {
            lines.push(vec![column]);
        }
    }
    lines
}

fn figure(row: &Row, column: usize) -> Option<&Figure> {
    row.cell(column)?.figure.as_ref()
}

/// Returns the mark of a release that changed from the one before it.
fn ring(series: &[ReleaseSeries<'_>], row: &Row, column: usize) -> Option<Ring> {
    let of_column = |s: &&ReleaseSeries<'_>| s.columns.contains(&column);
    let series = series.iter().find(of_column)?;
    let place = series.columns.iter().position(|c| *c == column)?;
    let known = series.rows.iter().find(|r| std::ptr::eq(r.row, row))?;
    let step = known.steps[place.checked_sub(1)?].as_ref();
    let change = step.filter(|step| step.is_change())?.comparison?.change;
    let version = series.implementation(place).version.words();
    Some(Ring {
        name: match change.size() >= LARGE {
            true => format!("{version}: {change}"),
            false => version,
        },
        tested: true,
    })
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
