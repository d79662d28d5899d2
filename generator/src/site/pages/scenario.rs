//! The pages of scenarios with all of their figures, and the list of them.

use super::history::{HistoryPage, MachinePart};
use crate::base::words::join;
use crate::model::scenario::{Percentile, Workload};
use crate::model::unit::Unit;
use crate::report::history::{Histories, HistorySeries, MachineHistory, ScenarioGroup};
use crate::report::{Report, Row, Table, titles};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::Graph;
use crate::site::graphs::releases::graph as release_graph;
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::tables::changes::change_cell;
use crate::site::tables::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::site::tables::results::{builds_by_rows, caption, results};
use crate::site::words::phrases::{legend, sentences};
use crate::site::words::ranking::{leaders, ranking};
use anyhow::Result;
use serde_json::json;

impl Renderer<'_> {
    /// Renders the page of a scenario, with its graphs.
    pub(crate) fn scenario(&self, group: &ScenarioGroup<'_>, all: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        self.history(&mut pages, "scenario", &page(group, all))?;
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
        let view = json!({"kind": "scenarios", "tables": lists(histories)});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        Ok(pages)
    }
}

fn page(group: &ScenarioGroup<'_>, all: &Histories<'_>) -> HistoryPage {
    let newest = NewestReport::of(group);
    let report = newest.report;
    let series = all.releases_in(report);
    let graphs = newest
        .main()
        .and_then(|row| release_graph(series, row, |_| true));
    let several = group.machines.iter().any(|m| m.metrics.len() > 1);
    let machines = group.machines.iter().zip(1..);
    // The newest report, which is above, may be the only one of its machine.
    let machines = machines.filter(|(machine, number)| *number > 1 || machine.reports.len() > 1);
    let machines = machines.map(|(machine, number)| {
        let file = format!("history-{number}");
        MachinePart::of(machine, several, &file, machine.metrics.iter())
    });
    HistoryPage {
        title: titles::title(&group.scenario),
        label: group.label.clone(),
        of: newest
            .main()
            .map(|row| row.scenario.label())
            .unwrap_or_default(),
        address: group.address.clone(),
        answer: newest.answer(),
        source: entry(report),
        graphs: graphs.map(Graph::untitled).into_iter().collect(),
        tables: newest.tables(all),
        machines: machines.collect(),
    }
}

/// A group of scenarios in the newest report that has it.
struct NewestReport<'a> {
    group: &'a ScenarioGroup<'a>,
    report: &'a Report,
    /// The main row first: the only rate, time or amount of memory, or the median, or that of one
    /// thread, of the fewest threads or of the most sessions.
    rows: Vec<&'a Row>,
}

/// Columns of figures that fit in print.
const MAX_COLUMNS: usize = 12;

