//! The pages of scenarios and implementations, with their histories over all reports.

use crate::chart::{Line, Tick};
use crate::report::history::{HistorySeries, MachineHistory};
use crate::report::{Grid, Report, titles};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::{self, Graph, MAX_LINES, over, point};
use crate::site::renderer::{Pages, Renderer, put_graphs};
use crate::site::section::Section;
use anyhow::Result;
use serde_json::{Value as Json, json};

/// Reports of a machine that a page links to: more would be a paragraph of dates.
const MAX_REPORTS: usize = 12;

/// Fewer figures are no line.
const MIN_POINTS: usize = 6;

/// Returns the part of a machine, which has this number on the page: its change points, and a graph of each metric.
/// `None` for a single report.
pub(super) fn over_reports(machine: &MachineHistory<'_>, number: usize) -> Option<Section> {
    let mut section = Section {
        title: format!("Over reports, on {}", machine.name()),
        ..Section::default()
    };
    for series in &machine.series {
        for found in &series.levels {
            let (change, since) = (found.change, &series.points[found.since]);
            section.finding.push(format!(
                "{}: {change} since {} ({}).",
                titles::title(series.scenario()),
                since.report.full_name(since.build),
                series.evidence(found)
            ));
        }
    }
    for (metric, place) in machine.metrics().zip(1..) {
        if metric.iter().any(|one| one.points.len() >= MIN_POINTS) {
            let file = format!("history-{number}-{place}");
            section.graphs.push(graph(machine, metric, &file));
        }
    }
    for report in machine.reports.iter().rev().take(MAX_REPORTS) {
        let address = format!("../../{}/", report.name);
        section.links.push([address, report.day_or_name()]);
    }
    (machine.reports.len() > 1).then_some(section)
}

impl Renderer<'_> {
    /// Adds the list of such pages, with its title and its description, if the site has it.
    pub(super) fn list(
        &self,
        pages: &mut Pages,
        [kind, title, about]: [&str; 3],
        table: &Grid,
    ) -> Result<()> {
        if !self.overviews.contains(&kind) {
            return Ok(());
        }
        let head = FrontMatter::section(kind, title, about);
        let tables = self.links("../").tables([table]);
        let view = json!({"kind": kind, "tables": tables});
        self.put(pages, head, "list.md.tera", &view)
    }

    /// Adds the page of a scenario or an implementation, with its title and its answer, what the newest report says,
    /// and then each machine. The view has the rest.
    pub(super) fn history(
        &self,
        pages: &mut Pages,
        [kind, address, title, answer]: [&str; 4],
        sections: &[Section],
        mut view: Json,
    ) -> Result<()> {
        let folder = format!("{kind}s/{address}");
        let mut head = FrontMatter::page(kind, &folder, title, answer);
        let graphs = sections.iter().flat_map(|section| &section.graphs);
        put_graphs(pages, &mut head, &format!("{folder}/"), graphs);
        view["answer"] = json!(answer);
        view["sections"] = json!(sections);
        self.put(pages, head, "history.md.tera", &view)
    }
}

/// Draws series of a metric, with the reports one unit apart.
fn graph(machine: &MachineHistory<'_>, metric: &[HistorySeries<'_>], file: &str) -> Graph {
    let reports = machine.reports.iter().enumerate();
    let ticks = reports.map(|(place, report)| Tick::new(place as f64, report.day_or_name()));
    let row = metric[0].newest().row;
    let lines = metric.iter().filter(|series| series.points.len() > 1);
    let lines = lines.take(MAX_LINES);
    let lines = lines.map(|series| line(series, &machine.reports, row.scale.factor));
    let title = titles::title(&row.scenario);
    let what = format!("the reports of {}", machine.name());
    over(file, (title, &what), row, ticks.collect(), lines.collect())
}

/// Returns the line of a series over its reports, with a circle at each change point.
fn line(series: &HistorySeries<'_>, reports: &[&Report], factor: f64) -> Line {
    let mut points = Vec::new();
    for (index, p) in series.points.iter().enumerate() {
        let place = reports.iter().position(|one| one.name == p.report.name);
        let name = p.report.full_name(p.build);
        let called = format!("{name}, {}", p.report.day_or_name());
        // Reports may show it in different units.
        let of = |place| point(p.report, p.row, p.build, place as f64, factor, &called);
        let Some(mut point) = place.and_then(of) else {
            continue;
        };
        let mut levels = series.levels.iter();
        point.is_marked = levels.any(|level| level.since == index);
        point.name = p.implementation().version.words();
        points.push(point);
    }
    let newest = series.newest();
    let library = &newest.implementation().name;
    graphs::line(newest.report, library, series.name(), points)
}
