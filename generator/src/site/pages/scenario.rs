//! The pages of scenarios with all of their figures, and the list of them.

use super::history::{HistoryPage, over_reports};
use super::topics::by_unit;
use crate::model::scenario::Workload;
use crate::model::unit::Unit;
use crate::report::history::{Histories, HistorySeries, MachineHistory, ScenarioGroup};
use crate::report::{
    Grid, GridCell, GridRow, Head, Link, Report, Row, Table, one_of_each_kind, titles, words,
};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::Graph;
use crate::site::graphs::releases::graph as release_graph;
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::section::Section;
use crate::site::tables::results::{builds_by_rows, caption, results};
use crate::site::words::finding::named;
use crate::site::words::ranking::ranking;
use anyhow::Result;
use serde_json::json;

impl Renderer<'_> {
    /// Renders the page of a scenario, with its graphs.
    pub(crate) fn scenario(&self, group: &ScenarioGroup<'_>) -> Result<Pages> {
        let newest = NewestReport::of(group);
        let report = newest.report;
        let main = newest.main();
        let graphs = main.and_then(|row| release_graph(&report.series(), row));
        let first = Section {
            graphs: graphs.map(Graph::untitled).into_iter().collect(),
            tables: self.links("../../").tables(&newest.tables()),
            ..Section::default()
        };
        let several = group.machines.iter().any(|m| m.metrics().count() > 1);
        let over = group
            .machines
            .iter()
            .zip(1..)
            .filter_map(|(machine, number)| {
                over_reports(
                    machine,
                    machine.metrics(),
                    several,
                    &format!("history-{number}"),
                )
            });
        let page = HistoryPage {
            title: titles::title(&group.scenario),
            label: group.scenario.label(),
            of: main.map_or_else(String::new, |row| row.scenario.label()),
            address: group.address.clone(),
            answer: newest.answer(),
            source: entry(report),
            sections: [first].into_iter().chain(over).collect(),
        };
        let mut pages = Pages::new();
        self.history(&mut pages, "scenario", &page)?;
        Ok(pages)
    }

    /// Renders the list of scenarios, with one table per workload.
    pub(crate) fn scenarios(&self, histories: &Histories<'_>) -> Result<Pages> {
        let head = FrontMatter::section(
            "scenarios",
            "Scenarios",
            "Every scenario that was measured: which library is fastest, and its history.",
        );
        let mut pages = Pages::new();
        let tables = self.links("../").tables(&lists(histories));
        let view = json!({"kind": "scenarios", "tables": tables});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        Ok(pages)
    }
}

/// A group of scenarios in the newest report that has it.
struct NewestReport<'a> {
    group: &'a ScenarioGroup<'a>,
    report: &'a Report,
    /// The row that speaks for all first.
    rows: Vec<&'a Row>,
}

/// Columns of figures that fit in print.
const MAX_COLUMNS: usize = 12;

/// Names in a list.
const MAX_NAMED: usize = 3;

impl<'a> NewestReport<'a> {
    fn of(group: &'a ScenarioGroup<'a>) -> Self {
        let machine: &MachineHistory<'_> = &group.machines[0];
        let report = machine.newest();
        let points = machine.series.iter().map(HistorySeries::newest);
        let own = points.filter(|point| point.report.name == report.name);
        let mut rows: Vec<&Row> = own.map(|point| point.row).collect();
        rows.sort_by(|a, b| a.place().cmp(&b.place()));
        rows.dedup_by_key(|row| row.index);
        let mut main = one_of_each_kind(rows.iter().copied(), |row| row);
        main.sort_by_key(|row| (row.unit.kind().is_count(), row.unit != Unit::SIZE));
        let is_main = |row: &&Row| main.first().is_some_and(|main| main.index == row.index);
        if let Some(main) = rows.iter().position(is_main) {
            rows[..=main].rotate_right(1);
        }
        Self {
            group,
            report,
            rows,
        }
    }

