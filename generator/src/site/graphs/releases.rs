//! The graph of a scenario over the releases of a report.

use super::Graph;
use super::lines::{MAX_LINES, Track, over_time};
use crate::chart::{Ring, Series, Tick};
use crate::model::implementation::Implementation;
use crate::report::{Figure, ReleaseSeries, Row, titles};
use jiff::ToSpan as _;
use jiff::civil::Date;
use std::collections::{BTreeSet, HashMap};

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
    let builds = &report.data.implementations;
    let day = |column: &usize| report.manifest.released(&builds[*column]);
    let figure = |column: usize| -> Option<&Figure> { row.cell(column)?.figure.as_ref() };
    let mut lines: Vec<Vec<usize>> = series.iter().map(|s| s.columns.clone()).collect();
    let mut seen: BTreeSet<&str> = series.iter().map(|s| &*s.newest().name).collect();
    let others = (0..builds.len()).filter(|column| seen.insert(&builds[*column].name));
    lines.extend(others.map(|column| vec![column]));
    for columns in &mut lines {
        columns.retain(|column| wanted(&builds[*column].name) && figure(*column).is_some());
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
    let all = || lines.iter().flatten().copied();
    let ranks = ranks(builds, &Vec::from_iter(all()));
    let rank = |column: usize| ranks[&column];
    let x = |column: usize| match day(&column).filter(|_| by_day) {
        Some(day) => day_number(day),
        None => rank(column),
    };
    let (ticks, order) = match by_day {
        true => {
            let days: BTreeSet<Date> = all().filter_map(|column| day(&column)).collect();
            (ticks(&Vec::from_iter(days)), "by the day of publication")
        }
        false => {
            let ends = [lines[0][0], lines[0][lines[0].len() - 1]];
            let ticks = match ends.map(|column| builds[column].version.branch_day()) {
                // A year and a month, else a month and a day.
                [Some(first), Some(last)] => {
                    let part = if first[..7] == last[..7] { 5..10 } else { 0..7 };
                    let tick = |(column, day): (usize, &str)| {
                        Tick::new(rank(column), day[part.clone()].to_owned())
                    };
                    ends.into_iter().zip([first, last]).map(tick).collect()
                }
                _ => all().map(|column| Tick::new(rank(column), "")).collect(),
            };
            (ticks, "in their order")
        }
    };
    let mut tracks = Vec::new();
    for columns in &lines {
        let known = series.iter().find(|s| s.columns.contains(&columns[0]));
        let mut points = Vec::new();
        for column in columns {
            if let Some(figure) = figure(*column) {
                let ring = known.and_then(|series| ring(series, row, *column));
                points.push((x(*column), figure, &builds[*column].version, ring));
            }
        }
        tracks.push(Track {
            series: Series {
                label: report.data.name(columns[columns.len() - 1]).series(),
                look: report.data.look_of(&builds[columns[0]].name),
            },
            points,
        });
    }
    let title = titles::title(&row.scenario);
    let file = format!("releases-{}", row.id);
    let what = format!("{title} over the releases, {order}");
    let of = row.scenario.label();
    Some(over_time(
        &file,
        title,
        (&what, of),
        &row.unit,
        ticks,
        tracks,
    ))
}

/// Returns the places of columns without days: the newest release of each library is at the right end.
fn ranks(builds: &[Implementation], columns: &[usize]) -> HashMap<usize, f64> {
    let mut newest_first = columns.to_vec();
    newest_first.sort_by(|a, b| {
        let [a, b] = [*a, *b].map(|column| &builds[column]);
        (a.name.cmp(&b.name)).then(b.version.cmp_release(&a.version))
    });
    let mut ranks = HashMap::new();
    let mut before: Option<(&Implementation, f64)> = None;
    for column in newest_first {
        let build = &builds[column];
        let rank = match before {
            Some((newer, rank)) if newer.name == build.name => {
                let is_same = newer.version.cmp_release(&build.version).is_eq();
                rank - if is_same { 0.0 } else { 1.0 }
            }
            _ => 0.0,
        };
        ranks.insert(column, rank);
        before = Some((build, rank));
    }
    ranks
}

/// Returns the mark of a release that changed from the one before it.
fn ring(series: &ReleaseSeries<'_>, row: &Row, column: usize) -> Option<Ring> {
    if series.is_of_branch() {
        let commit = &series.report.data.implementations[column];
        let level = row.levels.iter().find(|level| level.commit == *commit)?;
        return Some(Ring {
            name: level.change.to_string(),
            more: String::new(),
            tested: true,
        });
    }
    let place = series.columns.iter().position(|c| *c == column)?;
    let known = series.row(row)?;
    let step = known.steps[place.checked_sub(1)?].as_ref();
    let change = step.filter(|step| step.is_change())?.comparison?.change;
    Some(Ring {
        name: series.implementation(place).version.words(),
        more: match change.size() >= LARGE {
            true => change.to_string(),
            false => String::new(),
        },
        tested: true,
    })
}

/// Returns ticks at the first days of years, quarters or months within `days`; if fewer than two,
/// at the first and the last of `days`.
fn ticks(days: &[Date]) -> Vec<Tick> {
    let (first, last) = (days[0], days[days.len() - 1]);
    let month = |day: &Date| i32::from(day.year()) * 12 + i32::from(day.month()) - 1;
    let steps = [1, 3, 6, 12, 24, 60, 120];
    let is_wide = |step: &i32| (month(&last) - month(&first)) / step < MAX_TICKS;
    let step = steps.into_iter().find(is_wide).unwrap_or(240);
    let months = first.first_of_month().series(1.month());
    let months = months.take_while(|day| *day <= last);
    let is_tick = |day: &Date| *day >= first && month(day) % step == 0;
    let mut found: Vec<Date> = months.filter(is_tick).collect();
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
