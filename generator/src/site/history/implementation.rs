//! The pages of implementations with their versions and newest figures, and the list of them.

use super::graph::graph;
use super::{HistoryPage, MachinePart, key, scale, with_data};
use crate::report::history::{Histories, HistoryPoint, HistorySeries, MachineHistory, Metric};
use crate::report::{ReleaseSeries, Report, Row};
use crate::site::caveats::Caveats;
use crate::site::compared::change_cell;
use crate::site::front_matter::FrontMatter;
use crate::site::headline::headlines;
use crate::site::phrases::{joined, plus_minus};
use crate::site::ranking::{leads, leads_in, since_first};
use crate::site::releases::{graph as release_graph, headline_rows};
use crate::site::renderer::entry;
use crate::site::{Head, Pages, Part, Renderer, Table, TableCell, TableRow, count};
use anyhow::Result;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

impl Renderer<'_> {
    /// Renders the list of implementations and the page of each.
    pub(crate) fn implementations(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let mut rows = Vec::new();
        for (name, machines) in by_name(histories) {
            let across = histories.newest_releases(|s| s.newest().name == name);
            let address = histories.implementations[name].clone();
            let (page, row) = page(name, address, machines, &across, histories);
            self.history(&mut pages, "implementation", &page)?;
            rows.push(row);
        }
        let table = Table {
            class: "history",
            about: Some("../method/#history"),
            caption: "All libraries that were measured".to_owned(),
            corner: "library",
            head: Head::of([
                "newest version",
                "fastest in",
                "newest report",
                "reports",
                "scenarios",
            ]),
            rows,
            ..Table::default()
        };
        let head = FrontMatter::section(
            "implementations",
            "Libraries",
            "Every library that was measured, and what its releases changed.",
        );
        let view = json!({"kind": "implementations", "tables": [table]});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        Ok(pages)
    }
}

/// Returns the histories of each implementation, the machine with the newest report first.
fn by_name<'a>(histories: &'a Histories<'a>) -> BTreeMap<&'a str, Vec<MachineHistory<'a>>> {
    let mut found: BTreeMap<&str, BTreeMap<_, Vec<Metric<'_>>>> = BTreeMap::new();
    for (machine, metric) in histories.metrics() {
        for series in metric.series.chunk_by(|a, b| key(a).0 == key(b).0) {
            let machines = found.entry(key(&series[0]).0).or_default();
            let metrics = machines.entry((machine.is_machine(), machine.name()));
            metrics.or_default().push(Metric {
                series: series.to_vec(),
                label: metric.label.clone(),
                address: metric.address.clone(),
                scale: metric.scale.clone(),
                ..*metric
            });
        }
    }
    let mut by_name = BTreeMap::new();
    for (name, machines) in found {
        let machines = machines.into_values().map(MachineHistory::of);
        let mut machines: Vec<MachineHistory<'_>> = machines.collect();
        machines.sort_by_key(|machine| Reverse(machine.newest().when()));
        by_name.insert(name, machines);
    }
    by_name
}

/// Returns the figure of the newest report that has a release; of several in that report, the first.
fn newest<'a>(machines: &'a [MachineHistory<'a>]) -> &'a HistoryPoint<'a> {
    let series = machines[0].metrics.iter().flat_map(|m| &m.series).rev();
    let newest = series
        .map(HistorySeries::newest)
        .max_by_key(|p| (!p.implementation.version.is_pre_release(), p.report.when()));
    newest.unwrap_or_else(|| machines[0].metrics[0].series[0].newest())
}

