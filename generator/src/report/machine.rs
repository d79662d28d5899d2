//! The machines on which builds can be compared: their reports, builds and rows.

use super::address::distinct;
use super::history::Histories;
use super::names::{Name, names};
use super::{
    Cell, ComparedRow, ComparedTable, Key, Report, Row, common_scale, judge, newest_steady,
    of_judged,
};
use crate::base::slug::slug;
use crate::model::implementation::Implementation;
use crate::model::scale::Scale;
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use crate::stats::Rules;
use std::collections::{HashMap, HashSet};

/// The newest machines, reports of a machine and builds of a machine that can be chosen.
const MAX: usize = 30;

/// Verdicts on a machine: the number grows with the square of that of builds.
const MAX_VERDICTS: usize = 100_000;

/// A machine with two builds or more.
#[derive(Debug)]
pub(crate) struct ComparedMachine<'a> {
    pub name: String,
    /// The name of its file.
    pub file: String,
    /// The newest first.
    pub reports: Vec<Measured<'a>>,
    /// By library, the newest release first, with their names.
    pub builds: Vec<&'a Implementation>,
    /// The number of builds with those that cannot be chosen.
    pub measured: usize,
    pub names: Vec<String>,
    /// The rows of all reports.
    pub rows: Vec<ShownRow<'a>>,
    /// The places of the rows that say most.
    pub headlines: Vec<usize>,
}

/// A report of the machine.
#[derive(Debug)]
pub(crate) struct Measured<'a> {
    pub report: &'a Report,
    /// The column of each build.
    pub columns: Vec<Option<usize>>,
    /// The place of each of its rows among those of the machine, and the row at each place.
    pub places: Vec<usize>,
    pub rows: Vec<Option<&'a Row>>,
}

/// How a row is shown.
#[derive(Debug)]
pub(crate) struct ShownRow<'a> {
    pub key: Key<'a>,
    pub scale: Scale,
    /// The folder of the scenario's page; empty without one.
    pub address: String,
}

/// Two builds of a machine, compared.
#[derive(Debug)]
pub(crate) struct BuildPair<'a> {
    /// The builds: baseline and candidate.
    pub sides: [usize; 2],
    /// The report of each.
    pub reports: [usize; 2],
    pub table: ComparedTable<'a>,
}

impl<'a> Measured<'a> {
    pub(crate) fn cell(&self, place: usize, build: usize) -> Option<&'a Cell> {
        self.rows[place]?.cell(self.columns[build]?)
    }
}

