//! Comparisons of two builds measured on one machine, and the page that shows them. Its files hold the
//! verdicts on every pair (`verdicts.rs`); the scripts of this page and of the front page only show them.

use super::compared::{compared, pair_table};
use super::front_matter::FrontMatter;
use super::headline::at_a_glance;
use super::index::newest_steady;
use super::renderer::{Pages, Renderer};
use super::rival::subject_and_rival;
use super::{DotPlot, DotRow, title};
use crate::base::escape;
use crate::base::slug::slug;
use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::model::unit::{Kind, Scale, Unit};
use crate::report::history::{Histories, distinct};
use crate::report::{ComparedRow, ComparedTable, Report, Row, common_scale};
use crate::stats::Comparison;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashMap};

/// The newest machines, reports of a machine and builds of a machine that can be chosen: the number of
/// verdicts grows with the square of the last.
const MAX: usize = 30;

pub(super) type Key<'a> = (&'a Scenario, &'a Unit);

/// A machine with two builds or more.
#[derive(Debug)]
pub(crate) struct ComparedMachine<'a> {
    pub(super) name: String,
    /// The name of its file.
    pub(super) file: String,
    /// The newest first.
    pub(super) reports: Vec<&'a Report>,
    /// Those of the newest report first.
    pub(super) builds: Vec<&'a Implementation>,
    /// The column of each build in each report.
    pub(super) columns: Vec<Vec<Option<usize>>>,
    /// The rows of all reports, with their places, scales and the folders of their pages.
    pub(super) keys: Vec<Key<'a>>,
    pub(super) places: HashMap<Key<'a>, usize>,
    pub(super) scales: Vec<Scale>,
    pub(super) addresses: Vec<String>,
    /// The places of the rows that say most.
    pub(super) glance: Vec<usize>,
    /// The rows of each report.
    pub(super) by_key: Vec<RowsByKey<'a>>,
}

/// The rows of a report by key.
type RowsByKey<'a> = HashMap<Key<'a>, &'a Row>;

/// The verdicts on a candidate against a baseline.
#[derive(Debug)]
pub(super) struct Judged<'a> {
    /// The builds: baseline and candidate.
    pub(super) sides: [usize; 2],
    /// The report of each.
    pub(super) meeting: [usize; 2],
    pub(super) table: ComparedTable<'a>,
}

/// Returns the machines of reports, newest first. A report without a machine is one of its own.
pub(crate) fn compared_machines<'a>(
    reports: &[&'a Report],
    histories: &Histories<'a>,
) -> Vec<ComparedMachine<'a>> {
    let mut groups: Vec<(String, Vec<&Report>)> = Vec::new();
    for report in reports {
        let named = report.manifest.machine.clone();
        let name = named.unwrap_or_else(|| title(report));
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, own)) => own.push(report),
            None => groups.push((name, vec![report])),
        }
    }
    let addresses = histories.addresses();
    let machines = groups.into_iter().filter_map(|(name, mut reports)| {
        reports.truncate(MAX);
        ComparedMachine::of(name, reports, &addresses)
    });
    let mut machines: Vec<ComparedMachine<'_>> = machines.take(MAX).collect();
    let files = machines.iter().map(|machine| {
        let name = &*machine.name;
        (name, slug(&format!("machine {name}")))
    });
    let files = distinct(&files.collect::<Vec<_>>());
    for (machine, file) in machines.iter_mut().zip(files) {
        machine.file = file;
    }
    machines
}

impl Renderer<'_> {
    /// Renders the page, an index of machines and builds, and the files of each machine.
    pub(crate) fn compare(&self, machines: &[ComparedMachine<'_>]) -> Result<Pages> {
        let head = FrontMatter::section(
            "compare",
            "Compare",
            "Two releases or implementations side by side, with a test of every difference.",
        );
        let mut pages = Pages::new();
        for machine in machines {
            put_json(&mut pages, &machine.file, &machine.figures());
            for (build, verdicts) in machine.verdicts().iter().enumerate() {
                put_json(&mut pages, &format!("{}.{build}", machine.file), verdicts);
            }
        }
        let index: Vec<Json> = machines.iter().map(ComparedMachine::entry).collect();
        put_json(&mut pages, "index", &json!(index));
        let first = machines
            .iter()
            .find_map(|m| Some((m, m.judged(m.start())?)));
        let table = first.map(|(machine, mut judged)| {
            let [from, to] = judged.sides.map(|build| machine.builds[build].to_string());
            let rows = &mut judged.table.rows;
            rows.retain(|row| kind((row.scenario, row.unit)) == "speed");
            pair_table(&judged.table, &format!("{from} ➡️ {to}"), "pair")
        });
        self.put(
            &mut pages,
            head,
            "compare.md.tera",
            &json!({"table": table}),
        )?;
        Ok(pages)
    }
}

