//! Graphs of spans: what a post-quantum key exchange costs, and the percentiles of times.

use super::bars::runs_behind;
use super::{Graph, short_series};
use crate::base::words::join;
use crate::chart::{Axis, Series, Span, SpanMark, SpanPanel, Spans};
use crate::model::scale::Scale;
use crate::model::scenario::{Percentile, Scenario, Side, WriteMethod};
use crate::model::unit::Unit;
use crate::report::{Cell, Report, Row, Table, common_scale, titles, words};
use crate::site::words::sections::Exchange;

/// Panels of one graph, and rows of a panel.
const MAX_PANELS: usize = 4;
const MAX_ROWS: usize = 9;

fn mark(
    report: &Report,
    name: &str,
    cell: &Cell,
    scale: &Scale,
    is_hollow: bool,
) -> Option<SpanMark> {
    let value = cell.estimate()?;
    let runs = runs_behind(report, cell.values.len());
    let unsteady = if cell.is_unsteady { ", unsteady" } else { "" };
    Some(SpanMark {
        value: value / scale.factor,
        is_hollow,
        tooltip: format!(
            "{name}: {} {}{runs}{unsteady}",
            scale.show(value),
            scale.symbol
        ),
    })
}

/// Draws the rate with the key exchange of each library's newest build, from X25519 to its hybrid.
pub(in crate::site) fn exchanges(report: &Report, found: &[Exchange<'_>]) -> Option<Graph> {
    let table = Table::of(report);
    let subject = report.newest_of_subject();
    let found = &found[..found.len().min(MAX_PANELS)];
    let (mut panels, mut names) = (Vec::new(), Vec::new());
    let rows: Vec<&Row> = found.iter().map(|one| one.hybrid).collect();
    let (mut shared, own) = titles::shared(&rows);
    for (
        Exchange {
            plain,
            hybrid,
            costs,
        },
        title,
    ) in found.iter().zip(own)
    {
        let cells = [*plain, *hybrid].map(|row| row.cells.iter().flatten());
        let figures = cells
            .into_iter()
            .flatten()
            .filter_map(|cell| cell.figure.as_ref());
        let scale = common_scale(&hybrid.unit, figures);
        let mut rows = Vec::new();
        let columns: Vec<usize> = costs.iter().map(|(column, _)| *column).collect();
        let all = short_series(&table, &columns);
        for ((column, cost), series) in costs.iter().zip(all).take(MAX_ROWS) {
            let ends = [(plain, true), (hybrid, false)].map(|(row, is_hollow)| {
                let group = row
                    .scenario
                    .group
                    .map_or("its default key exchange", titles::group);
                let name = format!("{} with {group}", series.label);
                mark(report, &name, row.cell(*column)?, &scale, is_hollow)
            });
            if !names.contains(&series.label) {
                names.push(series.label.clone());
            }
            rows.push(Span {
                series,
                marks: ends.into_iter().flatten().collect(),
                text: words::verdict_beside(cost),
                is_subject: Some(*column) == subject,
                ..Span::default()
            });
        }
        panels.push(SpanPanel {
            title,
            axis: Axis {
                unit: scale.symbol.clone(),
                better: hybrid.unit.better(),
                ..Axis::default()
            },
            rows,
        });
    }
    let first = found.first()?;
    let group = |row: &Row| row.scenario.group.map_or("the default", titles::group);
    let [plain, hybrid] = [first.plain, first.hybrid].map(group);
    shared.retain(|part| part != hybrid);
    let title = format!("{}: ○ {plain} to ● {hybrid}", shared.join(", "));
    let alt = format!("Spans from {plain} to {hybrid} for {}.", join(&names));
    Some(Graph::new("post-quantum", title, alt, |title, alt| {
        Spans { panels }.render(title, alt)
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
    let of_panel = |row: &Row| Scenario {
        percentile: None,
        method: None,
        ..row.scenario.clone()
    };
    let before = table.report.before_newest_of_subject();
    let (mut columns, _) = usual.split_columns();
    columns.retain(|column| Some(*column) != before);
    let (mut panels, mut has_end) = (Vec::new(), false);
    let mut groups = usual.by(of_panel);
    if is_of_writes {
        // Those in which the methods differ most.
        groups.sort_by(|a, b| spread(&b.1).total_cmp(&spread(&a.1)));
    }
    for (base, own) in groups.into_iter().take(MAX_PANELS) {
        let medians = own.with(|row| row.scenario.percentile == Some(Percentile::P50));
        let mut scale = Scale::of(&Unit::Time, medians.figures().map(|f| f.estimate));
        scale.decimals = usize::from(scale.symbol != "ns");
        let mut rows = Vec::new();
        for (method, of_method) in own.by(|row| row.scenario.method) {
            for (column, series) in columns.iter().zip(short_series(table, &columns)) {
                rows.extend(times_of(&of_method, *column, series, method, &scale));
            }
        }
        rows.truncate(MAX_ROWS);
        has_end |= rows.iter().any(|row| row.end.is_some());
        if !rows.is_empty() {
            panels.push(SpanPanel {
                title: below(&base),
                axis: Axis {
                    unit: scale.symbol.clone(),
                    better: Unit::Time.better(),
                    is_log: true,
                    ..Axis::default()
                },
                rows,
            });
        }
    }
    let what = if is_of_writes {
        "a write"
    } else {
        "one handshake"
    };
    let end = if has_end {
        ", the line ends at the maximum"
    } else {
        ""
    };
    let title = format!("Time of {what}: ● P50, ○ P90{end}");
    let alt = format!(
        "Spans of the times of {what} for {}.",
        join(&table.names(&columns))
    );
    (!panels.is_empty()).then(|| {
        Graph::new(file, title, alt, |title, alt| {
            Spans { panels }.render(title, alt)
        })
    })
}

/// `Full handshake, TLS 1.3, RSA-2048, server`, below a title that says what is timed.
fn below(base: &Scenario) -> String {
    let title = titles::title(base).replace("Latency of a ", "");
    let mut rest = title.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// By which factor the medians of a scenario differ.
fn spread(table: &Table<'_>) -> f64 {
    let medians = table.with(|row| row.scenario.percentile == Some(Percentile::P50));
    let times = || medians.figures().map(|figure| figure.estimate);
    times().fold(0.0, f64::max) / times().fold(f64::INFINITY, f64::min)
}

/// Returns the span of a build's times; hollow throughout if the median is unsteady.
fn times_of(
    table: &Table<'_>,
    column: usize,
    mut series: Series,
    method: Option<WriteMethod>,
    scale: &Scale,
) -> Option<Span> {
    let cell = |wanted: Percentile| {
        let mut rows = table.rows.iter();
        let row = rows.find(|row| row.scenario.percentile == Some(wanted))?;
        row.cell(column).filter(|cell| cell.figure.is_some())
    };
    let median = cell(Percentile::P50)?;
    if let Some(method) = method {
        series = Series {
            label: method.word().to_owned(),
            ..series
        };
    }
    let mut marks = Vec::new();
    // The median is above the other.
    for (percentile, one) in [
        (Percentile::P90, cell(Percentile::P90)),
        (Percentile::P50, Some(median)),
    ] {
        let Some(one) = one else { continue };
        let is_hollow = percentile != Percentile::P50 || one.is_unsteady;
        let name = format!("{} {}", series.label, percentile.word());
        marks.extend(mark(table.report, &name, one, scale, is_hollow));
    }
    let subject = table.report.newest_of_subject();
    let subject = subject.filter(|_| method.is_none());
    let max = cell(Percentile::Max).and_then(Cell::estimate);
    let text = format!("P50 {}", scale.show(median.estimate()?));
    Some(Span {
        series,
        marks,
        end: max.map(|max| max / scale.factor),
        text,
        is_subject: Some(column) == subject,
    })
}
