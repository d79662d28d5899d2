//! The pages of implementations with their versions and newest figures, and the list of them.

use super::history::{HistoryPage, MachinePart};
use crate::base::words::count;
use crate::report::history::{Histories, HistoryPoint, HistorySeries, MachineHistory, Metric};
use crate::report::{ReleaseRow, ReleaseSeries, Report, Row, Table, titles};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::releases::graph as release_graph;
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::tables::changes::change_cell;
use crate::site::tables::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::site::tables::places::places;
use crate::site::tables::results::builds_by_rows;
use crate::site::words::ranking::{leads, leads_in, since_first};
use anyhow::Result;
use jiff::civil::Date;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

impl Renderer<'_> {
    /// Renders the list of implementations and the page of each.
    pub(crate) fn implementations(
        &self,
        newest_first: &[&Report],
        histories: &Histories<'_>,
    ) -> Result<Pages> {
        let mut pages = Pages::new();
        let mut rows = Vec::new();
        for (name, address) in &histories.implementations {
            let (page, row) = page(name, address, histories);
            self.history(&mut pages, "implementation", &page)?;
            rows.push(row);
        }
        let table = HtmlTable {
            class: "history",
            about: Some("../method/#history"),
            name: "All libraries that were measured".to_owned(),
            corner: "library",
            head: Head::of([
                "newest version",
                "fastest in",
                "newest report",
                "reports",
                "scenarios",
            ]),
            rows,
            ..HtmlTable::default()
        };
        let head = FrontMatter::section(
            "implementations",
            "Libraries",
            "Every library that was measured, and what its releases changed.",
        );
        let tables: Vec<HtmlTable> = [table]
            .into_iter()
            .chain(places(newest_first, histories))
            .collect();
        let view = json!({"kind": "implementations", "tables": tables});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        Ok(pages)
    }
}

/// Returns the page of a library, with its row in the list.
fn page(name: &str, address: &str, histories: &Histories<'_>) -> (HistoryPage, HtmlRow) {
    let machines = machines(histories, name);
    let newest = newest(&machines);
    let across = histories.newest_releases(|s| s.newest().name == name);
    let report = across.first().map_or(newest.report, |series| series.report);
    let reports: usize = machines.iter().map(|machine| machine.reports.len()).sum();
    let metrics = machines.iter().flat_map(|machine| &machine.metrics);
    let scenarios: BTreeSet<&str> = metrics.map(|m| m.address.as_str()).collect();
    let leads_in = leads_in(report, name).map(|[n, of]| format!("{n} of {of}"));
    let cells = vec![
        HtmlCell::words(newest.implementation().version.words()),
        HtmlCell::text(leads_in.unwrap_or_else(|| "–".to_owned())),
        HtmlCell::text(newest.report.day_or_name()),
        HtmlCell::text(reports.to_string()),
        HtmlCell::text(scenarios.len().to_string()),
    ];
    let row = HtmlRow::linked(format!("{address}/"), name.to_owned(), cells);

    let since = across.iter().filter_map(|series| since_first(series));
    let mut answer: Vec<String> = since.chain(leads(report, name)).collect();
    if answer.is_empty() {
        answer.push(format!(
            "{} and {}; the newest version is {}.",
            count(reports, "report"),
            count(scenarios.len(), "scenario"),
            newest.implementation().release()
        ));
    }
    let rows = match across.as_slice() {
        [] => Vec::new(),
        _ => report.headlines(),
    };
    let releases = histories.releases_in(report);
    let graphs = rows
        .iter()
        .filter_map(|row| release_graph(releases, row, |library| library == name));
    let page = HistoryPage {
        title: name.to_owned(),
        label: String::new(),
        of: String::new(),
        address: address.to_owned(),
        answer: answer.join(" "),
        source: entry(report),
        graphs: graphs.collect(),
        tables: across
            .iter()
            .map(|series| by_release(series, &rows))
            .collect(),
        machines: machines.iter().zip(1..).filter_map(part).collect(),
    };
    (page, row)
}

