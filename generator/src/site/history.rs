//! The pages of scenarios and implementations, with their histories over all reports.

mod implementation;
mod scenario;

use super::front_matter::FrontMatter;
use super::lines::{MAX_LINES, Track, over_time};
use super::renderer::{Pages, Renderer, entry, put_graphs};
use super::{Graph, Table};
use crate::chart::{Ring, Series, Tick};
use crate::report::Report;
use crate::report::history::{HistoryPoint, HistorySeries, MachineHistory, Metric};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The page of a scenario or an implementation.
#[derive(Clone, Debug, Serialize)]
struct HistoryPage {
    /// `rustls`
    title: String,
    /// Folder of its page.
    address: String,
    /// The answer in a sentence or two.
    answer: String,
    /// The report that the answer, the graphs and the tables are from.
    source: Json,
    graphs: Vec<Graph>,
    tables: Vec<Table>,
    /// The machine with the newest report first; without those that have nothing to add.
    machines: Vec<MachinePart>,
}

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
struct MachinePart {
    /// The machine, or the name of a report without machine or day.
    name: String,
    is_machine: bool,
    /// The newest, at most [`MAX_REPORTS`], and the number of all.
    reports: Vec<Json>,
    count: usize,
    change_points: Vec<Json>,
    graphs: Vec<Graph>,
}

/// Reports of a machine that a page links to: more would be a paragraph of dates.
const MAX_REPORTS: usize = 12;

impl MachinePart {
    /// Creates the part with graphs of these metrics, in files that start with `file`; if the page has
    /// `several` scenarios, graphs and change points name theirs.
    fn of<'m>(
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
            let label = several.then_some(&metric.label);
            metric.series.iter().map(move |series| (label, series))
        });
        let found = series.flat_map(|(scenario, series)| {
            series.change_points.iter().map(move |found| {
                json!({
                    "scenario": scenario,
                    "change": found.change.to_string(),
                    "class": found.p.map_or("none", |_| found.change.word().word()),
                    "since": series.points[found.index].implementation.to_string(),
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
    fn history(&self, pages: &mut Pages, kind: &str, page: &HistoryPage) -> Result<()> {
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
    let what = format!("{} over the reports of {}", metric.label, machine.name());
    Some(over_time(
        file,
        metric.label.clone(),
        &what,
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
            .position(|report| std::ptr::eq(*report, p.report));
        let change = series
            .change_points
            .iter()
            .find(|found| found.index == index);
        let version = &p.implementation.version;
        let ring = change.map(|found| Ring {
            name: version.words(),
            tested: found.p.is_some(),
        });
        Some((place? as f64, p.figure, version, ring))
    };
    Track {
        series: Series {
            label: series.name(),
            look: newest.report.data.look_of(&newest.implementation.name),
        },
        points: series.points.iter().enumerate().filter_map(point).collect(),
    }
}
