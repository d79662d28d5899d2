//! Links of notes to pages of the site: if one leads nowhere, Zola builds no page at all.

use crate::base::failure::{self, Diagnostic, Result};
use crate::files::Site;
use crate::parse::{MAX_PROBLEMS, cite};
use crate::report::Report;
use crate::site::notes;
use std::collections::BTreeMap;

/// Fails if notes link to a page that is neither among the `pages` to be written nor in the site,
/// or to a place that their page lacks. `section` is the folder of the reports.
pub(super) fn check(
    site: &Site,
    section: &str,
    reports: &[Report],
    pages: &BTreeMap<String, Vec<u8>>,
) -> Result<()> {
    let mut problems = Vec::new();
    for report in reports {
        let Some(text) = &report.notes else { continue };
        let path = report.folder.join("notes.md");
        for (line, address) in notes::links_within(text) {
            let (page, place) = address.split_once('#').unwrap_or((&address, ""));
            let file = match page.strip_prefix("@/") {
                Some(below) => format!("content/{below}"),
                None => format!("{section}/{}/index.md", report.name),
            };
            let leads = match pages.get(&file) {
                Some(page) => has_place(page, place),
                None => place.is_empty() && file.ends_with(".md") && site.is_foreign(&file)?,
            };
            if !leads && problems.len() < MAX_PROBLEMS {
                let message = cite("this leads to no page or place of the site:", &address);
                problems.push(Diagnostic::at(&path, line, message));
            }
        }
    }
    failure::if_any(problems)
}

/// Whether a generated page has this id; all pages have their start.
fn has_place(page: &[u8], place: &str) -> bool {
    let is_id = place
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let has = |written: String| memchr::memmem::find(page, written.as_bytes()).is_some();
    place.is_empty()
        || is_id && (has(format!(" id=\"{place}\"")) || has(format!(" {{#{place}}}\n")))
}
