//! The page that compares two builds measured on one machine. Its files hold the verdicts on every
//! pair, in both directions; the script only shows them.

use super::compared::{compared, pair_table};
use super::front_matter::FrontMatter;
use super::phrases::plus_minus;
use super::renderer::{Pages, Renderer};
use super::title;
use super::{DotPlot, DotRow};
use crate::base::slug::slug;
use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::model::unit::{Better, Kind, Unit};
use crate::report::{ComparedRow, ComparedTable, Figure, Report, Row, common_scale, p_text};
use crate::site;
use crate::stats::{Change, Comparison, Interval, Verdict};
use anyhow::Result;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashMap};

/// The newest machines, reports of a machine and builds of a machine that can be chosen: the number of
/// verdicts grows with the square of the last.
const MAX_MACHINES: usize = 30;
const MAX_REPORTS: usize = 30;
const MAX_BUILDS: usize = 30;

/// In bytes. The verdicts of a larger machine are files of their own, one a build.
const MAX_FILE: usize = 250_000;

type Key<'a> = (&'a Scenario, &'a Unit);

/// A machine with two builds or more.
#[derive(Debug)]
pub(crate) struct ComparedMachine<'a> {
    name: String,
    /// The newest first.
    reports: Vec<&'a Report>,
    /// Those of the newest report first.
    builds: Vec<&'a Implementation>,
    /// The column of each build in each report.
    columns: Vec<Vec<Option<usize>>>,
    /// The rows of all reports.
    keys: Vec<Key<'a>>,
}

/// The rows of a report by key.
type RowsByKey<'a> = HashMap<Key<'a>, &'a Row>;

/// Returns the machines of reports, newest first. A report without a machine is one of its own.
pub(crate) fn compared_machines<'a>(reports: &[&'a Report]) -> Vec<ComparedMachine<'a>> {
    let mut groups: Vec<(String, Vec<&Report>)> = Vec::new();
    for report in reports {
        let named = report.manifest.machine.clone();
        let name = named.unwrap_or_else(|| title(report));
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, own)) if own.len() < MAX_REPORTS => own.push(report),
            Some(_) => {}
            None => groups.push((name, vec![report])),
        }
    }
    let machines = groups.into_iter();
    let machines = machines.filter_map(|(name, reports)| ComparedMachine::of(name, reports));
    machines.take(MAX_MACHINES).collect()
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
        let mut names = BTreeSet::from(["index".to_owned()]);
        let mut index = Vec::new();
        for machine in machines {
            let file = unique(&mut names, slug(&machine.name));
            let reports: Vec<&str> = machine.reports.iter().map(|r| &*r.name).collect();
            let builds = machine.build_names();
            index.push(json!({
                "name": machine.name,
                "file": file,
                "reports": reports,
                "builds": builds,
                "start": machine.start(),
            }));
            machine.put(&mut pages, &mut names, &file);
        }
        put_json(&mut pages, "index", &json!(index));
        let first = machines.first();
        let plot = first
            .and_then(ComparedMachine::plot)
            .map(|plot| plot.html());
        let table = first.and_then(ComparedMachine::table);
        let view = json!({"plot": plot, "table": table});
        self.put(&mut pages, head, "compare.md.tera", &view)?;
        Ok(pages)
    }
}

fn put_json(pages: &mut Pages, name: &str, value: &Json) {
    pages.insert(format!("compare/{name}.json"), format!("{value}\n").into());
}

/// Returns a name that is not in use yet.
fn unique(names: &mut BTreeSet<String>, wanted: String) -> String {
    let numbered = (2..).map(|n| format!("{wanted}-{n}"));
    let mut all = [wanted.clone()].into_iter().chain(numbered);
    let free = all.find(|name| !name.is_empty() && !names.contains(name));
    let free = free.unwrap_or(wanted);
    names.insert(free.clone());
    free
}

impl<'a> ComparedMachine<'a> {
    fn of(name: String, reports: Vec<&'a Report>) -> Option<Self> {
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
        builds.truncate(MAX_BUILDS);
        let columns = reports.iter().map(|report| {
            let all = &report.data.implementations;
            let column = |build: &&Implementation| all.iter().position(|one| one == *build);
            builds.iter().map(column).collect()
        });
        (builds.len() > 1).then_some(Self {
            name,
            columns: columns.collect(),
            reports,
            builds,
            keys,
        })
    }

    fn build_names(&self) -> Vec<String> {
        self.builds.iter().map(ToString::to_string).collect()
    }

    /// Returns the first comparison to show: a rival's newest release, then the subject's.
    fn start(&self) -> [usize; 2] {
        let report = self.reports[0];
        let subject = site::subject_of(report);
        let is_newest = |build: &Implementation| !report.data.older.contains(build);
        let find = |wanted: &dyn Fn(&Implementation) -> bool| {
            self.builds.iter().position(|build| wanted(build))
        };
        let new = find(&|b| b.name == subject && is_newest(b)).unwrap_or(0);
        let old = find(&|b| b.name != subject && is_newest(b));
        let other = || usize::from(new == 0);
        [old.unwrap_or_else(other), new]
    }

