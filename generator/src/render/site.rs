//! The pages of a site, by Tera templates that only lay out.

use super::data::{csv, digests, json};
use super::front_matter::{Front, FrontMatter, Picture, Way};
use super::links::Unlinker;
use super::more;
use crate::card::Card;
use crate::day;
use crate::escape::{self, plain};
use crate::failure;
use crate::history::Histories;
use crate::inputs::{ARCHIVE, Inputs};
use crate::page::{self, Changes, GaugeView, Graph, Span, Table};
use crate::report::{Overview, ReleaseSeries, Report};
use crate::slug::slug;
use crate::unit::group_thousands;
use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use tera::{Context, Kwargs, State, Tera, Value};

/// More files than these are listed in a download instead of a table: `generator run` leaves hundreds.
const MAX_FILES: usize = 40;

/// Files by their path below the section of the reports.
pub(crate) type Pages = BTreeMap<String, Vec<u8>>;

/// The templates, read once.
#[derive(Debug)]
pub(crate) struct Renderer<'a> {
    tera: Tera,
    /// The path of the section of the reports: `perf`.
    section: &'a str,
    /// The pages over all reports that the site has.
    pages: &'a [Overview],
    unlinker: Option<Unlinker>,
}

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

/// A report as lists name it.
pub(super) fn entry(report: &Report) -> Json {
    json!({
        "name": report.name,
        "title": page::title(report),
        "date": report.day,
        "machine": report.manifest.machine,
        "releases": if page::is_split(report) { "releases/" } else { "" },
    })
}

/// What a report's page says of its making.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// The files that it is made from.
    pub(crate) inputs: Inputs,
    /// What measures the same again, where `generator run` has measured.
    pub(crate) commands: Vec<String>,
}

impl<'a> Renderer<'a> {
    /// # Errors
    /// A mistake in the templates, which the tests would have shown.
    pub(crate) fn new(section: &'a str, pages: &'a [Overview]) -> Result<Self> {
        let mut tera = Tera::default();
        tera.autoescape_on([".tera"]);
        tera.set_escape_fn(|text, out| out.write_all(escape::html(text).as_bytes()));
        tera.register_filter("markdown", markdown);
        tera.register_filter("heading_id", heading_id);
        tera.add_raw_templates([
            ("section.md.tera", include_str!("templates/section.md.tera")),
            ("report.md.tera", include_str!("templates/report.md.tera")),
            (
                "releases.md.tera",
                include_str!("templates/releases.md.tera"),
            ),
            ("suite.md.tera", include_str!("templates/suite.md.tera")),
            ("suites.md.tera", include_str!("templates/suites.md.tera")),
            ("graphs.md.tera", include_str!("templates/graphs.md.tera")),
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
            ("older.md.tera", include_str!("templates/older.md.tera")),
            ("year.md.tera", include_str!("templates/year.md.tera")),
            ("more.md.tera", include_str!("templates/more.md.tera")),
            (
                "history-part.md.tera",
                include_str!("templates/history-part.md.tera"),
            ),
            (
                "changes-year.md.tera",
                include_str!("templates/changes-year.md.tera"),
            ),
            (
                "machines.md.tera",
                include_str!("templates/machines.md.tera"),
            ),
            (
                "capacity.md.tera",
                include_str!("templates/capacity.md.tera"),
            ),
            ("compare.md.tera", include_str!("templates/compare.md.tera")),
        ])?;
        Ok(Self {
            tera,
            section,
            pages,
            unlinker: Unlinker::for_all_but(pages)?,
        })
    }

    /// The pages over all reports that the site has.
    pub(crate) fn overviews(&self) -> &[Overview] {
        self.pages
    }

    pub(super) fn has(&self, page: Overview) -> bool {
        self.pages.contains(&page)
    }

    pub(super) fn template(&self, name: &str, view: &impl Serialize) -> Result<String> {
        let mut context = Context::from_serialize(view)?;
        context.insert("pages", self.pages);
        self.tera
            .render(name, &context)
            .with_context(|| format!("cannot render {name}"))
    }

    /// What readers look for most, of the pages that the site has.
    fn ways(&self) -> Vec<Way> {
        let ways = [
            (Overview::Compare, "Compare"),
            (Overview::Capacity, "Capacity"),
            (Overview::Implementations, "Implementations"),
            (Overview::Scenarios, "Scenarios"),
        ];
        let ways = ways.into_iter().filter(|(page, _)| self.has(*page));
        ways.map(|(page, title)| Way {
            name: page.name(),
            title,
        })
        .collect()
    }

