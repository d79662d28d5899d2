//! The list of all reports by machine, below the gauges of the newest.

use super::front_matter::{Front, FrontMatter, GraphLink, PageLink};
use super::gauge::gauges;
use super::headline::{finding, subject};
use super::releases::releases;
use super::renderer::{Pages, Renderer, entry, put_graphs};
use crate::base::escape::plain;
use crate::report::Report;
use crate::report::history::Histories;
use anyhow::Result;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// The most important overviews, for navigation.
const NAVIGATION: [(&str, &str); 4] = [
    ("compare", "Compare"),
    ("implementations", "Libraries"),
    ("scenarios", "Scenarios"),
    ("method", "Method"),
];

/// A steady report that is older than an unsteady one by so many days is shown in its place.
const MAX_AGE: i32 = 366;

/// Returns the newest of these reports, or the newest steady one if that is about as new.
fn newest_steady<T>(mut newest_first: Vec<(&Report, T)>) -> Option<(&Report, T)> {
    let newest = newest_first.first()?.0.day;
    let is_close = |report: &Report| {
        let days = newest.zip(report.day).map(|(new, old)| new - old);
        days.is_some_and(|days| days.get_days() <= MAX_AGE)
    };
    let steady = newest_first
        .iter()
        .position(|(report, _)| !report.data.is_unsteady() && is_close(report));
    Some(newest_first.swap_remove(steady.unwrap_or(0)))
}

impl Renderer<'_> {
    /// Renders the list of all reports, newest first, with the gauges of the newest that has any.
    pub(crate) fn index(&self, reports: &[&Report], histories: &Histories<'_>) -> Result<Pages> {
        let mut head = FrontMatter::section(
            "reports",
            "Reports",
            "Every report with its finding, by machine.",
        );
        head.sort_by = Some("slug");
        head.generate_feeds = Some(true);
        let links = NAVIGATION.into_iter().filter(|(name, _)| self.has(name));
        let links = links.map(|(name, title)| PageLink { name, title });
        head.extra.overviews = links.collect();
        let mut pages = Pages::new();
        let mut view = json!({"machines": by_machine(reports)});
        let with_gauges = reports.iter().map(|report| (*report, gauges(report)));
        let with_gauges = with_gauges.filter(|(_, all)| !all.is_empty());
        if let Some((report, gauges)) = newest_steady(with_gauges.collect()) {
            view["newest"] = entry(report);
            view["subject"] = subject(report).into();
            view["gauges"] = json!(gauges);
            put_graphs(&mut pages, "", gauges.iter().map(|gauge| &gauge.graph));
            let links = gauges
                .iter()
                .map(|g| GraphLink::new(&g.title, &g.detail, "", &g.graph));
            let across = releases(histories.releases_in(report), |_| true);
            let trend = across.graphs.first().map(|graph| {
                let title = graph.title.as_deref().unwrap_or_default();
                GraphLink::new(title, &across.intro, &format!("{}/", report.name), graph)
            });
            head.extra.front = Some(Front {
                report: report.name.clone(),
                finding: plain(&finding(report)).into_owned(),
                gauges: links.collect(),
                trend,
            });
        }
        self.put(&mut pages, head, "index.md.tera", &view)?;
        Ok(pages)
    }
}

/// A machine with the entries of its reports.
#[derive(Serialize)]
struct MachineList {
    /// `None` for reports that name none.
    name: Option<String>,
    reports: Vec<Json>,
}

/// Returns the machines in the order of their newest reports.
fn by_machine(newest_first: &[&Report]) -> Vec<MachineList> {
    let mut machines: Vec<MachineList> = Vec::new();
    for report in newest_first {
        let mut listed = entry(report);
        listed["finding"] = finding(report).into();
        let name = &report.manifest.machine;
        match machines.iter_mut().find(|machine| machine.name == *name) {
            Some(machine) => machine.reports.push(listed),
            None => machines.push(MachineList {
                name: name.clone(),
                reports: vec![listed],
            }),
        }
    }
    machines
}
