//! Pages over all reports: scenarios, implementations, changes, and the method.

use super::front_matter::FrontMatter;
use super::site::{Pages, ROOT, Renderer};
use super::table;
use crate::day;
use crate::history::{Finding, Group, Histories, USUAL_SPREAD};
use crate::page::{self, Graph, ImplementationView, MachineView, Table};
use crate::report::Report;
use crate::stats::{MIN_HISTORY, MIN_SAMPLE_FOR_BOOTSTRAP, Rules};
use anyhow::Result;
use serde::Serialize;
use tera::Context;

/// Folders below `content/perf` that no report may have.
pub const RESERVED: [&str; 5] = [
    "changes",
    "compare",
    "implementations",
    "method",
    "scenarios",
];

/// Findings of one report on a page or in the feed; the greatest come first.
const MAX_FINDINGS: usize = 40;

/// A finding as the templates take it.
#[derive(Serialize)]
struct FindingView<'a> {
    label: &'a str,
    address: &'a str,
    change: String,
    class: &'static str,
    since: &'a str,
    evidence: String,
}

/// What changed with one report.
#[derive(Serialize)]
struct Changed<'a> {
    name: &'a str,
    title: String,
    day: String,
    machine: &'a str,
    findings: Vec<FindingView<'a>>,
    more: usize,
}

impl<'a> Changed<'a> {
    fn new((report, findings): &'a (&'a Report, Vec<Finding<'a>>)) -> Self {
        let shown = &findings[..findings.len().min(MAX_FINDINGS)];
        let view = |f: &'a Finding<'a>| FindingView {
            label: f.label,
            address: f.address,
            change: f.change.to_string(),
            class: f.change.word().word(),
            since: &f.since,
            evidence: crate::history::evidence(f.p),
        };
        Self {
            name: &report.name,
            title: page::title(report),
            day: report.day.map_or_else(String::new, |d| d.to_string()),
            machine: report.manifest.machine.as_deref().unwrap_or_default(),
            findings: shown.iter().map(view).collect(),
            more: findings.len() - shown.len(),
        }
    }
}

fn insert_list(context: &mut Context, tables: &[Table]) {
    context.insert("tables", &table::tables(tables, "../method/"));
}

fn insert_machines(context: &mut Context, machines: &[MachineView]) {
    let tables = machines
        .iter()
        .map(|machine| table::tables(&machine.tables, "../../method/"));
    context.insert("tables", &tables.collect::<Vec<_>>());
    context.insert("machines", machines);
}

fn put_graphs<'a>(
    pages: &mut Pages,
    folder: &str,
    machines: impl Iterator<Item = &'a MachineView>,
) {
    for Graph { file, drawing, .. } in machines.flat_map(|p| &p.graphs) {
        pages.insert(format!("{folder}/{file}"), drawing.svg.clone().into_bytes());
    }
}

impl Renderer {
    fn put(
        &self,
        pages: &mut Pages,
        file: String,
        front_matter: &FrontMatter<'_>,
        (template, context): (&str, &Context),
    ) -> Result<()> {
        let page = front_matter.render()? + &self.template(template, context)?;
        pages.insert(file, page.into_bytes());
        Ok(())
    }

    /// The page of a scenario, with its graphs.
    ///
    /// # Errors
    /// A mistake in the templates.
    pub fn scenario(&self, group: &Group<'_>) -> Result<Pages> {
        let view = page::scenario(group);
        let mut context = Context::new();
        context.insert("summary", &view.summary);
        insert_machines(&mut context, &view.machines);
        let path = format!("perf/scenarios/{}", group.address);
        let head = FrontMatter::new("scenario", Some(path), &group.label, &view.summary);
        let folder = format!("{ROOT}/scenarios/{}", group.address);
        let mut pages = Pages::new();
        let file = format!("{folder}/index.md");
        self.put(&mut pages, file, &head, ("history.md.tera", &context))?;
        put_graphs(&mut pages, &folder, view.machines.iter());
        Ok(pages)
    }

