//! The page that compares two builds measured on one machine. Its files hold the comparisons of
//! every pair in both directions; the scripts of this page and of the front page only place what
//! they read.

use super::pairs::pairs;
use crate::base::escape;
use crate::base::group::group_by;
use crate::model::unit::Kind;
use crate::report::{BuildPair, Compared, ComparedMachine, Link, Measured, titles, words};
use crate::site::front_matter::FrontMatter;
use crate::site::links::Links;
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::words::answer::answer;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Returns the group of a row, with its place.
fn group_of(one: &Compared<'_>) -> (usize, &'static str) {
    match one.row.unit.kind() {
        Kind::Rate | Kind::Time if one.row.scenario.percentile.is_some() => (1, "Latency"),
        Kind::Rate | Kind::Time => (0, "Speed"),
        Kind::Amount => (2, "Memory"),
        Kind::Count | Kind::Size => (3, "Counts"),
        Kind::Other => (4, "Other units"),
    }
}

/// Returns the geometric mean of each kind of work; of percentiles it would say nothing.
pub(super) fn geometric_means(rows: &[Compared<'_>]) -> String {
    let mut speeds = rows.to_vec();
    speeds.retain(|one| group_of(one).0 == 0);
    words::means(&speeds).join("; ")
}

impl<'a> BuildPair<'a> {
    /// Returns the rows of each kind, the largest change first; those without a difference come last.
    pub(super) fn groups(&self) -> Vec<(&'static str, Vec<Compared<'a>>)> {
        let mut rows = self.rows.clone();
        rows.sort_by_cached_key(|one| {
            // Positive numbers are in the order of their bits.
            let size = one.known.change.size().to_bits();
            (group_of(one), Reverse((one.is_change(), size)))
        });
        group_by(rows, |one| group_of(one).1)
    }

    /// Returns the rows that say most; of benchmarks with free names one for each, the largest change first.
    pub(super) fn headlines(&self, machine: &ComparedMachine<'a>) -> Vec<Compared<'a>> {
        if machine.headlines.is_empty() {
            let groups = self.groups().into_iter();
            let mut known = HashSet::new();
            let mut rows: Vec<Compared<'a>> = groups.flat_map(|(_, rows)| rows).collect();
            rows.retain(|one| known.insert(&one.row.scenario));
            return rows;
        }
        let mut headlines = Vec::new();
        for wanted in &machine.headlines {
            let is_it = |one: &&Compared<'_>| machine.place(self, one) == *wanted;
            headlines.extend(self.rows.iter().find(is_it).copied());
        }
        headlines
    }

    /// Returns the names of candidate and baseline.
    pub(super) fn names<'m>(&self, machine: &'m ComparedMachine<'_>) -> [&'m str; 2] {
        let [baseline, candidate] = self.sides;
        [candidate, baseline].map(|side| &*machine.names[side])
    }
}

impl Renderer<'_> {
    /// Renders the page with the first comparison, an index of machines and builds, and the files
    /// of each machine.
    pub(crate) fn compare(&self, machines: &[ComparedMachine<'_>]) -> Result<Pages> {
        let head = FrontMatter::section(
            "compare",
            "Compare",
            "Two releases or implementations side by side, with a test of every difference.",
        );
        let links = self.links("../");
        let mut pages = Pages::new();
        let mut put_json = |name: &str, document: &str| {
            let bytes = format!("{}\n", escape::json(document)).into_bytes();
            pages.insert(format!("compare/{name}.json"), bytes);
        };
        for machine in machines {
            put_json(&machine.file, &machine.figures(&links).to_string());
            for (build, pairs) in pairs(machine)?.iter().enumerate() {
                put_json(&format!("{}.{build}", machine.file), pairs);
            }
        }
        let index = Json::from_iter(machines.iter().map(ComparedMachine::entry));
        put_json("index", &index.to_string());
        let mut known = machines.iter();
        let first = known.find_map(|m| Some((m, m.compare(m.start())?)));
        let view = match first {
            Some((machine, pair)) => {
                let (_, rows) = &pair.groups()[0];
                let is_even = |one: &&Compared<'_>| words::class(one.verdict()) == "even";
                let unchanged = rows.iter().filter(is_even);
                json!({
                    "answer": answer(&pair.headlines(machine)).html(),
                    "bound": machine.bound(),
                    "line": machine.line(pair.reports[1]),
                    "report": entry(machine.reports[pair.reports[1]].report),
                    "numbers": words::numbers(rows),
                    "means": geometric_means(rows),
                    // A narrow screen hides them, unless all are.
                    "folded": Some(unchanged.count()).filter(|n| *n > 0 && *n < rows.len()),
                    "plot": self.plot(pair.names(machine), rows, &links, true)?,
                })
            }
            None => json!({}),
        };
        self.put(&mut pages, head, "compare.md.tera", &view)?;
        Ok(pages)
    }
}

impl ComparedMachine<'_> {
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

    /// `AMD EPYC · 25 November 2026 · 20 runs of each · differences of 1% and more show`
    pub(in crate::site) fn line(&self, report: usize) -> String {
        let report = self.reports[report].report;
        let day = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        let parts = [Some(self.name.clone()), day].into_iter().flatten();
        let parts: Vec<String> = parts.chain(words::precision(report)).collect();
        parts.join(" · ")
    }

    /// Returns what the comparisons are about: rows with their symbols, pages and names, reports, and the
    /// figures of each build in each report.
    fn figures(&self, links: &Links<'_>) -> Json {
        let mut rows = Vec::new();
        for row in &self.rows {
            let label = row.scenario.label();
            // Below the section, since pages of several levels read it.
            let address = links.address(&Link::Scenario(label.clone()));
            let address = address.map(|address| address.trim_start_matches("../").to_owned());
            let name = titles::title(&row.scenario);
            rows.push(json!([label, row.scale.symbol, address, name]));
        }
        let (mut reports, mut figures) = (Vec::new(), Vec::new());
        for (place, measured) in self.reports.iter().enumerate() {
            reports.push(json!([measured.report.name, self.line(place)]));
            let builds = measured.builds.iter();
            let of = builds.map(|build| build.map(|build| self.figures_of(measured, build)));
            figures.push(of.map(Option::unwrap_or_default).collect::<Json>());
        }
        json!({
            "rows": rows,
            "reports": reports,
            "figures": figures,
            "headlines": self.headlines,
        })
    }

    /// Returns the figures of a build of a report: `9,909;…`, in the order of the rows.
    fn figures_of(&self, measured: &Measured<'_>, build: usize) -> String {
        let mut figures = vec![String::new(); self.rows.len()];
        for (row, place) in measured.report.rows.iter().zip(&measured.places) {
            if let Some(figure) = row.figure(build) {
                // Of an older report, in the unit of the newest.
                let shown = &self.rows[*place].scale;
                figures[*place] = match shown.symbol == row.scale.symbol {
                    true => figure.text.clone(),
                    false => shown.show(figure.estimate),
                };
            }
        }
        figures.join(";")
    }
}
