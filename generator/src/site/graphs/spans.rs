//! Graphs of spans: what a post-quantum key exchange costs, and the percentiles of times.

use super::{Graph, exactly, short_series};
use crate::base::words::join;
use crate::chart::{Axis, Mark, Row as ChartRow, RowPanel, Rows, Series};
use crate::model::scenario::{Percentile, Scenario, Side};
use crate::model::unit::Unit;
use crate::report::{Cell, Exchange, Report, Row, Table, titles, words};

/// Panels of one graph, and rows of a panel.
const MAX_PANELS: usize = 4;
const MAX_ROWS: usize = 10;

fn mark(report: &Report, name: &str, row: &Row, cell: &Cell, is_hollow: bool) -> Option<Mark> {
    Some(Mark {
        value: cell.estimate()? / row.scale.factor,
        interval: None,
        is_hollow,
        tooltip: format!("{name}: {}", exactly(report, row, cell)),
    })
}

/// Draws the rate with the key exchange of each library's newest build, from X25519 to its hybrid.
pub(in crate::site) fn exchanges(report: &Report, found: &[Exchange<'_>]) -> Option<Graph> {
    let found = &found[..found.len().min(MAX_PANELS)];
    let rows: Vec<&Row> = found.iter().map(|one| one.hybrid).collect();
    let (mut shared, own) = titles::shared(&rows);
    let mut panels: Vec<RowPanel> = Vec::new();
    for (exchange, title) in found.iter().zip(own) {
        let Exchange {
            plain,
            hybrid,
            costs,
        } = exchange;
        let builds: Vec<usize> = costs.iter().map(|(build, _)| *build).collect();
        let mut rows = Vec::new();
        let all = short_series(report, &builds);
        for ((build, cost), series) in costs.iter().zip(all).take(MAX_ROWS) {
            let ends = [(plain, true), (hybrid, false)].map(|(row, is_hollow)| {
                let group = row.scenario.group.map(titles::group).unwrap_or_default();
                let name = format!("{} with {group}", series.label);
                mark(report, &name, row, row.cell(*build)?, is_hollow)
            });
            rows.push(ChartRow {
                series,
                marks: ends.into_iter().flatten().collect(),
                text: words::verdict_in_words(&cost.known),
                is_subject: Some(*build) == report.roles().subject,
                end: None,
            });
        }
        panels.push(RowPanel {
            title,
            of: String::new(),
            axis: Some(Axis {
                unit: hybrid.scale.symbol.clone(),
                better: hybrid.unit.better(),
                is_log: false,
            }),
            rows,
        });
    }
    let first = found.first()?;
    let group = |row: &Row| row.scenario.group.map(titles::group).unwrap_or_default();
    let [plain, hybrid] = [first.plain, first.hybrid].map(group);
    shared.retain(|part| *part != hybrid);
    let title = format!("{}: ○ {plain} to ● {hybrid}", shared.join(", "));
    let names = panels[0].rows.iter().map(|row| row.series.label.clone());
    let names = join(&Vec::from_iter(names));
    let alt = format!("Spans from {plain} to {hybrid} for {names}.");
    Some(Graph::new("post-quantum", title, alt, |title, alt| {
        Rows { panels }.render(title, alt)
    }))
}

/// Draws P50, P90 and the maximum of times, a panel for each scenario: of servers, in the newest
/// version of TLS, if there are several.
pub(in crate::site) fn percentiles(table: &Table<'_>, file: &str) -> Option<Graph> {
    let times = table.with(|row| row.unit == Unit::Time && row.scenario.percentile.is_some());
    let newest = times.rows.iter().map(|row| row.scenario.version).max();
    let mut usual = times.with(|row| Some(row.scenario.version) == newest);
    let servers = usual.with(|row| row.scenario.side == Some(Side::Server));
    if !servers.rows.is_empty() {
        usual = servers;
    }
    let is_of_writes = usual.rows.iter().any(|row| row.scenario.buffers.is_some());
    let without = |row: &Row| Scenario {
        percentile: None,
        method: None,
        ..row.scenario.clone()
    };
    let builds = usual.newest();
    let mut groups = usual.by(without);
    if is_of_writes {
        // Methods differ most in writes of many buffers.
        groups.reverse();
    }
    let (mut panels, mut has_end) = (Vec::new(), false);
    for (base, own) in groups.into_iter().take(MAX_PANELS) {
        let mut rows = Vec::new();
        for (method, of_method) in own.by(|row| row.scenario.method) {
            let all = short_series(table.report, &builds);
            for (build, mut series) in builds.iter().zip(all) {
                if let Some(method) = method {
                    series.label = match builds.len() {
                        1 => method.word().to_owned(),
                        _ => format!("{}, {}", series.label, method.word()),
                    };
                }
                rows.extend(times_of(&of_method, *build, series));
            }
        }
        rows.truncate(MAX_ROWS);
        has_end |= rows.iter().any(|row| row.end.is_some());
        if let Some(first) = own.rows.first().filter(|_| !rows.is_empty()) {
            let mut parts = titles::parts(&base);
            if parts.len() > 1 && is_of_writes {
                parts.remove(0);
            }
            panels.push(RowPanel {
                title: parts.join(", "),
                of: String::new(),
                axis: Some(Axis {
                    unit: first.scale.symbol.clone(),
                    better: Unit::Time.better(),
                    is_log: true,
                }),
                rows,
            });
        }
    }
    let what = match is_of_writes {
        true => "a write",
        false => "one handshake",
    };
    let end = match has_end {
        true => ", the line ends at the maximum",
        false => "",
    };
    let title = format!("Time of {what}: ● P50, ○ P90{end}");
    let alt = format!(
        "Spans of the times of {what} for {}.",
        join(&table.names(&builds))
    );
    (!panels.is_empty()).then(|| {
        Graph::new(file, title, alt, |title, alt| {
            Rows { panels }.render(title, alt)
        })
    })
}

/// Returns the span of a build's times; hollow throughout if the median is unsteady.
fn times_of(table: &Table<'_>, build: usize, series: Series) -> Option<ChartRow> {
    let report = table.report;
    let of = |wanted: Percentile| {
        let mut rows = table.rows.iter();
        let row = rows.find(|row| row.scenario.percentile == Some(wanted))?;
        Some((*row, row.cell(build).filter(|cell| cell.figure.is_some())?))
    };
    let (row, median) = of(Percentile::P50)?;
    let mut marks = Vec::new();
    // The median is above the other.
    for percentile in [Percentile::P90, Percentile::P50] {
        let Some((own, cell)) = of(percentile) else {
            continue;
        };
        let is_hollow = percentile != Percentile::P50 || cell.is_unsteady;
        let name = format!("{} {}", series.label, percentile.word());
        marks.extend(mark(report, &name, own, cell, is_hollow).map(|mark| Mark {
            value: mark.value * own.scale.factor / row.scale.factor,
            ..mark
        }));
    }
    let max = of(Percentile::Max).and_then(|(_, cell)| cell.estimate());
    let figure = median.figure.as_ref()?;
    Some(ChartRow {
        series,
        marks,
        end: max.map(|max| max / row.scale.factor),
        text: format!("P50 {}", figure.text),
        is_subject: Some(build) == report.roles().subject && row.scenario.method.is_none(),
    })
}
