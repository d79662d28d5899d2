//! The page that compares two published implementations: the choices for its form, and prepared
//! comparisons for readers without JavaScript.

use super::front_matter::FrontMatter;
use super::renderer::{Pages, Renderer, entry};
use crate::report::{Report, newest_pairs};
use crate::site;
use anyhow::Result;
use serde_json::json;

impl Renderer<'_> {
    /// Renders the page and `sides.json`; nothing if there are no two sides. `reports` come
    /// newest first, each with the report that it is compared with.
    pub(crate) fn compare(&self, reports: &[(&Report, Option<&Report>)]) -> Result<Pages> {
        let Some([old, new]) = sides_to_start_with(reports) else {
            return Ok(Pages::new());
        };
        let offered = reports.iter().map(|(report, _)| {
            let implementations = report.data.implementations.iter();
            let names: Vec<String> = implementations.map(ToString::to_string).collect();
            let mut offered = entry(report);
            offered["implementations"] = json!(names);
            offered
        });
        let sides = json!({"old": old, "new": new, "reports": offered.collect::<Vec<_>>()});
        let prepared = reports.iter().filter_map(|(report, previous)| {
            let comparisons = report.manifest.comparisons.iter();
            let titles: Vec<&str> = comparisons.map(|c| c.title.as_str()).collect();
            let is_any = previous.is_some() || !titles.is_empty();
            is_any.then(|| {
                json!({
                    "report": entry(report),
                    "since": previous.map(entry),
                    "titles": titles,
                })
            })
        });
        let view = json!({"prepared": prepared.collect::<Vec<_>>()});
        let head = FrontMatter::section(
            "compare",
            "Compare",
            "Two releases or implementations side by side, with a test of every difference.",
        );
        let sides = format!("{sides}\n").into_bytes();
        let mut pages = Pages::from([("compare/sides.json".to_owned(), sides)]);
        self.put(&mut pages, head, "compare.md.tera", &view)?;
        Ok(pages)
    }
}

/// Returns the initial choice, as `REPORT:IMPLEMENTATION`: the newest report's subject against itself
/// in the report before, else against another implementation; `None` if there are no two sides.
pub(crate) fn sides_to_start_with(reports: &[(&Report, Option<&Report>)]) -> Option<[String; 2]> {
    let side = |report: &Report, column: usize| {
        format!("{}:{}", report.name, report.data.implementations[column])
    };
    reports.iter().find_map(|(report, previous)| {
        let subject = site::subject_of(report);
        let all = &report.data.implementations;
        let is_newest = |c: &usize| !report.data.is_older(*c);
        let newest = || (0..all.len()).filter(is_newest);
        let own = newest().find(|c| all[*c].name == subject)?;
        let before = previous.and_then(|p| {
            let mut pairs = newest_pairs(&p.data, &report.data).into_iter();
            let (old, _) = pairs.find(|(_, new)| *new == own)?;
            Some(side(p, old))
        });
        let mut others = newest().chain(0..all.len());
        let other = || Some(side(report, others.find(|c| *c != own)?));
        Some([before.or_else(other)?, side(report, own)])
    })
}
