//! Pages over all reports: scenarios, implementations, changes, and the method.

use super::front_matter::FrontMatter;
use super::site::{Pages, Renderer, entry, put_graphs};
use crate::day;
use crate::history::{Finding, Group, Histories, USUAL_SPREAD};
use crate::page::{self, ChangePointView, HistoryView};
use crate::report::Report;
use crate::stats::{MIN_HISTORY, MIN_SAMPLE_FOR_BOOTSTRAP, Rules};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Folders below `content/perf` that no report may have.
pub(crate) const RESERVED: [&str; 5] = [
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
    let mut changed = entry(report);
    changed["findings"] = shown.iter().map(view).collect();
    changed["more"] = (findings.len() - shown.len()).into();
    changed
}

impl Renderer {
    /// The page of a scenario, with its graphs.
    pub(crate) fn scenario(&self, group: &Group<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        self.history(&mut pages, "scenario", &page::scenario(group))?;
        Ok(pages)
    }

    /// The list of scenarios, the pages of implementations, changes and the method.
    pub(crate) fn over_all(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let head = FrontMatter::section(
            "scenarios",
            "Scenarios",
            "Every scenario that was measured, with its history over all reports.",
        );
        let view = json!({"tables": page::scenarios(histories)});
        self.put(&mut pages, &head, "list.md.tera", &view)?;
        let (views, rows): (Vec<_>, Vec<_>) = page::implementation(histories).into_iter().unzip();
        let head = FrontMatter::section(
            "implementations",
            "Implementations",
            "Every library that was measured, with all its versions.",
        );
        let view = json!({"tables": [page::implementations(rows)]});
        self.put(&mut pages, &head, "list.md.tera", &view)?;
        for view in &views {
            self.history(&mut pages, "implementation", view)?;
        }
        self.changes(histories, &mut pages)?;
        self.method(&mut pages)?;
        Ok(pages)
    }

    /// A page over all reports, with its graphs.
    fn history(&self, pages: &mut Pages, kind: &'static str, view: &HistoryView) -> Result<()> {
        let folder = format!("{kind}s/{}", view.address);
        let head = FrontMatter::page(kind, &folder, &view.title, &view.summary);
        self.put(pages, &head, "history.md.tera", view)?;
        let graphs = view.machines.iter().flat_map(|m| &m.graphs);
        put_graphs(pages, &format!("{folder}/"), graphs);
        Ok(())
    }

    /// A page for each report with change points, which is what the feed is made of.
    fn changes(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let found = histories.findings();
        let all: Vec<Value> = found.iter().map(|(r, found)| changed(r, found)).collect();
        let mut head = FrontMatter::section(
            "changes",
            "Changes over the reports",
            "Where the level of a history changes, newest first.",
        );
        head.sort_by = Some("date");
        head.generate_feeds = Some(true);
        let view = json!({"changed": all, "least": MIN_HISTORY});
        self.put(pages, &head, "changes.md.tera", &view)?;
        for (one, (report, findings)) in all.iter().zip(&found) {
            let others = match findings.len() {
                1 => String::new(),
                n => format!(", and {} more", n - 1),
            };
            let description = format!("{}{others}.", findings[0]);
            let title = format!("{}: {}", report.day_or_name(), title(findings));
            let folder = format!("changes/{}", report.name);
            let mut head = FrontMatter::page("change", &folder, &title, &description);
            head.date = report.day.map(day::to_toml);
            self.put(pages, &head, "change.md.tera", &json!({"one": one}))?;
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
        let head = FrontMatter::page(
            "method",
            "method",
            "How to read the figures",
            "How figures are made, what ±, ~ and p mean, and what the figures cannot tell.",
        );
        self.put(pages, &head, "method.md.tera", &view)
    }
}

/// `3 change points of OpenSSL and rustls`
fn title(findings: &[Finding<'_>]) -> String {
    let names = findings.iter().map(|f| f.point.implementation.name.clone());
    let names: Vec<String> = BTreeSet::from_iter(names).into_iter().collect();
    let number = page::count(findings.len(), "change point");
    format!("{number} of {}", page::join(&names))
}
