//! What a report is about: its subject and that one's rival, its headline rows, and its title.

use super::{Report, Row};
use crate::base::words::{count, join};
use crate::model::implementation::Implementation;
use crate::model::scenario::{Group, KeyType, Resumption, Scenario, Side, Workload};
use std::collections::HashSet;

/// Headline rows of a report that names none.
const MAX_HEADLINES: usize = 4;

/// The scenarios that say most, with whatever key exchange, resumption and number of sessions.
const USUAL: [&str; 9] = [
    "full handshakes, 1.3, rsa, client",
    "full handshakes, 1.3, rsa, server",
    "full handshakes, 1.3, ecdsa, client",
    "full handshakes, 1.3, ecdsa, server",
    "resumed handshakes, 1.3, client",
    "resumed handshakes, 1.3, server",
    "transfer, 1.3, aes-256-gcm, sending",
    "transfer, 1.3, aes-256-gcm, receiving",
    "memory, 1.3",
];

/// Rows that say most.
const MAX_KEY_ROWS: usize = 10;

/// Rows of a front page of free benchmarks, none of which says more than another: its answer counts
/// these.
const MAX_BENCHMARKS: usize = 40;

/// Search engines and feed readers truncate longer titles.
const MAX_TITLE_CHARS: usize = 70;

/// A steady report that is older than an unsteady one by so many days is shown in its place.
const MAX_AGE: i32 = 366;

/// Returns the newest of these reports, or the newest steady one if that is about as new.
pub(crate) fn newest_steady<'a>(newest_first: &[&'a Report]) -> Option<&'a Report> {
    let newest = newest_first.first()?;
    let is_close = |report: &Report| {
        let days = newest.day.zip(report.day).map(|(new, old)| new - old);
        days.is_some_and(|days| days.get_days() <= MAX_AGE)
    };
    let mut all = newest_first.iter();
    let steady = all.find(|report| !report.data.is_unsteady() && is_close(report));
    Some(steady.unwrap_or(newest))
}

impl Report {
    /// Returns the implementation that the report is about: the declared subject, else rustls, else the
    /// first.
    pub(crate) fn subject(&self) -> &str {
        if let Some(named) = &self.manifest.subject {
            return &named.value;
        }
        if let Some([_, new]) = self.revisions() {
            return &self.data.implementations[new].name;
        }
        let mut names = self.data.implementations.iter().map(|i| &*i.name);
        let first = names.clone().next().unwrap_or_default();
        names.find(|name| *name == "rustls").unwrap_or(first)
    }

    /// Whether all builds are of one library, so that none has a rival.
    pub(crate) fn is_of_one_library(&self) -> bool {
        let builds = &self.data.implementations;
        builds.iter().all(|build| build.name == builds[0].name)
    }

    /// Returns baseline and candidate of a report on revisions without versions, which are no rivals: the
    /// sides of its last comparison.
    pub(crate) fn revisions(&self) -> Option<[usize; 2]> {
        let builds = &self.data.implementations;
        let sides = &self.manifest.comparisons.last()?.value;
        let place = |name: &str| builds.iter().position(|build| build.to_string() == name);
        let [old, new] = [&sides.baseline, &sides.candidate].map(|name| place(&name.value));
        let has_versions = builds.iter().any(|build| !build.version.is_empty());
        Some([old?, new?]).filter(|_| !has_versions && self.manifest.subject.is_none())
    }

    /// Returns the column of the subject's newest release, and that of its rival: the first other library
    /// with at least half as many scenarios in common as any, or else the release before.
    pub(crate) fn subject_and_rival(&self) -> Option<(usize, Option<usize>)> {
        if let Some([old, new]) = self.revisions() {
            return Some((new, Some(old)));
        }
        let build = |column: usize| &self.data.implementations[column];
        let columns = self.data.newest_columns(&self.data.rows).into_iter();
        let mut finals: Vec<usize> = columns.collect();
        finals.retain(|column| !build(*column).version.is_pre_release());
        // Variants of several releases are all among the newest columns.
        let is_newer = |one: &Implementation, other: &Implementation| {
            one.name == other.name && one.version.cmp_release(&other.version).is_gt()
        };
        let all = finals.clone();
        let has_newer =
            |column: &usize| all.iter().any(|one| is_newer(build(*one), build(*column)));
        finals.sort_by_key(has_newer);
        let (ours, others): (Vec<usize>, Vec<usize>) = finals
            .into_iter()
            .partition(|column| build(*column).name == self.subject());
        let ours = *ours.first()?;
        let in_common = |column: usize| {
            let both = |row: &&Row| row.cell(ours).is_some() && row.cell(column).is_some();
            self.data.rows.iter().filter(both).count()
        };
        let most = others.iter().map(|column| in_common(*column)).max();
        let has_half =
            |column: &&usize| Some(2 * in_common(**column)) >= most.map(|most| most.max(1));
        let rival = others.iter().find(has_half).copied();
        Some((ours, rival.or_else(|| self.data.release_before(ours))))
    }

    /// Returns the column of the subject's newest release.
    pub(crate) fn newest_of_subject(&self) -> Option<usize> {
        self.subject_and_rival().map(|(subject, _)| subject)
    }

