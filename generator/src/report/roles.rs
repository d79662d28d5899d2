//! Who stands for whom in a report. No other code chooses a build.

use super::{Build, Report, Row, builds_of};
use crate::base::group::group_by;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Builds of a table or chart beside the scenario at 1280 px; more only if there is one of each
/// library.
const MAX_BUILDS: usize = 7;
const MAX_LIBRARIES: usize = 12;

/// Who stands for whom.
///
/// A library is represented by its *default build*: of its newest final release, the build whose
/// variant most of its releases have; of equals, the one that `report.toml` names first. A `subject`
/// in `report.toml` may name a build, which is then the default one of its library. Only a library
/// without a final release is represented by a pre-release.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roles {
    /// The default build of each library that has a figure, in the order of the report.
    pub defaults: Vec<usize>,
    /// What the report is about: a default build.
    pub subject: Option<usize>,
    /// The release before the subject.
    pub before: Option<usize>,
    /// Whom the subject is compared with first.
    pub rival: Option<usize>,
    /// The default builds of the other libraries, or of a single library the other builds of its newest
    /// release, or the release before: the rival first, then the best by figure.
    pub rivals: Vec<usize>,
    /// Whose order is told: subject and rivals, unless these are older releases.
    pub ranked: Vec<usize>,
    /// What fits in tables and charts: the subject, the release before, and rivals.
    pub shown: Vec<usize>,
    /// All others: older releases, other variants, pre-releases, and what does not fit.
    pub others: Vec<usize>,
}

impl Build {
    /// Compares releases: by version, builds and commits of one release by day.
    pub(super) fn cmp_age(&self, other: &Self) -> Ordering {
        let [one, two] = [self, other].map(|build| &build.implementation.version);
        one.cmp_release(two).then(self.day.cmp(&other.day))
    }
}

impl Report {
    /// Returns who stands for whom, found once.
    pub(crate) fn roles(&self) -> &Roles {
        self.kept.roles.get_or_init(|| Roles::of(self))
    }

    /// Orders the releases of each library and variant: which is final, the newest, and which one is
    /// before it.
    pub(super) fn order_releases(&mut self) {
        for build in &mut self.builds {
            let implementation = &build.implementation;
            build.is_final = !implementation.version.is_pre_release();
            build.day = self.manifest.released(implementation);
        }
        for releases in self.releases() {
            let last = releases.len() - 1;
            let newest = releases.iter().rposition(|b| self.builds[*b].is_final);
            let newest = newest.unwrap_or(last);
            let mut before: Option<usize> = None;
            for (place, build) in releases.iter().enumerate() {
                let is_later = before.is_some_and(|before| {
                    let [one, other] = [before, *build].map(|b| &self.builds[b].implementation);
                    one.version.cmp_release(&other.version).is_eq() && !one.version.is_on_branch()
                });
                self.builds[*build].is_newest = place == newest;
                self.builds[*build].before = before.filter(|_| !is_later);
                if self.builds[*build].is_final {
                    before = Some(*build);
                }
            }
        }
    }

    /// Returns the builds of each library and variant, the oldest release first. Those that versions do
    /// not order, such as commits and builds of one release, are in the order of their days, then of
    /// the report.
    pub(super) fn releases(&self) -> Vec<Vec<usize>> {
        let series = group_by(0..self.builds.len(), |build| {
            let build = self.build(*build);
            (&build.name, &build.variant)
        });
        let by_age = |(_, mut releases): (_, Vec<usize>)| {
            releases.sort_by(|a, b| self.builds[*a].cmp_age(&self.builds[*b]));
            releases
        };
        series.into_iter().map(by_age).collect()
    }

    /// Returns baseline and candidate of a report on revisions without versions, which are no rivals: the
    /// sides of its last comparison.
    pub(crate) fn revisions(&self) -> Option<[usize; 2]> {
        let sides = &self.manifest.comparisons.last()?.value;
        let [old, new] = [&sides.baseline, &sides.candidate].map(|name| self.named(&name.value));
        let mut builds = self.builds.iter();
        let has_versions = builds.any(|build| !build.implementation.version.is_empty());
        Some([old?, new?]).filter(|_| !has_versions && self.manifest.subject.is_none())
    }

    /// Returns the default build of each library that has a figure.
    fn find_defaults(&self) -> Vec<usize> {
        // That of `report.toml` may be named whole.
        let subject = self.manifest.subject.as_ref();
        let named = subject.and_then(|subject| self.named(&subject.value));
        let libraries = group_by(builds_of(&self.rows), |build| self.library(*build));
        let defaults = libraries.into_iter().filter_map(|(_, own)| {
            let named = named.filter(|named| own.contains(named));
            named.or_else(|| self.default_of(&own))
        });
        defaults.collect()
    }

    /// Returns the default one of these builds of a library.
    fn default_of(&self, builds: &[usize]) -> Option<usize> {
        // Of builds without an order, the last is newest.
        let age = |a: &&usize, b: &&usize| self.builds[**a].cmp_age(&self.builds[**b]);
        let is_final = |build: &&usize| self.builds[**build].is_final;
        let last = builds.iter().filter(is_final).max_by(age);
        let last = last.or_else(|| builds.iter().max_by(age))?;
        let newest = builds.iter().filter(|build| {
            age(build, &last).is_eq()
                && self.builds[**build].is_final == self.builds[*last].is_final
        });
        let uses = |build: &&usize| {
            let variant = &self.build(**build).variant;
            builds
                .iter()
                .filter(|other| self.build(**other).variant == *variant)
                .count()
        };
        newest.rev().max_by_key(uses).copied()
    }

