//! Peak memory over numbers of sessions, with the lines fitted to it.

use crate::model::scenario::TlsVersion;
use crate::report::{Grid, GridCell, GridRow, Head, Row, Table};
use crate::stats::LinearFit;

/// Sessions of the C10K problem: ten thousand at the same time.
const C10K: f64 = 10_000.0;

/// Returns the row of the most sessions in the newest version of TLS.
pub(in crate::site) fn sizes<'a>(table: &Table<'a>) -> Table<'a> {
    let rows = table.rows.iter();
    let most = rows.max_by_key(|r| (r.scenario.version, r.scenario.sessions));
    let most = most.map(|row| row.index);
    table.with(|row| Some(row.index) == most)
}

/// Returns what a session costs by the least-squares lines through peak memory over the number of sessions: the
/// newest version of TLS first, then the least a session; `None` without any.
pub(in crate::site) fn sessions(table: &Table<'_>, builds: &[usize]) -> Option<Grid> {
    let with_sessions = table.with(|r| r.scenario.sessions.is_some());
    let mut rows = Vec::new();
    for (version, own) in with_sessions.by(|r| r.scenario.version).iter().rev() {
        let fit = |build: &usize| Some((*build, fit(&own.rows, *build)?));
        let mut lines: Vec<(usize, LinearFit)> = builds.iter().filter_map(fit).collect();
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

/// Returns the line through the KiB over the number of sessions.
fn fit(rows: &[&Row], build: usize) -> Option<LinearFit> {
    let point = |row: &&Row| {
        let kib = row.estimate(build)? / 1024.0;
        Some((f64::from(row.scenario.sessions?), kib))
    };
    LinearFit::through(&rows.iter().filter_map(point).collect::<Vec<_>>())
}
