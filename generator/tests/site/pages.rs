//! The repository's own site, built once for all checks: its pages, and the reports that they are about.

use super::data::{Build, Report, names};
use super::reader::{list, string};
use crate::common::{Folder, build, files, read, repository};
use scraper::{ElementRef, Html, Selector};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The site stands at the root of a host, or below a path of another one.
pub(crate) const BASES: [&str; 2] = ["/", "https://example.org/sub/path"];

pub(crate) struct Page {
    /// `perf/index.html`
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) html: Html,
}

pub(crate) struct Site {
    folder: Folder,
    /// The pages at each of [`BASES`].
    pub(crate) built: [Vec<Page>; 2],
    /// The newest first.
    pub(crate) reports: Vec<Report>,
    /// Its pages and files have more figures and verdicts than this.
    pub(crate) least: [usize; 2],
    names: BTreeMap<String, Build>,
    /// The label of each scenario by its title.
    titles: BTreeMap<String, String>,
}

pub(crate) fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector).expect("a selector");
    page.select(&selector).collect()
}

/// The text of an element, with single spaces.
pub(crate) fn words(element: ElementRef<'_>) -> String {
    let text: String = element.text().collect();
    text.split(' ')
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
        .trim()
        .to_owned()
}

impl Site {
    /// Builds the pages of the current data, even if the committed pages are stale.
    pub(crate) fn of_repository() -> Self {
        Self::of(
            Folder::real_site(),
            &repository().join("data"),
            [14_000, 70_000],
        )
    }

    /// Builds the pages of reports in a site without any.
    pub(crate) fn of(folder: Folder, data: &Path, least: [usize; 2]) -> Self {
        folder.ingest(data, &["-q"]).success();
        let built = BASES.map(|base| {
            build(folder.path(), base).success();
            let public = folder.join("public");
            let mut pages = Vec::new();
            for path in files(&public) {
                if path.extension().is_some_and(|e| e == "html") {
                    let name = path.strip_prefix(&public).expect("below");
                    let text = read(&path);
                    let html = Html::parse_document(&text);
                    let name = name.to_string_lossy().into_owned();
                    pages.push(Page { name, text, html });
                }
            }
            pages
        });
        let folders = std::fs::read_dir(folder.join("content/perf")).expect("reports");
        let folders = folders.map(|folder| folder.expect("a folder").path());
        let mut folders: Vec<PathBuf> = folders.filter(|f| f.join("data.csv").exists()).collect();
        folders.sort();
        let reports: Vec<Report> = folders
            .iter()
            .rev()
            .map(|f| Report::read(f, data))
            .collect();
        let names = names(&reports);
        let mut site = Self {
            folder,
            built,
            reports,
            least,
            names,
            titles: BTreeMap::new(),
        };
        for machine in list(&site.json("index")) {
            for row in list(&site.json(&string(&machine["file"]))["rows"]) {
                site.titles.insert(string(&row[3]), string(&row[0]));
            }
        }
        site
    }

    pub(crate) fn pages(&self) -> &[Page] {
        &self.built[0]
    }

    pub(crate) fn page(&self, name: &str) -> &Page {
        let mut pages = self.pages().iter();
        pages.find(|page| page.name == name).expect(name)
    }

    /// A file of the site at the last of [`BASES`].
    pub(crate) fn public(&self, path: &str) -> PathBuf {
        self.folder.join("public").join(path)
    }

    /// A file that the generator wrote.
    pub(crate) fn content(&self, path: &str) -> PathBuf {
        self.folder.join("content").join(path)
    }

    /// A file of Compare.
    pub(crate) fn json(&self, name: &str) -> Json {
        let text = read(&self.public(&format!("perf/compare/{name}.json")));
        serde_json::from_str(&text).expect("JSON")
    }

    pub(crate) fn report(&self, name: &str) -> Option<&Report> {
        self.reports.iter().find(|report| report.name == name)
    }

    /// The report that a page is about: its own, or the first that it names.
    pub(crate) fn report_of(&self, page: &Page) -> Option<&Report> {
        let links = select(&page.html, "main p a[href]");
        let links = links.iter().filter_map(|link| link.attr("href"));
        let mut names = page
            .name
            .split('/')
            .chain(links.flat_map(|link| link.split('/')));
        names.find_map(|name| self.report(name))
    }

    /// The newest report of a day that has a build with a figure of this scenario.
    pub(crate) fn of_day(&self, day: &str, build: &str, label: &str) -> Option<&Report> {
        let mut reports = self
            .reports
            .iter()
            .filter(|report| report.name.starts_with(day));
        reports.find(|report| {
            let row = report.main_row(label);
            let has = |build| row.is_some_and(|row| row.has(build));
            self.build(report, build)
                .is_some_and(|(_, build)| has(build))
        })
    }