impl<'a> NewestReport<'a> {
    fn of(group: &'a ScenarioGroup<'a>) -> Self {
        let machine: &MachineHistory<'_> = &group.machines[0];
        let report = machine.newest();
        let series = machine.metrics.iter().flat_map(|metric| &metric.series);
        let points = series.map(HistorySeries::newest);
        let own = points.filter(|point| point.report.name == report.name);
        let mut rows: Vec<&Row> = own.map(|point| point.row).collect();
        rows.sort_by(|a, b| a.place().cmp(&b.place()));
        rows.dedup_by_key(|row| row.index);
        let is_median = |row: &&Row| row.scenario.percentile == Some(Percentile::P50);
        let is_figure = |row: &&Row| !row.unit.kind().is_count();
        let is_plain = |row: &&Row| is_figure(row) && row.scenario.threads.is_none();
        let median = rows.iter().position(is_median);
        let size = rows.iter().position(|row| row.unit == Unit::SIZE);
        let plain = || rows.iter().rposition(is_plain);
        let fewest_threads = || rows.iter().position(is_figure);
        let main = median.or(size).or_else(plain).or_else(fewest_threads);
        if let Some(main) = main {
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

    /// Returns the rows in the order of the report.
    fn in_order(&self) -> Table<'a> {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| a.place().cmp(&b.place()));
        Table::of_rows(self.report, rows)
    }

    /// Whether the page has several scenarios in the unit of the main one.
    fn has_several(&self) -> bool {
        let main = self.main().map(|row| &row.unit);
        self.rows
            .iter()
            .filter(|row| Some(&row.unit) == main)
            .count()
            > 1
    }

    /// Returns the ranking of the main row, which is named if there are others like it.
    fn answer(&self) -> String {
        let Some(row) = self.main() else {
            return String::new();
        };
        let ranking = ranking(self.report, row);
        match self.has_several() {
            true => format!("{}: {ranking}", titles::title(&row.scenario)),
            false => ranking,
        }
    }

    /// Returns the parameters of a row that its page does not share, or its unit.
    fn heading(&self, row: &Row, symbol: String) -> Head {
        let shared = titles::parts(&self.group.scenario);
        let mut own = titles::parts(&row.scenario);
        own.retain(|part| !shared.contains(part));
        let head = match own.is_empty() {
            true => Head::from(&*symbol),
            false => Head::from(&*own.join(", ")).with_detail(symbol),
        };
        head.of_scenario(row.scenario.label())
    }

    /// Returns a row for each build, or for each variant of the scenario if those would not fit as
    /// columns.
    fn tables(&self, all: &Histories<'_>) -> Vec<HtmlTable> {
        match self.main() {
            Some(main) if self.rows.len() <= MAX_COLUMNS => return vec![self.table(main, all)],
            _ => {}
        }
        let mut tables = Vec::new();
        for (_, own) in self.in_order().by(|row| row.unit.clone()) {
            tables.extend(results(&own, &titles::title(&self.group.scenario)));
        }
        tables
    }

    /// Returns the table of all builds, the best first, with the change from the best if that is
    /// tested.
    fn table(&self, main: &Row, all: &Histories<'_>) -> HtmlTable {
        let report = self.report;
        let table = Table::of_rows(report, self.rows.clone());
        let has_figure = |build: &usize| self.rows.iter().any(|row| row.estimate(*build).is_some());
        let mut builds: Vec<usize> = (0..main.cells.len()).filter(has_figure).collect();
        let figure = |build: usize| main.estimate(build).unwrap_or(f64::NAN);
        builds.sort_by(|a, b| main.unit.better().best_first(figure(*a), figure(*b)));
        builds.sort_by_key(|build| figure(*build).is_nan());
        let version = |build: &usize| &report.data.implementations[*build].version;
        let is_branch = builds.iter().any(|build| version(build).is_on_branch());
        if is_branch {
            builds.sort_by(|a, b| version(b).cmp(version(a)));
        }
        let mut shown = builds_by_rows(&table, &builds, |row, scale| {
            self.heading(row, scale.symbol)
        });
        let has_star = shown
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .any(|cell| cell.is_best);
        let leaders = report
            .leaders(main)
            .filter(|found| !found.behind.is_empty());
        let best = leaders.map(|found| found.first[0]);
        for (build, shown) in builds.iter().zip(&mut shown.rows) {
            let library = &*report.data.implementations[*build].name;
            let address = all.implementations.get(library);
            shown.href = address.map(|address| format!("../../implementations/{address}/"));
            if let Some(best) = best {
                let known = report.verdict(main, [best, *build]);
                let cell = known
                    .filter(|_| *build != best)
                    .map(|known| change_cell(&known, None));
                shown
                    .cells
                    .insert(1, cell.unwrap_or_else(HtmlCell::missing));
            }
        }
        if let Some(best) = best {
            let head = Head::from(&*format!("against {}", table.name(best)));
            shown.head.insert(1, head);
        }
        let star = has_star.then(|| {
            "★ marks the best newest release, and those from which no difference is shown."
                .to_owned()
        });
        let of_main = table.with(|row| row.index == main.index);
        let what = match is_branch {
            true => "All commits, the newest first",
            false => "All builds in the order of their figures",
        };
        let (name, more) = caption(&of_main, what, &main.scale());
        HtmlTable {
            class: "history",
            about: Some("../../method/#figures"),
            name,
            caption: more,
            note: sentences([Some(legend(&table)), star, shown.note]),
            ..shown
        }
    }
}

/// Returns a table of scenarios for each workload.
fn lists(histories: &Histories<'_>) -> Vec<HtmlTable> {
    let kind = |g: &ScenarioGroup<'_>| std::mem::discriminant(&g.scenario.workload);
    let mut tables = Vec::new();
    for groups in histories.groups.chunk_by(|a, b| kind(a) == kind(b)) {
        let (caption, best) = match &groups[0].scenario.workload {
            Workload::Other(_) => ("other benchmarks", "best"),
            Workload::Memory => (Workload::Memory.word(), "least"),
            known => (known.word(), "fastest"),
        };
        tables.push(HtmlTable {
            class: "history",
            about: Some("../method/#history"),
            name: caption.to_owned(),
            corner: "scenario",
            head: Head::of([best, "figure", "newest report"]),
            rows: groups.iter().map(row).collect(),
            ..HtmlTable::default()
        });
    }
    tables
}

fn row(group: &ScenarioGroup<'_>) -> HtmlRow {
    let newest = NewestReport::of(group);
    let mut best = HtmlCell {
        class: Some("words"),
        ..HtmlCell::missing()
    };
    let mut figure = HtmlCell::missing();
    if let Some(row) = newest.main()
        && let Some(found) = newest.report.leaders(row)
        && let Some(names) = leaders(newest.report, row)
        && let Some(cell) = row.cell(found.first[0])
    {
        let percentile = row.scenario.percentile.map(|p| p.word().to_owned());
        let scale = row.scale();
        best = HtmlCell::words(join(&names)).with_detail(percentile);
        figure = HtmlCell::figure(cell, &scale).with_detail(scale.symbol);
    }
    let cells = vec![best, figure, HtmlCell::text(newest.report.day_or_name())];
    let mut parts = titles::parts(&group.scenario);
    // The heading of the table says the work, if it is one.
    if !matches!(
        group.scenario.workload,
        Workload::Other(_) | Workload::Transfer
    ) && parts.len() > 1
    {
        parts.remove(0);
    }
    HtmlRow::linked(format!("{}/", group.address), parts.join(", "), cells)
        .of_scenario(group.label.clone())
}
