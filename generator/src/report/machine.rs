//! The machines on which builds can be compared: their reports, builds and rows.

use super::address::distinct;
use super::compare::{Compared, compare};
use super::{Build, Key, Report, Row, builds_of, newest_tested};
use crate::base::group::group_by;
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
    /// The places of the rows that say most; none of benchmarks with free names.
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
    let file = |(name, _): &(String, _)| (name.clone(), slug(&format!("machine {name}")));
    let files = distinct(&Vec::from_iter(groups.iter().map(file)));
    let machines = groups.into_iter().zip(files);
    let machines =
        machines.filter_map(|((name, reports), file)| ComparedMachine::of(name, file, &reports));
    machines.take(MAX).collect()
}

impl<'a> ComparedMachine<'a> {
    fn of(name: String, file: String, reports: &[&'a Report]) -> Option<Self> {
        let reports = &reports[..reports.len().min(MAX)];
        let mut known: HashMap<Key<'a>, usize> = HashMap::new();
        let mut rows: Vec<&Row> = Vec::new();
        for row in reports.iter().flat_map(|report| &report.rows) {
            known.entry(row.key()).or_insert_with(|| {
                rows.push(row);
                rows.len() - 1
            });
        }
        let (chosen, measured) = chosen(reports, rows.len());
        let main = newest_tested(reports).filter(|_| chosen.len() > 1)?;
        let headlines = main.usual_rows();
        let measure = |report: &'a Report| Measured {
            report,
            builds: chosen
                .iter()
                .map(|build| report.position(&build.implementation))
                .collect(),
            places: report.rows.iter().map(|row| known[&row.key()]).collect(),
        };
        Some(Self {
            name,
            file,
            reports: reports.iter().copied().map(measure).collect(),
            builds: chosen.iter().map(|build| &build.implementation).collect(),
            names: chosen.iter().map(|build| build.name.full()).collect(),
            measured,
            headlines: headlines.iter().map(|row| known[&row.key()]).collect(),
            rows,
        })
    }

    /// Returns the libraries, each with the number of its builds; one for all if each has one.
    pub(crate) fn libraries(&self) -> Vec<(&'a str, usize)> {
        let libraries = self.builds.chunk_by(|a, b| a.name == b.name);
        let libraries = libraries.map(|own| (&*own[0].name, own.len()));
        let libraries: Vec<(&str, usize)> = libraries.collect();
        match libraries.len() == self.builds.len() {
            true => vec![("builds", self.builds.len())],
            false => libraries,
        }
    }

    /// Returns the first comparison to show: the subject of the machine's report with its rival.
    pub(crate) fn start(&self) -> [usize; 2] {
        let reports: Vec<&Report> = self.reports.iter().map(|r| r.report).collect();
        let report = newest_tested(&reports).unwrap_or(reports[0]);
        let roles = report.roles();
        let place = |build: usize| {
            let mut builds = self.builds.iter();
            builds.position(|one| *one == report.build(build))
        };
        let new = roles.subject.and_then(place).unwrap_or(0);
        let old = roles.rival.and_then(place).filter(|old| *old != new);
        let other = usize::from(new == 0);
        // Nothing gets faster since a later release.
        let is_later = other < new && self.builds[other].name == self.builds[new].name;
        match old {
            Some(old) => [old, new],
            None if is_later => [new, other],
            None => [other, new],
        }
    }

    /// Returns the newest tested report that has both builds, else the newest of each.
    fn reports_of(&self, sides: [usize; 2]) -> Option<[usize; 2]> {
        let has = |report: &&Measured<'_>, build: usize| report.builds[build].is_some();
        let both = self
            .reports
            .iter()
            .filter(|r| sides.iter().all(|build| has(r, *build)));
        let both: Vec<&Report> = both.map(|r| r.report).collect();
        let newest = newest_tested(&both);
        let [old, new] = sides.map(|build| {
            self.reports.iter().position(|r| match newest {
                Some(newest) => r.report.name == newest.name,
                None => has(&r, build),
            })
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
    let mut all: Vec<&Build> = Vec::new();
    let mut known = HashSet::new();
    for report in newest_tested(reports).iter().chain(reports) {
        let mut others = Vec::from_iter((0..report.builds.len()).rev());
        others.sort_by_key(|build| !report.builds[*build].is_newest);
        let builds = report.roles().shown.iter().chain(&others).copied();
        let with_figures = builds_of(&report.rows);
        let builds = builds.filter(|build| with_figures.contains(build));
        for build in builds.map(|build| &report.builds[build]) {
            if known.insert(&build.implementation) {
                all.push(build);
            }
        }
    }
    let measured = all.len();
    // n builds are n · (n - 1) / 2 pairs.
    let most = (1 + 8 * MAX_VERDICTS / rows.max(1)).isqrt().div_ceil(2);
    all.truncate(most.clamp(2, MAX_BUILDS));
    let mut chosen = Vec::new();
    for (_, mut own) in group_by(all, |build| &build.implementation.name) {
        own.sort_by(|a, b| b.cmp_age(a));
        chosen.extend(own);
    }
    (chosen, measured)
}