    /// Adds a page, or the section of its kind.
    pub(super) fn put(
        &self,
        pages: &mut Pages,
        head: FrontMatter<'_>,
        template: &str,
        view: &impl Serialize,
    ) -> Result<()> {
        let file = match (&head.path, head.extra.kind) {
            (Some(path), _) => format!("{path}/index.md"),
            (None, "reports") => "_index.md".to_owned(),
            (None, kind) => format!("{kind}/_index.md"),
        };
        let text = self.template(template, view)?;
        self.put_text(pages, file, head, text)
    }

    /// Adds a page with this text.
    pub(super) fn put_text(
        &self,
        pages: &mut Pages,
        file: String,
        mut head: FrontMatter<'_>,
        mut text: String,
    ) -> Result<()> {
        head.path = head.path.map(|path| format!("{}/{path}", self.section));
        let head = toml::to_string(&head).context("cannot write front matter")?;
        if let Some(unlinker) = &self.unlinker {
            text = unlinker.apply(&text);
        }
        pages.insert(file, format!("+++\n{head}+++\n{text}").into_bytes());
        Ok(())
    }

    /// The folder of one report: page, graphs, downloads. The page names the card that is put
    /// beside it, if there is one.
    ///
    /// # Errors
    /// What is wrong in its notes or comparisons.
    pub(crate) fn report(
        &self,
        report: &Report,
        [previous, next]: [Option<&Report>; 2],
        releases: &[ReleaseSeries<'_>],
        card: Option<&Card>,
        origin: Origin,
    ) -> failure::Result<Pages> {
        let sections = page::sections_of(report);
        let comparisons = page::comparisons(report, &report.folder.join("report.toml"))?;
        let changes = previous.map(|p| page::changes(report, p, |_| true));
        let Changes {
            tables,
            graphs: ratios,
            highlights,
        } = changes.unwrap_or_default();
        let mut across = page::releases(releases, |_| true);
        let notes = self.notes(report, previous, releases, &comparisons)?;
        let same_machine = previous.is_some_and(|p| report.shares_machine(p));
        let finding = page::finding(report);
        let elsewhere = |title: &str| !notes.comparisons.iter().any(|t| t == title);
        let here = comparisons.iter().filter(|c| elsewhere(&c.0));
        let here: Vec<&Table> = here.map(|(_, table)| table).collect();
        let mut pages = Pages::new();
        self.suites(&mut pages, report, &sections, &mut across)?;
        let view = json!({
            "name": report.name,
            "data": "data.csv",
            "finding": finding,
            "sections": sections,
            "across": across,
            "comparisons": here,
            "changes": tables,
            "ratios": ratios,
            "whys": page::whys(report, previous, releases),
            "previous": previous.map(entry),
            "same_machine": same_machine,
            // Between machines, a list of changes would list what differs in the machines.
            "highlights": Some(&highlights).filter(|_| same_machine),
            "untested": previous.is_some_and(|p| page::untested(report, p)),
            "notes": notes.markdown,
            "method": page::method(report),
            "declared": declared(report, &origin),
        });
        let title = page::title(report);
        let mut head = FrontMatter::page("report", &report.name, &title, &finding);
        head.date = report.day.map(day::to_toml);
        head.extra.machine = report.manifest.machine.as_deref().map(plain);
        head.extra.previous = previous.map(|p| p.name.as_str());
        head.extra.next = next.map(|n| n.name.as_str());
        let since = previous.map(|p| page::feed_summary(p, same_machine, &highlights));
        let steps = page::release_steps(releases).largest();
        let changes: Vec<String> = since.into_iter().chain(steps).collect();
        let changes = (!changes.is_empty()).then(|| changes.join(" "));
        head.extra.changes = changes.map(|c| plain(&c).into_owned());
        head.extra.card = card.map(|c| c.alt.as_str());
        head.extra.added = page::extra(report)?;
        head.template = report.manifest.template.as_deref();
        head.taxonomies.clone_from(&report.manifest.taxonomies);
        self.put(&mut pages, head, "report.md.tera", &view)?;
        let mut put = |file: &str, text: String| {
            pages.insert(format!("{}/{file}", report.name), text.into_bytes())
        };
        put("data.csv", csv(report));
        put("data.json", json(report)?);
        if origin.inputs.files.len() > MAX_FILES {
            put("SHA256SUMS.txt", digests(&origin.inputs));
        }
        if let Some(archive) = origin.inputs.archive {
            pages.insert(format!("{}/{ARCHIVE}", report.name), archive);
        }
        let here = sections.iter().filter(|s| s.page.is_empty());
        let graphs = here.flat_map(|s| &s.graphs);
        let graphs = graphs.chain(&across.graphs).chain(&ratios);
        put_graphs(
            &mut pages,
            &format!("{}/", report.name),
            graphs.chain(&notes.graphs),
        );
        Ok(pages)
    }

    /// The list of all reports, newest first, with the gauges of the newest that has any and the
    /// changes of `latest`, the newest that can be compared, since the one before it.
    pub(crate) fn index(
        &self,
        reports: &[&Report],
        latest: Option<(&Report, &Report)>,
        histories: &Histories<'_>,
    ) -> Result<Pages> {
        let mut with_gauges = reports.iter().map(|r| (r, page::gauges(r, reports)));
        let newest = with_gauges.find(|(_, gauges)| !gauges.is_empty());
        let (of, gauges) = newest.unzip();
        let gauges = gauges.unwrap_or_default();
        let (listed_here, years) = more::split(reports);
        let view = json!({
            "reports": listed_here.reports.iter().map(|r| listed(r)).collect::<Vec<_>>(),
            "years": years.iter().map(Span::link).collect::<Vec<_>>(),
            "newest": of.map(|report| entry(report)),
            "gauges": gauges,
            "highlights": latest.map(|(report, previous)| page::changes(report, previous, |_| true).highlights),
            "changed": latest.map(|(report, _)| entry(report)),
            "previous": latest.map(|(_, previous)| entry(previous)),
        });
        let mut head = FrontMatter::section(
            "reports",
            "Performance reports",
            "Every report, newest first, and the latest headline figures.",
        );
        head.sort_by = Some("slug");
        head.extra.front = of.map(|report| {
            let of_gauge = |g: &GaugeView| Picture::new(&g.title, &g.detail, "", &g.graph);
            let across = page::releases(histories.releases_in(report), |_| true);
            let folder = format!("{}/", report.name);
            let trend = across.graphs.first();
            Front {
                report: report.name.clone(),
                finding: plain(&page::finding(report)).into_owned(),
                gauges: gauges.iter().map(of_gauge).collect(),
                trend: trend.map(|g| Picture::new(&g.title, &across.intro, &folder, g)),
            }
        });
        head.extra.ways = self.ways();
        head.generate_feeds = Some(true);
        let mut pages = Pages::new();
        self.put(&mut pages, head, "index.md.tera", &view)?;
        let trends = gauges.iter().flat_map(|g| &g.trend).map(|t| &t.graph);
        put_graphs(
            &mut pages,
            "",
            gauges.iter().map(|g| &g.graph).chain(trends),
        );
        Ok(pages)
    }
}

/// Adds graphs to a folder.
pub(super) fn put_graphs<'a>(
    pages: &mut Pages,
    folder: &str,
    graphs: impl Iterator<Item = &'a Graph>,
) {
    for Graph { file, drawing, .. } in graphs {
        let svg = drawing.svg.clone().into_bytes();
        pages.insert(format!("{folder}{file}"), svg);
    }
}

