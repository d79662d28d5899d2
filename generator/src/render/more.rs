//! Pages for what other pages have no room for: older reports, one page per year, and tables.

use super::front_matter::{FrontMatter, Neighbour};
use super::site::{Pages, Renderer, entry};
use crate::page::{Span, YearLink};
use crate::report::Report;
use anyhow::Result;
use serde_json::json;

/// The section that holds these pages. No report may have this name.
pub(crate) const MORE: &str = "more";

/// Number of reports for which a page has room, with a line or two each.
pub(super) const ROOM: usize = 400;

/// The years of one list.
pub(super) struct Years<'a> {
    /// Folder of the page with the newest entries.
    folder: &'a str,
    title: &'a str,
    links: Vec<&'a YearLink>,
}

impl<'a> Years<'a> {
    pub(super) fn new(folder: &'a str, title: &'a str, links: Vec<&'a YearLink>) -> Self {
        Self {
            folder,
            title,
            links,
        }
    }
}

/// Returns the folder of a page's file. Folders are flat: a page of Zola has no pages below it.
fn file_name(folder: &str, name: &str) -> String {
    match folder {
        MORE => name.to_owned(),
        folder => format!("{}-{name}", folder.replace('/', "-")),
    }
}

impl Renderer<'_> {
    /// Adds the page of one year.
    pub(super) fn year(
        &self,
        pages: &mut Pages,
        years: &Years<'_>,
        index: usize,
        text: String,
    ) -> Result<()> {
        let (folder, title, YearLink { name, reports }) =
            (years.folder, years.title, years.links[index]);
        let heading = |year: &str| format!("{year}: {title}");
        let description = format!("{title} of {name}, {reports}.");
        let (path, own) = (format!("{folder}/{name}"), heading(name));
        let mut head = FrontMatter::page("year", &path, &own, &description);
        let neighbour = |at: usize| {
            let YearLink { name, .. } = years.links.get(at)?;
            Some(Neighbour::new(&file_name(folder, name), &heading(name)))
        };
        head.extra.next = index.checked_sub(1).and_then(neighbour);
        head.extra.previous = neighbour(index + 1);
        let file = format!("{MORE}/{}/index.md", file_name(folder, name));
        self.put_text(pages, file, head, text)
    }

    /// Adds the page of a table that the page in `folder` has no room for.
    pub(super) fn table(
        &self,
        pages: &mut Pages,
        folder: &str,
        [name, title, description]: [&str; 3],
        text: String,
    ) -> Result<()> {
        let path = format!("{folder}/{name}");
        let head = FrontMatter::page("table", &path, title, description);
        let file = format!("{MORE}/{}/index.md", file_name(folder, name));
        self.put_text(pages, file, head, text)
    }

    /// Renders the pages of the reports that the list, newest first, has no room for, and the section
    /// of these pages; nothing if there are none.
    pub(crate) fn more(&self, reports: &[&Report], has_others: bool) -> Result<Pages> {
        let mut pages = Pages::new();
        let (newest, years) = split(reports);
        let links: Vec<YearLink> = years.iter().map(Span::link).collect();
        if links.is_empty() && !has_others {
            return Ok(pages);
        }
        let head = FrontMatter::section(
            MORE,
            "More",
            "The older reports year by year, and what long pages have no room for.",
        );
        let newest = newest.reports.len();
        let view = json!({"newest": newest, "years": links});
        self.put(&mut pages, head, "more.md.tera", &view)?;
        let of_years = Years::new(MORE, "Performance reports", links.iter().collect());
        for (index, year) in years.iter().enumerate() {
            let reports: Vec<_> = year.reports.iter().map(|r| entry(r)).collect();
            let text = self.template("year.md.tera", &json!({"reports": reports}))?;
            self.year(&mut pages, &of_years, index, text)?;
        }
        Ok(pages)
    }
}

/// Splits reports, which come newest first, into those that a list has room for and the years of the
/// others.
pub(super) fn split<'a>(reports: &[&'a Report]) -> (Span<'a>, Vec<Span<'a>>) {
    let reports: Vec<(&Report, usize)> = reports.iter().map(|report| (*report, 1)).collect();
    Span::split(&reports, [ROOM, ROOM])
}
