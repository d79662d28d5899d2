//! The pages of changes: one per report, the list of the newest, and one list per year.

use super::front_matter::FrontMatter;
use super::more::{self, Years};
use super::site::{Pages, Renderer, entry};
use crate::day;
use crate::history::{Finding, Histories};
use crate::page::{self, ChangePointView, Highlights, Span, YearLink};
use crate::report::Report;
use crate::stats::MIN_HISTORY;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of findings per report on a page or in the feed; the largest come first.
const MAX_FINDINGS: usize = 40;

/// The changes that one report found.
struct Changed<'a> {
    report: &'a Report,
    /// Changes from earlier reports.
    findings: Vec<Finding<'a>>,
    /// Changes between the releases in it.
    steps: Highlights,
}

/// Returns the reports with changes, newest first. All have a day: Zola leaves a page without a date
/// out of a section sorted by date.
fn changed_reports<'a>(histories: &'a Histories<'a>) -> Vec<Changed<'a>> {
    let mut findings = BTreeMap::from_iter(
        histories
            .findings()
            .into_iter()
            .map(|(report, found)| (report.when(), (report, found))),
    );
    let reports = histories
        .releases
        .chunk_by(|a, b| std::ptr::eq(a.report, b.report));
    for report in reports
        .map(|series| series[0].report)
        .filter(|r| r.day.is_some())
    {
        findings
            .entry(report.when())
            .or_insert((report, Vec::new()));
    }
    let changed = findings
        .into_values()
        .rev()
        .map(|(report, findings)| Changed {
            steps: page::release_steps(histories.releases_in(report)),
            report,
            findings,
        });
    changed
        .filter(|c| !c.findings.is_empty() || c.steps.largest().is_some())
        .collect()
}

impl Changed<'_> {
    fn view(&self) -> Value {
        let findings = &self.findings;
        let shown = &findings[..findings.len().min(MAX_FINDINGS)];
        let view = |f: &Finding<'_>| {
            let change_point =
                ChangePointView::new(f.metric.label.clone(), f.point, f.change_point);
            json!({"address": f.metric.address, "point": change_point})
        };
        let mut changed = entry(self.report);
        changed["findings"] = shown.iter().map(view).collect();
        changed["more"] = (findings.len() - shown.len()).into();
        changed["steps"] = json!(self.steps);
        changed
    }

    /// Returns `2026-03-07: 3 change points of OpenSSL and rustls`.
    fn title(&self) -> String {
        let names = self
            .findings
            .iter()
            .map(|f| f.point.implementation.name.clone());
        let names: Vec<String> = BTreeSet::from_iter(names).into_iter().collect();
        let what = match self.findings.len() {
            0 => "steps between releases".to_owned(),
            n => format!(
                "{} of {}",
                page::count(n, "change point"),
                page::join(&names)
            ),
        };
        format!("{}: {what}", self.report.day_or_name())
    }

    fn description(&self) -> String {
        let others = match self.findings.len() {
            0 | 1 => String::new(),
            n => format!(", and {} more", n - 1),
        };
        let first = self.findings.first().map(|f| format!("{f}{others}."));
        let sentences = first.into_iter().chain(self.steps.largest());
        sentences.collect::<Vec<_>>().join(" ")
    }
}

impl Renderer<'_> {
    /// Adds the lists of changes, and a page for each report with changes, for the feed.
    pub(super) fn changes(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let all = changed_reports(histories);
        let views: Vec<Value> = all.iter().map(Changed::view).collect();
        let mut head = FrontMatter::section(
            "changes",
            "Changes over the reports",
            "Where the level of a history changes, newest first.",
        );
        head.sort_by = Some("date");
        head.generate_feeds = Some(true);
        let reports: Vec<(&Report, usize)> = all.iter().map(|one| (one.report, 1)).collect();
        let (newest, years) = Span::split(&reports, [more::ROOM, more::ROOM]);
        let (newest, mut rest) = views.split_at(newest.reports.len());
        let links: Vec<YearLink> = years.iter().map(Span::link).collect();
        let view = json!({"changed": newest, "least": MIN_HISTORY, "years": links});
        self.put(pages, head, "changes.md.tera", &view)?;
        let of_years = Years::new(
            "changes",
            "Changes over the reports",
            links.iter().collect(),
        );
        for (index, year) in years.iter().enumerate() {
            let of_year;
            (of_year, rest) = rest.split_at(year.reports.len());
            let text = self.template("changes-year.md.tera", &json!({"changed": of_year}))?;
            self.year(pages, &of_years, index, text)?;
        }
        for (one, view) in all.iter().zip(&views) {
            let (title, description) = (one.title(), one.description());
            let folder = format!("changes/{}", one.report.name);
            let mut head = FrontMatter::page("change", &folder, &title, &description);
            head.date = one.report.day.map(day::to_toml);
            self.put(pages, head, "change.md.tera", &json!({"one": view}))?;
        }
        Ok(())
    }
}
