//! Rates over numbers of threads.

use super::html::{HtmlCell, HtmlTable};
use super::results::{caption, cell, rows_by_builds};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point, XAxis};
use crate::model::scale::Scale;
use crate::model::scenario::Scenario;
use crate::model::unit::Better;
use crate::report::{Row, Table, titles};
use crate::site::graphs::{Graph, short_series};
use crate::site::words::phrases::sentences;

/// Graphs of threads on a page, of the first scenarios.
const MAX_GRAPHS: usize = 4;

/// Returns the rates per thread: with the most threads, and with fewer.
pub(in crate::site) fn threads(table: &Table<'_>) -> Vec<HtmlTable> {
    let numbers = || table.rows.iter().filter_map(|row| row.scenario.threads);
    let (fewest, most) = (numbers().min(), numbers().max());
    let main = table.with(|row| row.scenario.threads == most);
    let fewer = table.with(|row| row.scenario.threads != most);
    let fewer = per_thread(table, &fewer, fewest, "Rate per thread, fewer threads");
    let main = per_thread(table, &main, fewest, "Rate per thread");
    main.into_iter().chain(fewer).collect()
}

/// Returns graphs of the share of perfect scaling: a flat line at 100% is perfect.
pub(in crate::site) fn shares(table: &Table<'_>) -> Vec<Graph> {
    // Without those that differ in more than their number of threads.
    let usual = table.with(|row| {
        let scenario = &row.scenario;
        !scenario.unbuffered && !scenario.mutual && scenario.group.is_none()
    });
    let mut graphs = Vec::new();
    for (base, one) in usual.by(without_threads) {
        // Two points are no line.
        if one.rows.len() > 2 && graphs.len() < MAX_GRAPHS {
            graphs.extend(graph(&one, titles::title(&base)));
        }
    }
    graphs
}

/// Returns the scale in which a row's rates are shown per thread.
fn scale_per_thread(row: &Row, scale: &Scale) -> Option<Scale> {
    let factor = scale.factor * f64::from(row.scenario.threads?);
    Some(Scale {
        factor,
        ..scale.clone()
    })
}

/// Returns the table of some rows, beside those with the `fewest` threads; `None` without rows.
fn per_thread(
    all: &Table<'_>,
    shown: &Table<'_>,
    fewest: Option<u32>,
    what: &str,
) -> Option<HtmlTable> {
    let scale = shown.scale()?;
    let base = match fewest? {
        1 => "one thread alone".to_owned(),
        n => format!("{n} threads, the fewest"),
    };
    let rate =
        |row: &Row, column: usize| Some(row.estimate(column)? / f64::from(row.scenario.threads?));
    let processors = all.report.processors();
    let (columns, _) = all.split_columns();
    let table = rows_by_builds(shown, &columns, |row, column, caveats| {
        let (Some(one), Some(own)) = (row.cell(column), scale_per_thread(row, &scale)) else {
            return HtmlCell::missing();
        };
        let mut shown = cell(one, &own, caveats);
        let is_base =
            |r: &&&Row| r.scenario.threads == fewest && without_threads(r) == without_threads(row);
        let first = all.rows.iter().find(is_base).and_then(|r| rate(r, column));
        let has_a_core = |threads: u32| processors.is_none_or(|all| threads <= all);
        if let (Some(rate), Some(first)) = (rate(row, column), first)
            && row.scenario.threads.is_some_and(has_a_core)
        {
            let share = format!("{:.0}%", rate / first * 100.0);
            let spread = shown.detail.map(|spread| format!("{spread}, "));
            shown.detail = Some(spread.unwrap_or_default() + &share);
        }
        shown
    });
    let (name, more) = caption(shown, what, &scale);
    let explained =
        format!("The last percentage compares it with {base}: 100% is perfect scaling.");
    let most = shown
        .rows
        .iter()
        .filter_map(|row| row.scenario.threads)
        .max();
    let crowded = processors
        .filter(|all| most.is_some_and(|most| most > *all))
        .map(|all| format!("More threads than the {all} processors share them, and have none."));
    let explained = sentences([Some(explained), crowded]).unwrap_or_default();
    Some(HtmlTable {
        about: Some("../method/#threads"),
        name,
        caption: [more, explained].join(" ").trim_start().to_owned(),
        ..table
    })
}

fn graph(table: &Table<'_>, title: String) -> Option<Graph> {
    let columns = table.columns();
    let number = |row: &Row| row.scenario.threads;
    let fewest = table.rows.iter().min_by_key(|row| number(row))?;
    let most = table.rows.iter().filter_map(|row| number(row)).max()?;
    let base = number(fewest)?;
    let alt = format!(
        "Line chart: {title}, the share of perfect scaling with {base} to {most} threads, for {}.",
        join(&table.names(&columns))
    );
    let mut lines = Vec::new();
    let all = short_series(table, &columns);
    for (column, series) in columns.into_iter().zip(all) {
        let Some(first) = fewest.estimate(column) else {
            continue;
        };
        let mut points = Vec::new();
        for row in &table.rows {
            if let (Some(rate), Some(threads)) = (row.estimate(column), number(row)) {
                let perfect = first / f64::from(base) * f64::from(threads);
                points.push(Point {
                    x: threads.into(),
                    y: rate / perfect * 100.0,
                    ..Point::default()
                });
            }
        }
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        lines.push(Line {
            series,
            points,
            fit: None,
        });
    }
    let chart = Lines {
        x: XAxis {
            counted: "thread".to_owned(),
            ..XAxis::default()
        },
        y: Axis {
            unit: "% of perfect scaling".to_owned(),
            better: Better::Higher,
            decimals: 0,
            is_log: false,
            origin: 0.0,
        },
        lines,
        of: String::new(),
    };
    // The id of a row names its scenario and is distinct.
    let file = format!("threads-{}", table.rows[0].id);
    Some(Graph::new(&file, title, alt, |title, alt| {
        chart.render(title, alt)
    }))
}

/// Returns a row's scenario without its number of threads.
fn without_threads(row: &Row) -> Scenario {
    Scenario {
        threads: None,
        ..row.scenario.clone()
    }
}