    /// Returns the column of the release before the subject's newest.
    pub(crate) fn before_newest_of_subject(&self) -> Option<usize> {
        self.data.release_before(self.newest_of_subject()?)
    }

    /// Returns the headline rows: those that the report names, else the usual ones.
    pub(crate) fn headlines(&self) -> Vec<&Row> {
        match self.named_headlines() {
            none if none.is_empty() => self.usual_headlines(),
            named => named,
        }
    }

    fn named_headlines(&self) -> Vec<&Row> {
        let row = |scenario: &Scenario| self.data.rows.iter().find(|r| r.scenario == *scenario);
        let named = self.manifest.headline.iter();
        named.filter_map(|at| row(&at.value)).collect()
    }

    /// Returns the rows of a server with RSA and of transfer, or the first ones if all benchmarks have
    /// free names.
    pub(crate) fn usual_headlines(&self) -> Vec<&Row> {
        let mut rows = self.key_rows();
        rows.retain(|Row { scenario, .. }| {
            scenario.side != Some(Side::Client)
                && scenario.key != Some(KeyType::EcdsaP256)
                && scenario.workload != Workload::Memory
        });
        rows.truncate(MAX_HEADLINES);
        rows
    }

    /// Returns the rows that say most: full handshakes by RSA and ECDSA, resumed ones and transfer, on
    /// both sides, and memory; or the headline rows, if there are none of these.
    pub(crate) fn key_rows(&self) -> Vec<&Row> {
        let usual = USUAL.into_iter().flat_map(Scenario::from_label);
        let mut found: Vec<&Row> = usual.filter_map(|usual| self.nearest(&usual)).collect();
        if found.is_empty() {
            found = self.named_headlines();
            let is_other = |row: &&Row| matches!(row.scenario.workload, Workload::Other(_));
            if found.iter().all(is_other) {
                found = self.data.rows.iter().collect();
                found.dedup_by_key(|row| &row.scenario);
                found.truncate(MAX_BENCHMARKS);
                return found;
            }
        }
        found.truncate(MAX_KEY_ROWS);
        found
    }

    /// Returns the row of a scenario, by whatever key exchange, kind of resumption and number of sessions:
    /// those of the headline scenarios if there are any, then what several libraries have, then the key
    /// exchange that is the same for all, then the scenario itself, then most sessions.
    fn nearest(&self, usual: &Scenario) -> Option<&Row> {
        let is_like = |s: &Scenario| {
            let bare = Scenario {
                group: None,
                resumption: None,
                sessions: None,
                ..s.clone()
            };
            bare == *usual
        };
        let named = || self.manifest.headline.iter().map(|at| &at.value);
        let rank = |row: &&Row| {
            let s = &row.scenario;
            (
                named().any(|named| named == s),
                s.group.is_some() && named().any(|named| named.group == s.group),
                self.has_rivals(row),
                s.group == Some(Group::X25519),
                s == usual,
                s.resumption == Some(Resumption::Ticket),
                s.group.is_none(),
                s.sessions,
            )
        };
        let rows = self.data.rows.iter().filter(|row| is_like(&row.scenario));
        // The last of equals is the first in the data.
        rows.rev().max_by_key(rank)
    }

    fn has_rivals(&self, row: &Row) -> bool {
        let cells = self.data.implementations.iter().zip(&row.cells);
        let mut names = HashSet::new();
        for (build, cell) in cells {
            if cell.as_ref().is_some_and(|cell| cell.figure.is_some()) {
                names.insert(&build.name);
            }
        }
        names.len() > 1
    }

    /// Returns the title: the report's own, or one made of its releases, its names, or the first name and
    /// a count, whichever fits first, and the architecture.
    pub(crate) fn title(&self) -> String {
        if let Some(title) = &self.manifest.title {
            return title.clone();
        }
        let build = |column: &usize| &self.data.implementations[*column];
        let on = self.manifest.architecture.as_ref();
        let on = on.map_or_else(String::new, |architecture| format!(" on {architecture}"));
        if let Some([old, new]) = self.revisions() {
            return format!("{} against {}{on}", build(&new), build(&old));
        }
        let mut columns = self.data.newest_columns(&self.data.rows);
        let is_final = |column: &usize| !build(column).version.is_pre_release();
        if columns.iter().any(is_final) {
            columns.retain(is_final);
        }
        columns.sort_by_key(|column| build(column).name != self.subject());
        let unique = |text: fn(&Implementation) -> String| {
            let mut names: Vec<String> = Vec::new();
            for name in columns.iter().map(|column| text(build(column))) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        };
        let names = unique(|i| i.name.clone());
        let first = names.first().cloned().unwrap_or_default();
        let others = count(names.len().saturating_sub(1), "other");
        let titles = [unique(Implementation::release), names, vec![first, others]];
        let titles = titles.map(|names| join(&names) + &on);
        let fits = |title: &&String| title.chars().count() <= MAX_TITLE_CHARS;
        let shortest = titles.iter().min_by_key(|title| title.len());
        let title = titles.iter().find(fits).or(shortest);
        title.cloned().unwrap_or_default()
    }
}
