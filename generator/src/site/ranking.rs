//! The sentences that answer what a page is about. Each ranks only by tested differences; the tests of
//! the website compute them again from the downloads.

use super::headline::headlines;
use super::phrases::joined;
use super::{Part, count, join};
use crate::model::scenario::{Side, Workload};
use crate::model::unit::Kind;
use crate::report::{Leaders, ReleaseSeries, Report, Row, leaves_key_exchange_open};
use crate::stats::{Change, Verdict};
use std::collections::BTreeSet;

/// Names in a sentence.
const MAX_NAMED: usize = 4;

/// Names the columns: each release once, with the parts of the variant that all of its columns have
/// and another of the `ranked` builds of the release lacks.
fn releases_of(report: &Report, columns: &[usize], ranked: &[usize]) -> Vec<String> {
    let build = |column: &usize| &report.data.implementations[*column];
    let mut names: Vec<String> = Vec::new();
    for one in columns.iter().map(build) {
        let same = |all: &[usize]| {
            let all = all.iter().map(build);
            let same = all.filter(|b| b.name == one.name && b.version == one.version);
            same.collect::<Vec<_>>()
        };
        let (named, ranked) = (same(columns), same(ranked));
        let mut parts = one.variant.clone();
        parts.retain(|part| named.iter().all(|b| b.variant.contains(part)));
        parts.retain(|part| ranked.iter().any(|b| !b.variant.contains(part)));
        let name = match parts.as_slice() {
            [] => one.release(),
            parts => format!("{} ({})", one.release(), parts.join(", ")),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The word for the best in a unit: `fastest`, or `best` where it is no rate.
pub(super) fn superlative(row: &Row) -> &'static str {
    match row.unit.kind() {
        Kind::Rate => "fastest",
        _ => "best",
    }
}

/// The names of the leaders; `None` if there are none, or all are equal.
pub(super) fn leaders(report: &Report, row: &Row) -> Option<Vec<String>> {
    let Leaders { first, behind } = report.leaders(row).filter(|l| !l.behind.is_empty())?;
    Some(releases_of(report, &first, &[&*first, &*behind].concat()))
}

/// `Of the newest releases, rustls 0.23.46 is fastest: 15,698 hs/s, 1.03x faster than OpenSSL 4.0.3.`
pub(super) fn ranking(report: &Report, row: &Row) -> String {
    let part = Part::of(report);
    let scale = part.with(|r| std::ptr::eq(r, row)).scale();
    let show = |value: f64| scale.as_ref().map_or_else(String::new, |s| s.show(value));
    let symbol = scale.as_ref().map_or("", |s| &s.symbol);
    let Some(Leaders { first, behind }) = report.leaders(row) else {
        return figures(&part, row, &show, symbol);
    };
    let ranked = [&*first, &*behind].concat();
    let names = releases_of(report, &first, &ranked);
    if behind.is_empty() {
        return match names.as_slice() {
            [one] => format!("{one} is the only newest release, and its builds do not differ."),
            _ => format!("No difference between {} is shown.", join(&names)),
        };
    }
    let best = first[0];
    let figure = part.estimate(row, best).map_or_else(String::new, show);
    let word = superlative(row);
    let lead = match names.as_slice() {
        [one] => format!("{one} is {word}: {figure} {symbol}"),
        [one, ..] => format!(
            "{} are {word}: {one} with {figure} {symbol}, and no difference from it is shown",
            join(&names)
        ),
        [] => String::new(),
    };
    let release = |column: &usize| part.data.implementations[*column].release();
    let is_other = |column: &&usize| first.iter().all(|f| release(f) != release(column));
    let next = behind.iter().find(is_other).and_then(|next| {
        let change = report.verdict(row, [*next, best])?.change;
        let than = release(next);
        Some(match names.len() {
            1 => format!(", {change} than {than}"),
            _ => format!(". {} is {change} than {than}", names[0]),
        })
    });
    format!(
        "Of the newest releases, {lead}{}.",
        next.unwrap_or_default()
    )
}

/// The figures of a row without a ranking, and why there is none.
fn figures(part: &Part<'_>, row: &Row, show: &dyn Fn(f64) -> String, symbol: &str) -> String {
    let mut columns = part.columns();
    columns.retain(|column| part.estimate(row, *column).is_some());
    let mut seen = BTreeSet::new();
    let build = |column: usize| &part.data.implementations[column];
    let first_of_each = columns
        .iter()
        .filter(|column| seen.insert(&build(**column).name));
    let figure = |column: &usize| {
        let estimate = part.estimate(row, *column)?;
        Some(format!(
            "{} with {}",
            build(*column).release(),
            show(estimate)
        ))
    };
    let named: Vec<String> = first_of_each.take(MAX_NAMED).filter_map(figure).collect();
    let is_single = columns
        .iter()
        .any(|c| row.cell(*c).is_some_and(|cell| cell.values.len() < 2));
    let why = match columns.len() {
        0 | 1 => "",
        _ if leaves_key_exchange_open(&row.scenario) => {
            " Each library chooses its key exchange here, so they are not ranked."
        }
        _ if is_single => " Single figures are not ranked.",
        _ => " They are not ranked: some are unsteady, or of too few runs.",
    };
    format!("{} {symbol}.{why}", join(&named))
}

/// `From 0.20.8 to 0.23.46, on one machine: full handshakes 1.62x faster, receiving as fast.` `None`
/// unless a headline scenario was tested.
pub(super) fn since_first(series: &ReleaseSeries<'_>) -> Option<String> {
    let report = series.report;
    let is_final = |column: &&usize| {
        let build = &report.data.implementations[**column];
        !build.version.is_pre_release()
    };
    let newest = *series.columns.iter().rev().find(is_final)?;
    let first = *series.columns.first().filter(|first| **first != newest)?;
    let mut changes: Vec<(String, Vec<(&Row, String)>)> = Vec::new();
    for row in headlines(report) {
        let found = report.verdict(row, [first, newest]);
        let found = found.filter(|_| !leaves_key_exchange_open(&row.scenario));
        let Some(words) = found.and_then(|known| words(known.verdict, &known.change)) else {
            continue;
        };
        let work = work(row);
        match changes.iter_mut().find(|(known, _)| *known == work) {
            Some((_, all)) => all.push((row, words)),
            None => changes.push((work, vec![(row, words)])),
        }
    }
    if changes.is_empty() {
        return None;
    }
    let changes = changes.iter().map(|(work, all)| {
        let each = all.iter().map(|(row, words)| match own_details(row, all) {
            own if own.is_empty() => words.clone(),
            own => format!("{words} ({own})"),
        });
        format!("{work} {}", join(&each.collect::<Vec<_>>()))
    });
    let changes = changes.collect::<Vec<_>>().join(", ");
    let version = |column: usize| report.data.implementations[column].version.words();
    let of = joined([
        version(first) + " to " + &version(newest),
        Part::of(report).distinction(newest),
    ]);
    Some(format!(
        "From {}, on one machine: {changes}.",
        of.unwrap_or_default()
    ))
}

/// Returns the parameters of a row that some of `all` lack.
fn own_details(row: &Row, all: &[(&Row, String)]) -> String {
    let details = |row: &Row| row.scenario.details();
    let details_of_all: Vec<String> = all.iter().map(|(other, _)| details(other)).collect();
    let is_shared = |word: &str| {
        details_of_all
            .iter()
            .all(|d| d.split(", ").any(|w| w == word))
    };
    let details = details(row);
    let mut own: Vec<&str> = details.split(", ").collect();
    own.retain(|word| !is_shared(word));
    own.join(", ")
}

/// `1.62x faster`, `as fast`, `as much`; `None` if nothing was tested.
fn words(verdict: Verdict, change: &Change) -> Option<String> {
    match (verdict, change.kind) {
        (Verdict::None, Kind::Rate) => Some("as fast".to_owned()),
        (Verdict::None, _) => Some("as much".to_owned()),
        (verdict, _) if verdict.is_change() => Some(change.to_string()),
        _ => None,
    }
}

/// `full handshakes`, `sending`.
fn work(row: &Row) -> String {
    match (&row.scenario.workload, row.scenario.side) {
        (Workload::Transfer, Some(side @ (Side::Sending | Side::Receiving))) => {
            side.word().to_owned()
        }
        (workload, _) => workload.word().to_owned(),
    }
}

/// `Of the newest releases of all libraries, rustls is fastest in 12 of 40 scenarios.` `None` if none
/// is ranked.
pub(super) fn leads(report: &Report, library: &str) -> Option<String> {
    let [leads, ranked] = leads_in(report, library)?;
    let scenarios = count(ranked, "scenario");
    Some(format!(
        "Of the newest releases of all libraries, {library} is fastest, alone or with others, in {leads} of {scenarios}."
    ))
}

/// Returns in how many scenarios a library is among the fastest, and in how many it is ranked.
pub(super) fn leads_in(report: &Report, library: &str) -> Option<[usize; 2]> {
    let is_own = |column: &usize| report.data.implementations[*column].name == library;
    let (mut leads, mut ranked) = (0, 0);
    for row in &report.data.rows {
        let is_speed = row.unit.kind() == Kind::Rate && row.scenario.percentile.is_none();
        let found = report
            .leaders(row)
            .filter(|found| is_speed && !found.behind.is_empty());
        let Some(found) = found else { continue };
        let is_first = found.first.iter().any(is_own);
        leads += usize::from(is_first);
        ranked += usize::from(is_first || found.behind.iter().any(is_own));
    }
    (ranked > 0).then_some([leads, ranked])
}
