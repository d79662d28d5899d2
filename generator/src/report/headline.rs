//! The summary of a report: its subject, title, key finding and headline scenarios.

use super::home::last_release;
use super::{Part, count, join};
use crate::model::implementation::Implementation;
use crate::model::scenario::{Group, KeyType, Resumption, Scenario, Side, Workload};
use crate::report::{ReleaseSeries, Report, Row};
use std::collections::HashSet;

/// Returns the implementation that a report is about: the declared subject, else rustls, else the
/// first.
pub(crate) fn subject(report: &Report) -> &str {
    if let Some(named) = &report.manifest.subject {
        return &named.value;
    }
    let mut names = report.data.implementations.iter().map(|i| &*i.name);
    let first = names.clone().next().unwrap_or_default();
    names.find(|name| *name == "rustls").unwrap_or(first)
}

/// Headline rows of a report that names none.
const MAX_HEADLINES: usize = 4;

/// Returns a report's headline rows: those it names, else the usual ones.
pub(super) fn headlines(report: &Report) -> Vec<&Row> {
    match named(report) {
        none if none.is_empty() => usual_headlines(report),
        named => named,
    }
}

fn named(report: &Report) -> Vec<&Row> {
    let row = |scenario: &Scenario| report.data.rows.iter().find(|r| r.scenario == *scenario);
    let named = report.manifest.headline.iter();
    named.filter_map(|at| row(&at.value)).collect()
}

/// Returns the rows of a server with RSA and of transfer, or the first ones if all benchmarks have free
/// names.
pub(super) fn usual_headlines(report: &Report) -> Vec<&Row> {
    let mut rows = at_a_glance(report);
    rows.retain(|Row { scenario, .. }| {
        scenario.side != Some(Side::Client)
            && scenario.key != Some(KeyType::EcdsaP256)
            && scenario.workload != Workload::Memory
    });
    rows.truncate(MAX_HEADLINES);
    rows
}

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

/// Rows of a front page.
const MAX_AT_A_GLANCE: usize = 10;

/// Rows of a front page of free benchmarks, none of which says more than another: its answer counts
/// these.
const MAX_BENCHMARKS: usize = 40;

/// Returns the rows that say most about a report: full handshakes by RSA and ECDSA, resumed ones and
/// transfer, on both sides, and memory; or the headline rows, if it has none of these.
pub(super) fn at_a_glance(report: &Report) -> Vec<&Row> {
    let usual = USUAL.into_iter().flat_map(Scenario::from_label);
    let mut found: Vec<&Row> = usual.filter_map(|usual| nearest(report, &usual)).collect();
    if found.is_empty() {
        found = named(report);
        let is_other = |row: &&Row| matches!(row.scenario.workload, Workload::Other(_));
        if found.iter().all(is_other) {
            found = report.data.rows.iter().collect();
            found.dedup_by_key(|row| &row.scenario);
            found.truncate(MAX_BENCHMARKS);
            return found;
        }
    }
    found.truncate(MAX_AT_A_GLANCE);
    found
}

/// Returns the row of a scenario, by whatever key exchange, kind of resumption and number of sessions:
/// those of the headline scenarios if there are any, then what several libraries have, then the key exchange
/// that is the same for all, then the scenario itself, then most sessions.
fn nearest<'a>(report: &'a Report, usual: &Scenario) -> Option<&'a Row> {
    let is_like = |s: &Scenario| {
        let bare = Scenario {
            group: None,
            resumption: None,
            sessions: None,
            ..s.clone()
        };
        bare == *usual
    };
    let named = || report.manifest.headline.iter().map(|at| &at.value);
    let rank = |row: &&Row| {
        let s = &row.scenario;
        let has_group = s.group.is_some() && named().any(|named| named.group == s.group);
        let is_ticket = s.resumption == Some(Resumption::Ticket);
        let is_named = named().any(|named| named == s);
        let has_rivals = has_rivals(report, row);
        let is_fixed = s.group == Some(Group::X25519);
        let is_open = s.group.is_none();
        (
            is_named,
            has_group,
            has_rivals,
            is_fixed,
            s == usual,
            is_ticket,
            is_open,
            s.sessions,
        )
    };
    let rows = report.data.rows.iter().filter(|row| is_like(&row.scenario));
    // The last of equals is the first in the data.
    rows.rev().max_by_key(rank)
}

fn has_rivals(report: &Report, row: &Row) -> bool {
    let measured = Part::of(report).figures(row).into_iter();
    let names = measured.map(|(column, _)| &report.data.implementations[column].name);
    names.collect::<HashSet<_>>().len() > 1
}

/// Search engines and feed readers truncate longer titles.
const MAX_TITLE_CHARS: usize = 70;

