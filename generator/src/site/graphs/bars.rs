//! Bar charts of rates and other single figures.

use super::{Graph, ends, mark, series_of};
use crate::base::words::join;
use crate::chart::{Mark, Row as ChartRow, RowPanel};
use crate::report::{Row, Table, titles};

/// Panels of one graph, and bars of a panel; the page of all figures has the others.
const MAX_PANELS: usize = 4;
const MAX_BARS: usize = 10;

/// Draws a panel of bars for each row; `None` if there is nothing to compare. Of many rows it shows the first, of
/// many builds the best. `file` is the graph's name without the extension.
pub(in crate::site) fn bars(table: &Table<'_>, file: &str, what: &str) -> Option<Graph> {
    let mut builds = table.newest();
    if builds.len() < 2 {
        builds = table.shown();
    }
    let has_several = |row: &Row| {
        let known = builds.iter().filter(|build| row.figure(**build).is_some());
        known.count() > 1
    };
    let mut drawn = table.with(has_several);
    drawn.rows.truncate(MAX_PANELS);
    let first = *drawn.rows.first()?;
    builds.retain(|build| drawn.rows.iter().any(|row| row.figure(*build).is_some()));
    let (shared, own) = titles::shared(&drawn.rows);
    let mut panels = Vec::new();
    for (row, title) in drawn.rows.iter().zip(own) {
        panels.push(RowPanel {
            // Of one row, the graph's title says it.
            title: match (drawn.rows.len(), drawn.symbol()) {
                (1, _) => String::new(),
                (_, Some(_)) => title,
                (_, None) => format!("{title}: {}", row.scale.symbol),
            },
            of: row.scenario.label(),
            rows: rows(&drawn, row, &builds),
            axis: None,
        });
    }
    let mut title = shared.unwrap_or_else(|| titles::title_or(what, &drawn.rows));
    if let Some(symbol) = drawn.symbol() {
        title += &format!(": {symbol}");
    }
    title += first.unit.better().suffix();
    if builds.len() > MAX_BARS {
        let all = table.report.builds.len();
        title += &format!("; the best {MAX_BARS} of {all} builds");
    }
    let alt = format!(
        "Bar chart: {title}, of {}.",
        join(&drawn.report.full_names(&builds))
    );
    let drawing = RowPanel::render(&panels, &title, &alt);
    Some(Graph::new(file, title, alt, drawing))
}

/// Returns a row's bars, the best first. The subject is always among them.
fn rows(table: &Table<'_>, row: &Row, builds: &[usize]) -> Vec<ChartRow> {
    let (report, subject) = (table.report, table.report.roles().subject);
    let mut order = row.best_first();
    order.retain(|build| builds.contains(build));
    let ours = order.iter().position(|build| Some(*build) == subject);
    if let Some(ours) = ours.filter(|place| *place >= MAX_BARS) {
        order.swap(ours, MAX_BARS - 1);
    }
    order.truncate(MAX_BARS);
    let bar = |build: usize| {
        let cell = row.cell(build)?;
        let figure = cell.figure.as_ref()?;
        let series = series_of(report, build);
        let unsteady = if cell.is_unsteady { " unsteady" } else { "" };
        let mark = Mark {
            interval: ends(figure.interval, row.scale.factor),
            ..mark(report, row, build, &series.label, row)?
        };
        Some(ChartRow {
            marks: vec![mark],
            series,
            is_subject: Some(build) == subject,
            end: None,
            text: format!("{}{unsteady}", figure.text),
        })
    };
    order.into_iter().filter_map(bar).collect()
}
