//! The folder of one report: its page, graphs and downloads.

use super::figures::FOLDER;
use super::method::method;
use super::releases::releases;
use super::sections::sections;
use crate::base::day;
use crate::base::escape::plain;
use crate::base::failure::Result;
use crate::base::words::{count, join};
use crate::files::inputs::{ARCHIVE, Inputs};
use crate::model::scale::group_thousands;
use crate::report::{Compared, Link, Report, Row, one_of_each_kind, words};
use crate::site::data::digests;
use crate::site::front_matter::{FrontMatter, PageLink};
use crate::site::graphs::dots::{DotPlot, DotRow};
use crate::site::renderer::{Pages, Renderer, put_graphs};
use crate::site::section::Section;
use crate::site::tables::ahead::{ahead, question};
use crate::site::tables::changes::{Changes, changes, comparisons};
use crate::site::tables::provenance::versions;
use crate::site::words::finding::finding;
use crate::site::words::trust::trust;
use crate::stats::Verdict;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// How a report was made.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// The files that it is made from.
    pub(crate) inputs: Inputs,
    /// The commands of the measurement, if `generator run` made it.
    pub(crate) commands: Vec<String>,
}

/// Changes in the plot; the tables have all of them.
const MAX_DOTS: usize = 9;

/// The input of a report's template.
#[derive(Serialize)]
struct ReportView<'a> {
    name: &'a str,
    finding: &'a str,
    /// What is wrong with the whole report; `None` if it is steady.
    unsteady: Option<String>,
    /// How far to trust it: statements with their details.
    trust: Vec<[String; 2]>,
    /// What the figures of all tables are.
    legend: String,
    sections: Vec<Section>,
    /// HTML; empty without any.
    notes: &'a str,
    method: Vec<String>,
    /// The commands that repeat the measurement.
    commands: &'a [String],
    /// Whether there are lock files of the programs.
    locks: bool,
    declared: Json,
}

