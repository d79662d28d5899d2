//! What a report is about: its subject and that one's rival, its headline rows, and its title.

use super::{Report, Row};
use crate::base::words::{count, join};
use crate::model::implementation::Implementation;
use crate::model::scenario::{Group, KeyType, Resumption, Scenario, Side, Workload};
use crate::stats::MIN_SAMPLE_FOR_TEST;
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

/// Search engines and feed readers truncate longer titles.
const MAX_TITLE_CHARS: usize = 70;

/// A report that is older than an unsteady or untested one by so many days is shown in its place.
const MAX_AGE: i32 = 366;

/// Returns the newest of these reports; one that is about as new in its place, if that is steady and its
/// comparisons are tested.
pub(crate) fn newest_tested<'a>(newest_first: &[&'a Report]) -> Option<&'a Report> {
    let newest = *newest_first.first()?;
    let is_close = |report: &Report| {
        let days = newest.day.zip(report.day).map(|(new, old)| new - old);
        days.is_none_or(|days| days.get_days() <= MAX_AGE)
    };
    let tested = newest_first.iter().copied();
    let tested: Vec<&Report> = tested
        .filter(|one| is_close(one) && one.is_tested())
        .collect();
    let steady = tested.iter().find(|report| !report.is_unsteady());
    Some(steady.or(tested.first()).copied().unwrap_or(newest))
}

impl Report {
    /// Whether subject and rival have runs enough for a test in a row, or are commits of a branch.
    fn is_tested(&self) -> bool {
        let roles = self.roles();
        let (Some(subject), Some(rival)) = (roles.subject, roles.rival) else {
            return false;
        };
        let has_runs = |row: &Row| {
            let cells = [subject, rival].map(|build| row.cell(build));
            cells
                .iter()
                .all(|cell| cell.is_some_and(|c| c.values.len() >= MIN_SAMPLE_FOR_TEST))
        };
        self.is_of_branch() || self.rows.iter().any(has_runs)
    }

    /// Returns the name of the library that the report is about.
    pub(crate) fn subject(&self) -> Option<&str> {
        self.roles().subject.map(|subject| self.library(subject))
    }

    /// Returns the headline rows: those that the report names, else those of a server with RSA and of
    /// transfer, or the first ones if all benchmarks have free names.
    pub(crate) fn headlines(&self) -> Vec<&Row> {
        let named = self.named_headlines();
        if !named.is_empty() {
            return named;
        }
        let mut rows = self.key_rows();
        rows.retain(|Row { scenario, .. }| {
            scenario.side != Some(Side::Client)
                && scenario.key != Some(KeyType::EcdsaP256)
                && scenario.workload != Workload::Memory
        });
        rows.truncate(MAX_HEADLINES);
        rows
    }

    fn named_headlines(&self) -> Vec<&Row> {
        let row = |scenario: &Scenario| self.rows.iter().find(|r| r.scenario == *scenario);
        let named = self.manifest.headline.iter();
        named.filter_map(|at| row(&at.value)).collect()
    }

    /// Returns the rows that say most: the usual ones, or of benchmarks with free names those with the largest shown
    /// changes of the subject first.
    pub(crate) fn key_rows(&self) -> Vec<&Row> {
        let find = || {
            let mut rows = self.usual_rows();
            if rows.is_empty() {
                rows = self.by_change();
            }
            rows.iter().map(|row| row.index).collect()
        };
        let kept: &Vec<usize> = self.kept.key_rows.get_or_init(find);
        kept.iter().map(|row| &self.rows[*row]).collect()
    }

    fn by_change(&self) -> Vec<&Row> {
        let roles = self.roles();
        let sides = roles.rival.or(roles.before).zip(roles.subject);
        let size = |row: &Row| {
            let known = sides.and_then(|(old, new)| self.verdict(row, [old, new]));
            let shown = known.filter(|known| known.verdict.is_change());
            shown.map_or(0.0, |known| known.change.size())
        };
        let mut rows: Vec<(f64, &Row)> = self.rows.iter().map(|row| (size(row), row)).collect();
        rows.dedup_by_key(|(_, row)| &row.scenario);
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// Returns full handshakes by RSA and ECDSA, resumed ones and transfer, on both sides, and memory; or the headline
    /// rows, if there are none of these. Of benchmarks with free names, none says more than another, so it has none.
    pub(super) fn usual_rows(&self) -> Vec<&Row> {
        let usual = USUAL.into_iter().flat_map(Scenario::from_label);
        let mut found: Vec<&Row> = usual.filter_map(|usual| self.nearest(&usual)).collect();
        if found.is_empty() {
            found = self.named_headlines();
        }
        let is_other = |row: &&Row| matches!(row.scenario.workload, Workload::Other(_));
        match found.iter().all(is_other) {
            true => Vec::new(),
            false => found,
        }
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
        let rows = self.rows.iter().filter(|row| is_like(&row.scenario));
        // The last of equals is the first in the data.
        rows.rev().max_by_key(rank)
    }

    fn has_rivals(&self, row: &Row) -> bool {
        let libraries = row.figures().map(|(build, _)| self.library(build));
        libraries.collect::<HashSet<_>>().len() > 1
    }

    /// Returns the title: the report's own, or one made of its releases, its names, or the first name and
    /// a count, whichever fits first, and the architecture.
    pub(crate) fn title(&self) -> String {
        if let Some(title) = &self.manifest.title {
            return title.clone();
        }
        let on = self.manifest.architecture.as_ref();
        let on = on.map_or_else(String::new, |architecture| format!(" on {architecture}"));
        if let Some([old, new]) = self.revisions() {
            return format!("{} against {}{on}", self.build(new), self.build(old));
        }
        let mut builds = self.roles().defaults.clone();
        let subject = self.subject();
        builds.sort_by_key(|build| Some(self.library(*build)) != subject);
        let texts = |text: fn(&Implementation) -> String| -> Vec<String> {
            builds
                .iter()
                .map(|build| text(self.build(*build)))
                .collect()
        };
        let names = texts(|i| i.name.clone());
        let first = names.first().cloned().unwrap_or_default();
        let others = count(names.len().saturating_sub(1), "other");
        let titles = [texts(Implementation::release), names, vec![first, others]];
        let titles = titles.map(|names| join(&names) + &on);
        let fits = |title: &&String| title.chars().count() <= MAX_TITLE_CHARS;
        let shortest = titles.iter().min_by_key(|title| title.len());
        let title = titles.iter().find(fits).or(shortest);
        title.cloned().unwrap_or_default()
    }
}