/// Returns the page of an implementation, with its row in the list.
fn page(
    name: &str,
    address: String,
    machines: Vec<MachineHistory<'_>>,
    across: &[&ReleaseSeries<'_>],
    histories: &Histories<'_>,
) -> (HistoryPage, TableRow) {
    let newest = newest(&machines);
    let report = across.first().map_or(newest.report, |series| series.report);
    let mut reports = 0;
    let mut scenarios = BTreeSet::new();
    let mut parts = Vec::new();
    for (machine, number) in machines.iter().zip(1..) {
        reports += machine.reports.len();
        scenarios.extend(machine.metrics.iter().map(|m| m.address.as_str()));
        let is_shown_above = |r: &&Report| !across.is_empty() && r.name == report.name;
        if machine.reports.iter().all(is_shown_above) {
            continue;
        }
        let headlines = headlines(machine.newest());
        let metric = |s| machine.metrics.iter().find(|m| m.scenario == s);
        let chosen: Vec<_> = headlines.iter().filter_map(metric).collect();
        let graphs = chosen.iter().zip(1..).filter_map(|(metric, place)| {
            graph(machine, metric, &format!("headline-{number}-{place}"))
        });
        let graphs = with_data(machine.newest(), graphs);
        let tables = vec![versions(machine, &chosen)];
        parts.push(MachinePart::new(machine, true, graphs, tables));
    }
    let leads = leads(report, name);
    let since = across.iter().filter_map(|series| since_first(series));
    let mut answer: Vec<String> = since.chain(leads.clone()).collect();
    if answer.is_empty() {
        answer.push(format!(
            "{} and {}; the newest version is {}.",
            count(reports, "report"),
            count(scenarios.len(), "scenario"),
            newest.implementation.release()
        ));
    }
    let cells = vec![
        TableCell::words(newest.implementation.version.words()),
        TableCell::text(
            leads_in(report, name).map_or_else(|| "–".to_owned(), |[n, of]| format!("{n} of {of}")),
        ),
        TableCell::text(newest.report.day_or_name()),
        TableCell::text(reports.to_string()),
        TableCell::text(scenarios.len().to_string()),
    ];
    let row = TableRow::linked(format!("{address}/"), name.to_owned(), cells);
    let rows = match across {
        [] => Vec::new(),
        _ => headline_rows(report),
    };
    let releases = histories.releases_in(report);
    let graphs = rows
        .iter()
        .filter_map(|row| release_graph(releases, row, |library| library == name));
    let page = HistoryPage {
        title: name.to_owned(),
        address,
        answer: answer.join(" "),
        source: entry(report),
        graphs: with_data(report, graphs),
        tables: across
            .iter()
            .map(|series| by_release(series, &rows))
            .collect(),
        machines: parts,
    };
    (page, row)
}

/// Returns a table with one row per release, newest first: the figures of `rows`, each with the change
/// from the previous release.
fn by_release(series: &ReleaseSeries<'_>, rows: &[&Row]) -> Table {
    let part = Part::of(series.report);
    let mut caveats = Caveats::of(&part);
    let mut head = vec![Head::from("published")];
    let releases = 0..series.columns.len();
    let mut shown: Vec<TableRow> = releases
        .clone()
        .map(|place| {
            let build = series.implementation(place);
            let day = series.report.manifest.released(build);
            let day = day.map_or_else(|| "–".to_owned(), |day| day.to_string());
            TableRow::new(build.version.words(), vec![TableCell::text(day)])
        })
        .collect();
    for row in rows {
        let known = series.rows.iter().find(|r| std::ptr::eq(r.row, *row));
        let scale = part.with(|one| std::ptr::eq(one, *row)).scale();
        let (Some(known), Some(scale)) = (known, scale) else {
            continue;
        };
        head.push(Head::from(&*row.scenario.label()).with_detail(scale.symbol.clone()));
        head.push(Head::from("change"));
        for (place, shown) in releases.clone().zip(&mut shown) {
            let cell = row.cell(series.columns[place]);
            let figure = cell.map(|cell| part.cell(cell, &scale, &mut caveats));
            let step = place
                .checked_sub(1)
                .and_then(|step| known.steps[step].as_ref());
            let change = step.and_then(|step| Some(change_cell(&step.comparison?, None)));
            for cell in [figure, change] {
                shown.cells.push(cell.unwrap_or_else(TableCell::missing));
            }
        }
    }
    Table {
        class: "history",
        about: Some("../../method/#releases"),
        caption: format!(
            "Releases of {}, newest first. A change is from the previous release.",
            series.name()
        ),
        corner: "release",
        head,
        rows: shown.into_iter().rev().collect(),
        footnotes: caveats.footnotes,
        ..Table::default()
    }
}

/// Returns the table of all versions, newest first, with their figures of the `chosen` metrics.
fn versions(machine: &MachineHistory<'_>, chosen: &[&Metric<'_>]) -> Table {
    let scales: Vec<_> = chosen.iter().map(|metric| scale(&[metric])).collect();
    let mut head = vec![Head::from("version")];
    for (metric, scale) in chosen.iter().zip(&scales) {
        head.push(Head::from(&*metric.label).with_detail(scale.symbol.clone()));
    }
    // The figures of each version in each report.
    let mut rows: BTreeMap<_, TableRow> = BTreeMap::new();
    for metric in &machine.metrics {
        let column = chosen.iter().position(|c| std::ptr::eq(*c, metric));
        for point in metric.series.iter().flat_map(|s| &s.points) {
            let row = rows.entry((Reverse(point.report.when()), point.implementation));
            let row = row.or_insert_with(|| {
                let mut cells = vec![TableCell::missing(); head.len()];
                let one = point.implementation;
                let words = one.version.words();
                let version = if words.is_empty() { "–" } else { &*words };
                let variant = joined([one.variant.join(", ")]);
                cells[0] = TableCell::words(version).with_detail(variant);
                let href = format!("../../{}/", point.report.name);
                TableRow::linked(href, point.report.day_or_name(), cells)
            });
            if let Some(column) = column {
                let figure = TableCell::text(scales[column].show(point.figure.estimate));
                let detail = plus_minus(point.figure);
                row.cells[column + 1] = figure.with_detail(detail);
            }
        }
    }
    let has_figure = |row: &TableRow| row.cells[1..].iter().any(|cell| cell.class.is_none());
    Table {
        class: "history",
        about: Some("../../method/#history"),
        caption: "Versions with headline figures, newest first.".to_owned(),
        corner: "report",
        head,
        rows: rows.into_values().filter(has_figure).collect(),
        ..Table::default()
    }
}
