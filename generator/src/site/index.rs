//! The list of all reports, with the changes of the newest.

use super::changes;
use super::front_matter::{FrontMatter, PageLink};
use super::headline::finding;
use super::renderer::{Pages, Renderer, entry};
use crate::report::Report;
use anyhow::Result;
use serde_json::json;

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
pub(super) fn newest_steady<'a>(newest_first: &[&'a Report]) -> Option<&'a Report> {
    let newest = newest_first.first()?;
    let is_close = |report: &Report| {
        let days = newest.day.zip(report.day).map(|(new, old)| new - old);
        days.is_some_and(|days| days.get_days() <= MAX_AGE)
    };
    let mut all = newest_first.iter();
    let steady = all.find(|report| !report.data.is_unsteady() && is_close(report));
    Some(steady.unwrap_or(newest))
}

impl Renderer<'_> {
    /// Renders the list of all reports, newest first.
    /// `latest` is the newest pair of reports that can be compared, whose changes are shown too.
    pub(crate) fn index(
        &self,
        reports: &[&Report],
        latest: Option<(&Report, &Report)>,
    ) -> Result<Pages> {
        let mut head = FrontMatter::section("reports", "Reports", "Every report, newest first.");
        head.sort_by = Some("slug");
        head.generate_feeds = Some(true);
        let links = NAVIGATION.into_iter().filter(|(name, _)| self.has(name));
        let links = links.map(|(name, title)| PageLink { name, title });
        head.extra.overviews = links.collect();
        let mut pages = Pages::new();
        let mut listed = Vec::new();
        for report in reports {
            let mut report_entry = entry(report);
            report_entry["finding"] = finding(report).into();
            listed.push(report_entry);
        }
        let mut view = json!({"reports": listed});
        if let Some((report, previous)) = latest {
            view["changed"] = entry(report);
            view["previous"] = entry(previous);
            view["highlights"] = json!(changes(report, previous, |_| true).highlights);
        }
        self.put(&mut pages, head, "index.md.tera", &view)?;
        Ok(pages)
    }
}
