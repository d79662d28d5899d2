//! The pages of libraries with their releases and newest figures, and the list of them.

use crate::base::words::count;
use crate::report::history::Histories;
use crate::report::{Grid, GridCell, GridRow, Head, Lead, Link, Report};
use crate::site::graphs::releases::{graph as release_graph, has_step};
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::section::Section;
use crate::site::tables::ahead::of_library;
use crate::site::tables::releases::by_release;
use crate::site::words::finding::{lead, since_first};
use anyhow::Result;
use serde_json::json;

impl Renderer<'_> {
    /// Renders the list of libraries and the page of each.
    pub(crate) fn libraries(
        &self,
        histories: &Histories<'_>,
        newest_first: &[&Report],
    ) -> Result<Pages> {
        let mut pages = Pages::new();
        let mut rows = Vec::new();
        for (name, address) in &histories.implementations {
            let has = |report: &&&Report| {
                let mut builds = report.builds.iter();
                builds.any(|one| one.implementation.name == **name)
            };
            if let Some(report) = newest_first.iter().find(has) {
                rows.push(self.library(&mut pages, report, name, address)?);
            }
        }
        let head = [
            Head::text("newest measured"),
            Head::from("fastest in"),
            Head::from("newest report"),
        ];
        let table = Grid {
            class: "history",
            name: "All libraries that were measured".to_owned(),
            corner: "library",
            head: head.to_vec(),
            rows,
            ..Grid::default()
        };
        let about = "Every library that was measured, and what its releases changed.";
        self.list(&mut pages, ["implementations", "Libraries", about], &table)?;
        Ok(pages)
    }

    /// Adds the page of a library, and returns its row in the list.
    fn library(
        &self,
        pages: &mut Pages,
        report: &Report,
        name: &str,
        address: &str,
    ) -> Result<GridRow> {
        let defaults = report.roles().defaults.iter().copied();
        let all = defaults.chain(0..report.builds.len());
        let mut newest = all.map(|build| report.build(build));
        let newest = newest.find(|build| build.name == name);
        let newest = newest.expect("a report of the library");
        let (led, said) = match lead(report, name) {
            Some(Lead { first, ranked, .. }) => (
                GridCell::from(format!("{first} of {ranked}")),
                format!(
                    "Of the newest measured releases, {name} is fastest, alone or with others, in {first} of {}.",
                    count(ranked, "scenario")
                ),
            ),
            None => (
                GridCell::missing(),
                format!("The newest measured version is {}.", newest.release()),
            ),
        };
        let version = GridCell::text(newest.version.words());
        let cells = vec![version, led, GridCell::from(report.day_or_name())];
        let row = GridRow::new(name, cells).linked(Link::Library(name.to_owned()));

        let mut series = report.series();
        series.retain(|series| series.newest().name == name);
        let mut answer: Vec<String> = series.iter().filter_map(since_first).collect();
        answer.push(said);
        let rows = report.headlines();
        let steps = rows.iter().filter(|row| has_step(&series, row));
        let graphs = steps.filter_map(|row| release_graph(&series, row));
        let links = self.links("../../");
        let rank = of_library(report, name);
        let releases = series.iter().map(|series| by_release(series, &rows));
        let releases: Vec<Grid> = releases.collect();
        let mut sections = vec![Section {
            tables: links.tables(&rank),
            ..Section::default()
        }];
        sections.extend((!series.is_empty()).then(|| Section {
            title: "Releases".to_owned(),
            graphs: graphs.collect(),
            tables: links.tables(&releases),
            ..Section::default()
        }));
        let page = ["implementation", address, name, &answer.join(" ")];
        let view = json!({"source": entry(report)});
        self.history(pages, page, &sections, view)?;
        Ok(row)
    }
}
