//! The sentences that answer what a page is about. Each ranks only by tested differences; the tests
//! of the website compute them again from the downloads.

use super::finding::named;
use crate::base::words::join;
use crate::report::{Lead, Leaders, Report, Row, Series, leaves_key_exchange_open, titles, words};
use crate::stats::Verdict;

/// Names in a sentence.
const MAX_NAMED: usize = 4;

/// The word for the best in a unit: `fastest`, or `best` where it is no rate.
fn superlative(row: &Row) -> &'static str {
    match row.unit.kind().is_speed() {
        true => "fastest",
        false => "best",
    }
}

/// `Of the newest measured releases, rustls 0.23.46 is fastest: 15,698 hs/s, 1.03x faster than OpenSSL 4.0.3.`
pub(in crate::site) fn ranking(report: &Report, row: &Row) -> String {
    let Some(Leaders { first, behind }) = report.leaders(row) else {
        return figures(report, row);
    };
    let (best, names) = (first[0], named(report, first, MAX_NAMED));
    let Some(next) = behind.first() else {
        return format!("No difference between {names} is shown.");
    };
    let figure = row.figure(best).map_or("", |figure| &figure.text);
    let (symbol, word) = (&row.scale.symbol, superlative(row));
    let [ours, than] = [best, *next].map(|build| report.full_name(build));
    let known = report.verdict(row, [*next, best]);
    let change = known.map_or_else(String::new, |known| known.change.to_string());
    let lead = match first.len() {
        1 => format!("{ours} is {word}: {figure} {symbol}, {change} than {than}"),
        _ => format!(
            "{names} are {word}, and no difference between them is shown: {ours} with {figure} {symbol}, {change} than {than}"
        ),
    };
    format!("Of the newest measured releases, {lead}.")
}

/// The figures of a row without a ranking.
fn figures(report: &Report, row: &Row) -> String {
    let mut builds = report.roles().shown.clone();
    builds.retain(|build| row.figure(*build).is_some());
    if builds.is_empty() {
        builds = row.figures().map(|(build, _)| build).collect();
    }
    let why = match builds.len() {
        0 | 1 => "",
        _ if leaves_key_exchange_open(&row.scenario) => {
            " Each library chooses its key exchange here, so they are not ranked."
        }
        _ => " They are not ranked.",
    };
    builds.truncate(MAX_NAMED);
    let name = |build: &usize| {
        let figure = row.figure(*build).map_or("", |figure| &figure.text);
        format!("{} with {figure}", report.full_name(*build))
    };
    let shown: Vec<String> = builds.iter().map(name).collect();
    format!("{} {}.{why}", join(&shown), row.scale.symbol)
}

/// `From 0.20.8 to 0.23.46, on one machine: 1.62x faster in full handshake, client.` `None` unless a headline
/// scenario was tested.
pub(in crate::site) fn since_first(series: &Series<'_>) -> Option<String> {
    let report = series.report;
    let mut finals = series.builds.iter().rev();
    let newest = *finals.find(|build| report.builds[**build].is_final)?;
    let first = *series.builds.first().filter(|first| **first != newest)?;
    let mut changes = Vec::new();
    for row in report.headlines() {
        if let Some(known) = report.verdict(row, [first, newest])
            && known.verdict != Verdict::Untested
            && !leaves_key_exchange_open(&row.scenario)
        {
            let title = titles::title(&row.scenario);
            changes.push(format!("{} in {title}", words::verdict_in_words(&known)));
        }
    }
    let to = report.builds[newest].name.version_and_variant();
    let from = report.build(first).version.words();
    let changes = changes.join("; ");
    (!changes.is_empty()).then(|| format!("From {from} to {to}, on one machine: {changes}."))
}

/// Returns in how many scenarios a library's default build is among the fastest, and in how many it is ranked;
/// `None` if in none.
pub(in crate::site) fn lead(report: &Report, library: &str) -> Option<Lead> {
    let leads = report.leads(report.main_rows());
    let mut builds = leads.builds.into_iter();
    builds.find(|lead| report.library(lead.build) == library)
}
