//! The machines on which builds can be compared: their reports, builds and rows.

use super::address::distinct;
use super::compare::{Compared, compare};
use super::{Build, Key, Report, Row, newest_tested};
use crate::base::slug::slug;
use crate::model::implementation::Implementation;
use crate::stats::Rules;
use std::collections::{HashMap, HashSet};

/// The newest machines and reports of a machine, and the builds of a machine that can be chosen.
const MAX: usize = 30;
const MAX_BUILDS: usize = 40;

/// Verdicts on a machine: the number grows with the square of that of builds.
const MAX_VERDICTS: usize = 200_000;

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
    pub names: Vec<String>,
    /// The number of builds with those that cannot be chosen.
    pub measured: usize,
    /// The rows of all reports, each as in the newest that has it.
    pub rows: Vec<&'a Row>,
    /// The places of the rows that say most.
    pub headlines: Vec<usize>,
}

/// A report of the machine.
#[derive(Debug)]
pub(crate) struct Measured<'a> {
    pub report: &'a Report,
    /// The report's own place of each build of the machine.
    pub builds: Vec<Option<usize>>,
    /// The place of each of its rows among those of the machine.
    pub places: Vec<usize>,
}

/// Two builds of a machine, compared.
#[derive(Debug)]
pub(crate) struct BuildPair<'a> {
    /// The builds: baseline and candidate.
    pub sides: [usize; 2],
    /// The report of each.
    pub reports: [usize; 2],
    pub rows: Vec<Compared<'a>>,
}

