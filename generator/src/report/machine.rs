//! The machines on which builds can be compared: their reports, builds and rows.

use super::history::{Histories, distinct};
use super::{Cell, ComparedTable, Key, Report, Row, common_scale, compared, newest_steady};
use crate::base::slug::slug;
use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::model::unit::Scale;
use std::collections::{HashMap, HashSet};

/// The newest machines, reports of a machine and builds of a machine that can be chosen: the number of
/// verdicts grows with the square of the last.
const MAX: usize = 30;

/// A machine with two builds or more.
#[derive(Debug)]
pub(crate) struct ComparedMachine<'a> {
    pub name: String,
    /// The name of its file.
    pub file: String,
    /// The newest first.
    pub reports: Vec<Measured<'a>>,
    /// Those of the newest report first, with their names.
    pub builds: Vec<&'a Implementation>,
    pub names: Vec<String>,
    /// The rows of all reports, with their places.
    pub rows: Vec<ShownRow<'a>>,
    pub places: HashMap<Key<'a>, usize>,
    /// The places of the rows that say most.
    pub glance: Vec<usize>,
}

/// A report of the machine.
#[derive(Debug)]
pub(crate) struct Measured<'a> {
    pub report: &'a Report,
    /// The column of each build.
    pub columns: Vec<Option<usize>>,
    rows: HashMap<Key<'a>, &'a Row>,
}

/// How a row is shown.
#[derive(Debug)]
pub(crate) struct ShownRow<'a> {
    pub key: Key<'a>,
    pub scale: Scale,
    /// The folder of the scenario's page; empty without one.
    pub address: String,
}

/// The verdicts on a candidate against a baseline.
#[derive(Debug)]
pub(crate) struct Judged<'a> {
    /// The builds: baseline and candidate.
    pub sides: [usize; 2],
    /// The report of each.
    pub meeting: [usize; 2],
    pub table: ComparedTable<'a>,
}

impl<'a> Measured<'a> {
    pub(crate) fn cell(&self, key: Key<'_>, build: usize) -> Option<&'a Cell> {
        self.rows.get(&key)?.cell(self.columns[build]?)
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
        let (mut builds, mut keys) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
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
        let glance = newest_steady(&reports)
            .map(Report::at_a_glance)
            .unwrap_or_default();
        let measured = |report: &'a Report| Measured {
            report,
            columns: builds.iter().map(|build| column(report, build)).collect(),
            rows: report.data.by_key(),
        };
        let reports: Vec<Measured<'a>> = reports.into_iter().map(measured).collect();
        let places: HashMap<Key<'a>, usize> = keys.iter().copied().zip(0..).collect();
        let glance = glance.iter().map(|row| places[&(&row.scenario, &row.unit)]);
        let row = |key: Key<'a>| ShownRow {
            key,
            scale: scale(key, &reports),
            address: addresses.get(key.0).copied().unwrap_or_default().to_owned(),
        };
        Some(Self {
            name,
            file: String::new(),
            glance: glance.collect(),
            rows: keys.into_iter().map(row).collect(),
            names: names(&builds),
            reports,
            builds,
            places,
        })
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
    pub(crate) fn meeting(&self, sides: [usize; 2]) -> Option<[usize; 2]> {
        let has = |report: &Measured<'_>, build: usize| report.columns[build].is_some();
        let reports = self.reports.iter();
        let both = reports.filter(|r| sides.iter().all(|build| has(r, *build)));
        let both: Vec<&Report> = both.map(|r| r.report).collect();
        let newest = newest_steady(&both);
        let [old, new] = sides.map(|build| {
            let is_wanted = |r: &Measured<'_>| match newest {
                Some(newest) => std::ptr::eq(r.report, newest),
                None => has(r, build),
            };
            self.reports.iter().position(is_wanted)
        });
        Some([old?, new?])
    }

    /// Judges two builds, baseline and candidate, as the pages of reports do.
    pub(crate) fn judged(&self, sides: [usize; 2]) -> Option<Judged<'a>> {
        let meeting = self.meeting(sides)?;
        let [from, to] = meeting.map(|report| &self.reports[report]);
        let both = to.report.data.rows.iter().filter_map(|row| {
            let key = (&row.scenario, &row.unit);
            let [old, new] = [from.cell(key, sides[0])?, to.cell(key, sides[1])?];
            Some((row, [Some(old), Some(new)]))
        });
        // That of the newer report, as on its page.
        let newer = self.reports[meeting[0].min(meeting[1])].report;
        let is_paired = meeting[0] == meeting[1] && newer.data.is_paired;
        let table = compared(both, newer.manifest.estimator, is_paired)?;
        Some(Judged {
            sides,
            meeting,
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

fn column(report: &Report, build: &Implementation) -> Option<usize> {
    let mut all = report.data.implementations.iter();
    all.position(|one| one == build)
}

/// Returns the names of the builds without the parts of the variant that the newest build of the
/// library has too: `rustls 0.23.46`, `rustls 0.23.46, ring`. Whole names where these are not unique.
fn names(builds: &[&Implementation]) -> Vec<String> {
    let short = |build: &Implementation| {
        let usual = builds.iter().find(|one| one.name == build.name);
        let usual = usual.map_or(&[][..], |usual| &usual.variant);
        let own = build.variant.iter().filter(|part| !usual.contains(part));
        own.fold(build.release(), |name, part| name + ", " + part)
    };
    let all: Vec<String> = builds.iter().map(|build| short(build)).collect();
    let is_unique = |name: &String| all.iter().filter(|one| *one == name).count() == 1;
    let whole = |(name, build): (&String, &&Implementation)| match is_unique(name) {
        true => name.clone(),
        false => build.to_string(),
    };
    all.iter().zip(builds).map(whole).collect()
}

/// Returns the scale for the figures of a row in all reports, with three digits of the smallest.
fn scale(key: Key<'_>, reports: &[Measured<'_>]) -> Scale {
    let rows = reports.iter().filter_map(|report| report.rows.get(&key));
    let cells = rows.flat_map(|row| row.cells.iter().flatten());
    let figures: Vec<_> = cells.filter_map(|cell| cell.figure.as_ref()).collect();
    let smallest = figures.iter().map(|f| f.estimate).filter(|v| *v > 0.0);
    let smallest = smallest.fold(f64::INFINITY, f64::min);
    common_scale(key.1, figures.iter().copied()).at_a_glance(smallest)
}
