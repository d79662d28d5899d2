//! The pages of scenarios and implementations, with their histories over all reports.

use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Series, Tick, XAxis};
use crate::report::history::{HistorySeries, MachineHistory};
use crate::report::{Report, titles, words};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::{Graph, MAX_LINES, point};
use crate::site::renderer::{Pages, Renderer, entry, put_graphs};
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
    pub(super) tables: Vec<String>,
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
        metrics: impl Iterator<Item = &'m [HistorySeries<'m>]>,
    ) -> Self {
        let graphs = metrics.zip(1..).filter_map(|(metric, place)| {
            let graph = graph(machine, metric, &format!("{file}-{place}"))?;
            Some(if several { graph } else { graph.untitled() })
        });
        let mut change_points = Vec::new();
        for series in &machine.series {
            for found in &series.change_points {
                let (change, since) = (series.change(found), &series.points[found.index]);
                change_points.push(json!({
                    "scenario": several.then(|| titles::title(series.scenario())),
                    "change": change.to_string(),
                    "class": words::class(change.direction()),
                    "since": since.report.full_name(since.build),
                    "evidence": series.evidence(found),
                }));
            }
        }
        let newest = machine.reports.iter().rev().take(MAX_REPORTS);
        Self {
            change_points,
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
fn graph(machine: &MachineHistory<'_>, metric: &[HistorySeries<'_>], file: &str) -> Option<Graph> {
    let mut drawn: Vec<_> = metric.iter().enumerate().collect();
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
    let row = drawn[0].1.newest().row;
    let scale = &row.scale;
    let (mut lines, mut summaries) = (Vec::new(), Vec::new());
    for (_, series) in &drawn {
        let ends = [&series.points[0], series.newest()].map(|p| {
            let figure = scale.show(p.figure.estimate);
            format!("{figure} ({})", p.implementation().version.words())
        });
        summaries.push(format!("{} from {}", series.name(), ends.join(" to ")));
        lines.push(line(series, &reports, scale.factor));
    }
    let title = titles::title(&row.scenario);
    let alt = format!(
        "Line chart: {title} over the reports of {}, in {}. {}.",
        machine.name(),
        scale.symbol,
        join(&summaries)
    );
    let chart = Lines {
        x: XAxis {
            ticks: ticks.collect(),
            ..XAxis::default()
        },
        y: Axis {
            better: row.unit.better(),
            unit: scale.symbol.clone(),
            is_log: false,
        },
        lines,
        of: String::new(),
    };
    let draw = |title: &str, alt: &str| chart.render(title, alt);
    Some(Graph::new(file, title, alt, draw))
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
        let version = p.implementation().version.words();
        let called = format!("{} {version}, {}", series.name(), p.report.day_or_name());
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
        point.name = version;
        points.push(point);
    }
    let newest = series.newest();
    Line {
        series: Series {
            label: series.name(),
            look: newest.report.look_of(&newest.implementation().name),
        },
        points,
    }
}
