//! Graphs of spans: what a post-quantum key exchange costs, and the percentiles of times.

use super::{Graph, axis, mark, short_series};
use crate::base::words::join;
use crate::chart::{Mark, Row as ChartRow, RowPanel, Series};
use crate::model::scenario::{Percentile, Scenario, Side};
use crate::model::unit::Unit;
use crate::report::{Exchange, Report, Row, Table, titles, words};

/// Panels of one graph, and rows of a panel.
const MAX_PANELS: usize = 4;
const MAX_ROWS: usize = 10;

/// Draws the rate with the key exchange of each library's newest build, from X25519 to its hybrid.
pub(in crate::site) fn exchanges(report: &Report, found: &[Exchange<'_>]) -> Option<Graph> {
    let found = &found[..found.len().min(MAX_PANELS)];
    let group = |row: &Row| row.scenario.group.map(titles::group).unwrap_or_default();
    let mut panels: Vec<RowPanel> = Vec::new();
    for one in found {
        let builds: Vec<usize> = one.costs.iter().map(|(build, _)| *build).collect();
        let mut rows = Vec::new();
        let all = short_series(report, &builds);
        for ((build, cost), series) in one.costs.iter().zip(all).take(MAX_ROWS) {
            let ends = [(one.plain, true), (one.hybrid, false)].map(|(row, is_hollow)| {
                let name = format!("{} with {}", series.label, group(row));
                let mark = mark(report, row, *build, &name, row)?;
                Some(Mark { is_hollow, ..mark })
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
            title: titles::title(&Scenario {
                group: None,
                ..one.hybrid.scenario.clone()
            }),
            of: String::new(),
            axis: Some(axis(one.hybrid, false)),
            rows,
        });
    }
    let first = found.first()?;
    let [plain, hybrid] = [first.plain, first.hybrid].map(group);
    let title = format!("○ {plain} to ● {hybrid}");
    let names = panels[0].rows.iter().map(|row| row.series.label.clone());
    let names = join(&Vec::from_iter(names));
    let alt = format!("Spans from {plain} to {hybrid} for {names}.");
    let drawing = RowPanel::render(&panels, &title, &alt);
    Some(Graph::new("post-quantum", title, alt, drawing))
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
    let without = |row: &Row| Scenario {
        percentile: None,
        method: None,
        ..row.scenario.clone()
    };
    let builds = usual.newest();
    let mut panels = Vec::new();
    // Methods differ most in writes of many buffers, which come last.
    let groups = usual.by(without).into_iter().rev();
    for (base, own) in groups.take(MAX_PANELS) {
        let mut rows = Vec::new();
        for (method, of_method) in own.by(|row| row.scenario.method) {
            let all = short_series(table.report, &builds);
            for (build, mut series) in builds.iter().zip(all) {
                if let Some(method) = method {
                    series.label = format!("{}, {}", series.label, method.word());
                }
                rows.extend(times_of(&of_method, *build, series));
            }
        }
        rows.truncate(MAX_ROWS);
        panels.extend((!rows.is_empty()).then(|| RowPanel {
            title: titles::title(&base),
            of: String::new(),
            axis: Some(axis(own.rows[0], true)),
            rows,
        }));
    }
    let of = match builds[..] {
        [only] => format!("{}: ", table.report.full_name(only)),
        _ => String::new(),
    };
    let title = format!("{of}● P50, ○ P90, the line ends at the maximum");
    let names = join(&table.report.full_names(&builds));
    let alt = format!("Spans from the median of times to their maximum for {names}.");
    let is_empty = panels.is_empty();
    let drawing = RowPanel::render(&panels, &title, &alt);
    (!is_empty).then(|| Graph::new(file, title, alt, drawing))
}

/// Returns the span of a build's times; hollow throughout if the median is unsteady.
fn times_of(table: &Table<'_>, build: usize, series: Series) -> Option<ChartRow> {
    let report = table.report;
    let of = |wanted: Percentile| {
        let mut rows = table.rows.iter();
        rows.find(|row| row.scenario.percentile == Some(wanted))
    };
    let row = of(Percentile::P50)?;
    let figure = row.figure(build)?;
    let mark_of = |percentile: Percentile| {
        let name = format!("{} {}", series.label, percentile.word());
        mark(report, of(percentile)?, build, &name, row)
    };
    let tail = mark_of(Percentile::P90).map(|mark| Mark {
        is_hollow: true,
        ..mark
    });
    let end = mark_of(Percentile::Max).map(|mark| mark.value);
    // The median is above the other.
    let marks = [tail, mark_of(Percentile::P50)];
    Some(ChartRow {
        marks: marks.into_iter().flatten().collect(),
        end,
        text: format!("P50 {}", figure.text),
        is_subject: Some(build) == report.roles().subject && row.scenario.method.is_none(),
        series,
    })
}
