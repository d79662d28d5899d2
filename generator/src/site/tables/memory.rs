//! Peak memory over numbers of sessions, with the lines fitted to it.

use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use super::results::results;
use crate::model::scenario::TlsVersion;
use crate::report::{Table, memory_fit};
use crate::site::pages::topics::MAX_ROWS;

/// Sessions of the C10K problem: ten thousand at the same time.
const C10K: f64 = 10_000.0;

/// Returns the lines through peak memory over the number of sessions, the newest version of TLS
/// first, and the figures.
pub(in crate::site) fn memory(table: &Table<'_>) -> Vec<HtmlTable> {
    let versions = table
        .with(|r| r.scenario.sessions.is_some())
        .by(|r| r.scenario.version);
    let mut rows = Vec::new();
    for (version, own) in versions.iter().rev() {
        for column in own.split_columns().0 {
            if let Some(line) = memory_fit(&own.rows, column) {
                let cells = vec![
                    HtmlCell::text(version.map_or("–", TlsVersion::word)),
                    HtmlCell::number(line.slope, 2),
                    HtmlCell::number(line.intercept, 0),
                    HtmlCell::number(line.at(C10K) / 1024.0, 0),
                    HtmlCell::number(line.r_squared, 5),
                ];
                rows.push(HtmlRow::new(own.name(column), cells));
            }
        }
    }
    let lines = (!rows.is_empty()).then(|| HtmlTable {
        class: "fit",
        about: Some("../method/#memory"),
        name: "Least-squares line through peak memory".to_owned(),
        caption:
            "The slope is the cost of one more session; N counts both ends of each connection."
                .to_owned(),
        corner: "implementation",
        head: Head::of([
            "TLS",
            "KiB per session",
            "KiB without sessions",
            "MiB at 10,000 sessions",
            "R²",
        ]),
        rows,
        ..HtmlTable::default()
    });
    let figures = results(table, "Peak memory of a process with N sessions");
    lines.into_iter().chain(figures).collect()
}

/// Returns the row of the most sessions in the newest version of TLS.
pub(in crate::site) fn sizes<'a>(table: &Table<'a>) -> Table<'a> {
    let most = table
        .rows
        .iter()
        .max_by_key(|r| (r.scenario.version, r.scenario.sessions));
    let most = most.map(|row| row.index);
    table.with(|row| Some(row.index) == most)
}

/// Returns what a session costs each build, in the newest version of TLS with several numbers of
/// sessions.
pub(in crate::site) fn sessions(table: &Table<'_>) -> Option<HtmlTable> {
    let versions = table
        .with(|r| r.scenario.sessions.is_some())
        .by(|r| r.scenario.version);
    let (version, own) = versions.iter().rfind(|(_, own)| own.rows.len() > 1)?;
    let mut rows = Vec::new();
    for column in own.split_columns().0 {
        if let Some(line) = memory_fit(&own.rows, column) {
            let cells = vec![
                HtmlCell::number(line.slope, 1),
                HtmlCell::number(line.intercept / 1024.0, 1),
            ];
            rows.push((line.slope, HtmlRow::new(own.name(column), cells)));
        }
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let of_version = version.map_or_else(String::new, |version| format!(" in TLS {version}"));
    (!rows.is_empty()).then(|| HtmlTable {
        class: "fit",
        about: Some("../method/#memory"),
        name: format!("What a session costs{of_version}"),
        caption: "Both ends are counted; lower is better.".to_owned(),
        corner: "build",
        head: Head::of(["KiB a session", "MiB without sessions"]),
        rows: rows
            .into_iter()
            .map(|(_, row)| row)
            .take(MAX_ROWS)
            .collect(),
        ..HtmlTable::default()
    })
}