    /// The build that pages call by this name.
    pub(crate) fn build<'s>(
        &'s self,
        report: &'s Report,
        name: &str,
    ) -> Option<(&'s Report, usize)> {
        let build = self.names.get(name)?;
        let place = report.builds.iter().position(|known| known == build)?;
        Some((report, place))
    }

    /// The report before, as the manifest names it, or the one before it of its machine.
    pub(crate) fn before(&self, report: &Report) -> Option<&Report> {
        if let Some(named) = report.manifest.get("previous") {
            return self.report(named.as_str().expect("a name"));
        }
        let mut older = self.reports.iter().filter(|other| other.name < report.name);
        older.find(|other| other.machine == report.machine)
    }

    /// What pages call a build.
    pub(crate) fn name(&self, report: &Report, build: usize) -> &str {
        let mut names = self.names.iter();
        names
            .find(|(_, known)| **known == report.builds[build])
            .expect("a name")
            .0
    }

    /// What a release of a series is called: `rustls 0.23.46 (ring)` of `rustls (ring)`.
    pub(crate) fn of_series(&self, report: &Report, series: &str, version: &str) -> String {
        let (library, variant) = match series.split_once(" (") {
            Some((library, variant)) => (library, variant.trim_end_matches(')')),
            None => (series, ""),
        };
        // Of several builds of a release, the one of the series: its other releases are called so too.
        let mut own: Vec<usize> = (0..report.builds.len()).collect();
        own.retain(|build| {
            let build = &report.builds[*build];
            let has = |part: &str| part.is_empty() || build.variant.iter().any(|own| own == part);
            build.library == library
                && build.version.replace("boring-", "boring ") == version.trim_matches(['(', ')'])
                && variant.split(", ").all(has)
        });
        let length = |build: &usize| report.series(*build).len();
        let longest = own.into_iter().rev().max_by_key(length);
        longest.map_or(String::new(), |build| self.name(report, build).to_owned())
    }

    /// The later release of a series: `0.23.27` beside `rustls 0.23.31`.
    pub(crate) fn later<'s>(
        &'s self,
        report: &'s Report,
        old: usize,
        new: &str,
    ) -> Option<(&'s Report, usize)> {
        let series = report.series(old);
        let own = series
            .into_iter()
            .find(|build| report.builds[*build].version == new);
        self.build(report, new).or(own.map(|build| (report, build)))
    }

    /// The default build of a library, by name.
    pub(crate) fn default_name(&self, report: &Report, library: &str) -> String {
        let mut defaults = report.defaults().into_iter();
        let own = defaults.find(|build| report.builds[*build].library == library);
        own.map_or(library.to_owned(), |build| {
            self.name(report, build).to_owned()
        })
    }

    /// The build of a label such as `rustls 0.23.46, ring, jemalloc`.
    pub(crate) fn labelled(&self, label: &str) -> Build {
        let mut builds = self.reports.iter().flat_map(|report| &report.builds);
        builds
            .find(|build| build.label() == label)
            .expect(label)
            .clone()
    }

    /// The sides of a link to Compare, baseline and candidate.
    pub(crate) fn pair(&self, href: &str) -> Option<[(&Report, usize); 2]> {
        let (_, sides) = href.split_once("#old=")?;
        let (old, new) = sides.split_once("&new=")?;
        let side = |text: &str| {
            let text = decoded(text);
            let (report, label) = text.split_once(':').expect("a build");
            let report = self.report(report).expect("a report");
            let place = report
                .builds
                .iter()
                .position(|build| build.label() == label);
            (report, place.expect("a build"))
        };
        Some([side(old), side(new)])
    }

    /// The builds that Compare offers, with the report of each.
    pub(crate) fn offered(&self) -> BTreeSet<(String, String)> {
        let mut offered = BTreeSet::new();
        for machine in list(&self.json("index")) {
            let builds: Vec<String> = list(&machine["builds"]).iter().map(string).collect();
            for report in list(&machine["reports"]).iter().map(string) {
                offered.extend(builds.iter().map(|build| (report.clone(), build.clone())));
            }
        }
        offered
    }

    pub(crate) fn title(&self, label: &str) -> &str {
        let mut titles = self.titles.iter();
        titles.find(|(_, known)| *known == label).expect(label).0
    }

    /// Splits names that are joined with commas and `and`; variants are in brackets.
    pub(crate) fn split_names(&self, text: &str) -> Vec<String> {
        let mut names = vec![String::new()];
        let mut depth = 0;
        for word in text.split(' ') {
            depth += word.matches('(').count();
            depth -= word.matches(')').count().min(depth);
            let last = names.last_mut().expect("one");
            if (word, depth) == ("and", 0) {
                names.push(String::new());
                continue;
            }
            *last += &format!("{}{word}", if last.is_empty() { "" } else { " " });
            if depth == 0 && last.ends_with(',') {
                last.pop();
                names.push(String::new());
            }
        }
        names
    }
}

/// `%20` as a space.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || {
            (rest.next().expect("a digit") as char)
                .to_digit(16)
                .expect("a digit")
        };
        bytes.push(if byte == b'%' {
            (digit() * 16 + digit()) as u8
        } else {
            byte
        });
    }
    String::from_utf8(bytes).expect("UTF-8")
}
