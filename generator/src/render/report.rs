//! The folder of one report: its page, further pages of a long report, graphs, and downloads.

use super::data::{csv, digests, json};
use super::front_matter::{FrontMatter, Neighbour};
use super::site::{Pages, Renderer, entry, put_graphs};
use super::suite::{Leaf, ROOM, fit, index};
use crate::card::Card;
use crate::day;
use crate::escape::plain;
use crate::failure::Result;
use crate::inputs::{ARCHIVE, Inputs};
use crate::page::{self, Block, Changes, Graph, Highlights, Releases, Table};
use crate::report::{ReleaseSeries, Report};
use crate::unit::group_thousands;
use serde_json::{Value as Json, json};

/// More files than this are listed in a download instead of a table: `generator run` leaves hundreds.
const MAX_FILES: usize = 40;

/// How a report was made.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// The files that it is made from.
    pub(crate) inputs: Inputs,
    /// Commands that repeat the measurement, if `generator run` made it.
    pub(crate) commands: Vec<String>,
}

/// Parts of a report's page that may move to other pages, and those that link to them.
struct Parts {
    /// Results, then releases, comparisons, changes and their explanation.
    leaves: Vec<Leaf>,
    across: Releases,
    highlights: Highlights,
}

/// Number of leaves that are not results.
const OTHERS: usize = 4;