    /// Returns by how much the figures of each of these builds are behind the best of them: the mean
    /// over the rows that it has, in logarithms. It decides only which builds fit.
    fn distances(&self, among: &[usize]) -> HashMap<usize, f64> {
        let mut sums: HashMap<usize, (f64, u32)> = HashMap::new();
        for row in &self.rows {
            let estimates = among.iter().filter_map(|build| row.estimate(*build));
            let best = estimates.min_by(|a, b| row.unit.better().best_first(*a, *b));
            let Some(best) = best.filter(|best| *best > 0.0) else {
                continue;
            };
            for build in among {
                if let Some(own) = row.estimate(*build).filter(|own| *own > 0.0) {
                    let (sum, rows) = sums.entry(*build).or_default();
                    *sum += (own / best).ln().abs();
                    *rows += 1;
                }
            }
        }
        let distance = |build: &usize| {
            let (sum, rows) = sums.get(build).copied().unwrap_or((0.0, 1));
            (*build, sum / f64::from(rows))
        };
        among.iter().map(distance).collect()
    }
}

impl Roles {
    fn of(report: &Report) -> Self {
        if let Some([old, new]) = report.revisions() {
            let mut others = Vec::from_iter(0..report.builds.len());
            others.retain(|build| ![old, new].contains(build));
            return Self {
                defaults: report.find_defaults(),
                subject: Some(new),
                rival: Some(old),
                rivals: vec![old],
                shown: vec![new, old],
                others,
                ..Self::default()
            };
        }
        let defaults = report.find_defaults();
        let Some(subject) = subject(report, &defaults) else {
            return Self::default();
        };
        let before = report.builds[subject].before;
        let mut rivals = rivals(report, subject, &defaults);
        let mut ranked = vec![subject];
        ranked.extend(&rivals);
        if rivals.is_empty() {
            rivals.extend(before);
            ranked.clear();
        }
        let (shown, others) = shown(report, subject, before, &rivals);
        Self {
            defaults,
            subject: Some(subject),
            before,
            rival: rivals.first().copied(),
            rivals,
            ranked,
            shown,
            others,
        }
    }
}

/// Returns the default build of the library that the report is about: that of `report.toml`, rustls,
/// the first that is declared, or the best.
fn subject(report: &Report, defaults: &[usize]) -> Option<usize> {
    let named = report.manifest.subject.as_ref().map(|named| &*named.value);
    let declared = report.manifest.declarations.iter();
    let declared = declared.map(|declared| &*declared.implementation.name);
    let mut wanted = named.into_iter().chain(["rustls"]).chain(declared);
    let found = wanted.find_map(|name| {
        let mut defaults = defaults.iter().copied();
        defaults.find(|build| report.library(*build) == name || report.named(name) == Some(*build))
    });
    found.or_else(|| {
        let distances = report.distances(defaults);
        let all = defaults.iter().copied();
        all.min_by(|a, b| distances[a].total_cmp(&distances[b]))
    })
}

/// Returns the default builds of the other libraries, or of a single one the other builds of the subject's
/// release.
fn rivals(report: &Report, subject: usize, defaults: &[usize]) -> Vec<usize> {
    let mut rivals = defaults.to_vec();
    rivals.retain(|build| *build != subject);
    if rivals.is_empty() {
        let is_variant = |build: &usize| {
            *build != subject && report.build(*build).is_release(report.build(subject))
        };
        rivals = (0..report.builds.len()).filter(is_variant).collect();
    }
    // Who has less than half as many rows in common as another is not the first rival.
    let in_common = |build: usize| {
        let both = |row: &&Row| row.figure(subject).is_some() && row.figure(build).is_some();
        report.rows.iter().filter(both).count()
    };
    let common: HashMap<usize, usize> = rivals.iter().map(|b| (*b, in_common(*b))).collect();
    rivals.retain(|build| common[build] > 0);
    let most = common.values().copied().max().unwrap_or_default();
    let first = rivals.iter().position(|build| 2 * common[build] >= most);
    let Some(first) = first.map(|place| rivals.remove(place)) else {
        return rivals;
    };
    if rivals.len() >= MAX_BUILDS {
        let distances = report.distances(&[&[subject, first], &*rivals].concat());
        rivals.sort_by(|a, b| distances[a].total_cmp(&distances[b]));
    }
    rivals.insert(0, first);
    rivals
}

/// Splits the builds into those that fit in tables and charts, and the others.
fn shown(
    report: &Report,
    subject: usize,
    before: Option<usize>,
    rivals: &[usize],
) -> (Vec<usize>, Vec<usize>) {
    let mut all = vec![subject];
    all.extend(before);
    all.extend(rivals.iter().filter(|rival| Some(**rival) != before));
    let most = MAX_BUILDS.max(all.len().min(MAX_LIBRARIES));
    // Where there is room, other variants of the newest releases.
    let mut rest = Vec::from_iter(0..report.builds.len());
    rest.retain(|build| {
        let Build {
            is_newest,
            is_final,
            ..
        } = report.builds[*build];
        is_newest && is_final && !all.contains(build)
    });
    all.append(&mut rest);
    all.truncate(most);
    let is_other = |build: &usize| !all.contains(build);
    let others = (0..report.builds.len()).filter(is_other).collect();
    (all, others)
}
