//! The folder of one report: its page, graphs and downloads.

use super::method::method;
use super::releases::{Releases, releases};
use super::rival::rival_plot;
use super::sections::{Section, sections_of};
use crate::base::day;
use crate::base::escape::plain;
use crate::base::failure::Result;
use crate::base::words::count;
use crate::files::inputs::{ARCHIVE, Inputs};
use crate::model::scale::group_thousands;
use crate::report::{ReleaseSeries, Report, Table};
use crate::site::data::digests;
use crate::site::front_matter::{FrontMatter, PageLink};
use crate::site::graphs::dots::DotPlot;
use crate::site::renderer::{Pages, Renderer, entry, put_graphs};
use crate::site::tables::changes::{Changes, changes, comparisons, untested};
use crate::site::tables::html::HtmlTable;
use crate::site::tables::provenance::{inputs, versions};
use crate::site::words::finding::finding;
use crate::site::words::highlights::feed_summary;
use crate::site::words::phrases::{legend, precision};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::HashSet;

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
    /// What the figures of all tables are.
    legend: String,
    rival: Option<Plot>,
    sections: Vec<Section>,
    across: Releases,
    comparisons: Vec<HtmlTable>,
    previous: Option<Json>,
    /// Whether the previous report is of this machine. Between two machines, a list of changes would
    /// show differences of the machines.
    same_machine: bool,
    /// Whether some changes are of single figures.
    untested: bool,
    changes: Changes,
    changes_plot: Option<Plot>,
    notes: &'a str,
    method: Vec<String>,
    /// The commands that repeat the measurement.
    commands: &'a [String],
    /// Whether there are lock files of the programs.
    locks: bool,
    declared: Json,
}

/// A dot plot.
#[derive(Serialize)]
struct Plot {
    title: String,
    html: String,
}

/// Sections whose tables a page shows at once.
const MAIN_SECTIONS: usize = 3;

impl ReportView<'_> {
    fn tables_mut(&mut self) -> Vec<&mut HtmlTable> {
        let mut tables: Vec<&mut HtmlTable> = Vec::new();
        for section in &mut self.sections {
            tables.extend(&mut section.block.tables);
        }
        tables.extend(&mut self.across.steps);
        tables.extend(&mut self.comparisons);
        tables.extend(&mut self.changes.tables);
        tables
    }

    /// Folds the tables below the graphs of the later sections.
    fn fold(&mut self) {
        for section in self.sections.iter_mut().skip(MAIN_SECTIONS) {
            section.block.tables.iter_mut().for_each(HtmlTable::fold);
        }
        self.changes.tables.iter_mut().for_each(HtmlTable::fold);
    }
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
        let mut comparisons = comparisons(report, &report.folder.join("report.toml"))?;
        let notes = self.notes(report, earlier, &comparisons)?;
        comparisons.retain(|(title, _)| !notes.comparisons.contains(title));
        let previous = earlier.first().copied();
        let mut changes = changes(report, earlier, |_| true);
        let mut sections = sections_of(report);
        let mut rival = rival_plot(report);
        let tables = sections.iter_mut().flat_map(|s| &mut s.block.tables);
        let tables = tables.chain(comparisons.iter_mut().map(|(_, table)| table));
        let tables = tables.chain(&mut changes.tables);
        link(tables, [&mut rival, &mut changes.plot]);
        let plot = |plot: DotPlot| -> Result<Plot> {
            let html = self.plot(&plot)?;
            let title = plot.caption;
            Ok(Plot { title, html })
        };
        let finding = finding(report);
        let mut view = ReportView {
            name: &report.name,
            finding: &finding,
            unsteady: report
                .data
                .unsteady_note()
                .filter(|_| report.data.is_unsteady()),
            legend: legend(&Table::of(report)),
            rival: rival.map(plot).transpose()?,
            sections,
            across: releases(series),
            comparisons: comparisons.into_iter().map(|(_, table)| table).collect(),
            previous: previous.map(entry),
            same_machine: previous.is_some_and(|p| report.shares_machine(p)),
            untested: previous.is_some_and(|p| untested(report, p)),
            changes_plot: changes.plot.take().map(plot).transpose()?,
            changes,
            notes: &notes.markdown,
            method: method(report),
            commands: &origin.commands,
            locks: origin
                .inputs
                .files
                .iter()
                .any(|f| f.name.starts_with("locks/")),
            declared: declared(report, &origin),
        };
        if !self.has_overviews() {
            view.tables_mut().into_iter().for_each(HtmlTable::unlink);
        }
        view.fold();
        let text = self.template("report.md.tera", &view)?;

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
        let highlights = &view.changes.highlights;
        let since = previous.map(|p| feed_summary(p, view.same_machine, highlights));
        head.extra.changes = since.map(|since| plain(&since).into_owned());
        head.extra.added.clone_from(&report.manifest.extra);
        head.template = report.manifest.template.as_deref();
        head.taxonomies.clone_from(&report.manifest.taxonomies);
        let mut pages = Pages::new();
        let folder = format!("{}/", report.name);
        let graphs = view.sections.iter().flat_map(|s| &s.block.graphs);
        let graphs = graphs.chain(&view.across.graphs).chain(&notes.graphs);
        put_graphs(&mut pages, &mut head, &folder, graphs);
        self.put_text(&mut pages, format!("{folder}index.md"), head, &text)?;
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

/// Removes the ids that an earlier row of the page has, and the links to rows that it does not show.
fn link<'t>(tables: impl Iterator<Item = &'t mut HtmlTable>, plots: [&mut Option<DotPlot>; 2]) {
    let mut ids = HashSet::new();
    for row in tables.flat_map(|table| &mut table.rows) {
        row.id.take_if(|id| !ids.insert(format!("#{id}")));
    }
    for row in plots.into_iter().flatten().flat_map(|plot| &mut plot.rows) {
        row.href.take_if(|href| !ids.contains(href));
    }
}

/// `27 builds`, the number of runs and how small a difference shows.
fn extent(report: &Report) -> Vec<String> {
    let builds = count(report.data.implementations.len(), "build");
    [builds].into_iter().chain(precision(report)).collect()
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
        "versions": versions(report),
        "commands": commands,
        "facts": manifest.system,
        "source": source,
        "generator": env!("CARGO_PKG_VERSION"),
        "count": group_thousands(&count.to_string()),
        "archive": files.archive.is_some().then_some(ARCHIVE),
        "inputs": (count <= MAX_FILES).then(|| inputs(files)),
    })
}
