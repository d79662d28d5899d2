//! Overviews: scenarios, implementations, machines, and the method.

use super::front_matter::FrontMatter;
use super::links::deeper;
use super::more::Years;
use super::site::{Pages, Renderer, put_graphs};
use super::suite::ROOM;
use crate::history::{Histories, ScenarioGroup, USUAL_SPREAD};
use crate::page::{self, Graph, HistoryView};
use crate::report::{Overview, Report};
use crate::scenario::tidy::text_cell;
use crate::scenario::{Scenario, Workload};
use crate::stats::{MIN_HISTORY, MIN_SAMPLE_FOR_BOOTSTRAP, Rules};
use anyhow::Result;
use serde_json::{Value, json};

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

/// Returns all graphs of a page.
fn graphs(view: &HistoryView) -> impl Iterator<Item = &Graph> {
    let across = view.across.iter().flat_map(|a| &a.graphs);
    across.chain(view.machines.iter().flat_map(|m| &m.graphs))
}

/// Removes what a page with this many bytes of `text` has no room for: the newest figures, which get
/// their own pages, then the last graphs, whose figures are in the tables. Returns whether the page
/// was too heavy.
fn fit(view: &mut HistoryView, text: usize) -> bool {
    let graphs = graphs(view).map(|g| g.drawing.svg.len());
    let mut weight = text + graphs.sum::<usize>();
    let is_heavy = weight > ROOM;
    for machine in view.machines.iter_mut().rev() {
        if let Some((_, table)) = machine.figures.as_ref().filter(|_| weight > ROOM) {
            weight -= table.weight();
            machine.figures_are_here = false;
        }
    }
    let of_machines = view
        .machines
        .iter_mut()
        .rev()
        .map(|m| (&mut m.graphs, None));
    let across = view.across.iter_mut();
    let across = across.map(|a| (&mut a.graphs, Some(&mut a.left_out)));
    for (graphs, mut left_out) in of_machines.chain(across) {
        while weight > ROOM && graphs.len() > 1 {
            weight -= graphs.pop().map_or(0, |g| g.drawing.svg.len());
            if let Some(left_out) = &mut left_out {
                **left_out += 1;
            }
        }
    }
    is_heavy
}

impl Renderer<'_> {
    /// Renders the page of a scenario, with its graphs and CSV.
    pub(crate) fn scenario(
        &self,
        group: &ScenarioGroup<'_>,
        histories: &Histories<'_>,
    ) -> Result<Pages> {
        let mut pages = Pages::new();
        self.history(&mut pages, "scenario", page::scenario(group, histories))?;
        let path = format!("scenarios/{}/data.csv", group.address);
        pages.insert(path, data(group)?);
        Ok(pages)
    }

    /// Renders the list of scenarios, and the pages of implementations, changes and the method, as
    /// far as the site has them.
    pub(crate) fn over_all(&self, histories: &Histories<'_>) -> Result<Pages> {
        let mut pages = Pages::new();
        if self.has(Overview::Scenarios) {
            let head = FrontMatter::section(
                "scenarios",
                "Scenarios",
                "Every scenario that was measured, with its history over all reports.",
            );
            let view = json!({"kind": "scenarios", "tables": page::scenarios(histories)});
            self.put(&mut pages, head, "list.md.tera", &view)?;
        }
        if self.has(Overview::Implementations) {
            self.implementations(histories, &mut pages)?;
        }
        if self.has(Overview::Changes) {
            self.changes(histories, &mut pages)?;
        }
        if self.has(Overview::Method) {
            self.method(histories, &mut pages)?;
        }
        Ok(pages)
    }

    /// Adds the list of implementations and the page of each.
    fn implementations(&self, histories: &Histories<'_>, pages: &mut Pages) -> Result<()> {
        let (views, rows): (Vec<_>, Vec<_>) = page::implementation(histories).into_iter().unzip();
        let head = FrontMatter::section(
            "implementations",
            "Implementations",
            "Everything that was measured, with every version.",
        );
        let view = json!({"kind": "implementations", "tables": [page::implementations(rows)]});
        self.put(pages, head, "list.md.tera", &view)?;
        for view in views {
            self.history(pages, "implementation", view)?;
        }
        Ok(())
    }

    /// Renders the page of releases on several machines; nothing if the site does without it.
    /// `reports` are newest first.
    pub(crate) fn machines(&self, reports: &[&Report]) -> Result<Pages> {
        let mut pages = Pages::new();
        if self.has(Overview::Machines) {
            let head = FrontMatter::section(
                "machines",
                "Machines",
                "The same releases on several machines, as ratios to one implementation.",
            );
            self.put(
                &mut pages,
                head,
                "machines.md.tera",
                &page::machines(reports),
            )?;
        }
        Ok(pages)
    }

    /// Adds the page of a history, with its graphs, and pages for the figures it has no room for.
    fn history(&self, pages: &mut Pages, kind: &'static str, mut view: HistoryView) -> Result<()> {
        let folder = format!("{kind}s/{}", view.address);
        let render = |view: &HistoryView| {
            let mut whole = json!(view);
            if kind == "scenario" {
                whole["data"] = "data.csv".into();
            }
            self.template("history.md.tera", &whole)
        };
        let mut text = render(&view)?;
        if fit(&mut view, text.len()) {
            text = render(&view)?;
        }
        let head = FrontMatter::page(kind, &folder, &view.title, &view.summary);
        self.put_text(pages, format!("{folder}/index.md"), head, text)?;
        put_graphs(pages, &format!("{folder}/"), graphs(&view));
        let links = view.years.iter().map(|year| &year.link);
        let years = Years::new(&folder, &view.title, links.collect());
        for (index, year) in view.years.iter().enumerate() {
            let text = self.history_part(&view.title, json!(year.machines))?;
            self.year(pages, &years, index, text)?;
        }
        for machine in &view.machines {
            let apart = machine.figures.as_ref();
            let Some((address, table)) = apart.filter(|_| !machine.figures_are_here) else {
                continue;
            };
            let title = format!("{} on {}", view.title, machine.name);
            let text = self.history_part(&view.title, json!([[machine.name, [table]]]))?;
            let described = [address, &title, "The newest figure of every scenario."];
            self.table(pages, &folder, described, text)?;
        }
        Ok(())
    }

    /// Renders tables of some machines for a page one folder below that of the history.
    fn history_part(&self, title: &str, machines: Value) -> Result<String> {
        let view = json!({"title": title, "machines": machines});
        Ok(deeper(&self.template("history-part.md.tera", &view)?))
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
            "max_releases": page::MAX_RELEASES,
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
