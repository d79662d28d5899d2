//! Tables of single topics: the work of one scenario, counted, and what a session costs.

use super::results::rows_by_builds;
use crate::model::scenario::TlsVersion;
use crate::report::{Grid, GridCell, GridRow, Head, Table, titles};
use crate::site::pages::topics::MAX_ROWS;
use crate::stats::LinearFit;

/// Returns the counts of the first headline scenario that has some: a metric a row, a build a column.
pub(in crate::site) fn counts(table: &Table<'_>) -> Option<Grid> {
    let scenarios = || table.rows.iter().map(|row| &row.scenario);
    let headlines = table.report.headlines().into_iter();
    let mut known = headlines.filter(|row| scenarios().any(|one| *one == row.scenario));
    let main = known.next().or(table.rows.first().copied())?;
    let mut own = table.with(|row| row.scenario == main.scenario);
    own.rows.truncate(MAX_ROWS);
    let builds = own.shown();
    let mut grid = rows_by_builds(&own, &builds);
    for (row, shown) in own.rows.iter().zip(&mut grid.rows) {
        shown.label = row.unit.symbol().to_owned();
    }
    (!builds.is_empty()).then(|| Grid {
        class: "fit",
        name: titles::title(&main.scenario),
        caption: "Lower is better.".to_owned(),
        corner: "counted",
        ..grid
    })
}

/// Sessions of the C10K problem: ten thousand at the same time.
const C10K: f64 = 10_000.0;

/// Returns what a session costs by the least-squares lines through peak memory over the number of sessions: the
/// newest version of TLS first, then the least a session; `None` without any.
pub(in crate::site) fn sessions(table: &Table<'_>, builds: &[usize]) -> Option<Grid> {
    let mut rows = Vec::new();
    for (version, own) in table.by(|row| row.scenario.version).iter().rev() {
        let line = |build: usize| {
            let points = own.rows.iter().filter_map(|row| {
                let sessions = row.scenario.sessions?;
                Some((f64::from(sessions), row.estimate(build)? / 1024.0))
            });
            LinearFit::through(&Vec::from_iter(points))
        };
        let lines = builds
            .iter()
            .filter_map(|build| Some((*build, line(*build)?)));
        let mut lines: Vec<(usize, LinearFit)> = lines.collect();
        lines.sort_by(|a, b| a.1.slope.total_cmp(&b.1.slope));
        for (build, line) in lines {
            let cells = vec![
                GridCell::from(version.map_or("–", TlsVersion::word)),
                GridCell::number(line.slope, 1),
                GridCell::number(line.intercept, 0),
                GridCell::number(line.at(C10K) / 1024.0, 0),
            ];
            rows.push(GridRow::new(own.report.full_name(build), cells));
        }
    }
    let head = [
        "TLS",
        "KiB a session",
        "KiB without sessions",
        "MiB at 10,000",
    ];
    (!rows.is_empty()).then(|| Grid {
        class: "fit",
        name: "What a session costs".to_owned(),
        caption: "Both ends are counted; least-squares lines; lower is better.".to_owned(),
        corner: "build",
        head: head.map(Head::from).to_vec(),
        rows,
        ..Grid::default()
    })
}
