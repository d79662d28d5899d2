//! The graph of a scenario over releases.

use super::file_name;
use crate::chart::{Series, Tick};
use crate::report::{ComparedRow, ReleaseSeries, Row};
use crate::site::lines::{MAX_LINES, TimeLine, TimePoint, over_time};
use crate::site::trend::day_number;
use crate::site::{Graph, Part, common_scale};
use jiff::ToSpan as _;
use jiff::civil::Date;

/// Ticks of a time axis.
const MAX_TICKS: i32 = 4;

/// Draws a row over the releases of `series`, which are of its report. `None` if no series has two
/// figures.
pub(in crate::site) fn graph(series: &[&ReleaseSeries<'_>], row: &Row) -> Option<Graph> {
    let histories = series.iter().map(|series| (*series, history(series, row)));
    let mut histories: Vec<_> = histories.filter(|(_, h)| h.points.len() > 1).collect();
    histories.truncate(MAX_LINES);
    let longest = histories.iter().map(|(s, _)| s.columns.len()).max()?;
    let points = histories.iter().flat_map(|(_, h)| &h.points);
    let days = points.map(|p| p.day);
    let days: Option<Vec<Date>> = days.collect();
    let mut days = days.unwrap_or_default();
    days.sort();
    days.dedup();
    // No time axis if all days are the same, or if a line would run backwards because several
    // branches are maintained (1.1.1w came out after 3.0.8).
    let is_forward = |h: &TimeLine<'_>| h.points.is_sorted_by_key(|p| p.day);
    let by_day = days.len() > 1 && histories.iter().all(|(_, h)| is_forward(h));
    let placed = histories.into_iter().map(|(series, mut history)| {
        for point in &mut history.points {
            match point.day.filter(|_| by_day) {
                Some(day) => point.x = day_number(day),
                // Align the newest releases at the right end.
                None => point.x += (longest - series.columns.len()) as f64,
            }
        }
        history
    });
    let histories: Vec<TimeLine<'_>> = placed.collect();
    let points = histories.iter().flat_map(|history| &history.points);
    let scale = common_scale(&row.unit, points.map(|point| point.figure));
    let unlabelled = |at: usize| Tick {
        at: at as f64,
        label: String::new(),
    };
    let ticks = match by_day {
        true => ticks(&days),
        false => (0..longest).map(unlabelled).collect(),
    };
    let label = row.scenario.label();
    let order = match by_day {
        true => "by the day of publication",
        false => "in their order",
    };
    let what = format!("{label} over the releases, {order}");
    Some(over_time(
        &file_name(row),
        label,
        &what,
        (&row.unit, &scale),
        ticks,
        &histories,
    ))
}

/// Returns the releases of one implementation and variant that have a figure, with `x` the place.
fn history<'a>(series: &ReleaseSeries<'a>, row: &'a Row) -> TimeLine<'a> {
    let part = Part::of(series.report);
    let known = series.rows.iter().find(|r| std::ptr::eq(r.row, row));
    let point = |(place, column): (usize, &usize)| {
        let implementation = series.implementation(place);
        let step = place.checked_sub(1);
        let step = step.and_then(|step| known?.steps[step].as_ref());
        let is_change = step.is_some_and(ComparedRow::is_change);
        Some(TimePoint {
            x: place as f64,
            day: series.report.manifest.released(implementation),
            version: &implementation.version,
            // The newest release and changes keep their labels first.
            rank: match place {
                newest if newest + 1 == series.columns.len() => 0,
                _ if is_change => 1,
                0 => 2,
                _ => 3,
            },
            figure: row.cell(*column)?.figure.as_ref()?,
            ring: is_change.then(|| (String::new(), true)),
        })
    };
    TimeLine {
        series: Series {
            label: series.name(),
            look: part.data.look(series.columns[0]),
        },
        points: series
            .columns
            .iter()
            .enumerate()
            .filter_map(point)
            .collect(),
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
    found
        .iter()
        .map(|day| Tick {
            at: day_number(*day),
            label: label(day),
        })
        .collect()
}
