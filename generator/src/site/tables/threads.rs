//! Rates over numbers of threads.

use super::results::{caption, rows_by_builds};
use crate::report::{Grid, Row, Table, words};
use crate::site::graphs::threads::without_threads;

/// Returns the rates per thread: of the builds that are shown, and of the others.
pub(in crate::site) fn threads(table: &Table<'_>) -> Vec<Grid> {
    let mut tables = Vec::new();
    for builds in [table.shown(), table.others()] {
        let own = table.with(|row| builds.iter().any(|build| row.cell(*build).is_some()));
        if !own.rows.is_empty() {
            tables.push(per_thread(&own, &builds));
        }
    }
    tables
}

fn per_thread(table: &Table<'_>, builds: &[usize]) -> Grid {
    let fewest = table
        .rows
        .iter()
        .filter_map(|row| row.scenario.threads)
        .min();
    let most = table
        .rows
        .iter()
        .filter_map(|row| row.scenario.threads)
        .max();
    let base = match fewest {
        Some(1) | None => "one thread alone".to_owned(),
        Some(n) => format!("{n} threads, the fewest"),
    };
    let rate =
        |row: &Row, build: usize| Some(row.estimate(build)? / f64::from(row.scenario.threads?));
    let processors = table.report.processors();
    let has_a_core = |threads: u32| processors.is_none_or(|all| threads <= all);
    let mut grid = rows_by_builds(table, builds, |row, build, caveats| {
        let mut shown = caveats.figure(row.cell(build));
        let is_base =
            |r: &&&Row| r.scenario.threads == fewest && without_threads(r) == without_threads(row);
        let first = table.rows.iter().find(is_base).and_then(|r| rate(r, build));
        let Some(rate) = rate(row, build) else {
            return shown;
        };
        shown.text = row.scale.show(rate);
        if let Some(first) = first
            && row.scenario.threads.is_some_and(has_a_core)
        {
            let share = format!("{:.0}%", rate / first * 100.0);
            let spread = shown.detail.map(|spread| format!("{spread}, "));
            shown.detail = Some(spread.unwrap_or_default() + &share);
        }
        shown
    });
    let (name, runs) = caption(table, "Rate per thread");
    let explained =
        format!("The last percentage compares it with {base}: 100% is perfect scaling.");
    let crowded = processors
        .filter(|all| most.is_some_and(|most| most > *all))
        .map(|all| format!("More threads than the {all} processors share them, and have none."));
    let runs = Some(runs).filter(|runs| !runs.is_empty());
    grid.name = name;
    grid.caption = words::sentences([runs, Some(explained), crowded]).unwrap_or_default();
    grid
}