/// Returns the machines of reports, newest first. A report without a machine is one of its own.
pub(crate) fn compared_machines<'a>(reports: &[&'a Report]) -> Vec<ComparedMachine<'a>> {
    let mut groups: Vec<(String, Vec<&Report>)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for report in reports {
        let named = report.manifest.machine.clone();
        let name = named.unwrap_or_else(|| report.title());
        let place = *known.entry(name.clone()).or_insert_with(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(report);
    }
    let machines = groups.into_iter().filter_map(|(name, mut reports)| {
        reports.truncate(MAX);
        ComparedMachine::of(name, &reports)
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
    fn of(name: String, reports: &[&'a Report]) -> Option<Self> {
        let mut known: HashMap<Key<'a>, usize> = HashMap::new();
        let mut rows: Vec<&Row> = Vec::new();
        let mut places = Vec::new();
        for report in reports.iter().copied() {
            let place = |row: &'a Row| {
                *known.entry(row.key()).or_insert_with(|| {
                    rows.push(row);
                    rows.len() - 1
                })
            };
            places.push(report.rows.iter().map(place).collect::<Vec<_>>());
        }
        let (chosen, measured) = chosen(reports, rows.len());
        if chosen.len() < 2 {
            return None;
        }
        let headlines = newest_tested(reports).map(Report::key_rows);
        let headlines = headlines.iter().flatten();
        let place = |report: &Report, build: &Build| {
            let mut builds = report.builds.iter();
            builds.position(|one| one.implementation == build.implementation)
        };
        let reports = reports.iter().copied().zip(places);
        let reports = reports.map(|(report, places)| Measured {
            report,
            builds: chosen.iter().map(|build| place(report, build)).collect(),
            places,
        });
        Some(Self {
            name,
            file: String::new(),
            headlines: headlines.map(|row| known[&row.key()]).collect(),
            rows,
            names: chosen.iter().map(|build| build.name.full()).collect(),
            reports: reports.collect(),
            builds: chosen.iter().map(|build| &build.implementation).collect(),
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

    /// Returns the report that the machine is about.
    fn main(&self) -> &'a Report {
        let reports: Vec<&Report> = self.reports.iter().map(|r| r.report).collect();
        newest_tested(&reports).unwrap_or(reports[0])
    }

    /// Returns the first comparison to show: the subject of the machine's report with its rival.
    pub(crate) fn start(&self) -> [usize; 2] {
        let report = self.main();
        let place = |build: usize| self.place_of(report.build(build));
        let new = report.roles().subject.and_then(place).unwrap_or(0);
        let old = report.roles().rival.and_then(place);
        if let Some(old) = old.filter(|old| *old != new) {
            return [old, new];
        }
        let other = usize::from(new == 0);
        let is_later = other < new && self.builds[other].name == self.builds[new].name;
        // Nothing gets faster since a later release.
        if is_later { [new, other] } else { [other, new] }
    }

    /// Returns the place of a build that can be chosen.
    pub(crate) fn place_of(&self, build: &Implementation) -> Option<usize> {
        self.builds.iter().position(|one| *one == build)
    }

    /// Returns the newest tested report that has both builds, else the newest of each.
    pub(crate) fn reports_of(&self, sides: [usize; 2]) -> Option<[usize; 2]> {
        let has = |report: &Measured<'_>, build: usize| report.builds[build].is_some();
        let reports = self.reports.iter();
        let both = reports.filter(|r| sides.iter().all(|build| has(r, *build)));
        let both: Vec<&Report> = both.map(|r| r.report).collect();
        let newest = newest_tested(&both);
        let [old, new] = sides.map(|build| {
            let is_wanted = |r: &Measured<'_>| match newest {
                Some(newest) => r.report.name == newest.name,
                None => has(r, build),
            };
            self.reports.iter().position(is_wanted)
        });
        Some([old?, new?])
    }

    /// Compares two builds, baseline and candidate, as everywhere. `None` without a row in common.
    pub(crate) fn compare(&self, sides: [usize; 2]) -> Option<BuildPair<'a>> {
        let reports = self.reports_of(sides)?;
        let side = |side: usize| {
            let measured = &self.reports[reports[side]];
            Some((measured.report, measured.builds[sides[side]]?))
        };
        let rows = compare([side(0)?, side(1)?], &Rules::default());
        (!rows.is_empty()).then_some(BuildPair {
            sides,
            reports,
            rows,
        })
    }

    /// Returns the place of a row of a comparison among those of the machine.
    pub(crate) fn place(&self, pair: &BuildPair<'_>, row: &Compared<'_>) -> usize {
        self.reports[pair.reports[1]].places[row.row.index]
    }
}

/// Chooses what the newest tested report shows, then of each report, the newest first, the newest builds and the
/// others. They are in the order in which they are offered: by library, and the newest release first. Returns the
/// number of all builds too.
fn chosen<'a>(reports: &[&'a Report], rows: usize) -> (Vec<&'a Build>, usize) {
    let main = newest_tested(reports);
    let mut all: Vec<&Build> = Vec::new();
    let mut known = HashSet::new();
    for report in main.iter().chain(reports) {
        let mut builds = report.roles().shown.clone();
        let others = report.builds.iter().enumerate().rev();
        let (newest, older): (Vec<_>, Vec<_>) = others.partition(|(_, build)| build.is_newest);
        builds.extend(newest.iter().chain(&older).map(|(place, _)| *place));
        builds.retain(|build| report.rows.iter().any(|row| row.figure(*build).is_some()));
        for build in builds.into_iter().map(|build| &report.builds[build]) {
            if known.insert(&build.implementation) {
                all.push(build);
            }
        }
    }
    let measured = all.len();
    let mut most = MAX_BUILDS;
    while most > 2 && most * (most - 1) / 2 * rows > MAX_VERDICTS {
        most -= 1;
    }
    all.truncate(most);
    let libraries: Vec<&str> = all
        .iter()
        .map(|build| &*build.implementation.name)
        .collect();
    let library = |b: &Build| {
        libraries
            .iter()
            .position(|name| *name == b.implementation.name)
    };
    all.sort_by(|a, b| library(a).cmp(&library(b)).then(b.cmp_age(a)));
    (all, measured)
}
