//! The pages of scenarios and implementations, with their histories over all reports.

use crate::base::words::count;
use crate::chart::{Line, Series, Tick};
use crate::report::history::{HistorySeries, MachineHistory};
use crate::report::{Report, titles};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::{Graph, MAX_LINES, over, point};
use crate::site::renderer::{Pages, Renderer, put_graphs};
use crate::site::section::Section;
use anyhow::Result;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The page of a scenario or an implementation.
#[derive(Clone, Debug, Serialize)]
pub(super) struct HistoryPage {
    /// `rustls`
    pub(super) title: String,
    /// The label of a scenario, its key in data and commands, and that of the row that the answer is
    /// about; empty on other pages.
    pub(super) label: String,
    pub(super) of: String,
    /// Folder of its page.
    pub(super) address: String,
    /// The answer in a sentence or two.
    pub(super) answer: String,
    /// The report that the answer, the graphs and the tables are from.
    pub(super) source: Json,
    /// What the newest report says, and then each machine.
    pub(super) sections: Vec<Section>,
}

/// Reports of a machine that a page links to: more would be a paragraph of dates.
const MAX_REPORTS: usize = 12;

/// Fewer figures are no line.
const MIN_POINTS: usize = 6;

/// Returns the part of a machine: its change points, and graphs of the metrics in `drawn`, in files that start
/// with `file`. If the page has `several` scenarios, graphs and change points name theirs. `None` if there is
/// nothing to say.
pub(super) fn over_reports<'m>(
    machine: &MachineHistory<'_>,
    drawn: impl Iterator<Item = &'m [HistorySeries<'m>]>,
    several: bool,
    file: &str,
) -> Option<Section> {
    let of = |series: &HistorySeries<'_>| match several {
        true => format!("{}: ", titles::title(series.scenario())),
        false => String::new(),
    };
    let mut section = Section {
        title: format!("Over reports, on {}", machine.name()),
        ..Section::default()
    };
    for series in &machine.series {
        for found in &series.change_points {
            let (change, since) = (series.change(found), &series.points[found.index]);
            section.finding.push(format!(
                "{}{change} since {} ({}).",
                of(series),
                since.report.full_name(since.build),
                series.evidence(found)
            ));
        }
    }
    for (metric, place) in drawn.zip(1..) {
        let lines = metric.iter().filter(|series| series.points.len() > 1);
        let lines: Vec<&HistorySeries<'_>> = lines.take(MAX_LINES).collect();
        let longest = lines.iter().map(|series| series.points.len()).max();
        if longest >= Some(MIN_POINTS) {
            let graph = graph(machine, &lines, &format!("{file}-{place}"));
            let graph = if several { graph } else { graph.untitled() };
            section.graphs.push(graph);
        }
    }
    let all = machine.reports.len();
    for report in machine.reports.iter().rev().take(MAX_REPORTS) {
        let address = format!("../../{}/", report.name);
        section.links.push([address, report.day_or_name()]);
    }
    if let Some(earlier) = all.checked_sub(MAX_REPORTS).filter(|n| *n > 0) {
        let earlier = count(earlier, "earlier report");
        section.links.push(["../../".to_owned(), earlier]);
    }
    (all > 1).then_some(section)
}

impl Renderer<'_> {
    /// Adds the page of a history, with its graphs.
    pub(super) fn history(&self, pages: &mut Pages, kind: &str, page: &HistoryPage) -> Result<()> {
        let folder = format!("{kind}s/{}", page.address);
        let mut head = FrontMatter::page(kind, &folder, &page.title, &page.answer);
        let graphs = page.sections.iter().flat_map(|section| &section.graphs);
        put_graphs(pages, &mut head, &format!("{folder}/"), graphs);
        self.put(pages, head, "history.md.tera", page)
    }
}

/// Draws series of a metric, with the reports one unit apart.
fn graph(machine: &MachineHistory<'_>, drawn: &[&HistorySeries<'_>], file: &str) -> Graph {
    let points = drawn.iter().flat_map(|series| &series.points);
    let reports: BTreeMap<_, _> = points.map(|p| (p.report.when(), p.report)).collect();
    let reports: Vec<&Report> = reports.into_values().collect();
    let ticks = reports.iter().enumerate();
    let ticks = ticks.map(|(place, report)| Tick::new(place as f64, report.day_or_name()));
    let row = drawn[0].newest().row;
    let lines = drawn.iter();
    let lines = lines.map(|series| line(series, &reports, row.scale.factor));
    let title = titles::title(&row.scenario);
    let what = format!("the reports of {}", machine.name());
    over(file, (title, &what), row, ticks.collect(), lines.collect())
}

/// Returns the line of a series over its reports, with a circle at each change point.
fn line(series: &HistorySeries<'_>, reports: &[&Report], factor: f64) -> Line {
    let mut points = Vec::new();
    for (index, p) in series.points.iter().enumerate() {
        let is_own = |report: &&Report| report.name == p.report.name;
        let place = reports
            .iter()
            .position(is_own)
            .expect("all that have points");
        let name = p.report.full_name(p.build);
        let called = format!("{name}, {}", p.report.day_or_name());
        let Some(mut point) = point(p.report, p.row, p.build, place as f64, &called) else {
            continue;
        };
        // Reports may show it in different units.
        let ratio = p.row.scale.factor / factor;
        point.y *= ratio;
        point.interval = point
            .interval
            .map(|(low, high)| (low * ratio, high * ratio));
        let mut changes = series.change_points.iter();
        point.is_marked = changes.any(|found| found.index == index);
        point.name = p.implementation().version.words();
        points.push(point);
    }
    let newest = series.newest();
    Line {
        series: Series {
            label: series.name(),
            look: newest.report.look_of(&newest.implementation().name),
        },
        points,
        is_faint: false,
    }
}
