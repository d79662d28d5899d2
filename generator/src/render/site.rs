//! The pages of a site, by Tera templates that only lay out.

use super::data::{csv, digests, json};
use super::front_matter::{Extra, FrontMatter};
use super::table::{table, tables};
use crate::card::Card;
use crate::day;
use crate::escape;
use crate::failure;
use crate::page::{self, Graph, Part, Section, TrendView};
use crate::report::Report;
use crate::slug::slug;
use crate::unit::group_thousands;
use anyhow::{Context as _, Result};
use jiff::civil::Date;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use tera::{Context, Kwargs, State, Tera, Value};

/// More files than these are listed in a download instead of a table: `generator run` leaves hundreds.
const MAX_FILES: usize = 40;

/// Where generated pages stand, relative to the site.
pub const ROOT: &str = "content/perf";

/// From a report's page to the method page.
pub(super) const METHOD: &str = "../method/";

/// Files by their path relative to the site.
pub type Pages = BTreeMap<String, Vec<u8>>;

/// The templates, read once.
#[derive(Debug)]
pub struct Renderer(Tera);

/// Text of other people in Markdown.
fn markdown(value: &str, _: Kwargs, _: &State<'_>) -> Value {
    Value::safe_string(&escape::markdown(value))
}

/// The id of a heading over a graph, from the graph's file: the scenario's own row has the
/// scenario's slug.
fn heading_id(file: &str, _: Kwargs, _: &State<'_>) -> Value {
    Value::safe_string(&format!(
        "{{#graph-{}}}",
        slug(file.trim_end_matches(".svg"))
    ))
}

/// A section with its tables as HTML.
#[derive(Serialize)]
pub(super) struct SectionView<'a> {
    title: &'a str,
    graphs: &'a [Graph],
    tables: Vec<String>,
}

impl<'a> SectionView<'a> {
    pub(super) fn of(sections: &'a [Section]) -> Vec<Self> {
        let view = |section: &'a Section| Self {
            title: section.title,
            graphs: &section.graphs,
            tables: tables(&section.tables, METHOD),
        };
        sections.iter().map(view).collect()
    }
}

/// A report in the list of all.
#[derive(Debug, Serialize)]
pub(super) struct Entry<'a> {
    name: &'a str,
    title: String,
    date: Option<Date>,
    machine: Option<&'a str>,
}

/// Likewise, with its key finding, which all its figures are looked at for.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    entry: Entry<'a>,
    finding: String,
}

impl<'a> Entry<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Self {
            name: &report.name,
            title: page::title(report),
            date: report.day,
            machine: report.manifest.machine.as_deref(),
        }
    }
}

impl<'a> Listed<'a> {
    fn new(report: &'a Report) -> Self {
        Self {
            entry: Entry::new(report),
            finding: page::finding(report),
        }
    }
}

impl Renderer {
    /// # Errors
    /// A mistake in the templates, which the tests would have shown.
    pub fn new() -> Result<Self> {
        let mut tera = Tera::default();
        tera.autoescape_on([".tera"]);
        tera.set_escape_fn(|text, out| out.write_all(escape::html(text).as_bytes()));
        tera.register_filter("markdown", markdown);
        tera.register_filter("heading_id", heading_id);
        tera.add_raw_templates([
            ("section.md.tera", include_str!("templates/section.md.tera")),
            ("report.md.tera", include_str!("templates/report.md.tera")),
            ("notes.md.tera", include_str!("templates/notes.md.tera")),
            ("index.md.tera", include_str!("templates/index.md.tera")),
            ("list.md.tera", include_str!("templates/list.md.tera")),
            ("history.md.tera", include_str!("templates/history.md.tera")),
            ("changes.md.tera", include_str!("templates/changes.md.tera")),
            ("change.md.tera", include_str!("templates/change.md.tera")),
            (
                "findings.md.tera",
                include_str!("templates/findings.md.tera"),
            ),
            ("method.md.tera", include_str!("templates/method.md.tera")),
            ("compare.md.tera", include_str!("templates/compare.md.tera")),
        ])?;
        Ok(Self(tera))
    }

    pub(super) fn template(&self, name: &str, view: &Json) -> Result<String> {
        let context = Context::from_serialize(view)?;
        self.0
            .render(name, &context)
            .with_context(|| format!("cannot render {name}"))
    }

    /// Adds a page, whose file is named below [`ROOT`].
    pub(super) fn put(
        &self,
        pages: &mut Pages,
        file: &str,
        head: &FrontMatter<'_>,
        template: &str,
        view: &Json,
    ) -> Result<()> {
        let head = head.render().context("cannot write front matter")?;
        let page = head + &self.template(template, view)?;
        pages.insert(format!("{ROOT}/{file}"), page.into_bytes());
        Ok(())
    }

