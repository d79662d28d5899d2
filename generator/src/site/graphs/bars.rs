//! Bar charts of rates and other single figures.

use super::{Graph, ends, exactly, series_of};
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
    let measured = |row: &Row| {
        let known = builds.iter().filter(|build| row.figure(**build).is_some());
        known.count()
    };
    let mut drawn = table.with(|row| measured(row) > 1);
    drawn.rows.truncate(MAX_PANELS);
    let first = *drawn.rows.first()?;
    builds.retain(|build| drawn.rows.iter().any(|row| row.figure(*build).is_some()));
    let (shared, own) = titles::shared(&drawn.rows);
    let panels = drawn.rows.iter().zip(own).map(|(row, title)| RowPanel {
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
    let panels: Vec<RowPanel> = panels.collect();
    let unit = drawn
        .symbol()
        .map_or_else(String::new, |symbol| format!(": {symbol}"));
    let all = table.report.builds.len();
    let most = panels.iter().map(|panel| panel.rows.len()).max()?;
    let chosen = match builds.len() > most {
        true => format!("; the best {most} of {all} builds"),
        false => String::new(),
    };
    let of = match shared.is_empty() || drawn.rows.len() < 2 {
        true => titles::title_or(what, &drawn.rows),
        false => shared.join(", "),
    };
    let title = format!("{of}{unit}{}{chosen}", first.unit.better().suffix());
    let alt = format!("Bar chart: {title}, of {}.", join(&drawn.names(&builds)));
    Some(Graph::of_rows(file, title, alt, panels))
}

/// Returns a row's bars, the best first. The subject is always among them.
fn rows(table: &Table<'_>, row: &Row, builds: &[usize]) -> Vec<ChartRow> {
    let (report, subject) = (table.report, table.report.roles().subject);
    let mut figures: Vec<_> = row.figures().collect();
    figures.retain(|(build, _)| builds.contains(build));
    figures.sort_by(|a, b| row.unit.better().best_first(a.1.estimate, b.1.estimate));
    let ours = figures
        .iter()
        .position(|(build, _)| Some(*build) == subject);
    if let Some(ours) = ours.filter(|place| *place >= MAX_BARS) {
        figures.swap(ours, MAX_BARS - 1);
    }
    figures.truncate(MAX_BARS);
    let mut bars = Vec::new();
    for (build, figure) in figures {
        let Some(cell) = row.cell(build) else {
            continue;
        };
        let series = series_of(report, build);
        let unsteady = if cell.is_unsteady { " unsteady" } else { "" };
        bars.push(ChartRow {
            marks: vec![Mark {
                value: figure.estimate / row.scale.factor,
                interval: ends(figure.interval, row),
                is_hollow: false,
                tooltip: format!("{}: {}", series.label, exactly(report, row, cell)),
            }],
            series,
            is_subject: Some(build) == subject,
            end: None,
            text: format!("{}{unsteady}", figure.text),
        });
    }
    bars
}