impl Renderer<'_> {
    /// Renders the folder of one report, except what [`downloads`](crate::site::downloads) makes.
    ///
    /// `earlier` are the reports before it, the newest first.
    ///
    /// # Errors
    /// Problems in its notes or comparisons.
    pub(crate) fn report(
        &self,
        report: &Report,
        earlier: &[&Report],
        next: Option<&Report>,
        origin: Origin,
    ) -> Result<Pages> {
        let links = self.links("../");
        let comparisons = comparisons(report)?;
        let notes = self.notes(report, earlier, &comparisons)?;
        let previous = earlier.first().copied();
        let changes = changes(report, earlier, |_| true);
        let finding = finding(report);
        let mut of_topics = sections(report, &links);
        for section in &mut of_topics {
            // Of a single section, its own finding is that of the report.
            section.finding.retain(|sentence| *sentence != finding);
        }
        let mut all: Vec<Section> = Vec::new();
        all.extend(ahead(report).map(|grid| Section {
            title: question(report).to_owned(),
            id: "ahead",
            tables: vec![links.table(&grid)],
            ..Section::default()
        }));
        all.extend(releases(report, &links));
        all.extend(of_topics);
        all.extend((!comparisons.is_empty()).then(|| {
            Section {
                title: "Comparisons".to_owned(),
                id: "comparisons",
                links: comparisons
                    .iter()
                    .map(|(title, _)| [format!("{FOLDER}/#comparisons"), title.clone()])
                    .collect(),
                ..Section::default()
            }
        }));
        let since = match previous {
            Some(previous) => self.changes_section(report, previous, &changes)?,
            None => None,
        };
        let in_feeds = since.as_ref().map(|section| section.finding.join(" "));
        all.extend(since);
        let rows: Vec<&Row> = report.rows.iter().collect();
        let mut files = origin.inputs.files.iter();
        let view = ReportView {
            name: &report.name,
            finding: &finding,
            unsteady: report.unsteady_note().filter(|_| report.is_unsteady()),
            trust: trust(report),
            legend: words::legend(report, &rows),
            sections: all,
            notes: &notes.text,
            method: method(report),
            commands: &origin.commands,
            locks: files.any(|file| file.name.starts_with("locks/")),
            declared: declared(report, &origin),
        };
        let title = report.title();
        let mut head = self.head(report, &title, &finding, in_feeds);
        let neighbour = |other: &Report| PageLink::new(&other.name, &other.title());
        head.extra.previous = previous.map(neighbour);
        head.extra.next = next.map(neighbour);
        let mut pages = Pages::new();
        let folder = format!("{}/", report.name);
        let graphs = view.sections.iter().flat_map(|s| &s.graphs);
        put_graphs(&mut pages, &mut head, &folder, graphs.chain(&notes.graphs));
        let file = format!("{folder}index.md");
        self.put_file(&mut pages, file, head, "report.md.tera", &view)?;
        let of_comparisons = comparisons.into_iter().map(|of| of.1).collect();
        let since = changes.into_iter().map(|changes| changes.grid).collect();
        let more = vec![
            ("Comparisons", "comparisons", of_comparisons),
            ("Changes since the report before", "changes", since),
            ("Versions", "versions", vec![versions(report)]),
        ];
        self.figures(&mut pages, report, more)?;
        let digests = digests(&origin.inputs)?;
        pages.insert(format!("{folder}SHA256SUMS.txt.gz"), digests);
        if let Some(archive) = origin.inputs.archive {
            pages.insert(format!("{folder}{ARCHIVE}"), archive);
        }
        Ok(pages)
    }

    /// Returns the front matter of the page; `since` are sentences for feeds on what changed.
    fn head<'r>(
        &self,
        report: &'r Report,
        title: &'r str,
        finding: &'r str,
        since: Option<String>,
    ) -> FrontMatter<'r> {
        let mut head = FrontMatter::page("report", &report.name, title, finding);
        head.date = report.day.map(day::to_toml);
        head.extra.day_in_words = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        head.extra.report = Some(&report.name);
        head.extra.machine = report.manifest.machine.as_deref().map(plain);
        head.extra.extent = extent(report);
        head.extra.changes = since.map(|since| plain(&since).into_owned());
        head.extra.added.clone_from(&report.manifest.extra);
        head.template = report.manifest.template.as_deref();
        head.taxonomies.clone_from(&report.manifest.taxonomies);
        head
    }

    /// Returns the section on what changed since the report before; `None` if the two have no row in common.
    fn changes_section(
        &self,
        report: &Report,
        previous: &Report,
        changes: &[Changes<'_>],
    ) -> anyhow::Result<Option<Section>> {
        let mut rows: Vec<Compared<'_>> = Vec::new();
        for of_build in changes {
            let own = of_build.rows.iter().map(|(one, _)| *one);
            rows.extend(one_of_each_kind(own, |one| one.row));
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let when = previous.day_or_name();
        // Between two machines, a number of changes would be one of differences of the machines.
        let sentence = match report.shares_machine(previous) {
            true => {
                let numbers = words::numbers(&rows);
                let numbers = numbers.iter().map(|(n, what)| format!("{n} {what}"));
                format!(
                    "Since the report of {when}: {}.",
                    join(&Vec::from_iter(numbers))
                )
            }
            false => format!(
                "The report of {when} is of another machine, {}, so the factors compare machines as well as releases.",
                previous.manifest.machine.as_deref().unwrap_or("unknown")
            ),
        };
        let before = [
            format!("../{}/", previous.name),
            "The report before".to_owned(),
        ];
        let all = [
            format!("{FOLDER}/#changes"),
            "All rows that both have".to_owned(),
        ];
        Ok(Some(Section {
            title: format!("Changes since {when}"),
            id: "changes",
            finding: vec![sentence],
            tables: Vec::from_iter(self.changes_plot(report, changes)?),
            links: vec![before, all],
            ..Section::default()
        }))
    }

    /// Draws the largest changes; `None` without any.
    fn changes_plot(
        &self,
        report: &Report,
        changes: &[Changes<'_>],
    ) -> anyhow::Result<Option<String>> {
        let links = self.links("../");
        let mut dots: Vec<(f64, DotRow)> = Vec::new();
        for (number, Changes { rows, new, .. }) in changes.iter().enumerate() {
            let is_shown =
                |one: &Compared<'_>| one.is_change() || one.verdict() == Verdict::Untested;
            for (one, _) in rows.iter().filter(|(one, _)| is_shown(one)) {
                let id = format!("since-{}-{}", number + 1, one.row.id);
                let mut dot = DotRow::of(one);
                dot.label = format!("{}: {}", report.full_name(*new), dot.label);
                dot.href = links.address(&Link::Address(format!("{FOLDER}/#{id}")));
                dots.push((one.known.change.size(), dot));
            }
        }
        dots.sort_by(|a, b| b.0.total_cmp(&a.0));
        let caption = match dots.len() > MAX_DOTS {
            false => "All changes".to_owned(),
            true => format!("The {MAX_DOTS} largest changes"),
        };
        let rows = dots.into_iter().take(MAX_DOTS).map(|(_, dot)| dot);
        let plot = DotPlot {
            caption,
            sides: ["after", "before"].map(str::to_owned),
            rows: rows.collect(),
            ..DotPlot::default()
        };
        (!plot.rows.is_empty())
            .then(|| self.plot(&plot))
            .transpose()
    }
}

/// `27 builds`, and the number of runs.
fn extent(report: &Report) -> Vec<String> {
    let builds = count(report.builds.len(), "build");
    [builds].into_iter().chain(words::runs_of(report)).collect()
}

/// Returns the template's input on source, machine, versions, commands and files.
fn declared(report: &Report, Origin { inputs: files, .. }: &Origin) -> Json {
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
    let count = files.files.len();
    json!({
        "commands": commands,
        "facts": manifest.system,
        "source": source,
        "count": group_thousands(&count.to_string()),
        "archive": files.archive.is_some().then_some(ARCHIVE),
    })
}