fn put_json(pages: &mut Pages, name: &str, value: &Json) {
    let text = value.to_string();
    let bytes = format!("{}\n", escape::json(&text)).into_bytes();
    pages.insert(format!("compare/{name}.json"), bytes);
}

impl<'a> ComparedMachine<'a> {
    fn of(
        name: String,
        reports: Vec<&'a Report>,
        addresses: &HashMap<&Scenario, &str>,
    ) -> Option<Self> {
        let (mut builds, mut keys) = (Vec::new(), Vec::new());
        let mut known = BTreeSet::new();
        for report in &reports {
            let rows = &report.data.rows;
            for (column, build) in report.data.implementations.iter().enumerate() {
                let has_figure = |r: &Row| r.cell(column).is_some_and(|c| c.figure.is_some());
                if !builds.contains(&build) && rows.iter().any(has_figure) {
                    builds.push(build);
                }
            }
            let of_report = rows.iter().map(|r| (&r.scenario, &r.unit));
            keys.extend(of_report.filter(|key| known.insert(*key)));
        }
        builds.truncate(MAX);
        if builds.len() < 2 {
            return None;
        }
        let columns = reports.iter().map(|report| {
            let all = &report.data.implementations;
            let column = |build: &&Implementation| all.iter().position(|one| one == *build);
            builds.iter().map(column).collect()
        });
        let by_key: Vec<RowsByKey<'a>> = reports.iter().map(|r| r.data.by_key()).collect();
        let places: HashMap<Key<'a>, usize> = keys.iter().copied().zip(0..).collect();
        let address = |key: &Key<'a>| addresses.get(key.0).copied().unwrap_or_default();
        let glance = newest_steady(&reports).map(at_a_glance).unwrap_or_default();
        let glance = glance
            .into_iter()
            .map(|row| places[&(&row.scenario, &row.unit)]);
        Some(Self {
            name,
            file: String::new(),
            columns: columns.collect(),
            scales: keys.iter().map(|key| scale(*key, &by_key)).collect(),
            addresses: keys.iter().map(|key| address(key).to_owned()).collect(),
            glance: glance.collect(),
            reports,
            builds,
            keys,
            places,
            by_key,
        })
    }

    /// Returns what the scripts need before any verdict.
    fn entry(&self) -> Json {
        let reports: Vec<&str> = self.reports.iter().map(|r| &*r.name).collect();
        let builds: Vec<String> = self.builds.iter().map(ToString::to_string).collect();
        json!({
            "name": self.name,
            "file": self.file,
            "reports": reports,
            "builds": builds,
            "names": self.names(),
            "start": self.start(),
        })
    }

