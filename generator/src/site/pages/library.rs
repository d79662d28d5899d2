//! The pages of libraries with their releases and newest figures, and the list of them.

use super::history::{HistoryPage, over_reports};
use crate::report::history::{Histories, HistorySeries, MachineHistory};
use crate::report::{Grid, GridCell, GridRow, Head, Link};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::releases::{graph as release_graph, has_step};
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::section::Section;
use crate::site::tables::ahead::of_library;
use crate::site::tables::releases::by_release;
use crate::site::words::ranking::{leads, leads_in, since_first};
use anyhow::Result;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

impl Renderer<'_> {
    /// Renders the list of libraries and the page of each.
    pub(crate) fn libraries(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let mut rows = Vec::new();
        let mut libraries = by_library(histories);
        for (name, address) in &histories.implementations {
            let Some(own) = libraries.remove(name) else {
                continue;
            };
            let (page, row) = self.library(name, address, &own);
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
    fn library(&self, name: &str, address: &str, own: &OfLibrary<'_>) -> (HistoryPage, GridRow) {
        let (machines, scenarios) = (&own.machines, own.scenarios);
        let report = machines[0].newest();
        let all = report.defaults().into_iter().chain(0..report.builds.len());
        let mut newest = all.map(|build| report.build(build));
        let newest = newest.find(|build| build.name == name);
        let newest = newest.expect("a report of the library");
        let reports: usize = machines.iter().map(|machine| machine.reports.len()).sum();
        let leads_in = leads_in(report, name).map(|[n, of]| format!("{n} of {of}"));
        let cells = vec![
            GridCell::text(newest.version.words()),
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
            let newest = newest.release();
            answer.push(format!("The newest measured version is {newest}."));
        }
        let rows = report.headlines();
        let steps = rows.iter().filter(|row| has_step(&series, row));
        let graphs = steps.filter_map(|row| release_graph(&series, row));
        let links = self.links("../../");
        let rank = of_library(report, name);
        let first = Section {
            tables: rank.iter().map(|grid| links.table(grid)).collect(),
            ..Section::default()
        };
        let all = series.iter().map(|series| by_release(series, &rows));
        let releases = Section {
            title: "Releases".to_owned(),
            graphs: graphs.collect(),
            tables: all.map(|grid| links.table(&grid)).collect(),
            ..Section::default()
        };
        let releases = Some(releases).filter(|_| !series.is_empty());
        let over = machines.iter().zip(1..).filter_map(part);
        let page = HistoryPage {
            title: name.to_owned(),
            label: String::new(),
            of: String::new(),
            address: address.to_owned(),
            answer: answer.join(" "),
            source: entry(report),
            sections: [first].into_iter().chain(releases).chain(over).collect(),
        };
        (page, row)
    }
}

/// The histories of a library, the machine with the newest report first, and the number of its scenarios.
#[derive(Default)]
struct OfLibrary<'a> {
    machines: Vec<MachineHistory<'a>>,
    scenarios: usize,
}

/// Returns the histories of each library.
fn by_library<'a>(histories: &'a Histories<'a>) -> HashMap<&'a str, OfLibrary<'a>> {
    let mut series_of: HashMap<&str, BTreeMap<_, Vec<HistorySeries<'_>>>> = HashMap::new();
    let mut found: HashMap<&str, OfLibrary<'_>> = HashMap::new();
    for group in &histories.groups {
        let mut libraries = HashSet::new();
        for machine in &group.machines {
            for series in &machine.series {
                let library = &*series.newest().implementation().name;
                let of = series_of.entry(library).or_default();
                let of_machine = of.entry((machine.is_machine(), machine.name()));
                of_machine.or_default().push(series.clone());
                libraries.insert(library);
            }
        }
        for library in libraries {
            found.entry(library).or_default().scenarios += 1;
        }
    }
    for (library, by_machine) in series_of {
        let of = found.entry(library).or_default();
        of.machines = by_machine.into_values().map(MachineHistory::of).collect();
        of.machines
            .sort_by_key(|machine| Reverse(machine.newest().when()));
    }
    found
}

/// Returns the part of a machine: its headline scenarios over its reports.
fn part((machine, number): (&MachineHistory<'_>, usize)) -> Option<Section> {
    let rows = machine.newest().headlines();
    let metrics = rows.iter().filter_map(|row| {
        machine
            .metrics()
            .find(|series| series[0].newest().row.key() == row.key())
    });
    over_reports(machine, metrics, true, &format!("headline-{number}"))
}