    /// Returns the newest report that has both builds, else the newest of each.
    fn meeting(&self, sides: [usize; 2]) -> Option<[usize; 2]> {
        let has = |report: usize, build: usize| self.columns[report][build].is_some();
        let all = 0..self.reports.len();
        if let Some(both) = all.clone().find(|r| sides.iter().all(|b| has(*r, *b))) {
            return Some([both, both]);
        }
        let [old, new] = sides.map(|build| all.clone().find(|r| has(*r, build)));
        Some([old?, new?])
    }

    /// Judges two builds as the pages of reports do.
    fn compared(
        &self,
        rows: &[RowsByKey<'a>],
        [old, new]: [usize; 2],
        [from, to]: [usize; 2],
    ) -> Option<ComparedTable<'a>> {
        let (old, new) = (self.columns[from][old]?, self.columns[to][new]?);
        let both = self.reports[to].data.rows.iter().filter_map(|row| {
            let was = rows[from].get(&(&row.scenario, &row.unit))?.cell(old)?;
            Some((row, [Some(was), Some(row.cell(new)?)]))
        });
        // That of the newer report, as on its page.
        let newer = self.reports[from.min(to)];
        let is_paired = from == to && newer.data.is_paired;
        compared(both, newer.manifest.estimator, is_paired)
    }

    fn rows_by_key(&self) -> Vec<RowsByKey<'a>> {
        self.reports.iter().map(|r| r.data.by_key()).collect()
    }

    /// Returns the first comparison, of speed only.
    fn first(&self) -> Option<ComparedTable<'a>> {
        let sides = self.start();
        let mut table = self.compared(&self.rows_by_key(), sides, self.meeting(sides)?)?;
        table.rows.retain(|r| kind((r.scenario, r.unit)) == "speed");
        Some(table)
    }

    /// Returns the plot of the changes of the first comparison, the largest first.
    fn plot(&self) -> Option<DotPlot> {
        let table = self.first()?;
        let changed = table.known().filter(|(row, _)| row.is_change());
        let mut rows: Vec<DotRow> = changed
            .map(|(row, known)| DotRow::of(&table, row, known))
            .collect();
        rows.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        let [baseline, candidate] = self.start().map(|build| self.builds[build].release());
        (!rows.is_empty()).then(|| DotPlot {
            caption: format!("{candidate} against {baseline}"),
            sides: [candidate, baseline],
            rows,
            ..DotPlot::default()
        })
    }

    /// Returns the table of the speed of the first two builds, for readers without scripts.
    fn table(&self) -> Option<site::Table> {
        let (sides, table) = (self.start(), self.first()?);
        let [from, to] = sides.map(|build| self.builds[build].to_string());
        Some(pair_table(&table, &format!("{from} ➡️ {to}"), "pair"))
    }

    /// Adds the file of the machine, and those of its builds if it would be too large.
    fn put(&self, pages: &mut Pages, names: &mut BTreeSet<String>, file: &str) {
        let by_key = self.rows_by_key();
        let places = self.keys.iter().enumerate();
        let places: HashMap<Key<'_>, usize> = places.map(|(place, key)| (*key, place)).collect();
        let builds = self.builds.len();
        let above = |old| (old + 1..builds).map(move |new| [old, new]);
        let all: Vec<[usize; 2]> = (0..builds).flat_map(above).collect();
        let judged = all.into_par_iter().filter_map(|sides| {
            let [from, to] = self.meeting(sides)?;
            let table = self.compared(&by_key, sides, [from, to])?;
            let back = pair(&reversed(&table), [to, from], &places);
            Some((sides, [pair(&table, [from, to], &places), back]))
        });
        let judged: Vec<([usize; 2], [Json; 2])> = judged.collect();
        // By candidate, then by baseline.
        let mut pairs = vec![vec![Json::Null; builds]; builds];
        for ([old, new], [forth, back]) in judged {
            pairs[new][old] = forth;
            pairs[old][new] = back;
        }
        let mut machine = self.figures(&by_key);
        machine["pairs"] = json!(pairs);
        if machine.to_string().len() > MAX_FILE {
            let each = self.builds.iter().zip(&pairs).map(|(build, pairs)| {
                let name = unique(names, format!("{file}-{}", slug(&build.to_string())));
                put_json(pages, &name, &json!(pairs));
                json!(name)
            });
            machine["pairs"] = each.collect();
        }
        put_json(pages, file, &machine);
    }

    /// Returns what the verdicts are about: rows, reports, and the figures of each build in each
    /// report.
    fn figures(&self, by_key: &[RowsByKey<'a>]) -> Json {
        let mut rows = Vec::new();
        let mut figures =
            vec![vec![Vec::with_capacity(self.keys.len()); self.builds.len()]; self.reports.len()];
        for key in &self.keys {
            let find = |report: usize, build: usize| {
                let cell = by_key[report]
                    .get(key)?
                    .cell(self.columns[report][build]?)?;
                cell.figure.as_ref()
            };
            let reports = 0..self.reports.len();
            let found: Vec<Vec<Option<&Figure>>> = reports
                .map(|r| (0..self.builds.len()).map(|b| find(r, b)).collect())
                .collect();
            let scale = common_scale(key.1, found.iter().flatten().copied().flatten());
            rows.push(json!([
                key.0.label(),
                scale.symbol,
                better(key.1),
                kind(*key)
            ]));
            for (own, found) in figures.iter_mut().zip(found) {
                for (own, figure) in own.iter_mut().zip(found) {
                    own.push(figure.map_or_else(String::new, |figure| {
                        let half = plus_minus(figure).unwrap_or_default();
                        let estimate = scale.show(figure.estimate);
                        format!("{estimate}|{half}|{}", figure.sample.len())
                    }));
                }
            }
        }
        let text = |own: Vec<String>| match own.iter().all(String::is_empty) {
            true => String::new(),
            false => own.join(";"),
        };
        let figures = figures.into_iter();
        let figures: Vec<Vec<String>> = figures
            .map(|own| own.into_iter().map(text).collect())
            .collect();
        let reports = self.reports.iter();
        let reports: Vec<Json> = reports.map(|r| json!([r.name, title(r)])).collect();
        json!({"rows": rows, "reports": reports, "figures": figures})
    }
}

