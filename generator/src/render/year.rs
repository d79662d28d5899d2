//! The pages that the older reports of long lists have, one for each year.

use super::front_matter::FrontMatter;
use super::site::{Pages, Renderer, entry};
use crate::page::{Span, YearLink};
use crate::report::Report;
use anyhow::Result;
use serde_json::json;

/// The section that holds these pages, which no report may be named like.
pub(crate) const YEARS: &str = "years";

/// Reports of which a page has room for a line or two each.
pub(super) const ROOM: usize = 400;

/// The years of one list.
pub(super) struct Years<'a> {
    /// Folder of the page that has the newest.
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

    /// The folder of a year's page in its section.
    fn name(&self, index: usize) -> Option<String> {
        let year = &self.links.get(index)?.name;
        Some(match self.folder {
            YEARS => year.clone(),
            folder => format!("{}-{year}", folder.replace('/', "-")),
        })
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
        let (Some(name), Some(link)) = (years.name(index), years.links.get(index)) else {
            return Ok(());
        };
        let title = format!("{}: {}", link.name, years.title);
        let description = format!("{} of {}, {}.", years.title, link.name, link.reports);
        let path = format!("{}/{}", years.folder, link.name);
        let mut head = FrontMatter::page("year", &path, &title, &description);
        let [next, previous] =
            [index.checked_sub(1), Some(index + 1)].map(|at| at.and_then(|at| years.name(at)));
        head.extra.next = next.as_deref();
        head.extra.previous = previous.as_deref();
        self.put_text(pages, format!("{YEARS}/{name}/index.md"), head, text)
    }

    /// The pages of reports that the list of reports, newest first, has no room for, and the section
    /// of all pages of years; nothing where there are none.
    pub(crate) fn years(&self, reports: &[&Report], has_others: bool) -> Result<Pages> {
        let mut pages = Pages::new();
        let (newest, years) = split(reports);
        let links: Vec<YearLink> = years.iter().map(Span::link).collect();
        if links.is_empty() && !has_others {
            return Ok(pages);
        }
        let head = FrontMatter::section(YEARS, "Years", "The older reports, year by year.");
        let newest = newest.reports.len();
        let view = json!({"newest": newest, "years": links});
        self.put(&mut pages, head, "years.md.tera", &view)?;
        let of_years = Years::new(YEARS, "Performance reports", links.iter().collect());
        for (index, year) in years.iter().enumerate() {
            let reports: Vec<_> = year.reports.iter().map(|r| entry(r)).collect();
            let text = self.template("year.md.tera", &json!({"reports": reports}))?;
            self.year(&mut pages, &of_years, index, text)?;
        }
        Ok(pages)
    }
}

/// The newest of some reports, which come newest first, and the years of the others.
pub(super) fn split<'a>(reports: &[&'a Report]) -> (Span<'a>, Vec<Span<'a>>) {
    let reports: Vec<(&Report, usize)> = reports.iter().map(|report| (*report, 1)).collect();
    Span::split(&reports, [ROOM, ROOM])
}
