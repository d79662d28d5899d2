//! The page that compares two builds measured on one machine. Its files hold the comparisons of
//! every pair in both directions; the scripts of this page and of the front page only place what
//! they read.

use super::direction::{Direction, numbers};
use super::pairs::pairs;
use crate::base::escape;
use crate::report::{BuildPair, Cell, ComparedMachine, ComparedRow, Mean, ShownRow, titles, words};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::dots::sparkline;
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::words::answer::answer;
use crate::site::words::phrases::precision;
use anyhow::Result;
use serde_json::{Value as Json, json};

impl Renderer<'_> {
    /// Renders the page with the first comparison, an index of machines and builds, and the files
    /// of each machine.
    pub(crate) fn compare(&self, machines: &[ComparedMachine<'_>]) -> Result<Pages> {
        let head = FrontMatter::section(
            "compare",
            "Compare",
            "Two releases or implementations side by side, with a test of every difference.",
        );
        let mut pages = Pages::new();
        let mut put_json = |name: &str, value: &Json| {
            let bytes = format!("{}\n", escape::json(&value.to_string())).into_bytes();
            pages.insert(format!("compare/{name}.json"), bytes);
        };
        for machine in machines {
            put_json(&machine.file, &machine.figures());
            for (build, pairs) in pairs(machine).iter().enumerate() {
                put_json(&format!("{}.{build}", machine.file), pairs);
            }
        }
        put_json(
            "index",
            &machines.iter().map(ComparedMachine::entry).collect(),
        );
        let mut known = machines.iter();
        let first = known.find_map(|m| Some((m, m.compare(m.start())?)));
        let view = match first {
            Some((machine, pair)) => {
                let direction = Direction::new(machine, &pair);
                let group = &direction.groups[0];
                let plot = direction.plot(&group.rows, "../");
                let unchanged = plot.rows.iter().filter(|row| row.mark.look == "even");
                json!({
                    "answer": answer(direction.headlines.clone()).html(),
                    "bound": machine.bound(),
                    "line": machine.line(pair.reports[1]),
                    "report": entry(machine.reports[pair.reports[1]].report),
                    "numbers": numbers(&group.rows),
                    "means": means(&group.means),
                    // A narrow screen hides them, unless all are.
                    "folded": Some(unchanged.count()).filter(|n| *n > 0 && *n < plot.rows.len()),
                    "plot": self.plot(&plot)?,
                })
            }
            None => json!({}),
        };
        self.put(&mut pages, head, "compare.md.tera", &view)?;
        Ok(pages)
    }
}

/// `1.15x faster over 8 scenarios of full handshakes; …`
fn means(means: &[Mean]) -> String {
    means.iter().map(words::mean).collect::<Vec<_>>().join("; ")
}

impl<'a> ComparedMachine<'a> {
    /// Returns what the scripts need before any comparison.
    fn entry(&self) -> Json {
        let reports: Vec<&str> = self.reports.iter().map(|r| &*r.report.name).collect();
        let builds: Vec<String> = self.builds.iter().map(ToString::to_string).collect();
        json!({
            "name": self.name,
            "file": self.file,
            "reports": reports,
            "builds": builds,
            "names": self.names,
            "libraries": self.libraries(),
            "start": self.start(),
            "bound": self.bound(),
        })
    }

    /// `30 of 500 builds can be chosen: …`; empty if all can.
    fn bound(&self) -> String {
        let (chosen, all) = (self.builds.len(), self.measured);
        match chosen == all {
            true => String::new(),
            false => format!(
                "{chosen} of {all} builds can be chosen: those of the newest reports, of each library the newest releases."
            ),
        }
    }

    /// Returns the place of a row of a comparison among those of the machine.
    pub(super) fn place(&self, pair: &BuildPair<'_>, row: &ComparedRow<'_>) -> usize {
        self.reports[pair.reports[1]].places[row.row.index]
    }

    /// Returns a sparkline of the releases up to a build for each of the rows that say most.
    pub(super) fn sparks(&self, build: usize) -> Vec<String> {
        let releases = self.releases(build);
        let report = self
            .reports_of([build; 2])
            .map(|[report, _]| &self.reports[report]);
        let mut sparks = Vec::new();
        for place in &self.headlines {
            let figure = |build: &usize| report?.cell(*place, *build)?.estimate();
            sparks.push(sparkline(
                &releases.iter().filter_map(figure).collect::<Vec<_>>(),
            ));
        }
        sparks
    }

    /// `AMD EPYC · 25 November 2026 · 20 runs of each · differences of 1% and more show`
    pub(in crate::site) fn line(&self, report: usize) -> String {
        let report = self.reports[report].report;
        let day = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        let parts = [Some(self.name.clone()), day].into_iter().flatten();
        let parts: Vec<String> = parts.chain(precision(report)).collect();
        parts.join(" · ")
    }

    /// Returns what the comparisons are about: rows with their symbols, pages and names, reports,
    /// the figures of each build in each report, and the releases and sparklines of each build.
    fn figures(&self) -> Json {
        let mut rows = Vec::new();
        for ShownRow {
            key,
            scale,
            address,
        } in &self.rows
        {
            let name = titles::title(key.0);
            rows.push(json!([key.0.label(), scale.symbol, address, name]));
        }
        let (mut reports, mut figures) = (Vec::new(), Vec::new());
        for (place, measured) in self.reports.iter().enumerate() {
            reports.push(json!([measured.report.name, self.line(place)]));
            let builds = 0..self.builds.len();
            figures.push(
                builds
                    .map(|build| self.figures_of(place, build))
                    .collect::<Json>(),
            );
        }
        let builds = || 0..self.builds.len();
        json!({
            "rows": rows,
            "reports": reports,
            "figures": figures,
            "since": builds().map(|build| self.since(build)).collect::<Json>(),
            "headlines": self.headlines,
            "sparks": builds().map(|build| self.sparks(build).join(";")).collect::<Json>(),
        })
    }

    /// Returns the figures of a build: `9,909;…`, in the order of the rows.
    fn figures_of(&self, report: usize, build: usize) -> String {
        let mut figures = Vec::new();
        for (place, row) in self.rows.iter().enumerate() {
            let estimate = self.reports[report]
                .cell(place, build)
                .and_then(Cell::estimate);
            figures.push(estimate.map_or_else(String::new, |v| row.scale.show(v)));
        }
        match figures.iter().all(String::is_empty) {
            true => String::new(),
            false => figures.join(";"),
        }
    }
}
