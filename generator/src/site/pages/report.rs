//! The folder of one report: its page, graphs and downloads.

use super::figures::{FOLDER, Part};
use super::method::method;
use super::releases::{Releases, releases};
use super::sections::{Section, sections};
use crate::base::day;
use crate::base::escape::plain;
use crate::base::failure::Result;
use crate::base::words::count;
use crate::files::inputs::{ARCHIVE, Inputs};
use crate::model::scale::group_thousands;
use crate::report::{ReleaseSeries, Report, Table};
use crate::site::data::digests;
use crate::site::front_matter::{FrontMatter, PageLink};
use crate::site::page_text::NOTES;
use crate::site::renderer::{Pages, Renderer, entry, put_graphs};
use crate::site::tables::ahead::{ahead, question};
use crate::site::tables::changes::{changes, comparisons, untested};
use crate::site::tables::html::HtmlTable;
use crate::site::tables::provenance::{inputs, versions};
use crate::site::words::finding::finding;
use crate::site::words::highlights::feed_summary;
use crate::site::words::phrases::{legend, runs_of};
use crate::site::words::trust::trust;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// More files than this are listed in a download instead of a table: `generator run` leaves hundreds.
const MAX_FILES: usize = 40;

/// How a report was made.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// The files that it is made from.
    pub(crate) inputs: Inputs,
    /// The commands of the measurement, if `generator run` made it.
    pub(crate) commands: Vec<String>,
}

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
    question: &'a str,
    ahead: Option<HtmlTable>,
    sections: Vec<Section>,
    across: &'a Releases,
    /// The titles of comparisons with their anchors on the page of all figures.
    comparisons: Vec<[String; 2]>,
    previous: Option<Json>,
    /// Whether the previous report is of this machine. Between two machines, a list of changes would
    /// show differences of the machines.
    same_machine: bool,
    /// Whether some changes are of single figures.
    untested: bool,
    /// The largest changes in words; empty without any.
    changes_lead: &'a str,
    changes_plot: Option<String>,
    /// What stands for the notes; empty without any.
    notes: String,
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
        series: &[ReleaseSeries<'_>],
        origin: Origin,
    ) -> Result<Pages> {
        let comparisons = comparisons(report, &report.folder.join("report.toml"))?;
        let notes = self.notes(report, earlier, &comparisons)?;
        let previous = earlier.first().copied();
        let mut changes = changes(report, earlier, |_| true);
        let mut ahead = ahead(report, self.has("compare"));
        let mut sections = sections(report, series);
        let mut across = releases(series);
        if !self.has_overviews() {
            let tables = sections.iter_mut().filter_map(|s| s.table.as_mut());
            let tables = tables.chain(&mut ahead).chain(&mut across.table);
            tables.for_each(HtmlTable::unlink);
        }
        for dot in changes.plot.iter_mut().flat_map(|plot| &mut plot.rows) {
            let deeper = |href: String| format!("{FOLDER}/{href}");
            dot.href = dot.href.take().map(deeper);
        }
        let finding = finding(report);
        // Of a single section, its own finding is that of the report.
        for section in &mut sections {
            section.finding.retain(|sentence| *sentence != finding);
        }
        let changes_plot = changes.plot.take();
        let view = ReportView {
            name: &report.name,
            finding: &finding,
            unsteady: report
                .data
                .unsteady_note()
                .filter(|_| report.data.is_unsteady()),
            trust: trust(report),
            legend: legend(&Table::of(report)),
            question: question(report),
            ahead,
            sections,
            comparisons: comparisons
                .iter()
                .map(|(title, _)| [title.clone(), format!("{FOLDER}/#comparisons")])
                .collect(),
            previous: previous.map(entry),
            same_machine: previous.is_some_and(|p| report.shares_machine(p)),
            untested: previous.is_some_and(|p| untested(report, p)),
            changes_lead: &changes.highlights.lead,
            changes_plot: changes_plot.map(|plot| self.plot(&plot)).transpose()?,
            across: &across,
            notes: String::from_iter((!notes.text.is_empty()).then_some(NOTES)),
            method: method(report),
            commands: &origin.commands,
            locks: origin
                .inputs
                .files
                .iter()
                .any(|f| f.name.starts_with("locks/")),
            declared: declared(report, &origin),
        };        let text = self.text("report.md.tera", &view, &notes.text)?;
        let title = report.title();
        let mut head = FrontMatter::page("report", &report.name, &title, &finding);
        head.date = report.day.map(day::to_toml);
        head.extra.day_in_words = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        head.extra.report = Some(&report.name);
        head.extra.machine = report.manifest.machine.as_deref().map(plain);
        head.extra.extent = extent(report);
        let neighbour = |other: &Report| PageLink::new(&other.name, &other.title());
        head.extra.previous = previous.map(neighbour);
        head.extra.next = next.map(neighbour);
        let highlights = &changes.highlights;
        let since = previous.map(|p| feed_summary(p, view.same_machine, highlights));
        head.extra.changes = since.map(|since| plain(&since).into_owned());
        head.extra.added.clone_from(&report.manifest.extra);
        head.template = report.manifest.template.as_deref();
        head.taxonomies.clone_from(&report.manifest.taxonomies);
        let mut pages = Pages::new();
        let folder = format!("{}/", report.name);
        let graphs = view.sections.iter().flat_map(|s| &s.graphs);
        let graphs = graphs.chain(&view.across.graphs).chain(&notes.graphs);
        put_graphs(&mut pages, &mut head, &folder, graphs);
        self.put_text(&mut pages, format!("{folder}index.md"), head, &text)?;
        let part = |title: &str, id, tables| Part {
            title: title.to_owned(),
            id,
            tables,
        };
        let mut more = vec![
            part(
                across.title,
                "releases",
                Vec::from_iter(across.steps.take()),
            ),
            part(
                "Comparisons",
                "comparisons",
                comparisons.into_iter().map(|of| of.1).collect(),
            ),
            part("Changes since the report before", "changes", changes.tables),
            part("Versions", "versions", vec![versions(report)]),
        ];
        if origin.inputs.files.len() <= MAX_FILES {
            more.push(part("Files", "files", vec![inputs(&origin.inputs)]));
        }
        more.retain(|part| !part.tables.is_empty());
        self.figures(&mut pages, report, more)?;
        if origin.inputs.files.len() > MAX_FILES {
            let digests = digests(&origin.inputs)?;
            pages.insert(format!("{folder}SHA256SUMS.txt.gz"), digests);
        }
        if let Some(archive) = origin.inputs.archive {
            pages.insert(format!("{folder}{ARCHIVE}"), archive);
        }
        Ok(pages)
    }
}

/// `27 builds`, and the number of runs.
fn extent(report: &Report) -> Vec<String> {
    let builds = count(report.data.implementations.len(), "build");
    [builds].into_iter().chain(runs_of(report)).collect()
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
        "generator": env!("CARGO_PKG_VERSION"),
        "count": group_thousands(&count.to_string()),
        "archive": files.archive.is_some().then_some(ARCHIVE),
        "has_digests": count > MAX_FILES,
    })
}