    fn main(&self) -> Option<&'a Row> {
        self.rows.first().copied()
    }

    /// Returns the ranking of the main row, which is named if there are others like it.
    fn answer(&self) -> String {
        let Some(main) = self.main() else {
            return String::new();
        };
        let ranking = ranking(self.report, main);
        let alike = self.rows.iter().filter(|row| row.unit == main.unit);
        match alike.count() > 1 {
            true => format!("{}: {ranking}", titles::title(&main.scenario)),
            false => ranking,
        }
    }

    /// Returns the parameters of a row that its page does not share, or its unit.
    fn heading(&self, row: &Row) -> Head {
        let shared = titles::parts(&self.group.scenario);
        let mut own = titles::parts(&row.scenario);
        own.retain(|part| !shared.contains(part));
        let symbol = row.scale.symbol.clone();
        let head = match own.is_empty() {
            true => Head::from(&*symbol),
            false => Head::from(&*own.join(", ")).with_detail(symbol),
        };
        head.of_scenario(row.scenario.label())
    }

    /// Returns a row for each build, or for each variant of the scenario if those would not fit as
    /// columns.
    fn tables(&self) -> Vec<Grid> {
        match self.main() {
            Some(main) if self.rows.len() <= MAX_COLUMNS => return vec![self.table(main)],
            _ => {}
        }
        let table = Table::of_rows(self.report, self.rows.clone());
        let title = titles::title(&self.group.scenario);
        let units = by_unit(&table).into_iter();
        units.flat_map(|own| results(&own, &title)).collect()
    }

    /// Returns the table of all builds, the best first, with the change from the best if that is
    /// tested.
    fn table(&self, main: &'a Row) -> Grid {
        let report = self.report;
        let table = Table::of_rows(report, self.rows.clone());
        let has_figure = |build: &usize| self.rows.iter().any(|row| row.figure(*build).is_some());
        let mut builds: Vec<usize> = (0..report.builds.len()).filter(has_figure).collect();
        let figure = |build: usize| main.estimate(build).unwrap_or(f64::NAN);
        builds.sort_by(|a, b| main.unit.better().best_first(figure(*a), figure(*b)));
        builds.sort_by_key(|build| figure(*build).is_nan());
        let is_branch = report.is_of_branch();
        if is_branch {
            let version = |build: &usize| &report.build(*build).version;
            builds.sort_by(|a, b| version(b).cmp(version(a)));
        }
        let mut shown = builds_by_rows(&table, &builds, |row| self.heading(row));
        let order = report.order(main);
        let best = order.map(|found| found.first[0]);
        for (build, shown) in builds.iter().zip(&mut shown.rows) {
            shown.link = Some(Link::Library(report.library(*build).to_owned()));
            if let Some(best) = best {
                let known = report.verdict(main, [best, *build]);
                let cell = known.filter(|_| *build != best);
                let cell = cell.map(|known| GridCell::verdict(&known));
                let cell = cell.unwrap_or_else(GridCell::missing);
                shown.cells.insert(1, cell);
            }
        }
        if let Some(best) = best {
            let head = Head::from(&*format!("against {}", report.full_name(best)));
            shown.head.insert(1, head);
        }
        let star = best.map(|_| {
            "★ marks the best newest measured release, and those from which no difference is shown."
                .to_owned()
        });
        let what = match is_branch {
            true => "All commits, the newest first",
            false => "All builds in the order of their figures",
        };
        let (name, more) = caption(&table.with(|row| row.index == main.index), what);
        Grid {
            class: "history",
            name,
            caption: more,
            note: words::sentences([
                Some(words::legend(report, &self.rows)),
                star,
                shown.note.take(),
            ]),
            ..shown
        }
    }
}

/// Returns a table of scenarios for each workload.
fn lists(histories: &Histories<'_>) -> Vec<Grid> {
    let kind = |g: &ScenarioGroup<'_>| std::mem::discriminant(&g.scenario.workload);
    let mut tables = Vec::new();
    for groups in histories.groups.chunk_by(|a, b| kind(a) == kind(b)) {
        let name = match &groups[0].scenario.workload {
            Workload::Other(_) => "other benchmarks",
            known => known.word(),
        };
        let head = [
            Head::text("best"),
            Head::from("figure"),
            Head::from("newest report"),
        ];
        tables.push(Grid {
            class: "history",
            name: name.to_owned(),
            corner: "scenario",
            head: head.to_vec(),
            rows: groups.iter().map(row).collect(),
            ..Grid::default()
        });
    }
    if let Some(last) = tables.last_mut() {
        last.note = Some(
            "– stands where each library chooses its key exchange, or too few were measured to test a difference."
                .to_owned(),
        );
    }
    tables
}

/// Returns the row of a scenario with the best library.
fn row(group: &ScenarioGroup<'_>) -> GridRow {
    let newest = NewestReport::of(group);
    let report = newest.report;
    let ranked = newest
        .main()
        .and_then(|row| Some((row, report.order(row)?)));
    let [best, figure] = match ranked {
        None => [GridCell::missing(), GridCell::missing()],
        Some((row, found)) => {
            let percentile = row.scenario.percentile.map(|p| p.word().to_owned());
            let best = GridCell::text(named(report, &found.first, MAX_NAMED));
            let figure = GridCell::figure(row.cell(found.first[0]));
            [
                best.with_detail(percentile),
                figure.with_detail(row.scale.symbol.clone()),
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