    /// The list of scenarios, the pages of implementations, changes and the method.
    ///
    /// # Errors
    /// A mistake in the templates.
    pub fn over_all(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let mut context = Context::new();
        insert_list(&mut context, &page::scenarios(histories));
        let head = FrontMatter::new(
            "scenarios",
            None,
            "Scenarios",
            "What was measured, each with its history over all reports.",
        );
        let file = format!("{ROOT}/scenarios/_index.md");
        self.put(&mut pages, file, &head, ("list.md.tera", &context))?;
        self.implementations(histories, &mut pages)?;
        self.changes(histories, &mut pages)?;
        self.method(&mut pages)?;
        Ok(pages)
    }

    fn implementations(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let views = page::implementation(histories);
        let mut context = Context::new();
        insert_list(&mut context, &[page::implementations(&views)]);
        let head = FrontMatter::new(
            "implementations",
            None,
            "Implementations",
            "Every library that was measured, with all its versions.",
        );
        let file = format!("{ROOT}/implementations/_index.md");
        self.put(pages, file, &head, ("list.md.tera", &context))?;
        for view in &views {
            let ImplementationView {
                name,
                address,
                summary,
                machines,
                ..
            } = view;
            let mut context = Context::new();
            context.insert("summary", summary);
            insert_machines(&mut context, machines);
            let path = format!("perf/implementations/{address}");
            let head = FrontMatter::new("implementation", Some(path), name, summary);
            let folder = format!("{ROOT}/implementations/{address}");
            let file = format!("{folder}/index.md");
            self.put(pages, file, &head, ("history.md.tera", &context))?;
            put_graphs(pages, &folder, machines.iter());
        }
        Ok(())
    }

    /// A page for each report with change points, which is what the feed is made of.
    fn changes(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let found = histories.findings();
        let changed: Vec<Changed<'_>> = found.iter().map(Changed::new).collect();
        let mut context = Context::new();
        context.insert("changed", &changed);
        context.insert("least", &MIN_HISTORY);
        let head = FrontMatter {
            sort_by: Some("date"),
            generate_feeds: Some(true),
            ..FrontMatter::new(
                "changes",
                None,
                "Changes over the reports",
                "Where the level of a history changes, newest first.",
            )
        };
        let file = format!("{ROOT}/changes/_index.md");
        self.put(pages, file, &head, ("changes.md.tera", &context))?;
        for (one, (report, findings)) in changed.iter().zip(&found) {
            let count = findings.len();
            let others = match count {
                1 => String::new(),
                n => format!(", and {} more", n - 1),
            };
            let description = format!("{}{others}.", findings[0].sentence());
            let title = format!("{}: {}", one.day, title(findings));
            let mut context = Context::new();
            context.insert("one", one);
            let head = FrontMatter {
                date: report.day.map(day::to_toml),
                ..FrontMatter::new(
                    "change",
                    Some(format!("perf/changes/{}", one.name)),
                    &title,
                    &description,
                )
            };
            let file = format!("{ROOT}/changes/{}/index.md", one.name);
            self.put(pages, file, &head, ("change.md.tera", &context))?;
        }
        Ok(())
    }

    /// How figures are made, in plain words.
    fn method(&self, pages: &mut Pages) -> Result<()> {
        let rules = Rules::default();
        let mut context = Context::new();
        context.insert("least_history", &MIN_HISTORY);
        context.insert("least_bootstrap", &MIN_SAMPLE_FOR_BOOTSTRAP);
        for (name, share) in [
            ("alpha", rules.alpha),
            ("threshold", rules.threshold),
            ("spread", USUAL_SPREAD),
            ("step", USUAL_SPREAD * 2.0),
        ] {
            context.insert(name, &(share * 100.0).to_string());
        }
        let head = FrontMatter::new(
            "method",
            Some("perf/method".to_owned()),
            "How to read the figures",
            "How figures are made, what ±, ~ and p mean, and what no figure here can tell.",
        );
        let file = format!("{ROOT}/method/index.md");
        self.put(pages, file, &head, ("method.md.tera", &context))
    }
}

/// `3 change points of OpenSSL and rustls`
fn title(findings: &[Finding<'_>]) -> String {
    let names: std::collections::BTreeSet<&str> = findings.iter().map(|f| f.name).collect();
    let names: Vec<String> = names.into_iter().map(ToOwned::to_owned).collect();
    let n = findings.len();
    let s = if n == 1 { "" } else { "s" };
    format!("{n} change point{s} of {}", page::join(&names))
}
