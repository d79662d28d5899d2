//! The list of all reports by machine.

use crate::base::group::group_by;
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
        let links = NAVIGATION
            .into_iter()
            .filter(|(name, _)| self.overviews.contains(name));
        let links = links.map(|(name, title)| link(name, title));
        head.extra.overviews = links.collect();
        // Without a machine for reports that name none, in the order of their newest reports.
        let machines = group_by(reports.iter().copied(), |report| &report.manifest.machine);
        let listed = |own: Vec<&Report>| own.into_iter().map(listed).collect::<Json>();
        let machines = machines.into_iter().map(|(name, own)| (name, listed(own)));
        let mut pages = Pages::new();
        let view = json!({"machines": Vec::from_iter(machines)});
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