/// Returns the machines of reports, newest first. A report without a machine is one of its own.
pub(crate) fn compared_machines<'a>(
    reports: &[&'a Report],
    histories: &Histories<'a>,
) -> Vec<ComparedMachine<'a>> {
    let mut groups: Vec<(String, Vec<&Report>)> = Vec::new();
    for report in reports {
        let named = report.manifest.machine.clone();
        let name = named.unwrap_or_else(|| report.title());
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

impl<'a> ComparedMachine<'a> {
    fn of(
        name: String,
        reports: Vec<&'a Report>,
        addresses: &HashMap<&Scenario, &str>,
    ) -> Option<Self> {
        let mut known = HashMap::new();
        let mut keys = Vec::new();
        let mut places = Vec::new();
        for report in &reports {
            let mut of_report = Vec::new();
            for row in &report.data.rows {
                let key = (&row.scenario, &row.unit);
                of_report.push(*known.entry(key).or_insert_with(|| {
                    keys.push(key);
                    keys.len() - 1
                }));
            }
            places.push(of_report);
        }
        let (builds, measured) = chosen(&reports, keys.len());
        if builds.len() < 2 {
            return None;
        }
        let headlines = newest_steady(&reports)
            .map(Report::key_rows)
            .unwrap_or_default();
        let headlines = headlines
            .iter()
            .map(|row| known[&(&row.scenario, &row.unit)]);
        let mut of_reports = Vec::new();
        for (report, places) in reports.into_iter().zip(places) {
            let mut rows = vec![None; keys.len()];
            for (row, place) in report.data.rows.iter().zip(&places) {
                rows[*place] = Some(row);
            }
            of_reports.push(Measured {
                report,
                columns: builds.iter().map(|build| column(report, build)).collect(),
                places,
                rows,
            });
        }
        let mut rows = Vec::new();
        for (place, key) in keys.iter().enumerate() {
            rows.push(ShownRow {
                key: *key,
                scale: scale(place, key.1, &of_reports),
                address: addresses.get(key.0).copied().unwrap_or_default().to_owned(),
            });
        }
        Some(Self {
            name,
            file: String::new(),
            headlines: headlines.collect(),
            rows,
            names: names(&builds).iter().map(Name::full).collect(),
            reports: of_reports,
            builds,
            measured,
        })
    }

    /// Returns the libraries, each with the number of its builds; one for all if each has one.
    pub(crate) fn libraries(&self) -> Vec<(&'a str, usize)> {
        let mut libraries: Vec<(&str, usize)> = Vec::new();
        for build in &self.builds {
            match libraries.last_mut() {
                Some((name, number)) if *name == build.name => *number += 1,
                _ => libraries.push((&build.name, 1)),
            }
        }
        match libraries.len() == self.builds.len() {
            true => vec![("builds", self.builds.len())],
            false => libraries,
        }
    }

    /// Returns the first comparison to show: the newest report's rival or the release before its subject,
    /// then the subject.
    pub(crate) fn start(&self) -> [usize; 2] {
        let reports: Vec<&Report> = self.reports.iter().map(|r| r.report).collect();
        let report = newest_steady(&reports).unwrap_or(reports[0]);
        let place = |column: usize| {
            let build = &report.data.implementations[column];
            self.builds.iter().position(|one| *one == build)
        };
        let (subject, rival) = report.subject_and_rival().unzip();
        let new = subject.and_then(place).unwrap_or(0);
        let old = rival.flatten().and_then(place).filter(|old| *old != new);
        let is_before = |old: &usize| {
            self.builds[*old] != self.builds[new] && !self.builds[*old].version.is_pre_release()
        };
        let before = || self.releases(new).into_iter().rfind(is_before);
        [old.or_else(before).unwrap_or(usize::from(new == 0)), new]
    }

    /// Returns the newest steady report that has both builds, else the newest of each.
    pub(crate) fn reports_of(&self, sides: [usize; 2]) -> Option<[usize; 2]> {
        let has = |report: &Measured<'_>, build: usize| report.columns[build].is_some();
        let reports = self.reports.iter();
        let both = reports.filter(|r| sides.iter().all(|build| has(r, *build)));
        let both: Vec<&Report> = both.map(|r| r.report).collect();
        let newest = newest_steady(&both);
        let [old, new] = sides.map(|build| {
            let is_wanted = |r: &Measured<'_>| match newest {
                Some(newest) => r.report.name == newest.name,
                None => has(r, build),
            };
            self.reports.iter().position(is_wanted)
        });
        Some([old?, new?])
    }

    /// Judges two builds, baseline and candidate, as the pages of reports do.
    pub(crate) fn compare(&self, sides: [usize; 2]) -> Option<BuildPair<'a>> {
        let reports = self.reports_of(sides)?;
        let [from, to] = reports.map(|report| &self.reports[report]);
        // That of the newer report, as on its page.
        let newer = self.reports[reports[0].min(reports[1])].report;
        let own = match sides.map(|build| to.columns[build]) {
            [Some(old), Some(new)] if reports[0] == reports[1] => Some([old, new]),
            _ => None,
        };
        let mut rows = Vec::new();
        for row in &to.report.data.rows {
            let place = to.places[row.index];
            if let (Some(old), Some(new)) = (from.cell(place, sides[0]), to.cell(place, sides[1])) {
                rows.push(match own {
                    Some(columns) => newer.compared(row, columns),
                    None => {
                        let cells = [Some(old), Some(new)];
                        ComparedRow::new(row, cells, newer.manifest.estimator)
                    }
                });
            }
        }
        if own.is_none() {
            judge(&mut rows, newer.manifest.estimator, &Rules::default());
        }
        let table = of_judged(rows)?;
        Some(BuildPair {
            sides,
            reports,
            table,
        })
    }

    /// Returns the releases of a build's library and variant, oldest first.
    pub(crate) fn releases(&self, build: usize) -> Vec<usize> {
        let of = self.builds[build];
        let same = |b: &usize| {
            let other = self.builds[*b];
            other.name == of.name && other.variant == of.variant && other.version <= of.version
        };
        let mut all: Vec<usize> = (0..self.builds.len()).filter(same).collect();
        all.sort_by_key(|build| &self.builds[*build].version);
        all
    }

    /// `since 2023`, or `since 0.20.9` if no day is known.
    pub(crate) fn since(&self, build: usize) -> String {
        let first = self.builds[self.releases(build)[0]];
        let mut reports = self.reports.iter();
        let day = reports.find_map(|r| r.report.manifest.released(first));
        let since = day.map_or_else(|| first.version.to_string(), |day| day.year().to_string());
        format!("since {since}")
    }
}

