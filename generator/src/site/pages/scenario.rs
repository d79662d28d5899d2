//! The pages of scenarios with all of their figures, and the list of them.

use super::history::over_reports;
use crate::model::unit::Unit;
use crate::report::history::{Histories, HistorySeries, ScenarioGroup};
use crate::report::{
    Grid, GridCell, GridRow, Head, Link, Report, Row, Table, builds_of, one_of_each_kind, titles,
    words,
};
use crate::site::graphs::Graph;
use crate::site::graphs::releases::graph as release_graph;
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::section::Section;
use crate::site::tables::results::{builds_by_rows, caption};
use crate::site::words::finding::{named, ranking};
use anyhow::Result;
use serde_json::json;

/// Columns of figures that fit in print; the page of all figures has the others.
const MAX_COLUMNS: usize = 12;

impl Renderer<'_> {
    /// Renders the page of a scenario, with its graphs.
    pub(crate) fn scenario(&self, group: &ScenarioGroup<'_>) -> Result<Pages> {
        let (report, rows) = newest(group);
        let main = rows[0];
        let alike = rows.iter().filter(|row| row.unit == main.unit).count();
        let ranking = ranking(report, main);
        let graph = release_graph(&report.series(), main);
        let graph = graph.map(|graph| Graph {
            title: None,
            ..graph
        });
        let mut sections = vec![Section {
            graphs: graph.into_iter().collect(),
            tables: vec![self.links("../../").table(&table(report, &rows, group))],
            ..Section::default()
        }];
        for (machine, number) in group.machines.iter().zip(1..) {
            sections.extend(over_reports(machine, number));
        }
        let title = titles::title(&group.scenario);
        // It is about one of several.
        let answer = match alike > 1 {
            true => format!("{}: {ranking}", titles::title(&main.scenario)),
            false => ranking,
        };
        // The labels of the scenario, its key in data and commands, and of the row that the answer is about.
        let view = json!({
            "label": group.scenario.label(),
            "of": main.scenario.label(),
            "source": entry(report),
        });
        let mut pages = Pages::new();
        let page = ["scenario", &group.address, &title, &answer];
        self.history(&mut pages, page, &sections, view)?;
        Ok(pages)
    }

    /// Renders the list of scenarios.
    pub(crate) fn scenarios(&self, histories: &Histories<'_>) -> Result<Pages> {
        let heads = [
            Head::text("best"),
            Head::from("figure"),
            Head::from("newest report"),
        ];
        let table = Grid {
            class: "history",
            name: "All scenarios that were measured".to_owned(),
            corner: "scenario",
            head: heads.to_vec(),
            rows: histories.groups.iter().map(row).collect(),
            note: Some("– stands where each library chooses its key exchange, or too few were measured to test a difference.".to_owned()),
            ..Grid::default()
        };
        let mut pages = Pages::new();
        let about = "Every scenario that was measured: which library is fastest, and its history.";
        self.list(&mut pages, ["scenarios", "Scenarios", about], &table)?;
        Ok(pages)
    }
}

/// Returns the newest report that has scenarios, and its rows, the one that speaks for all first.
fn newest<'a>(group: &ScenarioGroup<'a>) -> (&'a Report, Vec<&'a Row>) {
    let machine = &group.machines[0];
    let report = machine.newest();
    let points = machine.series.iter().map(HistorySeries::newest);
    let own = points.filter(|point| point.report.name == report.name);
    let mut rows: Vec<&Row> = own.map(|point| point.row).collect();
    rows.sort_by(|a, b| a.place().cmp(&b.place()));
    rows.dedup_by_key(|row| row.index);
    let kinds = one_of_each_kind(rows.iter().copied(), |row| row);
    let main = kinds
        .into_iter()
        .min_by_key(|row| (row.unit.kind().is_count(), row.unit != Unit::SIZE));
    rows.sort_by_key(|row| main.is_none_or(|main| main.index != row.index));
    (report, rows)
}

/// Returns the table of all builds, the best first, with the change from the best if that is tested.
fn table(report: &Report, rows: &[&Row], group: &ScenarioGroup<'_>) -> Grid {
    let main = rows[0];
    let shared = titles::parts(&group.scenario);
    // The parameters of a row that its page does not share, or its unit.
    let heading = |row: &Row| {
        let mut own = titles::parts(&row.scenario);
        own.retain(|part| !shared.contains(part));
        let symbol = row.scale.symbol.clone();
        let head = match own.is_empty() {
            true => Head::from(&*symbol),
            false => Head::from(&*own.join(", ")).with_detail(symbol),
        };
        head.of_scenario(row.scenario.label())
    };
    let columns = rows.iter().copied().take(MAX_COLUMNS);
    let table = Table::of_rows(report, columns.collect());
    let mut builds = builds_of(rows.iter().copied());
    let what = match report.is_of_branch() {
        true => {
            let version = |build: &usize| &report.build(*build).version;
            builds.sort_by(|a, b| version(b).cmp(version(a)));
            "All commits, the newest first"
        }
        false => {
            let best_first = main.best_first();
            builds.sort_by_key(|build| {
                let place = best_first.iter().position(|one| one == build);
                place.unwrap_or(best_first.len())
            });
            "All builds in the order of their figures"
        }
    };
    let mut shown = builds_by_rows(&table, &builds, heading);
    for (build, shown) in builds.iter().zip(&mut shown.rows) {
        shown.link = Some(Link::Library(report.library(*build).to_owned()));
    }
    let mut notes = vec![Some(words::legend(report, rows))];
    if let Some(order) = report.order(main) {
        let best = order.first[0];
        for (build, shown) in builds.iter().zip(&mut shown.rows) {
            let known = report.verdict(main, [best, *build]);
            let known = known.filter(|_| *build != best);
            shown.cells.insert(1, GridCell::verdict(known.as_ref()));
        }
        let head = Head::from(&*format!("against {}", report.full_name(best)));
        shown.head.insert(1, head);
        notes.push(Some("★ marks the best newest measured release, and those from which no difference is shown.".to_owned()));
    }
    notes.push(shown.note.take());
    let (name, caption) = caption(&table.with(|row| row.index == main.index), what);
    Grid {
        class: "history",
        name,
        caption,
        note: words::sentences(notes),
        ..shown
    }
}

/// Returns the row of a scenario with the best library.
fn row(group: &ScenarioGroup<'_>) -> GridRow {
    let (report, rows) = newest(group);
    let main = rows[0];
    let [best, figure] = match report.order(main) {
        None => [GridCell::missing(), GridCell::missing()],
        Some(found) => {
            let percentile = main.scenario.percentile.map(|p| p.word().to_owned());
            let best = GridCell::text(named(report, &found.first));
            let figure = GridCell::figure(main.cell(found.first[0]));
            [
                best.with_detail(percentile),
                figure.with_detail(main.scale.symbol.clone()),
            ]
        }
    };
    let cells = vec![best, figure, GridCell::from(report.day_or_name())];
    GridRow {
        of: group.scenario.label(),
        link: Some(Link::Address(format!("{}/", group.address))),
        ..GridRow::new(titles::title(&group.scenario), cells)
    }
}