/// The same with its key finding, which all its figures are looked at for.
fn listed(report: &Report) -> Json {
    let mut listed = entry(report);
    listed["finding"] = page::finding(report).into();
    listed
}

/// What `report.toml` says of source, machine and versions.
fn declared(
    report: &Report,
    Origin {
        inputs,
        commands: repeat,
    }: &Origin,
) -> Json {
    let manifest = &report.manifest;
    let declarations = manifest.declarations.iter();
    let mut commands: Vec<(Vec<String>, &String)> = Vec::new();
    for (declared, command) in declarations.filter_map(|d| Some((d, d.command.as_ref()?))) {
        let name = declared.implementation.to_string();
        match commands.iter_mut().find(|(_, known)| *known == command) {
            Some((names, _)) => names.push(name),
            None => commands.push((vec![name], command)),
        }
    }
    let source = manifest.source.as_ref();
    let source = source
        .map(|s| json!({"title": s.title, "url": s.url, "author": s.author, "notes": s.notes}));
    let count = inputs.files.len();
    json!({
        "versions": page::versions(report),
        "repeat": repeat,
        "commands": commands,
        "facts": manifest.system,
        "source": source,
        "generator": env!("CARGO_PKG_VERSION"),
        "count": group_thousands(&count.to_string()),
        "archive": inputs.archive.is_some().then_some(ARCHIVE),
        "inputs": (count <= MAX_FILES).then(|| page::inputs(inputs)),
    })
}
