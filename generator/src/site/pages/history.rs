//! The pages of scenarios and implementations, with their histories over all reports.

use crate::chart::{Ring, Series, Tick};
use crate::report::history::{ChangePoint, HistoryPoint, HistorySeries, MachineHistory, Metric};
use crate::report::{Report, titles, words};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::Graph;
use crate::site::graphs::lines::{MAX_LINES, Track, over_time};
use crate::site::renderer::{Pages, Renderer, entry, put_graphs};
use crate::site::tables::html::HtmlTable;
use anyhow::Result;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
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
    pub(super) graphs: Vec<Graph>,
    pub(super) tables: Vec<HtmlTable>,
    /// The machine with the newest report first; without those that have nothing to add.
    pub(super) machines: Vec<MachinePart>,
}

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MachinePart {
    /// The machine, or the name of a report without machine or day.
    pub(super) name: String,
    pub(super) is_machine: bool,
    /// The newest, at most [`MAX_REPORTS`], and the number of all.
    pub(super) reports: Vec<Json>,
    pub(super) count: usize,
    pub(super) change_points: Vec<Json>,
    pub(super) graphs: Vec<Graph>,
}

/// Reports of a machine that a page links to: more would be a paragraph of dates.
const MAX_REPORTS: usize = 12;

impl MachinePart {
    /// Creates the part with graphs of these metrics, in files that start with `file`; if the page has
    /// `several` scenarios, graphs and change points name theirs.
    pub(super) fn of<'m>(
        machine: &MachineHistory<'_>,
        several: bool,
        file: &str,
        metrics: impl Iterator<Item = &'m Metric<'m>>,
    ) -> Self {
        let graphs = metrics.zip(1..).filter_map(|(metric, place)| {
            let graph = graph(machine, metric, &format!("{file}-{place}"))?;
            Some(if several { graph } else { graph.untitled() })
        });
        let series = machine.metrics.iter().flat_map(|metric| {
            let label = several.then(|| titles::title(metric.scenario));
            metric
                .series
                .iter()
                .map(move |series| (label.clone(), series))
        });
        let found = series.flat_map(|(scenario, series)| {
            series.change_points.iter().map(move |found| {
                json!({
                    "scenario": scenario.clone(),
                    "change": found.change.to_string(),
                    "class": change_point_class(found),
                    "since": since(&series.points[found.index]),
                    "evidence": found.evidence(),
                })
            })
        });
        let newest = machine.reports.iter().rev().take(MAX_REPORTS);
        Self {
            change_points: found.collect(),
            name: machine.name().to_owned(),
            is_machine: machine.is_machine(),
            reports: newest.map(|report| entry(report)).collect(),
            count: machine.reports.len(),
            graphs: graphs.collect(),
        }
    }
}

impl Renderer<'_> {
    /// Adds the page of a history, with its graphs.
    pub(super) fn history(&self, pages: &mut Pages, kind: &str, page: &HistoryPage) -> Result<()> {
        let folder = format!("{kind}s/{}", page.address);
        let mut head = FrontMatter::page(kind, &folder, &page.title, &page.answer);
        let of_machines = page.machines.iter().flat_map(|machine| &machine.graphs);
        let graphs = page.graphs.iter().chain(of_machines);
        put_graphs(pages, &mut head, &format!("{folder}/"), graphs);
        self.put(pages, head, "history.md.tera", page)
    }
}

/// Draws the series of a metric with more than one point, the longest if there are many, with the
/// reports one unit apart; `None` if there is none.
fn graph(machine: &MachineHistory<'_>, metric: &Metric<'_>, file: &str) -> Option<Graph> {
    let mut drawn: Vec<_> = metric.series.iter().enumerate().collect();
    drawn.retain(|(_, series)| series.points.len() > 1);
    drawn.sort_by_key(|(_, series)| Reverse(series.points.len()));
    drawn.truncate(MAX_LINES);
    drawn.sort_by_key(|(index, _)| *index);
    drawn.first()?;
    let points = drawn.iter().flat_map(|(_, series)| &series.points);
    let reports: BTreeMap<_, _> = points.map(|p| (p.report.when(), p.report)).collect();
    let reports: Vec<&Report> = reports.into_values().collect();
    let ticks = reports.iter().enumerate();
    let ticks = ticks.map(|(place, report)| Tick::new(place as f64, report.day_or_name()));
    let tracks = drawn.into_iter().map(|(_, series)| track(series, &reports));
    let title = titles::title(metric.scenario);
    let what = format!("{title} over the reports of {}", machine.name());
    Some(over_time(
        file,
        title,
        (&what, String::new()),
        metric.unit,
        ticks.collect(),
        tracks.collect(),
    ))
}

/// Returns the line of a series over its reports, with a ring at each change point.
fn track<'a>(series: &HistorySeries<'a>, reports: &[&Report]) -> Track<'a> {
    let newest = series.newest();
    let point = |(index, p): (usize, &HistoryPoint<'a>)| {
        let place = reports
            .iter()
            .position(|report| report.name == p.report.name);
        let change = series
            .change_points
            .iter()
            .find(|found| found.index == index);
        let version = &p.implementation().version;
        let ring = change.map(|found| Ring {
            name: version.words(),
            more: String::new(),
            tested: found.p.is_some(),
        });
        Some((place? as f64, p.figure, version, ring))
    };
    Track {
        series: Series {
            label: series.name(),
            look: newest.report.data.look_of(&newest.implementation().name),
        },
        points: series.points.iter().enumerate().filter_map(point).collect(),
    }
}

/// The name of the build since which a history has a new level.
fn since(point: &HistoryPoint<'_>) -> String {
    point.report.data.name(point.column).full()
}

/// The class of a change point, for its colour: only a tested one is good or bad.
fn change_point_class(found: &ChangePoint) -> &'static str {
    found
        .p
        .map_or("even", |_| words::change_class(&found.change))
}
