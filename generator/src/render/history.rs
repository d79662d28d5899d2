//! Pages over all reports: scenarios, implementations, changes, and the method.

use super::front_matter::FrontMatter;
use super::site::{Pages, ROOT, Renderer};
use super::table::tables;
use crate::day;
use crate::history::{Finding, Group, Histories, USUAL_SPREAD};
use crate::page::{self, ChangePointView, HistoryView, MachineView};
use crate::report::Report;
use crate::stats::{MIN_HISTORY, MIN_SAMPLE_FOR_BOOTSTRAP, Rules};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;

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

/// What changed with one report.
fn changed(report: &Report, findings: &[Finding<'_>]) -> Value {
    let shown = &findings[..findings.len().min(MAX_FINDINGS)];
    let view = |f: &Finding<'_>| {
        let change_point = ChangePointView::new(f.metric.label.clone(), f.point, f.change_point);
        json!({"address": f.group.address, "point": change_point})
    };
    json!({
        "name": report.name,
        "title": page::title(report),
        "day": report.day.map(|d| d.to_string()).unwrap_or_default(),
        "machine": report.manifest.machine.as_deref().unwrap_or_default(),
        "findings": shown.iter().map(view).collect::<Vec<_>>(),
        "more": findings.len() - shown.len(),
    })
}

impl Renderer {
    /// The page of a scenario, with its graphs.
    ///
    /// # Errors
    /// A mistake in the templates.
    pub fn scenario(&self, group: &Group<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        self.history(&mut pages, "scenario", &page::scenario(group))?;
        Ok(pages)
    }

    /// The list of scenarios, the pages of implementations, changes and the method.
    ///
    /// # Errors
    /// A mistake in the templates.
    pub fn over_all(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let head = FrontMatter::new(
            "scenarios",
            None,
            "Scenarios",
            "Every scenario that was measured, with its history over all reports.",
        );
        let lists = tables(&page::scenarios(histories), "../method/");
        let view = json!({"tables": lists});
        self.put(
            &mut pages,
            "scenarios/_index.md",
            &head,
            "list.md.tera",
            &view,
        )?;
        self.implementations(histories, &mut pages)?;
        self.changes(histories, &mut pages)?;
        self.method(&mut pages)?;
        Ok(pages)
    }

    /// A page over all reports, with its graphs.
    fn history(&self, pages: &mut Pages, kind: &'static str, view: &HistoryView) -> Result<()> {
        let folder = format!("{kind}s/{}", view.address);
        let head = FrontMatter::new(
            kind,
            Some(format!("perf/{folder}")),
            &view.title,
            &view.summary,
        );
        let tables = |machine: &MachineView| tables(&machine.tables, "../../method/");
        let context = json!({
            "summary": view.summary,
            "machines": view.machines,
            "tables": view.machines.iter().map(tables).collect::<Vec<_>>(),
        });
        self.put(
            pages,
            &format!("{folder}/index.md"),
            &head,
            "history.md.tera",
            &context,
        )?;
        for graph in view.machines.iter().flat_map(|m| &m.graphs) {
            let svg = graph.drawing.svg.clone();
            pages.insert(format!("{ROOT}/{folder}/{}", graph.file), svg.into_bytes());
        }
        Ok(())
    }

    fn implementations(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let (views, rows): (Vec<_>, Vec<_>) = page::implementation(histories).into_iter().unzip();
        let head = FrontMatter::new(
            "implementations",
            None,
            "Implementations",
            "Every library that was measured, with all its versions.",
        );
        let list = tables(&[page::implementations(rows)], "../method/");
        let view = json!({"tables": list});
        self.put(
            pages,
            "implementations/_index.md",
            &head,
            "list.md.tera",
            &view,
        )?;
        views
            .iter()
            .try_for_each(|view| self.history(pages, "implementation", view))
    }

    /// A page for each report with change points, which is what the feed is made of.
    fn changes(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let found = histories.findings();
        let all: Vec<Value> = found
            .iter()
            .map(|(r, findings)| changed(r, findings))
            .collect();
        let view = json!({"changed": all, "least": MIN_HISTORY});
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
        self.put(pages, "changes/_index.md", &head, "changes.md.tera", &view)?;
        for (one, (report, findings)) in all.iter().zip(&found) {
            let others = match findings.len() {
                1 => String::new(),
                n => format!(", and {} more", n - 1),
            };
            let description = format!("{}{others}.", findings[0]);
            let day = report.day.map(|d| d.to_string()).unwrap_or_default();
            let title = format!("{day}: {}", title(findings));
            let path = Some(format!("perf/changes/{}", report.name));
            let head = FrontMatter {
                date: report.day.map(day::to_toml),
                ..FrontMatter::new("change", path, &title, &description)
            };
            let file = format!("changes/{}/index.md", report.name);
            self.put(pages, &file, &head, "change.md.tera", &json!({"one": one}))?;
        }
        Ok(())
    }

    /// How figures are made, in plain words.
    fn method(&self, pages: &mut Pages) -> Result<()> {
        let rules = Rules::default();
        let percent = |share: f64| (share * 100.0).to_string();
        let view = json!({
            "least_history": MIN_HISTORY,
            "least_bootstrap": MIN_SAMPLE_FOR_BOOTSTRAP,
            "alpha": percent(rules.alpha),
            "threshold": percent(rules.threshold),
            "spread": percent(USUAL_SPREAD),
            "step": percent(USUAL_SPREAD * 2.0),
        });
        let head = FrontMatter::new(
            "method",
            Some("perf/method".to_owned()),
            "How to read the figures",
            "How figures are made, what ±, ~ and p mean, and what the figures cannot tell.",
        );
        self.put(pages, "method/index.md", &head, "method.md.tera", &view)
    }
}

/// `3 change points of OpenSSL and rustls`
fn title(findings: &[Finding<'_>]) -> String {
    let names = findings.iter().map(|f| f.point.implementation.name.clone());
    let names: BTreeSet<String> = names.collect();
    let names: Vec<String> = names.into_iter().collect();
    format!(
        "{} of {}",
        page::count(findings.len(), "change point"),
        page::join(&names)
    )
}