/// Returns the builds that can be chosen, and the number of all with figures: what the newest report is
/// about, then of each report, the newest first, the newest releases. They are in the order in which they
/// are offered: by library, those of the newest report first, and the newest release first.
fn chosen<'a>(reports: &[&'a Report], rows: usize) -> (Vec<&'a Implementation>, usize) {
    let mut known = HashSet::new();
    let mut ranked = Vec::new();
    let first = newest_steady(reports).and_then(|report| {
        let (ours, rival) = report.subject_and_rival()?;
        let build = |column: usize| &report.data.implementations[column];
        Some([Some(build(ours)), rival.map(build)])
    });
    for (place, report) in reports.iter().enumerate() {
        let mut newer: HashMap<(&str, &[String]), usize> = HashMap::new();
        let mut ages = vec![0; report.data.implementations.len()];
        for column in report.data.older.iter().rev() {
            let build = &report.data.implementations[*column];
            let newer = newer.entry((&build.name, &build.variant)).or_default();
            *newer += 1;
            ages[*column] = *newer;
        }
        for (column, build) in report.data.implementations.iter().enumerate() {
            let has_figure = |r: &Row| r.cell(column).is_some_and(|c| c.figure.is_some());
            if report.data.rows.iter().any(has_figure) && known.insert(build) {
                let is_first = first.is_some_and(|sides| sides.contains(&Some(build)));
                ranked.push(((!is_first, place, ages[column]), ranked.len(), build));
            }
        }
    }
    let measured = ranked.len();
    let mut most = MAX;
    while most > 2 && most * (most - 1) / 2 * rows > MAX_VERDICTS {
        most -= 1;
    }
    ranked.sort_by_key(|(rank, order, _)| (*rank, *order));
    ranked.truncate(most);
    ranked.sort_by_key(|(_, order, _)| *order);
    let mut builds: Vec<&Implementation> = ranked.into_iter().map(|(.., build)| build).collect();
    let mut libraries: Vec<&str> = Vec::new();
    for build in &builds {
        if !libraries.contains(&&*build.name) {
            libraries.push(&build.name);
        }
    }
    let library = |build: &Implementation| libraries.iter().position(|name| *name == build.name);
    builds.sort_by(|a, b| {
        let by_version = match a.version.is_on_branch() {
            true => b.version.cmp(&a.version),
            false => b.version.cmp_release(&a.version),
        };
        library(a).cmp(&library(b)).then(by_version)
    });
    (builds, measured)
}

fn column(report: &Report, build: &Implementation) -> Option<usize> {
    let mut all = report.data.implementations.iter();
    all.position(|one| one == build)
}

/// Returns the scale for the figures of a row in all reports, with three digits of the smallest.
fn scale(place: usize, unit: &Unit, reports: &[Measured<'_>]) -> Scale {
    let rows = reports.iter().filter_map(|report| report.rows[place]);
    let cells = rows.flat_map(|row| row.cells.iter().flatten());
    let figures: Vec<_> = cells.filter_map(|cell| cell.figure.as_ref()).collect();
    let smallest = figures.iter().map(|f| f.estimate).filter(|v| *v > 0.0);
    let smallest = smallest.fold(f64::INFINITY, f64::min);
    common_scale(unit, figures.iter().copied()).with_three_digits(smallest)
}