/// The place of a row on the page.
fn kind((scenario, unit): Key<'_>) -> &'static str {
    match unit.kind() {
        Kind::Rate if scenario.percentile.is_some() => "latency",
        Kind::Rate => "speed",
        Kind::Amount => "memory",
        Kind::Count | Kind::Size => "counts",
    }
}

/// 1 if higher is better, -1 if lower is, 0 if that is unknown.
fn better(unit: &Unit) -> i8 {
    match unit.better() {
        Better::Higher => 1,
        Better::Lower => -1,
        Better::Unknown => 0,
    }
}

/// Swaps the sides of a judged table.
fn reversed<'a>(table: &ComparedTable<'a>) -> ComparedTable<'a> {
    let turn = |known: Comparison| {
        let ratio = 1.0 / known.change.ratio;
        let change = Change {
            ratio,
            ..known.change
        };
        let interval = known.interval.map(|i| Interval {
            low: 1.0 / i.high,
            high: 1.0 / i.low,
        });
        let verdict = match known.verdict.is_change() {
            true => change.word(),
            false => known.verdict,
        };
        Comparison {
            change,
            interval,
            verdict,
            ..known
        }
    };
    let mut rows = table.rows.clone();
    for row in &mut rows {
        row.cells.reverse();
        row.estimates.reverse();
        row.comparison = row.comparison.map(turn);
    }
    ComparedTable::new(rows)
}

/// Returns the reports of both sides, the geometric means, and the verdict on each row.
fn pair(table: &ComparedTable<'_>, meeting: [usize; 2], places: &HashMap<Key<'_>, usize>) -> Json {
    let mut verdicts = vec![String::new(); places.len()];
    for (row, known) in table.known() {
        verdicts[places[&(row.scenario, row.unit)]] = verdict(row, known);
    }
    let group = |symbol: &str| {
        let mut rows = table.rows.iter();
        let row = rows.find(|r| table.scale(r).symbol == symbol);
        row.map(|r| kind((r.scenario, r.unit)))
    };
    let means = table.means().into_iter();
    let means = means.map(|(symbol, n, mean)| json!([group(symbol), symbol, n, mean.to_string()]));
    let means: Vec<Json> = means.collect();
    let [from, to] = meeting;
    json!([from, to, means, verdicts.join(";")])
}

/// `ff1.54x|1.512|1.571|<0.001`: the verdict, the direction of the change and its size, the interval of
/// the ratio, and p.
fn verdict(row: &ComparedRow<'_>, known: &Comparison) -> String {
    let change = known.change.to_string();
    let size = match (known.verdict, known.change.word()) {
        (Verdict::None | Verdict::TooFew | Verdict::Unsteady, _) | (_, Verdict::None) => "",
        _ if known.change.ratio.is_infinite() => "∞",
        _ => change.split(' ').next().unwrap_or_default(),
    };
    let [low, high] = match known.interval {
        Some(i) => [i.low, i.high].map(|end| format!("{end:.3}")),
        None => [String::new(), String::new()],
    };
    let p = row.p().map(p_text).unwrap_or_default();
    let letters = [letter(known.verdict), letter(known.change.word())];
    let text = format!("{}{size}|{low}|{high}|{p}", letters.concat());
    text.trim_end_matches('|').to_owned()
}

fn letter(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "f",
        Verdict::Slower => "s",
        Verdict::Less => "l",
        Verdict::More => "m",
        Verdict::None => "n",
        Verdict::TooFew => "t",
        Verdict::Untested => "u",
        Verdict::Unsteady => "y",
    }
}
