//! Peak memory over numbers of sessions, with the lines fitted to it.

use super::Block;
use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use super::results::results;
use crate::base::slug::slug;
use crate::base::words::join;
use crate::chart::Axis;
use crate::model::scale::Scale;
use crate::model::scenario::TlsVersion;
use crate::model::unit::{Better, MIB};
use crate::report::{Row, Table, memory_fit};
use crate::site::graphs::Graph;
use crate::site::graphs::lines::line_chart;
use crate::stats::LinearFit;

/// Sessions of the C10K problem: ten thousand at the same time.
const C10K: f64 = 10_000.0;

/// Returns the lines through peak memory over the number of sessions, the newest version of TLS
/// first, and, folded, the figures. The graph is of the newest version with several numbers of
/// sessions.
pub(in crate::site) fn memory(table: &Table<'_>) -> Block {
    let with_sessions = table.with(|r| r.scenario.sessions.is_some());
    let versions = with_sessions.by(|r| r.scenario.version);
    let mut tables = results(table, "Peak memory of a process with N sessions");
    let mut rows = Vec::new();
    for (version, own) in versions.iter().rev() {
        rows.extend(fits(own, *version));
    }
    if !rows.is_empty() {
        for table in &mut tables {
            table.summary.get_or_insert("The figures".to_owned());
        }
        let fits = HtmlTable {
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
        };
        tables.insert(0, fits);
    }
    let newest = versions.iter().rfind(|(_, own)| own.rows.len() > 1);
    let graph = newest.map(|(version, own)| graph(own, *version));
    Block {
        graphs: graph.into_iter().collect(),
        tables,
    }
}

/// Returns a row for each build through whose figures there is a line.
fn fits(table: &Table<'_>, version: Option<TlsVersion>) -> Vec<HtmlRow> {
    let mut rows = Vec::new();
    for column in table.split_columns().0 {
        if let Some(line) = memory_fit(&table.rows, column) {
            let cells = vec![
                HtmlCell::text(version.map_or("–", TlsVersion::word)),
                HtmlCell::number(line.slope, 3),
                HtmlCell::number(line.intercept, 3),
                HtmlCell::number(line.at(C10K) / 1024.0, 0),
                HtmlCell::number(line.r_squared, 5),
            ];
            rows.push(HtmlRow::new(table.name(column), cells));
        }
    }
    rows
}

/// Draws the figures with the lines fitted to them.
fn graph(table: &Table<'_>, version: Option<TlsVersion>) -> Graph {
    let of_version = version.map_or_else(String::new, |version| format!(", TLS {version}"));
    let title = format!("Peak memory{of_version}");
    let (columns, _) = table.split_columns();
    let mib = Scale {
        factor: MIB,
        symbol: "MiB".to_owned(),
        decimals: 1,
    };
    let mut alt = format!(
        "Line chart: {title} in MiB over the number of sessions, for {}.",
        join(&table.names(&columns))
    );
    let mut costs = Vec::new();
    for column in &columns {
        if let Some(fit) = memory_fit(&table.rows, *column) {
            let name = table.name(*column);
            costs.push(format!("{name} takes {:.1} KiB per session", fit.slope));
        }
    }
    if !costs.is_empty() {
        alt += &format!(" {}.", join(&costs));
    }
    let y = Axis {
        unit: mib.symbol.clone(),
        better: Better::Lower,
        decimals: mib.decimals,
    };
    let place = |row: &Row| Some((row.scenario.sessions?, mib.clone()));
    let fit = |column| {
        let fit = memory_fit(&table.rows, column)?;
        Some(LinearFit {
            slope: fit.slope / 1024.0,
            intercept: fit.intercept / 1024.0,
            ..fit
        })
    };
    let texts = (&*slug(&title), title, alt);
    line_chart(table, texts, ("session", y), &columns, place, fit)
}