    /// The folder of one report: page, graphs, downloads. The page names the card that is put
    /// beside it, if there is one.
    ///
    /// # Errors
    /// What is wrong in its notes or comparisons.
    pub fn report(
        &self,
        report: &Report,
        previous: Option<&Report>,
        next: Option<&Report>,
        card: Option<&Card>,
    ) -> failure::Result<Pages> {
        let part = Part::of(report);
        let sections = page::sections(&part);
        let comparisons = page::comparisons(report, &report.folder.join("report.toml"))?;
        let (changes, highlights) =
            previous.map_or_else(Default::default, |p| page::changes(report, p, |_| true));
        let notes = self.notes(report, previous, &comparisons)?;
        let same_machine = previous.is_some_and(|p| report.shares_machine(p));
        let finding = page::finding(report);
        let elsewhere = |title: &str| !notes.comparisons.iter().any(|t| t == title);
        let here = comparisons.iter().filter(|c| elsewhere(&c.0));
        let here = here.map(|(_, table)| table);
        let view = json!({
            "name": report.name,
            "finding": finding,
            "sections": SectionView::of(&sections),
            "comparisons": tables(here, METHOD),
            "changes": tables(&changes, METHOD),
            "previous": previous.map(Entry::new),
            "same_machine": same_machine,
            // Between machines, a list of changes would list what differs in the machines.
            "highlights": Some(&highlights).filter(|_| same_machine),
            "untested": previous.is_some_and(|p| page::untested(report, p)),
            "notes": notes.markdown,
            "method": page::method(report),
            "declared": declared(report),
        });
        let title = page::title(report);
        let path = Some(format!("perf/{}", report.name));
        let plain = FrontMatter::new("report", path, &title, &finding);
        let head = FrontMatter {
            date: report.day.map(day::to_toml),
            extra: Extra {
                machine: report.manifest.machine.as_deref(),
                previous: previous.map(|p| p.name.as_str()),
                next: next.map(|n| n.name.as_str()),
                changes: previous.map(|p| page::feed_summary(p, same_machine, &highlights)),
                card: card.map(|c| c.alt.as_str()),
                ..plain.extra
            },
            ..plain
        };
        let mut pages = Pages::new();
        let page = format!("{}/index.md", report.name);
        self.put(&mut pages, &page, &head, "report.md.tera", &view)?;
        let mut put = |file: &str, text: String| {
            pages.insert(format!("{ROOT}/{}/{file}", report.name), text.into_bytes())
        };
        put("data.csv", csv(report));
        put("data.json", json(report));
        if report.files.len() > MAX_FILES {
            put("SHA256SUMS.txt", digests(report));
        }
        for graph in sections.iter().flat_map(|s| &s.graphs).chain(&notes.graphs) {
            put(&graph.file, graph.drawing.svg.clone());
        }
        Ok(pages)
    }

    /// The list of all reports, newest first, with the gauges of the newest that has any and the
    /// changes of `latest`, the newest that can be compared, since the one before it.
    ///
    /// # Errors
    /// A mistake in the templates.
    pub fn index(&self, reports: &[&Report], latest: Option<(&Report, &Report)>) -> Result<Pages> {
        let newest = reports
            .iter()
            .map(|r| (r, page::gauges(r)))
            .find(|(_, gauges)| !gauges.is_empty());
        let (of, gauges) = newest.unzip();
        let gauges = gauges.unwrap_or_default();
        let trends: Vec<Option<TrendView>> = of.map_or_else(Vec::new, |of| {
            let history = reports.iter().rev().copied();
            let history: Vec<&Report> = history.filter(|r| r.shares_machine(of)).collect();
            gauges.iter().map(|g| page::trend(g, &history)).collect()
        });
        let view = json!({
            "reports": reports.iter().map(|r| Listed::new(r)).collect::<Vec<_>>(),
            "newest": of.map(|report| Entry::new(report)),
            "gauges": gauges,
            "trends": trends,
            "highlights": latest.map(|(report, previous)| page::changes(report, previous, |_| true).1),
            "changed": latest.map(|(report, _)| Entry::new(report)),
            "previous": latest.map(|(_, previous)| Entry::new(previous)),
        });
        let head = FrontMatter {
            sort_by: Some("slug"),
            generate_feeds: Some(true),
            ..FrontMatter::new(
                "reports",
                None,
                "Performance reports",
                "Every report, newest first, and the latest headline figures.",
            )
        };
        let mut pages = Pages::new();
        self.put(&mut pages, "_index.md", &head, "index.md.tera", &view)?;
        let trends = trends.into_iter().flatten().map(|t| t.graph);
        for Graph { file, drawing, .. } in gauges.into_iter().map(|g| g.graph).chain(trends) {
            pages.insert(format!("{ROOT}/{file}"), drawing.svg.into_bytes());
        }
        Ok(pages)
    }
}

/// What `report.toml` says of source, machine and versions.
fn declared(report: &Report) -> Json {
    let manifest = &report.manifest;
    let declarations = manifest.declarations.iter();
    let commands =
        declarations.filter_map(|d| Some((d.implementation.to_string(), d.command.as_ref()?)));
    let source = manifest
        .source
        .as_ref()
        .map(|s| json!({"title": s.title, "url": s.url, "author": s.author, "notes": s.notes}));
    let count = report.files.len();
    let (files, digests) = match count > MAX_FILES {
        true => (None, Some(group_thousands(&count.to_string()))),
        false => (Some(table(&page::files(report), METHOD)), None),
    };
    json!({
        "versions": table(&page::versions(report), METHOD),
        "commands": commands.collect::<Vec<_>>(),
        "facts": manifest.system,
        "source": source,
        "files": files,
        "digests": digests,
    })
}
