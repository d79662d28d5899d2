//! The pages that a long report's further suites have of their own.

use super::front_matter::FrontMatter;
use super::site::{Pages, Renderer, put_graphs};
use crate::escape::plain;
use crate::page::{self, Releases, Section, SeriesView};
use crate::report::Report;
use crate::slug::slug;
use anyhow::Result;
use serde_json::json;

/// The section that holds these pages, which no report may be named like: a page of Zola has no
/// pages below it.
pub(crate) const SUITES: &str = "suites";

/// The page of the tables of releases.
const RELEASES: &str = "releases";

impl Renderer<'_> {
    /// Adds a page for each section that has one, and for the tables of releases, which it takes
    /// out of `across`.
    pub(super) fn suites(
        &self,
        pages: &mut Pages,
        report: &Report,
        sections: &[Section],
        across: &mut Releases,
    ) -> Result<()> {
        let sections: Vec<&Section> = sections.iter().filter(|s| !s.page.is_empty()).collect();
        let mut series: Vec<SeriesView> = Vec::new();
        if page::is_split(report) && !across.series.is_empty() {
            across.page = RELEASES;
            series.clone_from(&across.series);
            across.series.iter_mut().for_each(|one| one.tables.clear());
        }
        let mut addresses: Vec<&str> = sections.iter().map(|s| s.page.as_str()).collect();
        addresses.extend(Some(across.page).filter(|page| !page.is_empty()));
        let name = |address: &str| format!("{}-{address}", report.name);
        for (index, address) in addresses.iter().enumerate() {
            let section = sections.get(index).copied();
            let of_releases = section.is_none().then_some(&series);
            let (what, summary) = match section {
                Some(section) => (section.title, section.summary.as_str()),
                None => ("Releases", across.intro.as_str()),
            };
            let title = format!("{what}: {}", page::title(report));
            let path = format!("{}/{address}", report.name);
            let mut head = FrontMatter::page("suite", &path, &title, summary);
            let neighbours = [index.checked_sub(1), Some(index + 1)];
            let neighbours =
                neighbours.map(|at| at.and_then(|at| addresses.get(at)).map(|a| name(a)));
            head.extra.machine = report.manifest.machine.as_deref().map(plain);
            head.extra.report = Some(&report.name);
            head.extra.previous = neighbours[0].as_deref();
            head.extra.next = neighbours[1].as_deref();
            let view = json!({
                "name": report.name,
                "summary": summary,
                "data": "data.csv",
                "section": section,
                "across": {"series": of_releases},
            });
            // One folder deeper than the report, for whose page links are made.
            let text = self.template("suite.md.tera", &view)?;
            let text = text.replace("href=\"../", "href=\"../../");
            let text = text.replace("href=\"data.csv\"", "href=\"../data.csv\"");
            let folder = format!("{SUITES}/{}/", name(address));
            self.put_text(pages, format!("{folder}index.md"), head, text)?;
            put_graphs(pages, &folder, section.iter().flat_map(|s| &s.graphs));
        }
        Ok(())
    }

    /// The list of these pages; nothing where no report has any.
    pub(crate) fn list_of_suites(&self, reports: &[&Report]) -> Result<Pages> {
        let mut pages = Pages::new();
        let with_suites = reports.iter().filter(|report| page::is_split(report));
        let view = |report: &&Report| {
            let suites = page::suites(report).into_iter();
            let suites = suites.map(|title| json!({"title": title, "page": slug(title)}));
            let suites: Vec<_> = suites.collect();
            json!({"name": report.name, "title": page::title(report), "suites": suites})
        };
        let reports: Vec<_> = with_suites.map(view).collect();
        if !reports.is_empty() {
            let description = "The further suites of long reports, on pages of their own.";
            let head = FrontMatter::section(SUITES, "Suites", description);
            self.put(
                &mut pages,
                head,
                "suites.md.tera",
                &json!({"reports": reports}),
            )?;
        }
        Ok(pages)
    }
}
