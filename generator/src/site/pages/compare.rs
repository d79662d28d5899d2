//! The page that compares two builds measured on one machine. Its files hold the comparisons of every
//! pair in both directions; the scripts of this page and of the front page only place what they read.

use super::pairs::pairs;
use crate::base::escape;
use crate::model::unit::Kind;
use crate::report::{
    BuildPair, Cell, ComparedMachine, ComparedRow, Key, Known, Mean, ShownRow, words,
};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::dots::{DotPlot, DotRow, sparkline};
use crate::site::renderer::{Pages, Renderer, entry};
use crate::site::words::answer::answer;
use crate::site::words::phrases::precision;
use crate::stats::Verdict;
use anyhow::Result;
use serde_json::{Value as Json, json};

/// The groups of rows, in their order.
const GROUPS: [&str; 5] = ["Speed", "Latency", "Memory", "Counts", "Other units"];

/// Returns the group of a row.
fn group_of((scenario, unit): Key<'_>) -> &'static str {
    match unit.kind() {
        Kind::Rate | Kind::Time if scenario.percentile.is_some() => "Latency",
        Kind::Rate | Kind::Time => "Speed",
        Kind::Amount => "Memory",
        Kind::Count | Kind::Size => "Counts",
        Kind::Other => "Other units",
    }
}

impl Renderer<'_> {
    /// Renders the page with the first comparison, an index of machines and builds, and the files of each
    /// machine.
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
                json!({
                    "answer": answer(direction.headlines.clone()).html(),
                    "bound": machine.bound(),
                    "line": machine.line(pair.reports[1]),
                    "report": entry(machine.reports[pair.reports[1]].report),
                    "numbers": numbers(&group.rows),
                    "means": means(&group.means),
                    "plot": self.plot(&direction.plot(&group.rows, "../"))?,
                })
            }
            None => json!({}),
        };
        self.put(&mut pages, head, "compare.md.tera", &view)?;
        Ok(pages)
    }
}

/// A comparison as readers see it: candidate against baseline.
pub(in crate::site) struct Direction<'p, 'a> {
    pub(super) machine: &'p ComparedMachine<'a>,
    pub(super) pair: &'p BuildPair<'a>,
    /// The rows that say most.
    pub(in crate::site) headlines: Vec<Known<'p, 'a>>,
    pub(super) groups: Vec<Group<'p, 'a>>,
}

/// Rows of one kind, the best for the candidate first.
pub(in crate::site) struct Group<'p, 'a> {
    pub(super) title: &'static str,
    pub(super) rows: Vec<Known<'p, 'a>>,
    /// The geometric mean of each kind of work.
    pub(super) means: Vec<Mean>,
}

impl<'p, 'a> Direction<'p, 'a> {
    pub(in crate::site) fn new(machine: &'p ComparedMachine<'a>, pair: &'p BuildPair<'a>) -> Self {
        let known: Vec<Known<'_, '_>> = pair.table.known().collect();
        let key = |row: &ComparedRow<'a>| (&row.row.scenario, &row.row.unit);
        let means = pair.table.means();
        let mut groups = Vec::new();
        for title in GROUPS {
            let mut rows = known.clone();
            rows.retain(|(row, _)| group_of(key(row)) == title);
            rows.sort_by(|a, b| times_better(b).total_cmp(&times_better(a)));
            let mut means = means.clone();
            means.retain(|mean| rows.iter().any(|(row, _)| mean.is_over(row.row)));
            if !rows.is_empty() {
                groups.push(Group { title, rows, means });
            }
        }
        let place = |row: &ComparedRow<'_>| machine.place(pair, row);
        let mut headlines = Vec::new();
        for wanted in &machine.headlines {
            headlines.extend(known.iter().find(|(row, _)| place(row) == *wanted).copied());
        }
        Self {
            machine,
            pair,
            headlines,
            groups,
        }
    }

    /// Returns the plot of rows; links lead from a page that is `up` from the section.
    fn plot(&self, known: &[Known<'_, 'a>], up: &str) -> DotPlot {
        let mut rows = Vec::new();
        for (row, known) in known {
            let ShownRow { scale, address, .. } =
                &self.machine.rows[self.machine.place(self.pair, row)];
            let mut shown = DotRow::of(row, known, scale);
            shown.href = (!address.is_empty()).then(|| format!("{up}scenarios/{address}/"));
            rows.push(shown);
        }
        let [baseline, candidate] = self.pair.sides;
        let sides = [candidate, baseline].map(|side| self.machine.names[side].clone());
        DotPlot {
            caption: sides.join(" against "),
            sides,
            has_evidence: true,
            rows,
            ..DotPlot::default()
        }
    }

    /// Returns the plot of the rows that say most, with the history of each.
    pub(in crate::site) fn headline_plot(&self, up: &str) -> DotPlot {
        let mut plot = self.plot(&self.headlines, up);
        let [_, candidate] = self.pair.sides;
        let sparks = self.machine.sparks(candidate);
        for ((row, _), dot) in self.headlines.iter().zip(&mut plot.rows) {
            let place = self.machine.place(self.pair, row);
            let nth = self.machine.headlines.iter().position(|one| *one == place);
            dot.spark = nth.map_or_else(String::new, |nth| sparks[nth].clone());
        }
        DotPlot {
            is_grouped: true,
            has_evidence: false,
            history: self.machine.since(candidate),
            ..plot
        }
    }
}

/// `12 faster`, `3 slower`, `8 without a difference`, as pairs.
pub(super) fn numbers(rows: &[Known<'_, '_>]) -> Vec<(usize, &'static str)> {
    let mut numbers: Vec<(usize, &'static str)> = Vec::new();
    for verdict in words::VERDICTS {
        for (_, known) in rows.iter().filter(|(_, known)| known.verdict == verdict) {
            let outcome = words::outcome(known);
            match numbers.iter_mut().find(|(_, known)| *known == outcome) {
                Some((n, _)) => *n += 1,
                None => numbers.push((1, outcome)),
            }
        }
    }
    numbers
}

/// `1.15x faster over 8 scenarios of full handshakes; …`
fn means(means: &[Mean]) -> String {
    means.iter().map(words::mean).collect::<Vec<_>>().join("; ")
}

/// How many times better the candidate is, for the order of rows.
fn times_better((_, known): &Known<'_, '_>) -> f64 {
    match known.verdict {
        Verdict::Worse => 1.0 / known.change.size(),
        Verdict::Better => known.change.size(),
        _ if known.change.is_better() => known.change.size(),
        _ => 1.0 / known.change.size(),
    }
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
    fn sparks(&self, build: usize) -> Vec<String> {
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

    /// Returns what the comparisons are about: rows with their symbols and pages, reports, the figures of
    /// each build in each report, and the releases and sparklines of each build.
    fn figures(&self) -> Json {
        let mut rows = Vec::new();
        for ShownRow {
            key,
            scale,
            address,
        } in &self.rows
        {
            rows.push(json!([key.0.label(), scale.symbol, address]));
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
