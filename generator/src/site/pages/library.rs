//! The pages of libraries with their releases and newest figures, and the list of them.

use super::history::{HistoryPage, MachinePart};
use crate::base::words::count;
use crate::report::history::{Histories, HistoryPoint, HistorySeries, MachineHistory};
use crate::report::{Grid, GridCell, GridRow, Head, Link};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::releases::{graph as release_graph, has_step};
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::tables::ahead::of_library;
use crate::site::tables::releases::by_release;
use crate::site::words::ranking::{leads, leads_in, since_first};
use anyhow::Result;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl Renderer<'_> {
    /// Renders the list of libraries and the page of each.
    pub(crate) fn libraries(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let mut rows = Vec::new();
        for (name, address) in &histories.implementations {
            let (page, row) = self.library(name, address, histories);
            self.history(&mut pages, "implementation", &page)?;
            rows.push(row);
        }
        let heads = ["fastest in", "newest report", "reports", "scenarios"];
        let head = heads.map(Head::from).into_iter();
        let table = Grid {
            class: "history",
            name: "All libraries that were measured".to_owned(),
            corner: "library",
            head: [Head::text("newest measured")]
                .into_iter()
                .chain(head)
                .collect(),
            rows,
            ..Grid::default()
        };
        let head = FrontMatter::section(
            "implementations",
            "Libraries",
            "Every library that was measured, and what its releases changed.",
        );
        let tables = self.links("../").tables([&table]);
        let view = json!({"kind": "implementations", "tables": tables});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        Ok(pages)
    }

    /// Returns the page of a library, with its row in the list.
    fn library(
        &self,
        name: &str,
        address: &str,
        histories: &Histories<'_>,
    ) -> (HistoryPage, GridRow) {
        let machines = machines(histories, name);
        let newest = newest(&machines);
        let report = newest.report;
        let reports: usize = machines.iter().map(|machine| machine.reports.len()).sum();
        let groups = histories.groups.iter();
        let scenarios = groups
            .filter(|group| group.series().any(|series| is_of(series, name)))
            .count();
        let leads_in = leads_in(report, name).map(|[n, of]| format!("{n} of {of}"));
        let cells = vec![
            GridCell::text(newest.implementation().version.words()),
            leads_in.map_or_else(GridCell::missing, GridCell::from),
            GridCell::from(report.day_or_name()),
            GridCell::from(reports.to_string()),
            GridCell::from(scenarios.to_string()),
        ];
        let row = GridRow::new(name, cells).linked(Link::Library(name.to_owned()));

        let mut series = report.series();
        series.retain(|series| series.newest().name == name);
        let since = series.iter().filter_map(since_first);
        let mut answer: Vec<String> = since.chain(leads(report, name)).collect();
        if answer.is_empty() {
            answer.push(format!(
                "{} and {}; the newest version is {}.",
                count(reports, "report"),
                count(scenarios, "scenario"),
                newest.implementation().release()
            ));
        }
        let rows = report.headlines();
        let steps = rows.iter().filter(|row| has_step(&series, row));
        let graphs = steps.filter_map(|row| release_graph(&series, row));
        let tables = of_library(report, name).into_iter();
        let tables = tables.chain(series.iter().map(|series| by_release(series, &rows)));
        let page = HistoryPage {
            title: name.to_owned(),
            label: String::new(),
            of: String::new(),
            address: address.to_owned(),
            answer: answer.join(" "),
            source: entry(report),
            graphs: graphs.collect(),
            tables: self.links("../../").tables(&tables.collect::<Vec<_>>()),
            machines: machines.iter().zip(1..).filter_map(part).collect(),
        };
        (page, row)
    }
}

fn is_of(series: &HistorySeries<'_>, library: &str) -> bool {
    series.newest().implementation().name == library
}

/// Returns the histories of a library, the machine with the newest report first.
fn machines<'a>(histories: &'a Histories<'a>, name: &str) -> Vec<MachineHistory<'a>> {
    let mut by_machine: BTreeMap<_, Vec<HistorySeries<'_>>> = BTreeMap::new();
    for machine in histories.groups.iter().flat_map(|group| &group.machines) {
        for series in machine.series.iter().filter(|series| is_of(series, name)) {
            let of_machine = by_machine.entry((machine.is_machine(), machine.name()));
            of_machine.or_default().push(series.clone());
        }
    }
    let mut machines: Vec<_> = by_machine.into_values().map(MachineHistory::of).collect();
    machines.sort_by_key(|machine| Reverse(machine.newest().when()));
    machines
}

/// Returns a figure of the newest report that has the library: of the build that stands for it there.
fn newest<'a>(machines: &'a [MachineHistory<'a>]) -> &'a HistoryPoint<'a> {
    let series = machines[0].series.iter().rev();
    let is_default = |p: &HistoryPoint<'_>| p.report.defaults().contains(&p.build);
    let newest = series
        .map(HistorySeries::newest)
        .max_by_key(|p| (p.report.when(), is_default(p)));
    newest.unwrap_or_else(|| machines[0].series[0].newest())
}

/// Returns the part of a machine on whose reports a graph or a change point is based.
fn part((machine, number): (&MachineHistory<'_>, usize)) -> Option<MachinePart> {
    let rows = machine.newest().headlines();
    let metrics = rows.iter().filter_map(|row| {
        machine
            .metrics()
            .find(|series| series[0].newest().row.key() == row.key())
    });
    let part = MachinePart::of(machine, true, &format!("headline-{number}"), metrics);
    (!part.graphs.is_empty() || !part.change_points.is_empty()).then_some(part)
}
