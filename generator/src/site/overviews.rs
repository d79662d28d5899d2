//! Overviews: scenarios, implementations, machines, and the method.

use super::front_matter::FrontMatter;
use super::renderer::{Pages, Renderer, put_graphs};
use crate::history::{Histories, ScenarioGroup, USUAL_SPREAD};
use crate::report::Report;
use crate::scenario::tidy::text_cell;
use crate::scenario::{Scenario, Workload};
use crate::site::{self, HistoryView};
use crate::stats::{MIN_HISTORY, MIN_SAMPLE_FOR_BOOTSTRAP, Rules};
use anyhow::Result;
use serde_json::json;

/// Writes every figure of a scenario as CSV.
fn data(group: &ScenarioGroup<'_>) -> Result<Vec<u8>> {
    // About the length of a line. Reallocating a growing table takes as long as writing it.
    const LINE: usize = 128;
    let series = group.metrics().flat_map(|metric| &metric.series);
    let lines: usize = 1 + series.map(|series| series.points.len()).sum::<usize>();
    let mut table = csv::Writer::from_writer(Vec::with_capacity(lines * LINE));
    table.write_record([
        "machine",
        "report",
        "implementation",
        "version",
        "variant",
        "scenario",
        "unit",
        "estimate",
        "low",
        "high",
        "n",
    ])?;
    for machine in &group.machines {
        for metric in &machine.metrics {
            for point in metric.series.iter().flat_map(|s| &s.points) {
                let one = point.implementation;
                let texts = [
                    machine.name(),
                    &point.report.name,
                    &one.name,
                    one.version.as_str(),
                    &one.variant.join("+"),
                    &metric.label,
                    metric.unit.symbol(),
                ];
                let known = point.figure;
                let [low, high] = [
                    known.interval.map(|i| i.low),
                    known.interval.map(|i| i.high),
                ];
                let figures = [Some(known.estimate), low, high];
                let figure = |v: Option<f64>| v.map(|v| metric.unit.printed(v).to_string());
                let figures = figures.map(|v| figure(v).unwrap_or_default());
                let n = [known.sample.len().to_string()];
                let texts = texts.map(text_cell).into_iter();
                table.write_record(texts.chain(figures).chain(n))?;
            }
        }
    }
    Ok(table.into_inner()?)
}

impl Renderer<'_> {
    /// Renders the page of a scenario, with its graphs and CSV.
    pub(crate) fn scenario(&self, group: &ScenarioGroup<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        self.history(&mut pages, "scenario", &site::scenario(group))?;
        let path = format!("scenarios/{}/data.csv", group.address);
        pages.insert(path, data(group)?);
        Ok(pages)
    }

    /// Renders the list of scenarios, and the pages of implementations and the method.
    pub(crate) fn over_all(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        let head = FrontMatter::section(
            "scenarios",
            "Scenarios",
            "Every scenario that was measured, with its history over all reports.",
        );
        let view = json!({"kind": "scenarios", "tables": site::scenarios(histories)});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        self.implementations(histories, &mut pages)?;
        self.method(histories, &mut pages)?;
        Ok(pages)
    }

    /// Adds the list of implementations and the page of each.
    fn implementations(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let (views, rows): (Vec<_>, Vec<_>) = site::implementation(histories).into_iter().unzip();
        let head = FrontMatter::section(
            "implementations",
            "Implementations",
            "Everything that was measured, with every version.",
        );
        let view = json!({"kind": "implementations", "tables": [site::implementations(rows)]});
        self.put(pages, head, "list.md.tera", &view)?;
        for view in views {
            self.history(pages, "implementation", &view)?;
        }
        Ok(())
    }

    /// Renders the page of releases on several machines. `reports` are newest first.
    pub(crate) fn machines(&self, reports: &[&Report]) -> Result<Pages> {
        let head = FrontMatter::section(
            "machines",
            "Machines",
            "The same releases on several machines, as ratios to one implementation.",
        );
        let mut pages = Pages::new();
        let view = site::machines(reports);
        self.put(&mut pages, head, "machines.md.tera", &view)?;
        Ok(pages)
    }

    /// Adds the page of a history, with its graphs.
    fn history(&self, pages: &mut Pages, kind: &str, view: &HistoryView) -> Result<()> {
        let folder = format!("{kind}s/{}", view.address);
        let head = FrontMatter::page(kind, &folder, &view.title, &view.summary);
        let text = self.template("history.md.tera", view)?;
        self.put_text(pages, format!("{folder}/index.md"), head, &text)?;
        let folder = format!("{folder}/");
        if let Some(across) = &view.across {
            put_graphs(pages, &folder, &across.graphs);
        }
        for machine in &view.machines {
            put_graphs(pages, &folder, &machine.graphs);
        }
        Ok(())
    }

    /// Adds the page that explains figures, with the sections for which there are figures.
    fn method(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let metrics: Vec<_> = histories.metrics().map(|(_, metric)| metric).collect();
        let any = |is: fn(&Scenario) -> bool| metrics.iter().any(|m| is(m.scenario));
        let rules = Rules::default();
        let percent = |share: f64| (share * 100.0).to_string();
        let view = json!({
            "least_history": MIN_HISTORY,
            "least_bootstrap": MIN_SAMPLE_FOR_BOOTSTRAP,
            "alpha": percent(rules.alpha),
            "threshold": percent(rules.threshold),
            "spread": percent(USUAL_SPREAD),
            "step": percent(USUAL_SPREAD * 2.0),
            "max_releases": site::MAX_RELEASES,
            "memory": any(|s| s.sessions.is_some()),
            "footprint": any(|s| s.workload.is_of_build()),
            "threads": any(|s| s.threads.is_some()),
            "latency": any(|s| s.percentile.is_some()),
            "tls": any(|s| !matches!(s.workload, Workload::Other(_))),
        });
        let head = FrontMatter::section(
            "method",
            "How to read the figures",
            "How figures are made, what ±, ~ and p mean, and what the figures cannot tell.",
        );
        self.put(pages, head, "method.md.tera", &view)
    }
}