/// Returns the histories of a library, the machine with the newest report first.
fn machines<'a>(histories: &'a Histories<'a>, name: &str) -> Vec<MachineHistory<'a>> {
    let mut by_machine: BTreeMap<_, Vec<Metric<'_>>> = BTreeMap::new();
    for (machine, metric) in histories.metrics() {
        let mut own = metric.clone();
        own.series
            .retain(|series| series.newest().implementation().name == name);
        if !own.series.is_empty() {
            let metrics = by_machine.entry((machine.is_machine(), machine.name()));
            metrics.or_default().push(own);
        }
    }
    let mut machines: Vec<_> = by_machine.into_values().map(MachineHistory::of).collect();
    machines.sort_by_key(|machine| Reverse(machine.newest().when()));
    machines
}

/// Returns the figure of the newest report that has a release; of several in that report, the first.
fn newest<'a>(machines: &'a [MachineHistory<'a>]) -> &'a HistoryPoint<'a> {
    let series = machines[0].metrics.iter().flat_map(|m| &m.series).rev();
    let newest = series.map(HistorySeries::newest).max_by_key(|p| {
        (
            !p.implementation().version.is_pre_release(),
            p.report.when(),
        )
    });
    newest.unwrap_or_else(|| machines[0].metrics[0].series[0].newest())
}

/// Returns the part of a machine on whose reports a graph or a change point is based.
fn part((machine, number): (&MachineHistory<'_>, usize)) -> Option<MachinePart> {
    let rows = machine.newest().headlines();
    let metrics = rows.iter().filter_map(|row| {
        let mut all = machine.metrics.iter();
        all.find(|m| *m.scenario == row.scenario && *m.unit == row.unit)
    });
    let part = MachinePart::of(machine, true, &format!("headline-{number}"), metrics);
    (!part.graphs.is_empty() || !part.change_points.is_empty()).then_some(part)
}

/// Returns a table with one row per release, the highest version first: the figures of `rows`, each with the change
/// from the previous release.
fn by_release(series: &ReleaseSeries<'_>, rows: &[&Row]) -> HtmlTable {
    let known = rows.iter().filter_map(|row| series.row(row));
    let known: Vec<&ReleaseRow<'_>> = known.collect();
    let of_rows = Table::of_rows(series.report, known.iter().map(|known| known.row).collect());
    let mut table = builds_by_rows(&of_rows, &series.columns, |row, scale| {
        Head::from(&*titles::title(&row.scenario))
            .with_detail(scale.symbol)
            .of_scenario(row.scenario.label())
    });
    for column in (0..known.len()).rev() {
        table.head.insert(column + 1, Head::from("change"));
        for (release, shown) in table.rows.iter_mut().enumerate() {
            let step = release.checked_sub(1);
            let change = step.and_then(|step| known[column].steps[step].as_ref()?.comparison);
            let cell = change.map_or_else(HtmlCell::missing, |known| change_cell(&known, None));
            shown.cells.insert(column + 1, cell);
        }
    }
    let builds = (0..table.rows.len()).map(|release| series.implementation(release));
    let days = builds
        .clone()
        .map(|build| series.report.manifest.released(build));
    let days: Vec<Option<Date>> = days.collect();
    let has_days = days.iter().any(Option::is_some);
    if has_days {
        table.head.insert(0, Head::from("published"));
    }
    for ((build, day), shown) in builds.zip(days).zip(&mut table.rows) {
        shown.label = build.version.words();
        if has_days {
            let day = day.map_or_else(|| "–".to_owned(), |day| day.to_string());
            shown.cells.insert(0, HtmlCell::text(day));
        }
    }
    table.rows.reverse();
    let (what, order, release) = match series.is_of_branch() {
        true => ("Commits", "the newest first", "commit"),
        false => ("Releases", "the highest version first", "release"),
    };
    HtmlTable {
        class: "history",
        about: Some("../../method/#releases"),
        name: format!("{what} of {}, {order}", series.name()),
        caption: format!("A change is from the {release} before."),
        corner: release,
        ..table
    }
}