    /// Returns the names of the builds without the parts of the variant that the newest build of the
    /// library has too: `rustls 0.23.46`, `rustls 0.23.46, ring`. Whole names where these are not unique.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |build: &&Implementation| {
            let usual = self.builds.iter().find(|one| one.name == build.name);
            let is_usual = |part: &&String| usual.is_some_and(|usual| usual.variant.contains(part));
            let own = build.variant.iter().filter(|part| !is_usual(part));
            let parts: Vec<String> = [build.release()].into_iter().chain(own.cloned()).collect();
            parts.join(", ")
        };
        let names: Vec<String> = self.builds.iter().map(name).collect();
        let is_unique = |name: &String| names.iter().filter(|one| *one == name).count() == 1;
        let named = names.iter().zip(&self.builds);
        let named = named.map(|(name, build)| match is_unique(name) {
            true => name.clone(),
            false => build.to_string(),
        });
        named.collect()
    }

    /// Returns the first comparison to show: the newest report's rival or the release before its subject,
    /// then the subject.
    pub(super) fn start(&self) -> [usize; 2] {
        let report = newest_steady(&self.reports).unwrap_or(self.reports[0]);
        let place = |column: usize| {
            let build = &report.data.implementations[column];
            self.builds.iter().position(|one| *one == build)
        };
        let (subject, rival) = subject_and_rival(report).unzip();
        let new = subject.and_then(place).unwrap_or(0);
        let old = rival.flatten().and_then(place).filter(|old| *old != new);
        let other = || usize::from(new == 0);
        [old.or_else(|| self.before(new)).unwrap_or_else(other), new]
    }

    /// Returns the newest release before a build, of the same variant.
    fn before(&self, new: usize) -> Option<usize> {
        let candidate = self.builds[new];
        let is_before = |build: &Implementation| {
            let same = build.name == candidate.name && build.variant == candidate.variant;
            same && build.version < candidate.version && !build.version.is_pre_release()
        };
        let before = (0..self.builds.len()).filter(|build| is_before(self.builds[*build]));
        before.max_by_key(|build| &self.builds[*build].version)
    }

    /// Returns the newest steady report that has both builds, else the newest of each.
    fn meeting(&self, sides: [usize; 2]) -> Option<[usize; 2]> {
        let has = |report: usize, build: usize| self.columns[report][build].is_some();
        let all = 0..self.reports.len();
        let both = all.clone().filter(|r| sides.iter().all(|b| has(*r, *b)));
        let both: Vec<&Report> = both.map(|r| self.reports[r]).collect();
        if let Some(best) = newest_steady(&both) {
            let place = self.reports.iter().position(|r| std::ptr::eq(*r, best))?;
            return Some([place, place]);
        }
        let [old, new] = sides.map(|build| all.clone().find(|r| has(*r, build)));
        Some([old?, new?])
    }

    /// Judges two builds, baseline and candidate, as the pages of reports do.
    pub(super) fn judged(&self, sides: [usize; 2]) -> Option<Judged<'a>> {
        let meeting = self.meeting(sides)?;
        let [from, to] = meeting;
        let (old, new) = (self.columns[from][sides[0]]?, self.columns[to][sides[1]]?);
        let both = self.reports[to].data.rows.iter().filter_map(|row| {
            let was = self.by_key[from]
                .get(&(&row.scenario, &row.unit))?
                .cell(old)?;
            Some((row, [Some(was), Some(row.cell(new)?)]))
        });
        // That of the newer report, as on its page.
        let newer = self.reports[from.min(to)];
        let is_paired = from == to && newer.data.is_paired;
        let table = compared(both, newer.manifest.estimator, is_paired)?;
        Some(Judged {
            sides,
            meeting,
            table,
        })
    }

    /// Returns the rows that say most, with their verdicts.
    pub(super) fn at_a_glance<'t>(
        &self,
        table: &'t ComparedTable<'a>,
    ) -> Vec<(&'t ComparedRow<'a>, &'t Comparison)> {
        let known = || table.known();
        let row = |place: &usize| {
            known().find(|(row, _)| self.places[&(row.scenario, row.unit)] == *place)
        };
        self.glance.iter().filter_map(row).collect()
    }

    /// Returns the plot of the rows that say most; links lead from a page that is `up` from the section.
    pub(super) fn plot(&self, judged: &Judged<'a>, up: &str) -> DotPlot {
        let names = self.names();
        let [baseline, candidate] = judged.sides;
        let mut rows = Vec::new();
        let mut before = None;
        for (row, known) in self.at_a_glance(&judged.table) {
            let mut dot = self.dot(judged, row, known, up);
            dot.starts_group = before.is_some_and(|w| w != &row.scenario.workload);
            before = Some(&row.scenario.workload);
            rows.push(dot);
        }
        DotPlot {
            caption: format!("{} against {}", names[candidate], names[baseline]),
            sides: [candidate, baseline].map(|build| names[build].clone()),
            history: self.since(candidate),
            rows,
        }
    }

    /// Returns a row whose link leads from a page that is `up` from the section.
    fn dot(
        &self,
        judged: &Judged<'a>,
        row: &ComparedRow<'_>,
        known: &Comparison,
        up: &str,
    ) -> DotRow {
        let place = self.places[&(row.scenario, row.unit)];
        let address = Some(&self.addresses[place]).filter(|address| !address.is_empty());
        let scale = &self.scales[place];
        let show = |v: &Option<f64>| v.map_or_else(String::new, |v| scale.show(v));
        let [old, new] = row.estimates.each_ref().map(show);
        DotRow {
            figures: [new, old],
            unit: scale.symbol.clone(),
            href: address.map(|address| format!("{up}scenarios/{address}/")),
            history: self.history(judged, place),
            ..DotRow::of(&judged.table, row, known)
        }
    }

    /// Returns the figures of the candidate's releases in its report, as shown, oldest first.
    fn history(&self, judged: &Judged<'a>, place: usize) -> Vec<f64> {
        let (report, scale) = (judged.meeting[1], &self.scales[place]);
        let figure = |build: &usize| {
            let row = self.by_key[report].get(&self.keys[place])?;
            let figure = row.cell(self.columns[report][*build]?)?.figure.as_ref()?;
            let digits = 10f64.powi(scale.decimals as i32);
            Some((figure.estimate / scale.factor * digits).round() / digits)
        };
        self.releases(judged.sides[1])
            .iter()
            .filter_map(figure)
            .collect()
    }

    /// Returns the releases of a build's library and variant, oldest first.
    fn releases(&self, build: usize) -> Vec<usize> {
        let of = self.builds[build];
        let same = |b: &usize| {
            let other = self.builds[*b];
            other.name == of.name && other.variant == of.variant && other.version <= of.version
        };
        let mut all: Vec<usize> = (0..self.builds.len()).filter(same).collect();
        all.sort_by(|a, b| self.builds[*a].version.cmp(&self.builds[*b].version));
        all
    }

    /// `since 2023`, or `since 0.20.9` if no day is known.
    fn since(&self, build: usize) -> String {
        let first = self
            .releases(build)
            .first()
            .map(|first| self.builds[*first]);
        first.map_or_else(String::new, |first| {
            let day = self.reports.iter().find_map(|r| r.manifest.released(first));
            let since = day.map_or_else(|| first.version.to_string(), |day| day.year().to_string());
            format!("since {since}")
        })
    }

    /// Returns the releases up to each build, and what they are called.
    pub(super) fn series(&self) -> Vec<Json> {
        let builds = 0..self.builds.len();
        builds
            .map(|build| json!([self.releases(build), self.since(build)]))
            .collect()
    }

    /// `AMD EPYC · 25 November 2026 · 20 runs of each · differences of 1% and more show`
    pub(super) fn line(&self, report: usize) -> String {
        let report = self.reports[report];
        let day = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        let runs = report.data.run_counts().map(|(min, max)| match (min, max) {
            (_, 1) => "single figures".to_owned(),
            (min, max) if min == max => format!("{max} runs of each"),
            _ => format!("up to {max} runs of each"),
        });
        let shown = report.data.smallest_shown();
        let shown = shown.map(|share| {
            let percent = format!("{:.1}", share * 100.0);
            format!(
                "differences of {}% and more show",
                percent.trim_end_matches(".0")
            )
        });
        let parts = [Some(self.name.clone()), day, runs, shown]
            .into_iter()
            .flatten();
        parts.collect::<Vec<String>>().join(" · ")
    }
}

/// Returns the scale for the figures of a row in all reports, with three digits of the smallest.
fn scale(key: Key<'_>, by_key: &[RowsByKey<'_>]) -> Scale {
    let rows = by_key.iter().filter_map(|rows| rows.get(&key));
    let cells = rows.flat_map(|row| row.cells.iter().flatten());
    let figures: Vec<_> = cells.filter_map(|cell| cell.figure.as_ref()).collect();
    let smallest = figures.iter().map(|f| f.estimate).filter(|v| *v > 0.0);
    let smallest = smallest.fold(f64::INFINITY, f64::min);
    common_scale(key.1, figures.iter().copied()).at_a_glance(smallest)
}

/// The place of a row on the page.
pub(super) fn kind((scenario, unit): Key<'_>) -> &'static str {
    match unit.kind() {
        Kind::Rate if scenario.percentile.is_some() => "latency",
        Kind::Rate => "speed",
        Kind::Amount => "memory",
        Kind::Count | Kind::Size => "counts",
    }
}