/// Returns the title of a report: its own, or one made of its releases, its names, or the first
/// name and a count, whichever fits first, and the architecture.
pub(crate) fn title(report: &Report) -> String {
    if let Some(title) = &report.manifest.title {
        return title.clone();
    }
    let part = Part::of(report);
    let mut columns = part.columns();
    let is_final = |column: &usize| !part.build(*column).version.is_pre_release();
    if columns.iter().any(is_final) {
        columns.retain(is_final);
    }
    columns.sort_by_key(|column| part.build(*column).name != part.subject);
    let unique = |text: fn(&Implementation) -> String| {
        let mut seen = HashSet::new();
        let names = columns.iter().map(|column| text(part.build(*column)));
        let names = names.filter(|name| seen.insert(name.clone()));
        names.collect::<Vec<String>>()
    };
    let names = unique(|i| i.name.clone());
    let first = names.first().cloned().unwrap_or_default();
    let others = count(names.len().saturating_sub(1), "other");
    let on = report.manifest.architecture.as_ref();
    let on = on.map_or_else(String::new, |architecture| format!(" on {architecture}"));
    let titles = [unique(Implementation::release), names, vec![first, others]];
    let titles = titles.map(|names| join(&names) + &on);
    let fits = |title: &&String| title.chars().count() <= MAX_TITLE_CHARS;
    let shortest = titles.iter().min_by_key(|title| title.len());
    titles
        .iter()
        .find(fits)
        .or(shortest)
        .cloned()
        .unwrap_or_default()
}

/// Returns the key finding in a sentence or two: the report's own summary, or which implementations
/// lead in how many scenarios, or else what the last release changed.
pub(crate) fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let part = Part::of(report);
    let columns = part.columns();
    let wins = part.wins(&columns);
    let Some((first, most)) = wins.first() else {
        // Of one library, what its last release changed.
        if let Some(found) = ReleaseSeries::all(report).iter().find_map(last_release) {
            return found.join(" ").trim_end().to_owned();
        }
        let figures = count(part.rows.len(), "figure");
        return format!("{figures} of {}.", join(&part.names(&columns)));
    };
    let is_ranked = |row: &&&Row| report.leaders(row).is_some_and(|l| !l.behind.is_empty());
    let ranked = part.rows_in_words(part.rows.iter().filter(is_ranked).count());
    let wins_of = |(column, wins): &(usize, usize)| format!("{} in {wins}", part.name(*column));
    let others: Vec<String> = wins.iter().skip(1).take(2).map(wins_of).collect();
    let comma = if others.is_empty() { "" } else { ", " };
    format!(
        "{} leads in {most} of {ranked} with a tested order{comma}{}.",
        part.name(*first),
        join(&others)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::history::Histories;
    use crate::report::release_tests::{FULL, SENDING, cells, report, versions};
    use crate::site::{changes, feed_summary};

    /// What is no final release is by far the fastest here, and in all tables, but nothing else.
    #[test]
    fn pre_releases_are_shown_and_nothing_else() {
        let random = &mut Random::new(1);
        let keys = versions(&["0.23.1", "0.23.46", "0.24.0-dev.2", "0.23.46+6868ee8"]);
        let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let other = "version = \"0.23.46\"\nvariant = [\"ring\"]";
        keys.push(other);
        let mut measured = |levels: &[f64]| {
            let rows = [FULL, SENDING].map(|label| (label, cells(random, 20, levels)));
            report(&keys, &rows)
        };
        let previous = measured(&[100.0, 110.0, 500.0, 400.0, 90.0]);
        let newer = measured(&[100.0, 120.0, 900.0, 800.0, 90.0]);
        let part = Part::of(&newer);
        assert_eq!(part.columns(), [1, 2, 3, 4]);
        assert_eq!(part.best(part.rows[0], &part.columns()), [1]);
        assert_eq!(title(&newer), "rustls 0.23.46");
        // The other scenario leaves the key exchange open.
        let name = part.name(1);
        assert_eq!(
            finding(&newer),
            format!("{name} leads in 1 of 1 scenario with a tested order.")
        );

        let changes = changes(&newer, &[&previous], |_| true);
        let feed = feed_summary(&previous, true, &changes.highlights);
        assert!(feed.contains("2 of 4 scenarios changed"), "{feed}");
        assert!(!feed.contains("dev") && !feed.contains("6868ee8"), "{feed}");
        let reports = [newer];
        let histories = Histories::of(&reports);
        let series = histories.releases_in(&reports[0]);
        assert_eq!(series[0].columns, [0, 1, 3, 2]);
        let newest = histories.metrics().flat_map(|(_, metric)| &metric.series);
        let newest = newest.map(|series| series.newest().implementation.version.as_str());
        assert_eq!(newest.collect::<Vec<_>>(), ["0.23.46"; 4]);
    }
}
