//! The folder of one report: its page, graphs and downloads.

use super::figures::FOLDER;
use super::method::method;
use super::sections::{releases, sections};
use crate::base::day;
use crate::base::escape::plain;
use crate::base::failure::Result;
use crate::base::words::{count, join};
use crate::files::inputs::{ARCHIVE, Inputs};
use crate::model::scale::group_thousands;
use crate::report::{Compared, Report, Row, one_of_each_kind, words};
use crate::site::data::digests;
use crate::site::front_matter::{FrontMatter, link};
use crate::site::renderer::{Pages, Renderer, put_graphs};
use crate::site::section::Section;
use crate::site::tables::ahead::{ahead, question};
use crate::site::tables::changes::{Changes, changes, comparisons};
use crate::site::tables::provenance::versions;
use crate::site::words::finding::finding;
use crate::site::words::trust::trust;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// How a report was made.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// The files that it is made from.
    pub(crate) inputs: Inputs,
    /// The commands of the measurement, if `generator run` made it.
    pub(crate) commands: Vec<String>,
}

impl Renderer<'_> {
    /// Renders the folder of one report, except what [`downloads`](crate::site::downloads) makes.
    ///
    /// `previous` is the report before it.
    ///
    /// # Errors
    /// Problems in its notes or comparisons.
    pub(crate) fn report(
        &self,
        report: &Report,
        previous: Option<&Report>,
        next: Option<&Report>,
        origin: Origin,
    ) -> Result<Pages> {
        let links = self.links("../");
        let comparisons = comparisons(report)?;
        let (notes, drawn) = self.notes(report, previous, &comparisons)?;
        let changes = changes(report, previous, |_| true);
        let finding = finding(report);
        let mut all: Vec<Section> = Vec::new();
        all.extend(ahead(report).map(|grid| Section {
            title: question(report).to_owned(),
            id: "ahead",
            tables: vec![links.table(&grid)],
            ..Section::default()
        }));
        all.extend(releases(report, &links));
        all.extend(sections(report, &links));
        let since = previous.and_then(|previous| changes_section(report, previous, &changes));
        let in_feeds = since.as_ref().map(|section| section.finding.join(" "));
        all.extend(since);
        for section in &mut all {
            // Of a single section, its own finding is that of the report.
            section.finding.retain(|sentence| *sentence != finding);
        }
        let rows: Vec<&Row> = report.rows.iter().collect();
        let mut files = origin.inputs.files.iter();
        let view = json!({
            "name": report.name,
            "finding": finding,
            "unsteady": report.unsteady_note().filter(|_| report.is_unsteady()),
            "trust": trust(report),
            "legend": words::legend(report, &rows),
            "sections": all,
            "notes": notes,
            "method": method(report),
            "commands": origin.commands,
            "locks": files.any(|file| file.name.starts_with("locks/")),
            "declared": declared(report, &origin),
        });
        let title = report.title();
        let mut head = FrontMatter::page("report", &report.name, &title, &finding);
        head.date = report.day.map(day::to_toml);
        head.template = report.manifest.template.as_deref();
        head.taxonomies.clone_from(&report.manifest.taxonomies);
        let neighbour = |other: &Report| link(&other.name, &other.title());
        let builds = count(report.builds.len(), "build");
        let extra = &mut head.extra;
        extra.day_in_words = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        extra.report = Some(&report.name);
        extra.machine = report.manifest.machine.as_deref().map(plain);
        extra.extent = [builds].into_iter().chain(words::runs_of(report)).collect();
        extra.changes = in_feeds.map(|since| plain(&since).into_owned());
        extra.previous = previous.map(neighbour);
        extra.next = next.map(neighbour);
        extra.added.clone_from(&report.manifest.extra);
        let mut pages = Pages::new();
        let folder = format!("{}/", report.name);
        let graphs = all.iter().flat_map(|section| &section.graphs);
        put_graphs(&mut pages, &mut head, &folder, graphs.chain(&drawn));
        self.put(&mut pages, head, "report.md.tera", &view)?;
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
}

/// Returns the section on what changed since the report before; `None` if the two have no row in common.
fn changes_section(report: &Report, previous: &Report, changes: &[Changes<'_>]) -> Option<Section> {
    let of_builds = changes.iter().flat_map(|of_build| {
        let own = of_build.rows.iter().copied();
        one_of_each_kind(own, |one| one.row)
    });
    let rows: Vec<Compared<'_>> = of_builds.collect();
    let when = previous.day_or_name();
    // Between two machines, a number of changes would be one of differences of the machines.
    let sentence = match report.shares_machine(previous) {
        true => {
            let numbers = words::numbers(&rows).into_iter();
            let numbers: Vec<String> = numbers.map(|(n, what)| format!("{n} {what}")).collect();
            let largest = words::largest(&rows.iter().copied().collect());
            let largest = largest.map(|largest| format!(" The largest change: {largest}."));
            format!(
                "Since the report of {when}: {}.{}",
                join(&numbers),
                largest.unwrap_or_default()
            )
        }
        false => format!(
            "The report of {when} is of another machine, {}, so the factors compare machines as well as releases.",
            previous.manifest.machine.as_deref().unwrap_or("unknown")
        ),
    };
    let before = (format!("../{}/", previous.name), "The report before");
    let all = (format!("{FOLDER}/#changes"), "All rows that both have");
    (!rows.is_empty()).then(|| Section {
        title: format!("Changes since {when}"),
        id: "changes",
        finding: vec![sentence],
        links: [before, all].map(|(to, text)| [to, text.to_owned()]).into(),
        ..Section::default()
    })
}

/// Returns the template's input on source, machine, versions, commands and files.
fn declared(report: &Report, Origin { inputs, .. }: &Origin) -> Json {
    let manifest = &report.manifest;
    let mut commands: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for declared in &manifest.declarations {
        if let Some(command) = &declared.command {
            let of_command = commands.entry(command).or_default();
            of_command.push(declared.implementation.to_string());
        }
    }
    json!({
        "commands": commands.into_iter().collect::<Vec<_>>(),
        "facts": manifest.system,
        "source": manifest.source,
        "count": group_thousands(&inputs.files.len().to_string()),
        "archive": inputs.archive.is_some().then_some(ARCHIVE),
    })
}
