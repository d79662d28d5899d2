//! What Zola refuses, which would build no page of the site then.

use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits;
use crate::base::slug::is_device;
use crate::files::{self, Site};
use crate::parse::{MAX_PROBLEMS, cite};
use crate::report::Report;
use crate::site::notes;
use regex::Regex;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use toml::{Table, Value};

/// Fails if a report has a taxonomy that the site lacks, a day that is none, or a name that no folder
/// can have.
pub(super) fn check(root: &Path, reports: &[Report]) -> Result<()> {
    let taxonomies = declared(root)?;
    // What Zola takes for a day at the start of a name, as in `2026-02-301`.
    let like_day = Regex::new("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
    let like_day = like_day.expect("a constant pattern");
    let mut problems = Vec::new();
    for report in reports {
        let folder = files::folder_name(&report.folder);
        let mut refuse = |what, text: &str| {
            let path = report.folder.join("report.toml");
            problems.push(Diagnostic::at(path, 0, cite(what, text)));
        };
        for name in report.manifest.taxonomies.keys() {
            if !taxonomies.contains(name) {
                refuse(
                    "[taxonomies] needs one that the site's config.toml declares, not",
                    name,
                );
            }
        }
        let is_right = match report.day {
            Some(day) => (1970..3000).contains(&day.year()),
            None => !like_day.is_match(&report.name),
        };
        if !is_right {
            let what = "no such day is between 1970 and 2999; rename the folder, or set `date`:";
            refuse(what, &folder);
        }
        if is_device(&report.name) || is_device(&folder) {
            refuse("no folder on Windows can have this name:", &folder);
        }
    }
    problems.truncate(MAX_PROBLEMS);
    failure::if_any(problems)
}

/// The names of the taxonomies that a site's configuration declares.
fn declared(root: &Path) -> Result<Vec<String>> {
    for file in ["config.toml", "zola.toml"] {
        let path = root.join(file);
        if let Some(bytes) = files::read_limited(&path, limits::TEXT)? {
            let config: Table = toml::from_slice(&bytes)
                .map_err(|e| Failure::at(&path, 0, e.message().replace('\n', "; ")))?;
            let taxonomies = config.get("taxonomies").and_then(Value::as_array);
            let name = |one: &Value| Some(one.get("name")?.as_str()?.to_owned());
            return Ok(taxonomies.into_iter().flatten().filter_map(name).collect());
        }
    }
    Ok(Vec::new())
}

/// Links of notes within the site, and the pages that they lead to.
pub(super) struct Linked {
    /// A file and a place in it, by the line of the notes.
    links: Vec<(Diagnostic, String, String)>,
    pages: Mutex<BTreeMap<String, Vec<u8>>>,
}

/// Returns the links of notes. `section` is the folder of the reports.
pub(super) fn linked(section: &str, reports: &[Report]) -> Linked {
    let mut links = Vec::new();
    for report in reports {
        for (line, address) in notes::links_within(report.notes.as_deref().unwrap_or_default()) {
            let (page, place) = address.split_once('#').unwrap_or((&address, ""));
            let file = match page.strip_prefix("@/") {
                Some(below) => format!("content/{below}"),
                None => format!("{section}/{}/index.md", report.name),
            };
            let message = cite("this leads to no page or place of the site:", &address);
            let problem = Diagnostic::at(report.folder.join("notes.md"), line, message);
            links.push((problem, file, place.to_owned()));
        }
    }
    let pages = Mutex::default();
    Linked { links, pages }
}

impl Linked {
    /// Keeps those of the generated pages to which a link leads.
    pub(super) fn keep(&self, generated: &BTreeMap<String, Vec<u8>>) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, file, _) in &self.links {
            let page = generated.get_key_value(file);
            pages.extend(page.map(|(file, page)| (file.clone(), page.clone())));
        }
    }

    /// Fails if notes link to a page that is neither generated nor in the site, or to a place that
    /// their page lacks.
    pub(super) fn check(self, site: &Site) -> Result<()> {
        let pages = self
            .pages
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut problems = Vec::new();
        for (problem, file, place) in self.links {
            let leads = match pages.get(&file) {
                Some(page) => has_place(page, &place),
                None => place.is_empty() && file.ends_with(".md") && site.is_foreign(&file)?,
            };
            if !leads {
                problems.push(problem);
            }
        }
        problems.truncate(MAX_PROBLEMS);
        failure::if_any(problems)
    }
}

/// Whether a generated page has this id; all pages have their start.
fn has_place(page: &[u8], place: &str) -> bool {
    let is_id = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let has = |written: String| memchr::memmem::find(page, written.as_bytes()).is_some();
    place.is_empty()
        || place.bytes().all(is_id)
            && (has(format!(" id=\"{place}\"")) || has(format!(" {{#{place}}}\n")))
}
