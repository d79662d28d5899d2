//! The list of all reports by machine.

use crate::report::Report;
use crate::site::front_matter::{FrontMatter, link};
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::words::finding::finding;
use anyhow::Result;
use serde_json::{Value as Json, json};

/// The most important overviews, for navigation.
const NAVIGATION: [(&str, &str); 4] = [
    ("compare", "Compare"),
    ("implementations", "Libraries"),
    ("scenarios", "Scenarios"),
    ("method", "Method"),
];

impl Renderer<'_> {
    /// Renders the list of all reports, newest first.
    pub(crate) fn index(&self, reports: &[&Report]) -> Result<Pages> {
        let mut head = FrontMatter::section(
            "reports",
            "Reports",
            "Every report with its finding, by machine.",
        );
        head.sort_by = Some("slug");
        head.generate_feeds = Some(true);
        let links = NAVIGATION.into_iter().filter(|(name, _)| self.has(name));
        let links = links.map(|(name, title)| link(name, title));
        head.extra.overviews = links.collect();
        let mut pages = Pages::new();
        let view = json!({"machines": by_machine(reports)});
        self.put(&mut pages, head, "index.md.tera", &view)?;
        Ok(pages)
    }
}

/// Returns a report's entry with its finding.
pub(in crate::site) fn listed(report: &Report) -> Json {
    let mut listed = entry(report);
    listed["finding"] = finding(report).into();
    listed
}

/// Returns the machines, `null` for reports that name none, in the order of their newest reports.
fn by_machine(newest_first: &[&Report]) -> Vec<(Option<String>, Vec<Json>)> {
    let mut machines: Vec<(Option<String>, Vec<Json>)> = Vec::new();
    for report in newest_first {
        let name = &report.manifest.machine;
        match machines.iter_mut().find(|(known, _)| known == name) {
            Some((_, reports)) => reports.push(listed(report)),
            None => machines.push((name.clone(), vec![listed(report)])),
        }
    }
    machines
}
