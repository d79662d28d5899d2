//! The summary of a report: its subject, title, key finding and headline scenarios.

use super::{Part, count, join};
use crate::model::implementation::Implementation;
use crate::model::scenario::{Cipher, KeyType, Scenario, Side, TlsVersion, Workload};
use crate::report::{Report, Row};

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

/// The headline scenarios of a report that names none.
fn usual_headlines() -> Vec<Scenario> {
    let usual = |workload, side| Scenario {
        version: Some(TlsVersion::V1_3),
        side: Some(side),
        ..Scenario::new(workload)
    };
    let transfer = |side| Scenario {
        cipher: Some(Cipher::Aes256Gcm),
        ..usual(Workload::Transfer, side)
    };
    let full = Scenario {
        key: Some(KeyType::Rsa2048),
        ..usual(Workload::FullHandshake, Side::Server)
    };
    let resumed = usual(Workload::ResumedHandshake, Side::Server);
    let [sending, receiving] = [Side::Sending, Side::Receiving].map(transfer);
    vec![full, resumed, sending, receiving]
}

/// Returns the scenario itself, or the first that also names its key exchange or kind of resumption.
fn like(usual: &Scenario, scenarios: &[Scenario]) -> Scenario {
    let is_like = |s: &&Scenario| {
        let bare = Scenario {
            group: None,
            resumption: None,
            ..(*s).clone()
        };
        bare == *usual
    };
    let exact = scenarios.iter().find(|s| *s == usual);
    let found = exact.or_else(|| scenarios.iter().find(is_like));
    found.unwrap_or(usual).clone()
}

/// Returns the default headline scenarios as this report has them.
pub(super) fn default_headlines(report: &Report) -> Vec<Scenario> {
    let scenarios = report.data.rows.iter().map(|r| r.scenario.clone());
    let scenarios: Vec<Scenario> = scenarios.collect();
    let usual = usual_headlines();
    usual.iter().map(|usual| like(usual, &scenarios)).collect()
}

/// Returns a report's headline scenarios: those it names, else the default ones, or the first
/// ones if all benchmarks have free names.
pub(super) fn headlines(report: &Report) -> Vec<Scenario> {
    let scenarios = report.data.rows.iter().map(|r| r.scenario.clone());
    let mut scenarios: Vec<Scenario> = scenarios.collect();
    let is_other = |s: &Scenario| matches!(s.workload, Workload::Other(_));
    match report.manifest.headline.as_slice() {
        [] if scenarios.iter().all(is_other) => {
            scenarios.dedup();
            scenarios.truncate(usual_headlines().len());
            scenarios
        }
        [] => default_headlines(report),
        named => named.iter().map(|at| at.value.clone()).collect(),
    }
}

/// Search engines and feed readers truncate longer titles.
const MAX_TITLE_CHARS: usize = 70;

/// Returns the title of a report: its own, or one made of its releases, its names, or the first
/// name and a count, whichever fits first, and the architecture.
pub(crate) fn title(report: &Report) -> String {
    if let Some(title) = &report.manifest.title {
        return title.clone();
    }
    let measured = Part::of(report).columns().into_iter();
    let mut implementations: Vec<&Implementation> =
        measured.map(|c| &report.data.implementations[c]).collect();
    let subject = subject(report);
    implementations.sort_by_key(|i| i.name != subject);
    let unique = |text: fn(&Implementation) -> String| {
        let mut names: Vec<String> = Vec::new();
        for name in implementations.iter().map(|i| text(i)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let (releases, names) = (unique(Implementation::release), unique(|i| i.name.clone()));
    let first = names.first().cloned().unwrap_or_default();
    let others = count(names.len().saturating_sub(1), "other");
    let on = report.manifest.architecture.as_ref();
    let on = on.map_or_else(String::new, |architecture| format!(" on {architecture}"));
    let titles = [releases, names, vec![first, others]].map(|names| join(&names) + &on);
    let fits = |title: &&String| title.chars().count() <= MAX_TITLE_CHARS;
    let shortest = titles.iter().min_by_key(|title| title.len());
    let title = titles.iter().find(fits).or(shortest);
    title.cloned().unwrap_or_default()
}

/// Returns the key finding in one sentence: the report's own summary, or which implementations
/// lead in how many scenarios.
pub(crate) fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let part = Part::of(report);
    let columns = part.columns();
    let wins = part.wins(&columns);
    let Some((first, most)) = wins.first() else {
        let figures = count(part.rows.len(), "figure");
        return format!("{figures} of {}.", join(&part.names(&columns)));
    };
    let is_ranked = |row: &&&Row| report.leaders(row).is_some_and(|l| !l.behind.is_empty());
    let ranked = part.rows_in_words(part.rows.iter().filter(is_ranked).count());
    let wins_of = |(column, wins): &(usize, usize)| format!("{} in {wins}", part.name(*column));
    let others: Vec<String> = wins.iter().skip(1).take(2).map(wins_of).collect();
    let comma = if others.is_empty() { "" } else { ", " };
    format!(
        "{} leads alone in {most} of the {ranked} that are ranked{comma}{}.",
        part.name(*first),
        join(&others)
    )
}