impl Parts {
    fn of(
        report: &Report,
        previous: Option<&Report>,
        releases: &[ReleaseSeries<'_>],
        comparisons: Vec<Table>,
    ) -> Self {
        let changes = previous.map(|p| page::changes(report, p, |_| true));
        let Changes {
            tables: changes,
            graphs,
            highlights,
            whys,
        } = changes.unwrap_or_default();
        let across = page::releases(releases, |_| true);
        let by_release = across.series.iter().flat_map(|one| &one.tables).cloned();
        let by_release = Block::each(Vec::new(), by_release.collect());
        let mut by_release = Leaf::new("Releases", across.intro.clone(), by_release);
        if page::is_split(report) {
            by_release.go_away();
        }
        let others = [
            ("Comparisons", "", Vec::new(), comparisons),
            ("Changes", &*highlights.lead, graphs, changes),
            (
                "Why instructions changed",
                "",
                Vec::new(),
                page::whys(whys, releases),
            ),
        ];
        let others = others.map(|(title, summary, graphs, tables)| {
            Leaf::new(title, summary.to_owned(), Block::each(graphs, tables))
        });
        let results = page::sections_of(report).into_iter().map(Leaf::from);
        Self {
            leaves: results.chain([by_release]).chain(others).collect(),
            across,
            highlights,
        }
    }

    fn releases(&self) -> &Leaf {
        &self.leaves[self.leaves.len() - OTHERS]
    }

    /// Returns the graphs on the report's own page.
    fn graphs(&self) -> impl Iterator<Item = &Graph> {
        let leaves = self.leaves.iter().flat_map(Leaf::graphs);
        leaves.chain(&self.across.graphs)
    }

    /// Makes a page of this weight fit. If results have to move, the headline scenarios replace them.
    fn fit(&mut self, weight: usize, report: &Report) {
        let results = self.leaves.len() - OTHERS;
        let are_here = |leaves: &[Leaf]| leaves.iter().filter(|leaf| leaf.is_here()).count();
        let before = are_here(&self.leaves[..results]);
        let headline = Leaf::from(page::headline_section(report));
        fit(&mut self.leaves, results, weight + headline.weight());
        if are_here(&self.leaves[..results]) < before {
            self.leaves.insert(0, headline);
        }
    }

    /// Points links at rows on other pages, and adds an index of these rows as far as `room` is left.
    /// The index is for overviews too, which link to rows of the report's own page.
    fn link(&mut self, room: usize, releases: &[ReleaseSeries<'_>]) {
        let mut steps = page::release_steps(releases);
        let of_series = self.across.series.iter_mut();
        let of_series = of_series.flat_map(|one| &mut one.steps);
        let of_series = of_series.flat_map(|step| &mut step.items);
        let since = self.highlights.items.iter_mut();
        let mut all: Vec<_> = of_series.chain(since).chain(&mut steps.items).collect();
        let wanted = all.iter().map(|one| one.id.clone()).collect();
        let places = index(&mut self.leaves, room, &wanted);
        for one in &mut all {
            one.page = places.get(&one.id).cloned().unwrap_or_default();
        }
    }

    /// Adds the parts to the template's input.
    fn view(&self, view: &mut Json) {
        let mut across = self.across.clone();
        if !self.releases().is_here() {
            across.series.iter_mut().for_each(|one| one.tables.clear());
        }
        let mut leaves: Vec<Json> = self.leaves.iter().map(Leaf::view).collect();
        let others = leaves.split_off(leaves.len() - OTHERS);
        for (name, leaf) in ["releases", "comparisons", "changes", "whys"]
            .into_iter()
            .zip(others)
        {
            view[name] = leaf;
        }
        view["sections"] = leaves.into();
        view["across"] = json!(across);
        view["highlights"] = json!(self.highlights);
    }
}

impl Renderer<'_> {
    /// Renders the folder of one report. The page names the card beside it, if there is one.
    ///
    /// # Errors
    /// Problems in its notes or comparisons.
    pub(crate) fn report(
        &self,
        report: &Report,
        [previous, next]: [Option<&Report>; 2],
        releases: &[ReleaseSeries<'_>],
        card: Option<&Card>,
        origin: Origin,
    ) -> Result<Pages> {
        let mut comparisons = page::comparisons(report, &report.folder.join("report.toml"))?;
        let notes = self.notes(report, previous, releases, &comparisons)?;
        comparisons.retain(|(title, _)| !notes.comparisons.contains(title));
        let comparisons = comparisons.into_iter().map(|(_, table)| table).collect();
        let mut parts = Parts::of(report, previous, releases, comparisons);
        let same_machine = previous.is_some_and(|p| report.shares_machine(p));
        let finding = page::finding(report);
        let mut view = json!({
            "name": report.name,
            "data": "data.csv",
            "finding": finding,
            "previous": previous.map(entry),
            // Between two machines, a list of changes would show differences of the machines.
            "same_machine": same_machine,
            "untested": previous.is_some_and(|p| page::untested(report, p)),
            "notes": notes.markdown,
            "method": page::method(report),
            "declared": declared(report, &origin),
        });
        let mut render = |parts: &Parts| -> anyhow::Result<(String, usize)> {
            parts.view(&mut view);
            let text = self.template("report.md.tera", &view)?;
            let graphs = parts.graphs().chain(&notes.graphs);
            let weight = text.len() + graphs.map(|g| g.drawing.svg.len()).sum::<usize>();
            Ok((text, weight))
        };
        let (mut text, mut weight) = render(&parts)?;
        if weight > ROOM {
            parts.fit(weight, report);
            (text, weight) = render(&parts)?;
        }
        if !parts.leaves.iter().all(Leaf::is_here) {
            parts.link(ROOM.saturating_sub(weight), releases);
            (text, _) = render(&parts)?;
        }

        let title = page::title(report);
        let mut head = FrontMatter::page("report", &report.name, &title, &finding);
        head.date = report.day.map(day::to_toml);
        head.extra.day_in_words = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        head.extra.report = Some(&report.name);
        head.extra.machine = report.manifest.machine.as_deref().map(plain);
        let [before, after] = [previous, next]
            .map(|other| other.map(|other| Neighbour::new(&other.name, &page::title(other))));
        head.extra.previous = before;
        head.extra.next = after;
        let since = previous.map(|p| page::feed_summary(p, same_machine, &parts.highlights));
        let steps = page::release_steps(releases).largest();
        let changes: Vec<String> = since.into_iter().chain(steps).collect();
        let changes = (!changes.is_empty()).then(|| changes.join(" "));
        head.extra.changes = changes.map(|c| plain(&c).into_owned());
        head.extra.card = card.map(|c| c.alt.as_str());
        head.extra.added = page::extra(report)?;
        head.template = report.manifest.template.as_deref();
        head.taxonomies.clone_from(&report.manifest.taxonomies);
        let mut pages = Pages::new();
        self.put_text(&mut pages, format!("{}/index.md", report.name), head, text)?;
        self.suites(&mut pages, report, &parts.leaves)?;
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
        let graphs = parts.graphs().chain(&notes.graphs);
        put_graphs(&mut pages, &format!("{}/", report.name), graphs);
        Ok(pages)
    }
}

/// Returns the template's input on source, machine, versions, commands and files.
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
